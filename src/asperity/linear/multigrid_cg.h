// Conjugate gradients for large elastic matrices, preconditioned by multigrid or, where inertia dominates, by the inverse of
// the diagonal blocks.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "asperity/linear/block_pattern.h"
#include "asperity/math/matrix.h"

namespace asperity::linear {

enum class CgStatus {
    Done,
    Limit,        ///< the limit of iterations was reached, or rounding errors prevent the wanted residual
    NotPositive,  ///< a direction of negative or zero curvature was met
    NotFinite
};

struct CgReport {
    CgStatus status = CgStatus::Done;
    int iterations = 0;
    double residual = 0;  ///< |b - A x| / |b|
};

enum class Preconditioner { DiagonalBlocks, Multigrid };

/// Same bits on any number of threads.
template <int Dim>
class MultigridCg {
  public:
    MultigridCg();
    ~MultigridCg();
    MultigridCg(MultigridCg&&) noexcept;
    MultigridCg& operator=(MultigridCg&&) noexcept;

    /// Takes a matrix, stored as sparse_cholesky.h says, and the positions of its nodes, which give the rigid motions.
    void prepare(const BlockPattern& pattern, std::span<const double> values, const std::vector<Vector<Dim>>& positions);
    /// The same with a given preconditioner.
    void prepare(const BlockPattern& pattern, std::span<const double> values, const std::vector<Vector<Dim>>& positions,
                 Preconditioner preconditioner);
    /// x: start in, solution out.
    CgReport solve(std::span<const double> rhs, std::span<double> x, double relative_tolerance, int max_iterations);

    Preconditioner preconditioner() const;
    /// Ratio of largest to smallest eigenvalue with diagonal blocks as preconditioner, estimated; prepare() chooses by it.
    double condition() const;

  private:
    struct Data;
    std::unique_ptr<Data> data_;
};

extern template class MultigridCg<2>;
extern template class MultigridCg<3>;

}  // namespace asperity::linear
