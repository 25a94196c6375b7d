// The plan of a multifrontal factorisation (Duff and Reid 1983; Liu 1992, "The multifrontal method for sparse matrix
// solution"): which fronts there are, where each keeps its values, and which of them different threads may process.
//
// A front has the rows of a supernode: first those of its own columns, then those below. Its values are in groups of 12
// rows. Within a group, the 12 values of a column stand together. The factor holds the own columns: the diagonal block
// (group g has the columns of groups 0 to g) and the groups of rows below. The update matrix, which the front hands to its
// parent, holds the rows and columns below, group g again with the columns of groups 0 to g. Rows that fill up a group are
// zero.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "asperity/linear/block_pattern.h"
#include "asperity/linear/supernodes.h"

namespace asperity::linear {

/// Values of a symmetric matrix of that many groups: group g has (g + 1) squares of 12 x 12 values.
constexpr std::size_t triangle_values(int groups) {
    return static_cast<std::size_t>(groups) * (static_cast<std::size_t>(groups) + 1) / 2 * (kGroup * kGroup);
}

struct Front {
    int columns = 0, rows = 0;  ///< nodes eliminated, nodes below
    int first = 0;              ///< place of its first node in the order of elimination
    int parent = -1;
    int first_row = 0;                   ///< in FrontPlan::row, place_in_parent
    int first_child = 0, end_child = 0;  ///< in FrontPlan::child
    int first_block = 0, end_block = 0;  ///< in FrontPlan::block
    std::size_t factor = 0;              ///< its first value in the factor
    std::size_t update = 0;              ///< its update matrix in the workspace
    std::size_t slot = 0;                ///< of its first unknown in a padded vector
    std::size_t tail = 0;                ///< its part of the vector of rows below, used in solves

    int own_groups(int dimension) const { return (columns * dimension + kGroup - 1) / kGroup; }
    int row_groups(int dimension) const { return (rows * dimension + kGroup - 1) / kGroup; }
};

/// A block of the matrix, and where it is added.
struct BlockTarget {
    int entry;           ///< of the pattern
    bool transposed;     ///< the order of elimination turns the row into the column
    std::size_t target;  ///< offset in the factor of the front
};

/// A subtree of consecutive fronts, one unit of work for a thread.
struct Subtree {
    int first, end;
};

struct FrontPlan {
    std::vector<Front> fronts;         ///< children before parents
    std::vector<int> row;              ///< places of the rows below
    std::vector<int> place_in_parent;  ///< the same rows, counted within the parent's front
    std::vector<int> child;
    std::vector<BlockTarget> block;
    std::vector<Subtree> subtrees;  ///< independent of each other; the number of threads has no influence
    std::vector<int> top;           ///< the other fronts, ascending: those above the subtrees
    std::vector<int> order, place;  ///< place -> node, node -> place
    std::vector<std::size_t> slot;  ///< of each place in a padded vector
    std::size_t factor_values = 0, workspace = 0, padded = 0, tails = 0;
    double flops = 0;
};

/// Makes the plan for an order of elimination.
void make_front_plan(const BlockPattern& pattern, const NodeGraph& graph, const std::vector<int>& order, int dimension,
                     FrontPlan& plan);

}  // namespace asperity::linear
