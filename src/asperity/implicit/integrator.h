// The coefficients of one step of an implicit integrator. All of them minimise
//     1/2 |x - x~|_M^2 + c h^2 E(x)                 E: elastic, contact and damping energy minus the work of the loads
// and end with h v = w x - x^,  a = (x - x~)/(c h^2). docs/implicit-step.md has c, w, x~ and x^ of each.
#pragma once
#include <span>
#include <vector>

#include "asperity/implicit/settings.h"
#include "asperity/math/matrix.h"

namespace asperity::implicit {

/// The motion of all nodes at one time.
template <int Dim>
struct Motion {
    std::vector<Vector<Dim>> x, v, a;  ///< [m, m/s, m/s^2]
};

/// The start of the step before, which BDF2 needs. Empty after a start or a change of dt: then backward Euler acts.
template <int Dim>
struct Earlier {
    std::vector<Vector<Dim>> x, v;
    double dt = 0;
};

template <int Dim>
struct Prediction {
    double c = 1, w = 1;
    std::vector<Vector<Dim>> x_tilde, x_hat;
    bool inertia = true;
};

template <int Dim>
void predict(Integrator integrator, const Motion<Dim>& start, const Earlier<Dim>& earlier, double h, Prediction<Dim>& out);

/// Velocity and acceleration at the end of the step, from its positions.
template <int Dim>
void finish(const Prediction<Dim>& prediction, std::span<const Vector<Dim>> x, double h, Motion<Dim>& end);

}  // namespace asperity::implicit
