// Sparse symmetric matrices of Dim x Dim blocks, one block row per node: the pattern of blocks, and the graph of nodes.
#pragma once
#include <cstddef>
#include <vector>

namespace asperity::linear {

/// The lower triangle by rows. Row i has columns <= i in ascending order; the diagonal is there, and last. Values are one
/// block per entry, column by column, in the order of the entries.
struct BlockPattern {
    std::vector<int> start;   ///< first entry of each row, and the end; empty means no rows
    std::vector<int> column;  ///< per entry

    int size() const { return start.empty() ? 0 : static_cast<int>(start.size()) - 1; }
    bool operator==(const BlockPattern&) const = default;
};

/// The entry of a row and a column <= row; -1 if the pattern does not have it.
int entry(const BlockPattern& pattern, int row, int column);

/// The union of cliques and of the diagonal. Clique c couples nodes[start[c]] to nodes[start[c + 1] - 1] with each other. A
/// node may occur twice in a clique.
BlockPattern pattern_of_cliques(int size, const std::vector<int>& start, const std::vector<int>& nodes);

/// Both triangles without the diagonal, neighbours in ascending order.
struct NodeGraph {
    std::vector<int> start, neighbour;
    std::vector<int> entry;  ///< in the pattern; its block has to be transposed for neighbours above the node

    int size() const { return start.empty() ? 0 : static_cast<int>(start.size()) - 1; }
};

/// Writes into `graph`, whose memory is kept.
void graph_of_pattern(const BlockPattern& pattern, NodeGraph& graph);

}  // namespace asperity::linear
