// Dense symmetric matrices of at most 6 rows: the diagonal blocks of a contact problem.
#pragma once
#include <array>

#include "asperity/math/vec.h"

namespace asperity {

constexpr int kMaxBlockRows = 6;
using Block6 = std::array<double, kMaxBlockRows>;  ///< one block's worth of rows
struct SymBlock {
    double m[kMaxBlockRows][kMaxBlockRows] = {};
};

/// Inverse of the leading n x n part, by Cholesky. Rows that depend on the ones before (pivot below 1e-12 of the largest
/// diagonal entry, as in a joint whose bodies are both fixed) get a zero row and column: they take no impulse.
SymBlock inverse(const SymBlock& a, int n);

/// Eigenvalues of a symmetric 3x3 matrix in falling order and the matching eigenvectors as columns (cyclic Jacobi).
void symmetric_eigen(const Mat3& a, Vec3& values, Mat3& vectors);

/// The largest eigenvalue of the rows [first, n), which bounds the stable step of a projected iteration.
double largest_eigenvalue(const SymBlock& a, int first, int n);

}  // namespace asperity
