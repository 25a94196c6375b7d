// The inverse of a sparse block matrix, used for the mass matrix of a global problem. Includes Eigen, so only sources of
// this folder include it.
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

/// Connected component of the matrix graph, with the inverse of its block.
class Component {
  public:
    std::vector<int> rows;
    /// Returns false when the block is singular. A symmetric block must be positive definite. A non-symmetric block is
    /// factorised by LU.
    bool factorise(const ColumnSparse& part);
    RowMatrix solve(const RowMatrix& b) const;

  private:
    Eigen::LLT<Eigen::MatrixXd> dense_;
    Eigen::PartialPivLU<Eigen::MatrixXd> dense_lu_;
    std::unique_ptr<Cholesky> sparse_;
    std::unique_ptr<Eigen::SparseLU<ColumnSparse>> sparse_lu_;
    bool symmetric_ = true;
};

/// A^-1, component by component.
class Inverse {
  public:
    /// Throws InputError, naming the matrix `name`, when it is singular, or symmetric but not positive definite.
    Inverse(const SparseMatrix& a, const char* name);
    std::vector<double> solve(const std::vector<double>& x) const;
    /// A^-1 B as a sparse matrix: within a component dense over the columns of B with an entry there, else empty.
    Sparse solve(const SparseMatrix& b) const;

  private:
    std::vector<Component> components_;
};

}  // namespace asperity::fclib
