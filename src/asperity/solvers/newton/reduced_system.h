// The linear system of all blocks' linearisations, solved in each iteration of Newton's method and of pivoting.
#pragma once

#include "asperity/math/sparse_lu.h"
#include "asperity/solvers/assembled/assembled_problem.h"
#include "asperity/solvers/problem/linearise_block.h"

namespace asperity::solvers {

class ReducedSystem {
  public:
    /// Chooses the elimination order and the step lengths. The problem must keep its address and its pattern of non-zero
    /// blocks until the next call.
    void prepare(const AssembledProblem& problem);
    /// Step length of each row [kg], 0 if it cannot move; and its inverse, about W_ii.
    std::span<const double> r() const { return r_; }
    std::span<const double> scale() const { return scale_; }

    /// Sets the term added to the diagonal of W, per row: `joints` times its scale in joints (bilateral blocks), `others`
    /// times its scale in all other blocks. It adds to a row's velocity per unit of impulse.
    void weigh(double others, double joints);
    std::span<const double> weight() const { return weight_; }

    BlockLinearisation& linearisation(int block) { return linear_[static_cast<size_t>(block)]; }
    /// Solves for all blocks with W + diag(weight) instead of W. False if a number is not finite, or when a
    /// stop is requested.
    bool solve();
    /// The solution: the change of lambda, the change of u = W lambda + q, and the change of each block's multiplier.
    std::span<const double> impulse_change() const { return impulse_change_; }
    std::span<const double> velocity_change() const { return velocity_change_; }
    std::span<const double> multiplier_change() const { return multiplier_change_; }
    int rows() const { return lu_.rows(); }
    /// Multiplications of one solve if every row of every block is an unknown.
    double largest_work();
    /// The same with unknowns[k] unknowns in block k.
    double work(std::span<const int> unknowns);
    /// Values in the factors of that solve.
    double factor_values() const { return static_cast<double>(lu_.factor_size()); }

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
