// Coulomb's law of one contact as Fischer-Burmeister equations, with a multiplier beta for the limit surface.
#pragma once
#include "asperity/solvers/problem/linearise_block.h"

namespace asperity::solvers {

/// Whether this form applies: to closed contacts with friction on a smooth set. The gauge of a polygon has no gradient along
/// its vertices, where the solutions of such problems lie. An open contact (lambda_n <= r_n u_n) has no friction force at
/// which to take the gradient. These and all other blocks use the natural map.
bool has_multiplier(const Block& block, const double* r, const double* lambda, const double* u);

/// With Psi(a, b) = sqrt(a^2 + b^2) - a - b, zero exactly if 0 <= a perp b >= 0, and g the gauge of the limit set:
///     Psi(lambda_n, r_n u_n) = 0
///     r_f (u_f + beta grad g(f)) = 0                    slip is opposite to the outward normal at the friction force
///     Psi(r_f beta, lambda_n - g(f)) = 0                no slip inside the set
/// written to F as `rows` + 1 numbers [N s], friction in axes in which the set is round. (Erleben et al. 2020, but with beta
/// on the slip side, where the Jacobian is regular.)
void fischer_burmeister_of(const Block& block, const double* r, const double* lambda, double beta, const double* u,
                           double* F);
/// The same equations linearised in lambda and beta; the change of beta comes last.
BlockLinearisation linearise_fischer_burmeister(const Block& block, const double* r, const double* lambda, double beta,
                                                const double* u);
/// The beta that best fits lambda and u [m/s].
double first_multiplier(const Block& block, const double* lambda, const double* u);

}  // namespace asperity::solvers
