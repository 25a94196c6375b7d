// Patterns of blocks and the graphs of their nodes, against sets.
#include "asperity/linear/block_pattern.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/unit/linear/random_matrix.h"

namespace asperity::linear {
namespace {

TEST(BlockPattern, OfCliquesHasEveryPairOfACliqueAndTheDiagonal) {
    Random random(1);
    for (int trial = 0; trial < 50; ++trial) {
        const int size = 1 + trial % 12;
        std::vector<int> start{0}, nodes;
        std::set<std::pair<int, int>> expected;
        for (int i = 0; i < size; ++i) expected.insert({i, i});
        for (int c = 0; c < trial % 7; ++c) {
            const auto first = nodes.size();
            for (int k = 0; k < 1 + c % 4; ++k) nodes.push_back(static_cast<int>(random.uniform(0, size)));
            for (auto a = first; a < nodes.size(); ++a)
                for (auto b = first; b < nodes.size(); ++b)
                    if (nodes[a] >= nodes[b]) expected.insert({nodes[a], nodes[b]});
            start.push_back(static_cast<int>(nodes.size()));
        }
        const BlockPattern pattern = pattern_of_cliques(size, start, nodes);
        ASSERT_EQ(pattern.size(), size);
        EXPECT_EQ(pattern.column.size(), expected.size());
        for (int i = 0; i < size; ++i) {
            for (int j = 0; j <= i; ++j) {
                const int at = entry(pattern, i, j);
                EXPECT_EQ(at >= 0, expected.contains({i, j})) << "trial " << trial << ": " << i << ", " << j;
                if (at >= 0) { EXPECT_EQ(pattern.column[static_cast<std::size_t>(at)], j); }
            }
            EXPECT_EQ(entry(pattern, i, i), pattern.start[static_cast<std::size_t>(i) + 1] - 1)
                << "the diagonal is not last";
        }
    }
}

TEST(BlockPattern, OfNothingIsEmpty) {
    EXPECT_EQ(BlockPattern{}.size(), 0);
    EXPECT_EQ(pattern_of_cliques(0, {0}, {}).size(), 0);
    EXPECT_TRUE(pattern_of_cliques(0, {0}, {}).column.empty());
}

TEST(BlockPattern, ItsGraphHasEachEdgeFromBothEndsInAscendingOrder) {
    Random random(2);
    const BlockPattern pattern = pattern_of_edges(40, random_edges(40, 0.2, random));
    NodeGraph graph;
    graph_of_pattern(pattern, graph);
    ASSERT_EQ(graph.size(), 40);
    EXPECT_EQ(graph.neighbour.size(), 2 * (pattern.column.size() - 40));
    for (int i = 0; i < 40; ++i)
        for (int e = graph.start[static_cast<std::size_t>(i)]; e < graph.start[static_cast<std::size_t>(i) + 1]; ++e) {
            const int j = graph.neighbour[static_cast<std::size_t>(e)];
            EXPECT_EQ(graph.entry[static_cast<std::size_t>(e)], entry(pattern, std::max(i, j), std::min(i, j)));
            if (e > graph.start[static_cast<std::size_t>(i)]) {
                EXPECT_LT(graph.neighbour[static_cast<std::size_t>(e) - 1], j);
            }
        }
}

}  // namespace
}  // namespace asperity::linear
