// Where bodies jam, friction holds them at any force within: the equations do not fix it, and a method that leaps may run
// along it for free. A leap to far larger impulses must be worth them: they must lower the energy D (ContactProblem::merit)
// by kWorth of what they would carry one by one. Inner forces lower nothing.
#pragma once

namespace asperity::solvers {

constexpr double kMostGrowth = 1.3;  ///< of the impulses in a leap that need not be worth it
constexpr double kWorth = 1e-5;

/// By how much impulses, each by itself, carry more energy than before; 0 where they are not much larger. `was` and `is`:
/// sums of |lambda|^2 / r [J].
constexpr double growth_of(double was, double is) { return is > kMostGrowth * kMostGrowth * was ? 0.5 * (is - was) : 0; }

}  // namespace asperity::solvers
