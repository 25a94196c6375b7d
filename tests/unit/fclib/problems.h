// Small problems that contain every part of a file.
#pragma once
#include <gtest/gtest.h>

#include "asperity/core/random.h"
#include "asperity/fclib/problem.h"

namespace asperity::fclib {

inline SparseMatrix random_matrix(Random& random, int rows, int columns, double density) {
    std::vector<Triplet> entries;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
            if (random.uniform() < density) entries.push_back({r, c, random.uniform() - 0.5});
    return make_sparse(rows, columns, std::move(entries));
}

inline std::vector<double> random_vector(Random& random, int size) {
    std::vector<double> x(static_cast<size_t>(size));
    for (double& v : x) v = random.uniform() - 0.5;
    return x;
}

/// Block diagonal: B B^T + I for each group of `island` rows.
inline SparseMatrix random_mass(Random& random, int rows, int island) {
    std::vector<Triplet> entries;
    for (int first = 0; first < rows; first += island) {
        const int size = std::min(island, rows - first);
        std::vector<std::vector<double>> b;
        for (int i = 0; i < size; ++i) b.push_back(random_vector(random, size));
        for (int i = 0; i < size; ++i)
            for (int k = 0; k < size; ++k) {
                double sum = i == k ? 1 : 0;
                for (int j = 0; j < size; ++j)
                    sum += b[static_cast<size_t>(i)][static_cast<size_t>(j)] *
                           b[static_cast<size_t>(k)][static_cast<size_t>(j)];
                entries.push_back({first + i, first + k, sum});
            }
    }
    return make_sparse(rows, rows, std::move(entries));
}

inline GlobalProblem random_global(Random& random, int freedoms, int contacts, int equations, int island) {
    GlobalProblem p;
    p.info = {"random", "for a test"};
    p.M = random_mass(random, freedoms, island);
    p.H = random_matrix(random, freedoms, 3 * contacts, 0.3);
    p.G = equations > 0 ? random_matrix(random, freedoms, equations, 0.5) : SparseMatrix{};
    p.f = random_vector(random, freedoms);
    p.w = random_vector(random, 3 * contacts);
    p.b = random_vector(random, equations);
    p.mu.assign(static_cast<size_t>(contacts), 0.5);
    return p;
}

inline void expect_same(const SparseMatrix& a, const SparseMatrix& b, double tolerance = 0) {
    ASSERT_EQ(a.rows, b.rows);
    ASSERT_EQ(a.columns, b.columns);
    std::vector<double> x(static_cast<size_t>(a.columns), 0.0);
    for (size_t c = 0; c < x.size(); ++c) {
        x[c] = 1;
        const std::vector<double> left = a.multiply(x), right = b.multiply(x);
        for (size_t r = 0; r < left.size(); ++r)
            EXPECT_NEAR(left[r], right[r], tolerance) << "row " << r << ", column " << c;
        x[c] = 0;
    }
}

inline void expect_same(const std::vector<double>& a, const std::vector<double>& b, double tolerance = 0) {
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "entry " << i;
}

}  // namespace asperity::fclib
