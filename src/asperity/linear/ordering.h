// Orders of elimination of the nodes of a graph that keep the Cholesky factor sparse.
#pragma once
#include <vector>

#include "asperity/linear/block_pattern.h"

namespace asperity::linear {

enum class Ordering {
    NestedDissection,  ///< METIS: less work in space, and subtrees of equal size for threads
    MinimumDegree      ///< approximate minimum degree: quick, and as good on small and plane graphs
};

/// The nodes in order of elimination.
std::vector<int> elimination_order(const NodeGraph& graph, Ordering method);

}  // namespace asperity::linear
