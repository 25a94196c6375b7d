// A V-cycle of smoothed aggregation (aggregation.h) with rigid-body modes, as a preconditioner: one symmetric linear map
// that approximates the inverse of an elastic matrix at all wavelengths. The coarsest matrix is factored.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "asperity/linear/aggregation.h"
#include "asperity/linear/sparse_cholesky.h"

namespace asperity::linear {

template <int Dim>
class Multigrid {
  public:
    static constexpr int kModes = Dim == 2 ? 3 : 6;  // translations and rotations

    /// Coarser levels of `fine`, whose matrix and spectrum are known and which the caller keeps. False if a coarse matrix is
    /// not positive definite: then the fine one is not either.
    bool prepare(BlockLevel<Dim>& fine, const std::vector<Vector<Dim>>& positions);
    /// x = M b.
    void apply(std::span<const double> b, std::span<double> x);
    int levels() const { return static_cast<int>(depth_) + 2; }

  private:
    struct Coarse {
        BlockLevel<kModes> level;
        Prolongation<kModes, kModes> from_coarser;
        std::vector<double> x, right, residual;
    };
    bool factor(const BlockPattern& pattern, const std::vector<double>& values);
    void solve_coarse(std::size_t depth, std::vector<double>& right, std::vector<double>& x);

    BlockLevel<Dim>* fine_ = nullptr;
    Prolongation<Dim, kModes> first_;
    std::vector<std::unique_ptr<Coarse>> coarse_;
    std::size_t depth_ = 0;  // coarse levels in use, without the bottom
    SparseCholesky<3> bottom_;
    BlockPattern split_pattern_;
    std::vector<double> split_values_;
    std::vector<double> residual_, right_, x_;
};

extern template class Multigrid<2>;
extern template class Multigrid<3>;

}  // namespace asperity::linear
