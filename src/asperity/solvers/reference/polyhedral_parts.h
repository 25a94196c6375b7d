// The blocks of a contact problem for `lcp`: every limit set is the convex hull of some vertices.
#pragma once
#include <vector>

#include "asperity/solvers/assembled/assembled_problem.h"

namespace asperity::solvers {

/// Vertices whose multipliers sum up to at most the normal impulse (for a Ball, at most PolyhedralPart::bound). They
/// describe one limit set, or one factor of a product set.
struct PolyhedralSet {
    int first_row = 0, rows = 0;  ///< rows of the block on which the set acts
    std::vector<Block6> corners;  ///< impulses per unit normal impulse
    double radius = 0;

    PolyhedralSet(int from, int count, std::vector<Block6> all);
};

/// The variables of one block in the linear complementarity problem.
struct PolyhedralPart {
    int block = 0;
    int column = 0;    ///< index of its first variable
    double scale = 1;  ///< impulse per unit of the variable, as in scaled_problem.h
    double bound = 0;  ///< Interval: high - low, Ball: 1; in units of the variable
    double side = 1;   ///< Interval: -1 if it is measured down from `high`
    /// The normal part is their sum with multipliers >= 0: one for a point, one per vertex of the region for a patch.
    std::vector<Block6> normals;
    std::vector<PolyhedralSet> sets;

    /// Number of variables: the normals, and each set's vertices and its drag. For an Interval one, or two if it has both
    /// bounds.
    int size() const;
};

/// Whether a block has no bounds at all.
bool is_free(const Block& block);
/// For a block that has bounds and can move.
PolyhedralPart make_part(const Block& block, int index, int column, int facets);
/// Residual of a block in the polyhedral problem [m/s]. Normal part: the largest approach velocity and the power per unit
/// normal impulse. Friction: the missing dissipation, relative to its bound. The multipliers guarantee that friction lies in
/// the hull.
double residual_of(const PolyhedralPart& part, const Block& block, const double* lambda, const double* u);

}  // namespace asperity::solvers
