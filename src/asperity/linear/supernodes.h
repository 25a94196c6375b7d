// Columns of the factor with the same rows, eliminated together in one dense front; and the merging of small fronts with
// their parents, where the time saved exceeds that of the zeros stored (relaxed supernodes: Ashcraft and Grimes 1989).
#pragma once
#include <vector>

#include "asperity/linear/elimination_tree.h"

namespace asperity::linear {

/// Rows of a front are stored in groups of this size: it is a multiple of both block sizes, and of the four doubles of a
/// vector register.
constexpr int kGroup = 12;

/// Rounds a number of rows up to whole groups.
constexpr int whole_groups(int rows) { return (rows + kGroup - 1) / kGroup * kGroup; }

/// Multiplications and additions to eliminate a front of `columns` columns and `rows` further rows of the matrix.
double front_flops(double columns, double rows);

/// Estimated processor cycles to assemble and eliminate a front of that many rows of the matrix.
double front_cost(int columns, int rows);

/// A tree of supernodes in postorder.
struct Supernodes {
    std::vector<int> start;   ///< per supernode: its first place in the order of elimination; and the end
    std::vector<int> rows;    ///< nodes below the diagonal block
    std::vector<int> parent;  ///< -1 at a root
    std::vector<int> order;   ///< nodes in order of elimination: that of the tree, with merged supernodes side by side
    int size() const { return static_cast<int>(rows.size()); }
};

Supernodes find_supernodes(const EliminationTree& tree, int dimension);

}  // namespace asperity::linear
