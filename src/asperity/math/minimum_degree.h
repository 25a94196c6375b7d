// Fill-reducing elimination order for sparse matrices of symmetric pattern.
#pragma once
#include <span>
#include <vector>

namespace asperity {

/// Vertices with the same neighbours (each counted as its own neighbour) form a group. A group can be eliminated at once
/// without extra fill. Example: four contact points between the same two boxes.
struct EliminationOrder {
    /// start of each group in `members`, plus one final entry; groups are in elimination order
    std::vector<int> group_start;
    std::vector<int> members;
};

/// Approximate minimum degree on the quotient graph (Amestoy, Davis, Duff 1996). `row_start` and `column` hold the pattern
/// by rows. It may contain the diagonal and need not be symmetric: either (i, j) or (j, i) suffices. `weight` is the number
/// of matrix rows of each vertex.
EliminationOrder minimum_degree(std::span<const int> row_start, std::span<const int> column, std::span<const int> weight);

}  // namespace asperity
