// The inverse of a sparse matrix that may fall into islands: used for the mass matrix of a global problem. Sees Eigen, so
// only sources of this folder include it.
#pragma once
#include <Eigen/Dense>
#include <Eigen/Sparse>

#include <memory>
#include <vector>

#include "asperity/fclib/sparse.h"

namespace asperity::fclib {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using ColumnSparse = Eigen::SparseMatrix<double>;
using Cholesky = Eigen::SimplicialLDLT<ColumnSparse>;
using Vector = Eigen::VectorXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Sparse to_eigen(const SparseMatrix& a);
SparseMatrix from_eigen(Sparse a);
Vector to_eigen(const std::vector<double>& x);
std::vector<double> from_eigen(const Vector& x);

/// Rows that hang together by entries of the matrix, with the inverse of their part of it.
class Island {
  public:
    std::vector<int> rows;
    /// False when the part is singular. A symmetric part must be positive definite; one that is not symmetric is taken as it
    /// stands.
    bool factorise(const ColumnSparse& part);
    RowMatrix solve(const RowMatrix& b) const;

  private:
    Eigen::LLT<Eigen::MatrixXd> dense_;
    Eigen::PartialPivLU<Eigen::MatrixXd> dense_lu_;
    std::unique_ptr<Cholesky> sparse_;
    std::unique_ptr<Eigen::SparseLU<ColumnSparse>> sparse_lu_;
    bool symmetric_ = true;
};

/// A^-1, island by island.
class Inverse {
  public:
    /// Throws InputError, with `name` for the matrix, when it is singular or symmetric but not positive definite.
    Inverse(const SparseMatrix& a, const char* name);
    std::vector<double> solve(const std::vector<double>& x) const;
    /// A^-1 B: full over the columns of B that touch an island, empty elsewhere.
    Sparse solve(const SparseMatrix& b) const;

  private:
    std::vector<Island> islands_;
};

}  // namespace asperity::fclib
