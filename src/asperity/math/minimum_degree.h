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
    /// false: a stop was requested (core/stop.h), and the last group holds all vertices that were left
    bool is_whole = true;
};

/// Approximate minimum degree on the quotient graph (Amestoy, Davis, Duff 1996). `row_start` and `column` hold the pattern
/// by rows. It may contain the diagonal and need not be symmetric: either (i, j) or (j, i) suffices. `weight` is the number
/// of matrix rows of each vertex.
EliminationOrder minimum_degree(std::span<const int> row_start, std::span<const int> column, std::span<const int> weight);

/// A pattern as a union of cliques: all members of a clique are coupled with each other. Its size is the number of members,
/// where the same pattern by rows has the sum of their squares.
struct CliquePattern {
    std::span<const int> start;   ///< per clique: its first index in `member`, and the end
    std::span<const int> member;  ///< vertices
};

struct EliminationCost {
    double work = 0;     ///< multiplications of one factorisation
    double factors = 0;  ///< values in both factors
};

/// The cost of eliminating all vertices in order of approximate minimum degree. Stops as soon as the cost exceeds `most` in
/// either number, and returns the cost so far. Time and memory follow the members and the cost, never the size of the
/// matrix. `weight` is the number of matrix rows of each vertex.
EliminationCost elimination_cost(const CliquePattern& pattern, std::span<const int> weight, const EliminationCost& most);

}  // namespace asperity
