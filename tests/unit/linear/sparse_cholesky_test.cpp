// Factorisations against dense ones, on graphs of all shapes; patterns that change; threads; allocations.
#include "asperity/linear/sparse_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "asperity/core/threads.h"
#include "tests/support/allocations.h"
#include "tests/support/elastic_cube.h"
#include "tests/unit/linear/random_matrix.h"

namespace asperity::linear {
namespace {

/// The largest error of the solution, over the largest value, against Eigen's dense factorisation.
template <int Dim>
double error_against_dense(SparseCholesky<Dim>& cholesky, const BlockPattern& pattern, const std::vector<double>& values,
                           Random& random) {
    cholesky.analyse(pattern);
    EXPECT_EQ(cholesky.factor(values), CholeskyStatus::Done);
    const std::vector<double> rhs = random_vector(static_cast<std::size_t>(pattern.size()) * Dim, random);
    std::vector<double> x = rhs;
    cholesky.solve(x);
    const Eigen::Map<const Eigen::VectorXd> b(rhs.data(), static_cast<Eigen::Index>(rhs.size()));
    const Eigen::VectorXd expected = dense<Dim>(pattern, values).llt().solve(b);
    const Eigen::Map<const Eigen::VectorXd> found(x.data(), static_cast<Eigen::Index>(x.size()));
    return (found - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

// The matrices are diagonally dominant with a condition below 1e4; measured errors are below 1e-14.
constexpr double kTolerance = 1e-13;

template <class T>
class OfAnyDimension : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(OfAnyDimension, Dimensions);

TYPED_TEST(OfAnyDimension, RandomMatricesOfAllSizesAndDensities) {
    constexpr int kDim = TypeParam::value;
    Random random(1);
    SparseCholesky<kDim> cholesky;  // the same for all: no trace of earlier patterns may remain
    for (int size = 1; size <= 60; ++size)
        for (const double p : {0.0, 0.02, 0.1, 0.4, 1.0}) {
            const BlockPattern pattern = pattern_of_edges(size, random_edges(size, p, random));
            const std::vector<double> values = dominant_values<kDim>(pattern, random);
            EXPECT_LT(error_against_dense(cholesky, pattern, values, random), kTolerance) << size << " nodes, density " << p;
        }
}

TYPED_TEST(OfAnyDimension, LargeFrontsInSeveralPanels) {
    constexpr int kDim = TypeParam::value;
    Random random(2);
    SparseCholesky<kDim> cholesky;
    for (const int size : {71, 72, 73, 143, 144, 145, 200}) {
        const BlockPattern pattern = pattern_of_edges(size, random_edges(size, 0.3, random));
        const std::vector<double> values = dominant_values<kDim>(pattern, random);
        EXPECT_LT(error_against_dense(cholesky, pattern, values, random), kTolerance) << size << " nodes";
    }
}

TYPED_TEST(OfAnyDimension, ScalesFromTinyToLarge) {
    constexpr int kDim = TypeParam::value;
    Random random(3);
    SparseCholesky<kDim> cholesky;
    const BlockPattern pattern = pattern_of_edges(40, random_edges(40, 0.1, random));
    for (const double scale : {1e-150, 1e-6, 1.0, 1e6, 1e150}) {
        const std::vector<double> values = dominant_values<kDim>(pattern, random, scale);
        EXPECT_LT(error_against_dense(cholesky, pattern, values, random), kTolerance) << "scale " << scale;
    }
}

TYPED_TEST(OfAnyDimension, NothingToSolve) {
    SparseCholesky<TypeParam::value> cholesky;
    std::vector<double> none;
    for (const BlockPattern& pattern : {BlockPattern{}, pattern_of_cliques(0, {0}, {})}) {
        cholesky.analyse(pattern);
        EXPECT_EQ(cholesky.factor(none), CholeskyStatus::Done);
        cholesky.solve(none);
    }
}

TYPED_TEST(OfAnyDimension, ElasticMeshes) {
    constexpr int kDim = TypeParam::value;
    const auto mesh = testing_support::elastic_mesh<kDim>(kDim == 2 ? 14 : 5);
    const BlockPattern pattern = testing_support::elastic_pattern(mesh);
    Random random(4);
    SparseCholesky<kDim> cholesky;
    for (const double inertia : {1e2, 1e4, 1e6}) {
        const std::vector<double> values = testing_support::elastic_values(mesh, pattern, 1e6, 4e5, inertia);
        // At the least inertia the condition is 1e7 and both solutions have errors; measured 1e-10.
        EXPECT_LT(error_against_dense(cholesky, pattern, values, random), 1e-9) << "inertia " << inertia;
    }
}

TEST(SparseCholesky, UsesOnlyTheLowerTriangleOfDiagonalBlocks) {
    Random random(5);
    const BlockPattern pattern = pattern_of_edges(30, random_edges(30, 0.1, random));
    std::vector<double> values = dominant_values<3>(pattern, random);
    const std::vector<double> rhs = random_vector(90, random);
    SparseCholesky<3> cholesky;
    cholesky.analyse(pattern);
    std::vector<double> expected = rhs, x = rhs;
    ASSERT_EQ(cholesky.factor(values), CholeskyStatus::Done);
    cholesky.solve(expected);
    for (std::size_t i = 0; i < 30; ++i)
        for (const std::size_t upper : {3U, 6U, 7U})
            values[static_cast<std::size_t>(pattern.start[i + 1] - 1) * 9 + upper] = 1e9;
    ASSERT_EQ(cholesky.factor(values), CholeskyStatus::Done);
    cholesky.solve(x);
    EXPECT_EQ(x, expected);
}

/// A x = b is solved to a small residual; for sizes where a dense factorisation would take too long.
template <int Dim>
double residual(SparseCholesky<Dim>& cholesky, const BlockPattern& pattern, const std::vector<double>& values) {
    cholesky.analyse(pattern);
    EXPECT_EQ(cholesky.factor(values), CholeskyStatus::Done);
    const std::vector<double> ones(static_cast<std::size_t>(pattern.size()) * Dim, 1.0);
    std::vector<double> x = testing_support::product<Dim>(pattern, values, ones);
    cholesky.solve(x);
    return largest_difference(x, ones);
}

TEST(SparseCholesky, LongChainsAndLargeStarsAreSolvedInLinearTime) {
    constexpr int kSize = 100000;
    std::vector<std::pair<int, int>> chain, star, comb;
    for (int i = 1; i < kSize; ++i) {
        chain.push_back({i, i - 1});
        star.push_back({i, 0});
        comb.push_back({i, i < kSize / 2 ? i - 1 : i - kSize / 2});
    }
    Random random(6);
    for (const auto& edges : {chain, star, comb}) {
        const BlockPattern pattern = pattern_of_edges(kSize, edges);
        SparseCholesky<2> plane;
        EXPECT_LT(residual<2>(plane, pattern, dominant_values<2>(pattern, random)), 1e-12);
        EXPECT_LT(plane.flops(), 1e4 * kSize);  // measured below 1,000 a node
        SparseCholesky<3> space;
        EXPECT_LT(residual<3>(space, pattern, dominant_values<3>(pattern, random)), 1e-12);
        EXPECT_LT(space.flops(), 3e4 * kSize);
    }
}

TEST(SparseCholesky, ManySeparateBodies) {
    std::vector<std::pair<int, int>> edges;
    Random random(7);
    for (int body = 0; body < 500; ++body)
        for (int a = 1; a < 8; ++a) edges.push_back({8 * body + a, 8 * body + a / 2});
    const BlockPattern pattern = pattern_of_edges(4000, edges);
    SparseCholesky<3> cholesky;
    EXPECT_LT(residual<3>(cholesky, pattern, dominant_values<3>(pattern, random)), 1e-12);
}

TEST(SparseCholesky, ContactsChangeThePatternAndKeepTheOrder) {
    const auto mesh = testing_support::elastic_mesh<3>(7);
    const BlockPattern base = testing_support::elastic_pattern(mesh);
    const auto with_contacts = [&](int count) {
        std::vector<int> start{0}, nodes;
        for (const auto& element : mesh.elements) {
            nodes.insert(nodes.end(), element.begin(), element.end());
            start.push_back(static_cast<int>(nodes.size()));
        }
        for (int k = 0; k < count; ++k) {  // of the lowest layer with the highest
            nodes.insert(nodes.end(), {k, 448 + k});
            start.push_back(static_cast<int>(nodes.size()));
        }
        return pattern_of_cliques(base.size(), start, nodes);
    };
    SparseCholesky<3> cholesky;
    Random random(8);
    cholesky.analyse(base);
    EXPECT_EQ(cholesky.orderings(), 1);
    const double flops = cholesky.flops();
    cholesky.analyse(base);
    EXPECT_EQ(cholesky.orderings(), 1);
    for (const int contacts : {1, 3, 0, 40, 64, 0, 2}) {
        const BlockPattern pattern = with_contacts(contacts);
        EXPECT_LT(residual<3>(cholesky, pattern, dominant_values<3>(pattern, random)), 1e-12) << contacts << " contacts";
        if (contacts == 1) { EXPECT_EQ(cholesky.orderings(), 1) << "one contact costs little"; }
        EXPECT_LT(cholesky.flops(), 40 * flops);
    }
    EXPECT_GT(cholesky.orderings(), 1) << "40 contacts between opposite faces need another order";
    SparseCholesky<3> fresh;
    fresh.analyse(with_contacts(64));
    cholesky.analyse(with_contacts(64));
    EXPECT_LE(cholesky.flops(), 1.3 * fresh.flops());
}

TEST(SparseCholesky, TheSameBitsOnAnyNumberOfThreads) {
    const auto mesh = testing_support::elastic_mesh<3>(12);
    const BlockPattern pattern = testing_support::elastic_pattern(mesh);
    const std::vector<double> values = testing_support::elastic_values(mesh, pattern, 1e6, 4e5, 1e6);
    Random random(9);
    const std::vector<double> rhs = random_vector(mesh.positions.size() * 3, random);
    std::vector<double> expected;
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        SparseCholesky<3> cholesky;
        cholesky.analyse(pattern);
        for (int repetition = 0; repetition < 3; ++repetition) {
            EXPECT_EQ(cholesky.factor(values), CholeskyStatus::Done);
            std::vector<double> x = rhs;
            cholesky.solve(x);
            if (expected.empty()) expected = x;
            EXPECT_EQ(x, expected) << threads << " threads, repetition " << repetition;
        }
    }
    set_thread_count(1);
}

TEST(SparseCholesky, RepeatedFactorisationsAndSolvesAllocateNothing) {
    const auto mesh = testing_support::elastic_mesh<3>(6);
    const BlockPattern pattern = testing_support::elastic_pattern(mesh);
    const std::vector<double> values = testing_support::elastic_values(mesh, pattern, 1e6, 4e5, 1e6);
    const std::vector<double> floating = testing_support::elastic_values(mesh, pattern, 1e6, 4e5, 0);
    std::vector<double> x(mesh.positions.size() * 3, 1.0);
    SparseCholesky<3> cholesky;
    cholesky.analyse(pattern);
    const long before = testing_support::allocation_count();
    for (int repetition = 0; repetition < 3; ++repetition) {
        cholesky.analyse(pattern);
        static_cast<void>(cholesky.factor(floating));
        static_cast<void>(cholesky.factor(values));
        cholesky.solve(x);
    }
    EXPECT_EQ(testing_support::allocation_count() - before, 0);
}

TEST(SparseCholesky, CanBeMoved) {
    Random random(10);
    const BlockPattern pattern = pattern_of_edges(20, random_edges(20, 0.2, random));
    const std::vector<double> values = dominant_values<3>(pattern, random);
    SparseCholesky<3> first;
    first.analyse(pattern);
    ASSERT_EQ(first.factor(values), CholeskyStatus::Done);
    SparseCholesky<3> second = std::move(first);
    const std::vector<double> ones(60, 1.0);
    std::vector<double> x = testing_support::product<3>(pattern, values, ones);
    second.solve(x);
    EXPECT_LT(largest_difference(x, ones), 1e-13);
}

}  // namespace
}  // namespace asperity::linear
