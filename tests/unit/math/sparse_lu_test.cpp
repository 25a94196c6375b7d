// Sparse LU: residuals of random block systems, with blocks that are added and removed.
#include "asperity/math/sparse_lu.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/core/random.h"

namespace asperity {
namespace {

struct Pattern {
    std::vector<int> row_start{0}, column;
};

/// Blocks at random points in a plane, each connected to those within `reach`: a chain of cliques when the plane is a strip.
Pattern strip(Random& random, int count, double length, double reach) {
    std::vector<double> x, y;
    for (int i = 0; i < count; ++i) x.push_back(random.uniform(0, length)), y.push_back(random.uniform(0, 3));
    Pattern pattern;
    for (size_t i = 0; i < x.size(); ++i) {
        for (size_t j = 0; j < x.size(); ++j)
            if (std::hypot(x[i] - x[j], y[i] - y[j]) < reach) pattern.column.push_back(static_cast<int>(j));
        pattern.row_start.push_back(static_cast<int>(pattern.column.size()));
    }
    return pattern;
}

/// Fills the present blocks with random numbers, solves, and returns |A x - b| / (|A| |x|) in maximum norms.
double relative_residual(Random& random, const Pattern& pattern, const std::vector<int>& sizes, SparseLu& lu,
                         double diagonal) {
    lu.set_sizes(sizes);
    std::vector<double> b(static_cast<size_t>(lu.rows())), x, rest;
    for (double& v : b) v = random.uniform(-1, 1);
    double largest = 0;
    const auto for_entries = [&](auto&& visit) {
        for (size_t i = 0; i < sizes.size(); ++i)
            for (int e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                const auto j = static_cast<size_t>(pattern.column[static_cast<size_t>(e)]);
                double* value = lu.block(e);
                for (int r = 0; r < sizes[i]; ++r)
                    for (int c = 0; c < sizes[j]; ++c)
                        visit(lu.offset(static_cast<int>(i)) + r, lu.offset(static_cast<int>(j)) + c, *value++);
            }
    };
    for_entries([&](int r, int c, double& v) {
        v = random.uniform(-1, 1) + (r == c ? diagonal : 0);
        largest = std::fmax(largest, std::fabs(v));
    });
    EXPECT_TRUE(lu.factorise());
    EXPECT_EQ(lu.replaced_pivots(), 0);
    x = b;
    lu.solve(x);
    rest = b;
    for_entries([&](int r, int c, double& v) { rest[static_cast<size_t>(r)] -= v * x[static_cast<size_t>(c)]; });
    double worst = 0, size = 0;
    for (const double v : rest) worst = std::fmax(worst, std::fabs(v));
    for (const double v : x) size = std::fmax(size, std::fabs(v));
    return size > 0 ? worst / (largest * size) : 0;
}

TEST(SparseLu, SolvesSystemsWhoseBlocksComeAndGo) {
    Random random(3);
    for (const int count : {1, 7, 60, 400}) {
        const Pattern pattern = strip(random, count, 0.3 * count, 1.1);
        SparseLu lu;
        lu.set_pattern(pattern.row_start, pattern.column, std::vector<int>(static_cast<size_t>(count), 3));
        for (int trial = 0; trial < 6; ++trial) {
            std::vector<int> sizes(static_cast<size_t>(count));
            for (int& s : sizes) s = static_cast<int>(random.uniform(0, 3.99));
            // measured 2e-16: rounding; pivot growth may add a little
            EXPECT_LT(relative_residual(random, pattern, sizes, lu, 8), 2e-15) << count << " blocks, trial " << trial;
            EXPECT_LT(relative_residual(random, pattern, sizes, lu, 8), 2e-15) << "the same sizes again";
        }
    }
}

TEST(SparseLu, PivotsWhereTheDiagonalIsZero) {
    Random random(4);
    const Pattern pattern = strip(random, 20, 3, 9);  // all connected: one front
    SparseLu lu;
    lu.set_pattern(pattern.row_start, pattern.column, std::vector<int>(20, 3));
    EXPECT_LT(relative_residual(random, pattern, std::vector<int>(20, 3), lu, 0), 1e-13);
    lu.set_sizes(std::vector<int>(20, 1));
    for (int i = 0; i < 20; ++i) lu.block(i * 20 + (i + 1) % 20)[0] = 2;  // a cyclic permutation
    ASSERT_TRUE(lu.factorise());
    std::vector<double> x(20);
    for (size_t i = 0; i < 20; ++i) x[i] = static_cast<double>(i);
    lu.solve(x);
    for (size_t i = 0; i < 20; ++i) EXPECT_EQ(x[(i + 1) % 20], 0.5 * static_cast<double>(i));
}

TEST(SparseLu, SaysWhatItCannotSolve) {
    Random random(5);
    const Pattern pattern = strip(random, 4, 1, 9);
    SparseLu lu;
    lu.set_pattern(pattern.row_start, pattern.column, std::vector<int>(4, 1));
    lu.set_sizes(std::vector<int>(4, 1));
    for (int e = 0; e < 16; ++e) *lu.block(e) = 1;  // rank one: three pivots vanish
    ASSERT_TRUE(lu.factorise());
    EXPECT_EQ(lu.replaced_pivots(), 3);
    *lu.block(5) = std::nan("");
    EXPECT_FALSE(lu.factorise());
}

/// The elimination order keeps the factors of a long strip linear in its length, not quadratic.
TEST(SparseLu, FactorsOfAStripGrowWithItsLength) {
    Random random(6);
    double size[2];
    for (int k = 0; k < 2; ++k) {
        const int count = k == 0 ? 300 : 1200;
        const Pattern pattern = strip(random, count, 0.3 * count, 1.1);
        SparseLu lu;
        lu.set_pattern(pattern.row_start, pattern.column, std::vector<int>(static_cast<size_t>(count), 3));
        lu.set_sizes(std::vector<int>(static_cast<size_t>(count), 3));
        size[k] = static_cast<double>(lu.factor_size()) / static_cast<double>(pattern.column.size() * 9);
    }
    EXPECT_LT(size[1], 1.3 * size[0]);
    EXPECT_LT(size[1], 4);
}

}  // namespace
}  // namespace asperity
