// Checks that every step of the implicit world must pass in any scene.
#pragma once
#include <string>
#include <vector>

#include "asperity/implicit/step.h"

namespace asperity::soak {

/// Checked in this order after every step that was done:
///   finite     Positions, velocities and energies are finite.
///   apart      No two surfaces cross, by the exact test of all of them; no body lies inside another; no vertex is behind a
///              half-space or within its thickness of it.
///   potential  V1 + |v1 - v0|^2_M / 2 <= V0 + K0: backward Euler minimises the left side, whose value at the start is the
///              right one. V is elastic, contact and gravity energy, K kinetic energy. Damping only adds to the left side.
///   energy     E = V + K rises by no more than W1 - W0 - grad W1 . (x1 - x0), with W the elastic energy, and the same of
///              the contact energy. Backward Euler adds that less |v1 - v0|^2_M / 2; it is negative where W is convex.
///   momentum   The momentum of all bodies together stays the same, if nothing outside acts on them.
///   balance    For every body, mass times acceleration is the sum of World::forces(), of loads and of drag.
/// With friction the potential is not checked: friction is part of what is minimised. Energies and forces may be off by the
/// tolerance of friction.
/// Potential and energy hold for backward Euler, whole steps, and without loads and motions from outside.
///
/// Tolerances. Newton's method stops when the last correction is e = tolerance * dt or less, and rounding moves positions by
/// 1e-15 of their size. A force of stiffness k is thus wrong by up to k e, its work by k e times the way of the step.
/// Stiffness is that of contacts (their force times b''/b'), joints and inertia: that of elements moves no centre of mass.
/// The error that remains is smaller by an order where the Hessian is exact, because corrections then shrink quadratically.
/// Hessians of contacts are clamped: the factor 10 is for these and for the edges' own curvature. Contacts that the error
/// has just opened are missing in the balance. Energies are compared within the allowance of the line search, 2e-13 of their
/// magnitudes an iteration.
template <int Dim>
class SoftChecks {
  public:
    explicit SoftChecks(implicit::World<Dim>& world);
    /// Empty, or a message that names the failure and the bodies. `dt`: of the whole step.
    std::string after_step(const implicit::World<Dim>& world, const implicit::StepReport& report, double dt);
    /// One line about the last step.
    const std::string& trace() const { return trace_; }

  private:
    std::string check_finite(const implicit::World<Dim>& world, const implicit::StepReport& report) const;
    std::string check_apart(const implicit::World<Dim>& world) const;
    std::string check_energy(const implicit::World<Dim>& world, const implicit::StepReport& report, double dt);
    std::string check_momentum(const implicit::World<Dim>& world);
    std::string check_balance(const implicit::World<Dim>& world, const implicit::StepReport& report) const;
    double friction_error(const implicit::World<Dim>& world, const implicit::StepReport& report) const;
    double position_error(const implicit::World<Dim>& world) const;
    void remember(const implicit::World<Dim>& world, const implicit::StepReport& report);

    bool passive_ = true, alone_ = true;  ///< no work from outside; no force from outside
    std::vector<char> balanced_;          ///< per body: forces() has all that acts on it
    implicit::State<Dim> before_;
    std::vector<Vector<Dim>> surface_before_;
    implicit::StepReport report_;
    Vec3 momentum_;
    std::string trace_;
};

}  // namespace asperity::soak
