#include "asperity/linear/block_pattern.h"

#include <algorithm>
#include <numeric>

namespace asperity::linear {

int entry(const BlockPattern& pattern, int row, int column) {
    const auto r = static_cast<std::size_t>(row);
    const auto first = pattern.column.begin() + pattern.start[r];
    const auto last = pattern.column.begin() + pattern.start[r + 1];
    const auto found = std::lower_bound(first, last, column);
    return found != last && *found == column ? static_cast<int>(found - pattern.column.begin()) : -1;
}

BlockPattern pattern_of_cliques(int size, const std::vector<int>& start, const std::vector<int>& nodes) {
    const auto n = static_cast<std::size_t>(size);
    std::vector<int> clique_start(n + 1, 0), clique(nodes.size());  // of each node
    for (const int node : nodes) ++clique_start[static_cast<std::size_t>(node) + 1];
    std::partial_sum(clique_start.begin(), clique_start.end(), clique_start.begin());
    std::vector<int> next(clique_start.begin(), clique_start.end() - 1);
    for (std::size_t c = 0; c + 1 < start.size(); ++c)
        for (int k = start[c]; k < start[c + 1]; ++k)
            clique[static_cast<std::size_t>(next[static_cast<std::size_t>(nodes[static_cast<std::size_t>(k)])]++)] =
                static_cast<int>(c);

    BlockPattern pattern;
    pattern.start.reserve(n + 1);
    pattern.start.push_back(0);
    std::vector<int> seen_by(n, -1);
    for (int i = 0; i < size; ++i) {
        const auto r = static_cast<std::size_t>(i);
        const auto row = static_cast<std::ptrdiff_t>(pattern.column.size());
        for (int k = clique_start[r]; k < clique_start[r + 1]; ++k) {
            const auto c = static_cast<std::size_t>(clique[static_cast<std::size_t>(k)]);
            for (int m = start[c]; m < start[c + 1]; ++m) {
                const int j = nodes[static_cast<std::size_t>(m)];
                if (j >= i || seen_by[static_cast<std::size_t>(j)] == i) continue;
                seen_by[static_cast<std::size_t>(j)] = i;
                pattern.column.push_back(j);
            }
        }
        std::sort(pattern.column.begin() + row, pattern.column.end());
        pattern.column.push_back(i);
        pattern.start.push_back(static_cast<int>(pattern.column.size()));
    }
    return pattern;
}

void graph_of_pattern(const BlockPattern& pattern, NodeGraph& graph) {
    const int size = pattern.size();
    const auto n = static_cast<std::size_t>(size);
    graph.start.assign(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i)
        for (int k = pattern.start[i]; k < pattern.start[i + 1] - 1; ++k) {
            ++graph.start[i + 1];
            ++graph.start[static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)]) + 1];
        }
    std::partial_sum(graph.start.begin(), graph.start.end(), graph.start.begin());
    const auto edges = static_cast<std::size_t>(graph.start[n]);
    graph.neighbour.resize(edges);
    graph.entry.resize(edges);
    std::vector<int> next(graph.start.begin(), graph.start.end() - 1);
    const auto add = [&](std::size_t node, int neighbour, int at) {
        const auto slot = static_cast<std::size_t>(next[node]++);
        graph.neighbour[slot] = neighbour;
        graph.entry[slot] = at;
    };
    // Rows in ascending order: all neighbours below a node are written with its own row, those above it in later rows.
    for (int i = 0; i < size; ++i) {
        const auto r = static_cast<std::size_t>(i);
        for (int k = pattern.start[r]; k < pattern.start[r + 1] - 1; ++k) {
            const int j = pattern.column[static_cast<std::size_t>(k)];
            add(r, j, k);
            add(static_cast<std::size_t>(j), i, k);
        }
    }
}

}  // namespace asperity::linear
