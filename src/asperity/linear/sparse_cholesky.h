// Cholesky factorisation L L^T of sparse symmetric positive definite matrices of Dim x Dim blocks, by the multifrontal
// method (front_plan.h). The graph of nodes is ordered, not that of unknowns: it is smaller by Dim^2.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "asperity/linear/block_pattern.h"

namespace asperity::linear {

enum class CholeskyStatus {
    Done,
    NotPositive,  ///< the matrix is indefinite, or singular as far as rounding can tell
    NotFinite     ///< a value is infinite or not a number, or overflows
};

/// Same bits on any number of threads. Repeated factorisations and solves with one pattern allocate nothing.
template <int Dim>
class SparseCholesky {
  public:
    SparseCholesky();
    ~SparseCholesky();
    SparseCholesky(SparseCholesky&&) noexcept;
    SparseCholesky& operator=(SparseCholesky&&) noexcept;

    /// Plans the factorisation of all matrices with this pattern. An unchanged pattern costs a comparison. A changed pattern
    /// of the same size keeps the order of elimination, until it costs 1.2 times what it cost when it was made.
    void analyse(const BlockPattern& pattern);
    /// From now on analyse() depends on the patterns that follow alone, and not on those before: so a computation that is
    /// saved and taken up again later has the same bits. It begins with the order for `base`, which is made once.
    void begin(const BlockPattern& base);
    /// One block per entry of the pattern, column by column. Of diagonal blocks only the lower triangle counts, but all
    /// values have to be finite.
    CholeskyStatus factor(std::span<const double> values);
    /// After NotPositive: the node whose pivot failed; else -1.
    int failed_node() const;
    /// Right-hand side in, solution out. Only after Done.
    void solve(std::span<double> x);
    void solve(std::vector<double>& x) { solve(std::span<double>(x)); }

    double flops() const;               ///< of one factorisation, by the plan
    std::size_t factor_values() const;  ///< doubles that store the factor
    int orderings() const;              ///< how many orders of elimination have been made so far

  private:
    struct Data;
    std::unique_ptr<Data> data_;
};

extern template class SparseCholesky<2>;
extern template class SparseCholesky<3>;

}  // namespace asperity::linear
