// The blocks of a contact problem as `lcp` sees them: every limit set is the hull of some corners.
#pragma once
#include <vector>

#include "asperity/solvers/assembled/assembled_problem.h"

namespace asperity::solvers {

/// Corners whose sum of multipliers is at most the normal impulse (of a Ball, at most `Part::bound`): one limit set, or one
/// of independent parts of it.
struct PolyhedralSet {
    int first_row = 0, rows = 0;  ///< of the block, on which it acts
    std::vector<Block6> corners;  ///< impulse per unit normal impulse
    double radius = 0;

    PolyhedralSet(int from, int count, std::vector<Block6> all);
};

/// One block.
struct PolyhedralPart {
    int block = 0;
    int column = 0;    ///< of its first variable
    double scale = 1;  ///< impulse per unit of the variable, as in scaled_problem.h
    double bound = 0;  ///< Interval: high - low, Ball: 1; in units of the variable
    double side = 1;   ///< Interval: -1 where it is measured down from `high`
    /// pressing is their sum with multipliers >= 0: one for a point, the corners of the region for a patch
    std::vector<Block6> normals;
    std::vector<PolyhedralSet> sets;

    /// Variables: the normals, and each set's corners and drag; of an Interval one, or two where it has both bounds.
    int size() const;
};

/// Whether a block has no bounds at all.
bool is_free(const Block& block);
/// Of a block that has bounds and can move.
PolyhedralPart make_part(const Block& block, int index, int column, int facets);
/// How far a block is from a solution of the polyhedral problem [m/s]: pressing by the deepest sinking and by the power per
/// unit normal impulse, friction by how much more of its bound it could dissipate. That it lies within its corners' hull is
/// given by the multipliers.
double residual_of(const PolyhedralPart& part, const Block& block, const double* lambda, const double* u);

}  // namespace asperity::solvers
