// The cost of an elimination, counted on cliques before the matrix is written out.
#include "asperity/math/minimum_degree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "asperity/core/random.h"
#include "asperity/core/stop.h"
#include "asperity/math/sparse_lu.h"

namespace asperity {
namespace {

constexpr EliminationCost kNoLimit{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

struct Cliques {
    std::vector<int> start{0}, member;
    void add(const std::vector<int>& members) {
        member.insert(member.end(), members.begin(), members.end());
        start.push_back(static_cast<int>(member.size()));
    }
    EliminationCost cost(const std::vector<int>& weight, const EliminationCost& most = kNoLimit) const {
        return elimination_cost({start, member}, weight, most);
    }
};

/// The exact work of SparseLu on the same pattern.
double exact_work(const Cliques& cliques, const std::vector<int>& weight) {
    std::vector<std::vector<int>> rows(weight.size());
    for (size_t i = 0; i < rows.size(); ++i) rows[i].push_back(static_cast<int>(i));
    for (size_t c = 0; c + 1 < cliques.start.size(); ++c)
        for (int m = cliques.start[c]; m < cliques.start[c + 1]; ++m)
            rows[static_cast<size_t>(cliques.member[static_cast<size_t>(m)])].insert(
                rows[static_cast<size_t>(cliques.member[static_cast<size_t>(m)])].end(),
                cliques.member.begin() + cliques.start[c], cliques.member.begin() + cliques.start[c + 1]);
    std::vector<int> row_start{0}, column;
    for (auto& row : rows) {
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        column.insert(column.end(), row.begin(), row.end());
        row_start.push_back(static_cast<int>(column.size()));
    }
    SparseLu lu;
    lu.set_pattern(row_start, column, weight);
    lu.set_sizes(weight);
    return lu.work();
}

/// Bodies on a grid, each of which touches its neighbours: a vertex per touching pair, a clique per body.
Cliques heap(int width, int height, int depth) {
    const auto body = [&](int x, int y, int z) { return static_cast<size_t>((z * height + y) * width + x); };
    std::vector<std::vector<int>> of(static_cast<size_t>(width * height * depth));
    int pairs = 0;
    const auto touch = [&](size_t a, size_t b) {
        of[a].push_back(pairs);
        of[b].push_back(pairs++);
    };
    for (int z = 0; z < depth; ++z)
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                if (x + 1 < width) touch(body(x, y, z), body(x + 1, y, z));
                if (y + 1 < height) touch(body(x, y, z), body(x, y + 1, z));
                if (z + 1 < depth) touch(body(x, y, z), body(x, y, z + 1));
            }
    Cliques cliques;
    for (const auto& members : of) cliques.add(members);
    return cliques;
}
std::vector<int> twelve(const Cliques& cliques) {
    return std::vector<int>(static_cast<size_t>(1 + *std::max_element(cliques.member.begin(), cliques.member.end())), 12);
}

TEST(EliminationCost, OfOneCliqueIsThatOfADenseMatrix) {
    Cliques cliques;
    cliques.add({0, 1, 2, 3});
    const EliminationCost cost = cliques.cost({3, 12, 6, 3});
    EXPECT_DOUBLE_EQ(cost.work, 24.0 * 24 * 24 / 3);
    EXPECT_DOUBLE_EQ(cost.factors, 24.0 * 24);
}

// The fronts of SparseLu also hold zeros, where small ones are merged. Measured: 0.155 (the cube) to 1 (the chain) of its
// work. The sum over the same order by brute force is the counted work to all digits printed.
TEST(EliminationCost, IsALowerBoundOfTheFactorisation) {
    for (const auto& [x, y, z] : {std::tuple{30, 1, 1}, {12, 12, 1}, {6, 6, 6}, {4, 30, 2}}) {
        const Cliques cliques = heap(x, y, z);
        const std::vector<int> weight = twelve(cliques);
        const double ratio = cliques.cost(weight).work / exact_work(cliques, weight);
        EXPECT_GT(ratio, 0.1) << x << ' ' << y << ' ' << z;
        EXPECT_LT(ratio, 1.01) << x << ' ' << y << ' ' << z;
    }
}

// 5,000 vertices in one clique: as a pattern by rows, 25 million entries.
TEST(EliminationCost, StopsAtTheLimit) {
    Cliques pallet;
    std::vector<int> all(5000);
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    pallet.add(all);
    EXPECT_GT(pallet.cost(std::vector<int>(5000, 12), {1e9, 1e18}).work, 1e9);
    EXPECT_GT(pallet.cost(std::vector<int>(5000, 12), {1e18, 1e6}).factors, 1e6);

    const Cliques cliques = heap(8, 8, 8);
    const double whole = cliques.cost(twelve(cliques)).work;
    const double part = cliques.cost(twelve(cliques), {0.1 * whole, 1e18}).work;
    EXPECT_GT(part, 0.1 * whole);
    EXPECT_LT(part, 0.9 * whole);
}

// An order that a stop cut short still has every vertex once, and serves nobody afterwards.
TEST(MinimumDegree, AStopEndsIt) {
    constexpr int count = 400;
    std::vector<int> row_start{0}, column, weight(count, 1);
    for (int i = 0; i < count; ++i) {
        column.push_back(i);
        if (i > 0) column.push_back(i - 1);
        row_start.push_back(static_cast<int>(column.size()));
    }
    SparseLu lu, fresh;
    request_stop();
    EliminationOrder order = minimum_degree(row_start, column, weight);
    lu.set_pattern(row_start, column, weight);
    lu.set_sizes(weight);
    EXPECT_FALSE(lu.factorise());
    withdraw_stop_request();
    EXPECT_FALSE(order.is_whole);
    std::sort(order.members.begin(), order.members.end());
    for (int i = 0; i < count; ++i) EXPECT_EQ(order.members.at(static_cast<size_t>(i)), i);
    for (SparseLu* each : {&lu, &fresh}) {
        each->set_pattern(row_start, column, weight);
        each->set_sizes(weight);
    }
    EXPECT_EQ(lu.work(), fresh.work());
}

}  // namespace
}  // namespace asperity
