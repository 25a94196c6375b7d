// Dense symmetric matrices of at most 6 rows: the diagonal blocks of a contact problem.
#pragma once
#include <array>

#include "asperity/math/vec.h"

namespace asperity {

constexpr int kMaxBlockRows = 6;
using Block6 = std::array<double, kMaxBlockRows>;  ///< one value per row of a block
struct SymBlock {
    double m[kMaxBlockRows][kMaxBlockRows] = {};
};

/// Inverse of the leading n x n part, by Cholesky. A row that depends on earlier rows (pivot below 1e-12 of the largest
/// diagonal entry, as in a joint between two fixed bodies) gets a zero row and column, so that it takes no impulse.
SymBlock inverse(const SymBlock& a, int n);

/// Eigenvalues of a symmetric 3x3 matrix in descending order, with eigenvectors as columns (cyclic Jacobi).
void symmetric_eigen(const Mat3& a, Vec3& values, Mat3& vectors);

/// Largest eigenvalue of the block [first, n), or an upper bound for 4 and more rows. It bounds the stable step length of a
/// projected iteration.
double largest_eigenvalue(const SymBlock& a, int first, int n);

}  // namespace asperity
