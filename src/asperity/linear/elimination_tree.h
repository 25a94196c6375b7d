// The elimination tree of a graph and an order of its nodes, and the columns of the factor that it implies (Liu 1990, "The
// role of elimination trees in sparse factorization").
#pragma once
#include <vector>

#include "asperity/linear/block_pattern.h"

namespace asperity::linear {

/// Nodes are called by their place in a postorder: children before their parent, each subtree without gaps.
struct EliminationTree {
    std::vector<int> order;   ///< place -> node
    std::vector<int> place;   ///< node -> place
    std::vector<int> parent;  ///< per place; -1 at a root
    std::vector<int> count;   ///< per place: rows of its column of the factor, with the diagonal
};

/// The tree of the given order of elimination. Its postorder is equivalent to that order: it has the same fill.
void build_elimination_tree(const NodeGraph& graph, const std::vector<int>& order, EliminationTree& tree);

/// Vertices of a forest in postorder, children of each parent in ascending order. Takes no stack space, so that a chain of
/// any length may be a tree.
std::vector<int> postorder(const std::vector<int>& parent);

}  // namespace asperity::linear
