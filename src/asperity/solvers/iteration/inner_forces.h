// Limits jumps along internal forces. Where bodies are jammed, friction can hold any internal force: the equations do not
// determine it, and an extrapolation may increase it without changing the residual. So a jump to far larger impulses is
// accepted only if it lowers the energy D (ContactProblem::merit) by kMinMeritGain of the energy that the added impulses
// would carry one by one. Internal forces lower D by nothing.
#pragma once

namespace asperity::solvers {

constexpr double kUntestedGrowth = 1.3;  ///< factor on the impulses up to which a jump is not tested [-]
/// fraction of the added energy by which D must fall [-]
constexpr double kMinMeritGain = 1e-5;

/// The energy that the impulses, each by itself, carry beyond that before the jump; 0 if they grew by less than
/// kUntestedGrowth. `was` and `is`: sums of |lambda|^2 / r [J].
constexpr double added_energy(double was, double is) {
    return is > kUntestedGrowth * kUntestedGrowth * was ? 0.5 * (is - was) : 0;
}

}  // namespace asperity::solvers
