// Elimination trees, counts and supernodes, against elimination on sets.
#include "asperity/linear/elimination_tree.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <numeric>
#include <set>
#include <thread>

#include "asperity/linear/front_plan.h"
#include "asperity/linear/ordering.h"
#include "tests/unit/linear/random_matrix.h"

namespace asperity::linear {
namespace {

/// Rows of each column of the factor, by eliminating node after node.
std::vector<std::set<int>> eliminate(const NodeGraph& graph, const std::vector<int>& order) {
    const auto n = order.size();
    std::vector<int> place(n);
    for (std::size_t i = 0; i < n; ++i) place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    std::vector<std::set<int>> rows(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto node = static_cast<std::size_t>(order[i]);
        for (int e = graph.start[node]; e < graph.start[node + 1]; ++e)
            if (const int j = place[static_cast<std::size_t>(graph.neighbour[static_cast<std::size_t>(e)])];
                j > static_cast<int>(i))
                rows[i].insert(j);
    }
    for (std::size_t i = 0; i < n; ++i)
        if (!rows[i].empty()) {
            const auto parent = static_cast<std::size_t>(*rows[i].begin());
            for (const int r : rows[i])
                if (r != static_cast<int>(parent)) rows[parent].insert(r);
        }
    return rows;
}

struct Case {
    const char* name;
    BlockPattern pattern;
};
std::vector<Case> cases() {
    std::vector<Case> out;
    std::vector<std::pair<int, int>> chain, star, separate, grid;
    for (int i = 1; i < 200; ++i) chain.push_back({i, i - 1});
    for (int i = 1; i < 200; ++i) star.push_back({i, 0});
    for (int i = 0; i < 200; i += 4)
        for (int a = 0; a < 4; ++a)
            for (int b = 0; b < a; ++b) separate.push_back({i + a, i + b});
    for (int y = 0; y < 15; ++y)
        for (int x = 0; x < 15; ++x) {
            if (x > 0) grid.push_back({y * 15 + x, y * 15 + x - 1});
            if (y > 0) grid.push_back({y * 15 + x, y * 15 + x - 15});
        }
    out.push_back({"single", pattern_of_edges(1, {})});
    out.push_back({"pair", pattern_of_edges(2, {{1, 0}})});
    out.push_back({"no edges", pattern_of_edges(50, {})});
    out.push_back({"few edges", pattern_of_edges(50, {{3, 1}, {40, 2}})});
    out.push_back({"chain", pattern_of_edges(200, chain)});
    out.push_back({"star", pattern_of_edges(200, star)});
    out.push_back({"separate", pattern_of_edges(200, separate)});
    out.push_back({"grid", pattern_of_edges(225, grid)});
    Random random(3);
    for (const double p : {0.01, 0.03, 0.1, 0.5, 1.0})
        out.push_back({"random", pattern_of_edges(90, random_edges(90, p, random))});
    return out;
}

TEST(Elimination, OrdersArePermutations) {
    for (const Case& c : cases())
        for (const Ordering method : {Ordering::NestedDissection, Ordering::MinimumDegree}) {
            NodeGraph graph;
            graph_of_pattern(c.pattern, graph);
            std::vector<int> order = elimination_order(graph, method), all(order.size());
            EXPECT_EQ(order, elimination_order(graph, method)) << c.name << ": another order at the second call";
            std::sort(order.begin(), order.end());
            std::iota(all.begin(), all.end(), 0);
            EXPECT_EQ(order, all) << c.name;
            EXPECT_EQ(static_cast<int>(order.size()), c.pattern.size());
        }
}

std::atomic<int> terminations = 0;

/// METIS catches SIGTERM and gives up. The program must still hear of the signal, and the order must stay the same.
TEST(Elimination, ASignalDuringTheOrderingReachesTheProgram) {
    const int n = 120;
    std::vector<std::pair<int, int>> grid;
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            if (x > 0) grid.push_back({y * n + x, y * n + x - 1});
            if (y > 0) grid.push_back({y * n + x, y * n + x - n});
        }
    NodeGraph graph;
    graph_of_pattern(pattern_of_edges(n * n, grid), graph);
    const std::vector<int> undisturbed = elimination_order(graph, Ordering::NestedDissection);
    terminations = 0;
    const auto before = std::signal(SIGTERM, [](int) { ++terminations; });
    constexpr int kSent = 4;
    std::thread sender([self = pthread_self()] {
        for (int i = 0; i < kSent; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(3));
            pthread_kill(self, SIGTERM);
        }
    });
    for (int k = 0; k < 5; ++k) { EXPECT_EQ(elimination_order(graph, Ordering::NestedDissection), undisturbed); }
    sender.join();
    std::signal(SIGTERM, before);
    EXPECT_GE(terminations, 1);  // signals that wait for one another become one
    EXPECT_LE(terminations, kSent);
}

TEST(Elimination, TreeAndCountsAreThoseOfTheFactor) {
    for (const Case& c : cases()) {
        NodeGraph graph;
        graph_of_pattern(c.pattern, graph);
        EliminationTree tree;
        build_elimination_tree(graph, elimination_order(graph, Ordering::MinimumDegree), tree);
        const std::vector<std::set<int>> rows = eliminate(graph, tree.order);
        for (std::size_t j = 0; j < rows.size(); ++j) {
            EXPECT_EQ(tree.count[j], static_cast<int>(rows[j].size()) + 1) << c.name << ", column " << j;
            EXPECT_EQ(tree.parent[j], rows[j].empty() ? -1 : *rows[j].begin()) << c.name << ", column " << j;
        }
    }
}

TEST(Elimination, FrontsHaveEveryRowOfTheirColumns) {
    for (const Case& c : cases()) {
        NodeGraph graph;
        graph_of_pattern(c.pattern, graph);
        FrontPlan plan;
        make_front_plan(c.pattern, graph, elimination_order(graph, Ordering::NestedDissection), 3, plan);
        const std::vector<std::set<int>> rows = eliminate(graph, plan.order);
        std::size_t columns = 0;
        for (const Front& f : plan.fronts) {
            const auto first = plan.row.begin() + f.first_row;
            const std::set<int> below(first, first + f.rows);
            EXPECT_EQ(static_cast<int>(below.size()), f.rows);
            for (int k = 0; k < f.columns; ++k)
                for (const int r : rows[static_cast<std::size_t>(f.first + k)])
                    EXPECT_TRUE(r < f.first + f.columns || below.contains(r)) << c.name << ", column " << f.first + k;
            columns += static_cast<std::size_t>(f.columns);
        }
        EXPECT_EQ(columns, plan.order.size());
        EXPECT_EQ(plan.block.size(), c.pattern.column.size());
    }
}

// Each front writes its update matrix while its children's are read, and its parent reads it later.
TEST(Elimination, UpdateMatricesThatLiveTogetherDoNotOverlap) {
    for (const Case& c : cases()) {
        NodeGraph graph;
        graph_of_pattern(c.pattern, graph);
        FrontPlan plan;
        make_front_plan(c.pattern, graph, elimination_order(graph, Ordering::MinimumDegree), 3, plan);
        std::vector<int> order;
        for (const Subtree& t : plan.subtrees)
            for (int k = t.first; k < t.end; ++k) order.push_back(k);
        order.insert(order.end(), plan.top.begin(), plan.top.end());
        ASSERT_EQ(order.size(), plan.fronts.size());
        constexpr std::size_t kLine = 8;  // values; all sizes are multiples
        std::vector<int> owner(plan.workspace / kLine, -1);
        const auto for_squares = [&](int k, const auto& f) {
            const Front& front = plan.fronts[static_cast<std::size_t>(k)];
            const std::size_t first = front.update / kLine;
            EXPECT_EQ(front.update % kLine, 0U);
            EXPECT_GE(first, 1U) << "no margin before";
            EXPECT_LE(front.update + triangle_values(front.row_groups(3)) + kLine, plan.workspace) << "no margin after";
            for (std::size_t s = 0; s < triangle_values(front.row_groups(3)) / kLine; ++s) f(owner.at(first + s));
        };
        for (const int k : order) {
            for_squares(k, [&](int& o) {
                EXPECT_EQ(o, -1) << c.name << ": front " << k << " overwrites that of front " << o;
                o = k;
            });
            const Front& front = plan.fronts[static_cast<std::size_t>(k)];
            for (int child = front.first_child; child < front.end_child; ++child)
                for_squares(plan.child[static_cast<std::size_t>(child)], [&](int& o) {
                    EXPECT_EQ(o, plan.child[static_cast<std::size_t>(child)]) << c.name;
                    o = -1;
                });
        }
    }
}

TEST(Elimination, APostorderOfALongChainTakesNoStack) {
    constexpr int kSize = 1000000;
    std::vector<int> parent(kSize);
    for (int i = 0; i < kSize; ++i) parent[static_cast<std::size_t>(i)] = i == 0 ? -1 : i - 1;
    const std::vector<int> order = postorder(parent);
    ASSERT_EQ(order.size(), parent.size());
    EXPECT_EQ(order.front(), kSize - 1);
    EXPECT_EQ(order.back(), 0);
}

}  // namespace
}  // namespace asperity::linear
