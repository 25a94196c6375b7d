// Factorisation of the symmetric part of D W D + diag(shift). Recomputed when the shift changes, used for many right-hand
// sides. Keeps Eigen's sparse headers in one source file.
#pragma once
#include <memory>
#include <span>

#include "asperity/solvers/assembled/assembled_problem.h"

namespace asperity::solvers {

class ShiftedFactor {
  public:
    ShiftedFactor();
    ~ShiftedFactor();

    /// Takes the matrix. Orders the blocks of a sparse one for little fill-in. `scale` is D.
    void analyse(const AssembledProblem& problem, std::span<const double> scale);
    /// Predicted cost of factorise(): multiplications and additions.
    double operations() const;
    /// False if the matrix is not positive definite or not finite. `shift` has one positive number per row.
    bool factorise(std::span<const double> shift);
    /// In place.
    void solve(std::span<double> x);
    /// y = (symmetric part of D W D) x.
    void multiply(std::span<const double> x, std::span<double> y);
    /// Number of entries of the factor.
    long entries() const;

  private:
    struct Matrix;
    std::unique_ptr<Matrix> matrix_;
};

}  // namespace asperity::solvers
