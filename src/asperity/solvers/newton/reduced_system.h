// The linear system of all blocks' linearisations: what Newton's method and pivoting solve in each iteration.
#pragma once

#include "asperity/math/sparse_lu.h"
#include "asperity/solvers/assembled/assembled_problem.h"
#include "asperity/solvers/problem/linearise_block.h"

namespace asperity::solvers {

class ReducedSystem {
  public:
    /// Chooses the order of elimination and the step lengths. The problem must keep its pattern and its place until the next
    /// call.
    void prepare(const AssembledProblem& problem);
    /// Step length of each row [kg], 0 where nothing can move, and its inverse: the size of W there.
    std::span<const double> r() const { return r_; }
    std::span<const double> scale() const { return scale_; }

    /// What is added to the diagonal of W, and to a row's velocity for each unit of its impulse: so many times its scale,
    /// for joints (bilateral blocks) and for all others.
    void weigh(double others, double joints);
    std::span<const double> weight() const { return weight_; }

    BlockLinearisation& linearisation(int block) { return linear_[static_cast<size_t>(block)]; }
    /// Solves for all blocks with W + diag(weight) in the place of W. False when a number is not finite.
    bool solve();
    /// The change of lambda that solves the system, what it does to u = W lambda + q, and the change of each block's
    /// multiplier.
    std::span<const double> impulse_change() const { return impulse_change_; }
    std::span<const double> velocity_change() const { return velocity_change_; }
    std::span<const double> multiplier_change() const { return multiplier_change_; }
    int rows() const { return lu_.rows(); }
    /// Multiplications of one solve when no impulse is known in advance.
    double largest_work();
    /// Of one with so many unknowns of each block.
    double work(std::span<const int> unknowns);

  private:
    void add_block_row(int i);

    const AssembledProblem* problem_ = nullptr;
    std::vector<double> r_, scale_, weight_, known_, right_;
    std::vector<double> impulse_change_, velocity_change_, multiplier_change_;
    std::vector<BlockLinearisation> linear_;
    std::vector<int> sizes_;
    SparseLu lu_;
};

}  // namespace asperity::solvers
