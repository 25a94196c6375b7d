// The natural map of one block and its linearisation, reduced to the unknowns that are left when what is known locally is
// eliminated.
#pragma once
#include "asperity/solvers/problem/block.h"

namespace asperity::solvers {

constexpr int kMaxReduced = 6;  // unknowns of a block that is not `whole`

/// A block's equations, linearised: its change is  dlambda = T y + c,  with y from the equations  L du + E y = -g.
struct BlockLinearisation {
    int size = 0;                 ///< of y
    int piece = 0;                ///< of the map of a patch, whose size is always the same
    bool whole = false;           ///< T and L are 1 on all rows, E = 0, c = 0
    bool has_multiplier = false;  ///< the last y is the change of a multiplier, not of the impulse
    double T[kMaxBlockRows][kMaxReduced] = {}, L[kMaxReduced][kMaxBlockRows] = {}, E[kMaxReduced][kMaxReduced] = {};
    double c[kMaxBlockRows] = {}, g[kMaxBlockRows] = {};
};

/// The friction part of a contact's rows.
inline Vec3 friction_rows(const Block& block, const double* x) { return {x[1], x[2], block.rows > 3 ? x[3] : 0}; }

/// F = lambda - P(lambda - r u) with the limit set taken at n = max(0, lambda_n - r_n u_n) (Alart, Curnier 1991) [N s]. `r`
/// holds the step length of each row; rows that nothing can move (r = 0) have F = 0. A `frozen` normal impulse that is not
/// negative takes the place of n.
void natural_map_of(const Block& block, const double* r, const double* lambda, const double* u, double* F,
                    double frozen = -1);

/// F = 0, linearised:
///     open contact, impulse at a bound     no y at all
///     sticking                             y = dlambda, u + du = 0
///     slipping                             y = (dlambda_n, change along the boundary of n K); what points out of it follows
///     from dlambda_n
///     patch                                y = dlambda, with the derivatives of its natural map by differences
BlockLinearisation linearise(const Block& block, const double* r, const double* lambda, const double* u, double frozen = -1);

}  // namespace asperity::solvers
