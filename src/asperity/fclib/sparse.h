// Sparse matrices of problem files in a unique form: compressed rows, columns ascending, no duplicate entries.
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
    std::vector<int> row_start{0};  ///< number of rows + 1 entries
    std::vector<int> column;
    std::vector<double> value;

    /// y = A x.
    std::vector<double> multiply(std::span<const double> x) const;
    /// y = A^T x.
    std::vector<double> multiply_transposed(std::span<const double> x) const;
};

/// Duplicate entries are added up, as is usual for triplets. Indices must be in range.
SparseMatrix make_sparse(int rows, int columns, std::vector<Triplet> entries);
SparseMatrix transposed(const SparseMatrix& a);
std::vector<Triplet> triplets(const SparseMatrix& a);

double norm(std::span<const double> x);

}  // namespace asperity::fclib
