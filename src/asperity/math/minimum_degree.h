// A fill-reducing order of elimination for sparse matrices of symmetric pattern.
#pragma once
#include <span>
#include <vector>

namespace asperity {

/// Vertices that have the same neighbours, themselves included, are one group: they can be eliminated together without loss.
/// Four points between the same two boxes are such a group.
struct EliminationOrder {
    /// of each group in `members`, one more than there are groups; groups in the order of elimination
    std::vector<int> group_start;
    std::vector<int> members;
};

/// Approximate minimum degree on the quotient graph (Amestoy, Davis, Duff 1996). `row_start`, `column` are the pattern by
/// rows, which may contain the diagonal and need not be symmetric: (i, j) or (j, i) will do. `weight` is the number of rows
/// of each vertex.
EliminationOrder minimum_degree(std::span<const int> row_start, std::span<const int> column, std::span<const int> weight);

}  // namespace asperity
