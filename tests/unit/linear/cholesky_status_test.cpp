// Matrices that have no Cholesky factor: indefinite, singular, not finite. And those that nearly have none.
#include <gtest/gtest.h>

#include <limits>

#include "asperity/core/threads.h"
#include "asperity/linear/sparse_cholesky.h"
#include "tests/support/elastic_cube.h"
#include "tests/unit/linear/random_matrix.h"

namespace asperity::linear {
namespace {

template <int Dim>
CholeskyStatus status_of(const BlockPattern& pattern, const std::vector<double>& values, int* node = nullptr) {
    SparseCholesky<Dim> cholesky;
    cholesky.analyse(pattern);
    const CholeskyStatus status = cholesky.factor(values);
    if (node != nullptr) *node = cholesky.failed_node();
    return status;
}

TEST(CholeskyStatus, ANegativeOrZeroDiagonalNamesItsNode) {
    Random random(1);
    const BlockPattern pattern = pattern_of_edges(80, random_edges(80, 0.05, random));
    for (const double bad : {-1.0, 0.0})
        for (const int node : {0, 17, 79}) {
            std::vector<double> values(pattern.column.size() * 9, 0.0);  // blocks on the diagonal alone: no fill of rounding
            for (int i = 0; i < 80; ++i)
                for (std::size_t k = 0; k < 3; ++k)
                    values[static_cast<std::size_t>(pattern.start[static_cast<std::size_t>(i) + 1] - 1) * 9 + k * 4] =
                        i == node && k == 1 ? bad : 1;
            int failed = -1;
            EXPECT_EQ(status_of<3>(pattern, values, &failed), CholeskyStatus::NotPositive);
            EXPECT_EQ(failed, node);
        }
}

TEST(CholeskyStatus, IndefiniteMatricesAreNotPositiveWhereverTheDefectIs) {
    const auto mesh = testing_support::elastic_mesh<3>(8);
    const BlockPattern pattern = testing_support::elastic_pattern(mesh);
    const std::vector<double> values = testing_support::elastic_values(mesh, pattern, 1e6, 4e5, 1e4);
    SparseCholesky<3> cholesky;
    cholesky.analyse(pattern);
    EXPECT_EQ(cholesky.factor(values), CholeskyStatus::Done);
    EXPECT_EQ(cholesky.failed_node(), -1);
    for (std::size_t node = 0; node < mesh.positions.size(); node += 13) {
        std::vector<double> bad = values;
        double& diagonal = bad[static_cast<std::size_t>(pattern.start[node + 1] - 1) * 9 + 4];
        diagonal *= -1e-3;
        EXPECT_EQ(cholesky.factor(bad), CholeskyStatus::NotPositive) << "node " << node;
        EXPECT_GE(cholesky.failed_node(), 0);
    }
    EXPECT_EQ(cholesky.factor(values), CholeskyStatus::Done) << "after failures";
}

TEST(CholeskyStatus, AnyValueThatIsNotFiniteIsFound) {
    Random random(2);
    const BlockPattern pattern = pattern_of_edges(12, random_edges(12, 0.4, random));
    const std::vector<double> values = dominant_values<3>(pattern, random);
    SparseCholesky<3> cholesky;
    cholesky.analyse(pattern);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < values.size(); ++k)
        for (const double bad : {std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity}) {
            std::vector<double> changed = values;
            changed[k] = bad;
            EXPECT_EQ(cholesky.factor(changed), CholeskyStatus::NotFinite) << "value " << k;
        }
    EXPECT_EQ(cholesky.factor(values), CholeskyStatus::Done);
}

TEST(CholeskyStatus, OverflowIsNoSolution) {
    const BlockPattern pattern = pattern_of_edges(2, {{1, 0}});
    const double big = std::numeric_limits<double>::max();
    const std::vector<double> values{1e-300, 0, 0, 1e-300, big, 0, 0, big, 1, 0, 0, 1};
    EXPECT_NE(status_of<2>(pattern, values), CholeskyStatus::Done);
}

// Without inertia or supports, rigid motions cost no energy. Their pivots are rounding errors of any sign.
template <int Dim>
void expect_singular(int cells, double distortion) {
    auto mesh = testing_support::elastic_mesh<Dim>(cells);
    for (Vector<Dim>& p : mesh.positions)
        for (int k = 0; k < Dim; ++k) p[k] += distortion / cells * std::sin(37 * p[(k + 1) % Dim] + k);
    const BlockPattern pattern = testing_support::elastic_pattern(mesh);
    int node = -1;
    EXPECT_EQ(status_of<Dim>(pattern, testing_support::elastic_values(mesh, pattern, 1.43e6, 3.57e5, 0), &node),
              CholeskyStatus::NotPositive)
        << Dim << "D, " << cells << " cells, distortion " << distortion;
    EXPECT_GE(node, 0);
}

TEST(CholeskyStatus, FreeBodiesWithoutInertiaAreSingular) {
    for (const double distortion : {0.0, 0.1, 0.2}) {
        for (const int cells : {1, 2, 3, 5, 7, 10, 15}) expect_singular<3>(cells, distortion);
        for (const int cells : {1, 3, 10, 30, 60, 120}) expect_singular<2>(cells, distortion);
    }
}

TEST(CholeskyStatus, ChainsOfSpringsWithoutSupportAreSingular) {
    for (const int size : {2, 10, 1000, 100000}) {
        std::vector<std::pair<int, int>> edges;
        for (int i = 1; i < size; ++i) edges.push_back({i, i - 1});
        const BlockPattern pattern = pattern_of_edges(size, edges);
        std::vector<double> values(pattern.column.size() * 4, 0.0);
        for (std::size_t k = 0, i = 0; i < static_cast<std::size_t>(size); ++i)
            for (; k < static_cast<std::size_t>(pattern.start[i + 1]); ++k) {
                const bool diagonal = static_cast<int>(k) == pattern.start[i + 1] - 1;
                const bool end = i == 0 || static_cast<int>(i) == size - 1;
                values[k * 4] = values[k * 4 + 3] = diagonal ? (end ? 0.7 : 1.4) : -0.7;
            }
        EXPECT_EQ(status_of<2>(pattern, values), CholeskyStatus::NotPositive) << size << " nodes";
    }
}

// Inertia falls until the matrix is singular to working precision. What counts as positive must be solved.
TEST(CholeskyStatus, WhatIsAcceptedIsSolved) {
    const auto mesh = testing_support::elastic_mesh<3>(6);
    const BlockPattern pattern = testing_support::elastic_pattern(mesh);
    Random random(3);
    int accepted = 0;
    for (double inertia = 1e6; inertia > 1e-12; inertia *= 0.1) {
        const std::vector<double> values = testing_support::elastic_values(mesh, pattern, 1.43e6, 3.57e5, inertia);
        SparseCholesky<3> cholesky;
        cholesky.analyse(pattern);
        if (cholesky.factor(values) != CholeskyStatus::Done) continue;
        ++accepted;
        const std::vector<double> expected = random_vector(mesh.positions.size() * 3, random);
        std::vector<double> x = testing_support::product<3>(pattern, values, expected);
        cholesky.solve(x);
        // the error grows with the condition: 1e-9 over the inertia, measured 2e-10 at most
        EXPECT_LT(largest_difference(x, expected), 1e-13 + 2e-9 * 10 / inertia) << "inertia " << inertia;
    }
    EXPECT_GE(accepted, 10);
    EXPECT_LE(accepted, 14);
}

// Two nodes that a contact 1e12 times as stiff holds together: badly conditioned, but not singular.
TEST(CholeskyStatus, AVeryStiffContactIsAccepted) {
    const auto mesh = testing_support::elastic_mesh<3>(4);
    BlockPattern pattern = testing_support::elastic_pattern(mesh);
    std::vector<double> values = testing_support::elastic_values(mesh, pattern, 1e6, 4e5, 1e6);
    const double stiff = 1e6 * 0.25 * 1e12;
    const int at = entry(pattern, 1, 0);
    ASSERT_GE(at, 0);
    values[static_cast<std::size_t>(at) * 9 + 8] -= stiff;
    for (const std::size_t i : {0U, 1U}) values[static_cast<std::size_t>(pattern.start[i + 1] - 1) * 9 + 8] += stiff;
    EXPECT_EQ(status_of<3>(pattern, values), CholeskyStatus::Done);
}

TEST(CholeskyStatus, IsTheSameOnAnyNumberOfThreads) {
    const auto mesh = testing_support::elastic_mesh<3>(10);
    const BlockPattern pattern = testing_support::elastic_pattern(mesh);
    std::vector<double> values = testing_support::elastic_values(mesh, pattern, 1e6, 4e5, 1e4);
    for (const std::size_t node : {100U, 700U, 1300U})
        values[static_cast<std::size_t>(pattern.start[node + 1] - 1) * 9] = -1;
    int expected = -1;
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        int node = -1;
        EXPECT_EQ(status_of<3>(pattern, values, &node), CholeskyStatus::NotPositive);
        if (expected < 0) expected = node;
        EXPECT_EQ(node, expected) << threads << " threads";
    }
    set_thread_count(1);
}

}  // namespace
}  // namespace asperity::linear
