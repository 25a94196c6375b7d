// Rayleigh damping C = alpha M + beta K, and the extreme frequencies by which its coefficients are chosen. Source: Datta, "A
// Numerical Study of Frictional Contact", MSc thesis, McGill University 2018, equations 3.26 to 3.39.
#pragma once
#include <functional>
#include <span>

#include "asperity/deform/elements.h"

namespace asperity::deform {

struct Rayleigh {
    double mass = 0;       ///< alpha [1/s]
    double stiffness = 0;  ///< beta [s]
    /// Damping ratio of a mode of angular frequency w [rad/s]: (alpha/w + beta w)/2; 1 is critical.
    double ratio(double w) const { return 0.5 * (mass / w + stiffness * w); }
};

/// The coefficients that give two angular frequencies w1 < w2 [rad/s] the damping ratios z1 and z2. Throws InputError if
/// one of them would be negative: a mode between or beyond the two would gain energy.
Rayleigh rayleigh(double w1, double z1, double w2, double z2);

/// The top mode w0 critical and all others, w1 < w0 and below, over-damped: beta = 2/(w0 + w1), alpha = 2 w0 w1/(w0 + w1)
/// (equations 3.38 and, in a form that stays defined for w0 = w1, 3.39). If only w0 is known, w1 = w0 is safe: the ratio
/// (w0/w + w/w0)/2 is nowhere below 1. alpha is of the order of w0, a strong drag on rigid motion.
Rayleigh critical(double w0, double w1);
/// Only the top mode critical, rigid motion free: beta = 2/w0.
Rayleigh critical_at(double highest);

/// y = K x for vectors of any one length; K symmetric positive semidefinite.
using Operator = std::function<void(std::span<const double> x, std::span<double> y)>;

struct Extremes {
    double lowest = 0, highest = 0;  ///< eigenvalues of K y = L M y [1/s^2]; frequencies are their roots
    double error = 0;                ///< relative, by the residuals
    int products = 0;                ///< with K
    bool converged = false;
};

/// Extreme eigenvalues of K y = L M y with a diagonal M, by Lanczos' method on M^-1/2 K M^-1/2 with full
/// reorthogonalisation. `lowest` is the smallest one that is above `zero` times the highest: rigid motions of a body that
/// is not held count as zero. The highest needs a few dozen products; the lowest up to as many as there are unknowns, and
/// is an upper bound if the limit is reached first. Masses of zero or less mark unknowns that are held.
Extremes extreme_eigenvalues(const Operator& stiffness, std::span<const double> mass, int most_products = 300,
                             double tolerance = 1e-6, double zero = 1e-10);

/// The same for elements at x: K is the Hessian of the elastic energy, eigenvalues clamped; `mass` has one entry per node,
/// zero if it is held.
template <int Dim>
Extremes extreme_eigenvalues(const Elements<Dim>& elements, std::span<const Vector<Dim>> x, std::span<const double> mass,
                             int most_products = 300, double tolerance = 1e-6);

/// Longest step [s] of symplectic Euler with explicit damping of ratio z at the angular frequency w:
/// h w = 2 (sqrt(1 + z^2) - z).
double stable_step(double highest_frequency, double ratio);

}  // namespace asperity::deform
