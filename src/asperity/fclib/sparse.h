// Sparse matrices as problem files hold them, brought to one form: rows one after the other, columns rising, no entry twice.
#pragma once
#include <span>
#include <vector>

namespace asperity::fclib {

struct Triplet {
    int row, column;
    double value;
};

struct SparseMatrix {
    int rows = 0, columns = 0;
    std::vector<int> row_start{0};  ///< one more than there are rows
    std::vector<int> column;
    std::vector<double> value;

    /// y = A x.
    std::vector<double> multiply(std::span<const double> x) const;
    /// y = A^T x.
    std::vector<double> multiply_transposed(std::span<const double> x) const;
};

/// Entries of the same place are added up, as every reader of triplets does. Indices must be in range.
SparseMatrix make_sparse(int rows, int columns, std::vector<Triplet> entries);
SparseMatrix transposed(const SparseMatrix& a);
std::vector<Triplet> triplets(const SparseMatrix& a);

double norm(std::span<const double> x);

}  // namespace asperity::fclib
