// The natural map of one block and its linearisation. Unknowns that the block's own equations determine are eliminated.
#pragma once
#include "asperity/solvers/problem/block.h"

namespace asperity::solvers {

constexpr int kMaxReduced = 6;  // largest number of unknowns of one block

/// Linearised equations of a block: its impulse changes by  dlambda = T y + c,  with y from the equations  L du + E y = -g.
struct BlockLinearisation {
    int size = 0;                 ///< number of unknowns y
    int piece = 0;                ///< smooth piece of a patch's map; needed because the size of a patch's y does not tell it
    bool whole = false;           ///< T and L are the identity on all rows, E = 0, c = 0
    bool has_multiplier = false;  ///< the last y is the change of a multiplier instead of an impulse
    double T[kMaxBlockRows][kMaxReduced] = {}, L[kMaxReduced][kMaxBlockRows] = {}, E[kMaxReduced][kMaxReduced] = {};
    double c[kMaxBlockRows] = {}, g[kMaxBlockRows] = {};
};

/// The friction rows of a contact.
inline Vec3 friction_rows(const Block& block, const double* x) { return {x[1], x[2], block.rows > 3 ? x[3] : 0}; }

/// F = lambda - P(lambda - r u) with the limit set taken at n = max(0, lambda_n - r_n u_n) (Alart, Curnier 1991) [N s]. `r`
/// holds the step length of each row; rows with r = 0 cannot move and have F = 0. A non-negative `frozen` normal impulse
/// replaces n.
void natural_map_of(const Block& block, const double* r, const double* lambda, const double* u, double* F,
                    double frozen = -1);

/// F = 0, linearised:
///     open contact, impulse at a bound     no unknown y
///     sticking                             y = dlambda, u + du = 0
///     slipping                             y = (dlambda_n, change along the boundary of n K); the change normal to
///                                          the boundary follows from dlambda_n
///     patch                                y = dlambda; derivatives of its natural map by finite differences
BlockLinearisation linearise(const Block& block, const double* r, const double* lambda, const double* u, double frozen = -1);

}  // namespace asperity::solvers
