// The factorisation of the symmetric part of D W D + diag(shift), made anew when the shift changes and used for many
// right-hand sides. Eigen stays in one file.
#pragma once
#include <memory>
#include <span>

#include "asperity/solvers/assembled/assembled_problem.h"

namespace asperity::solvers {

class ShiftedFactor {
  public:
    ShiftedFactor();
    ~ShiftedFactor();

    /// Takes the matrix and, for a sparse one, orders its blocks so that the factor fills in little. `scale` is D.
    void analyse(const AssembledProblem& problem, std::span<const double> scale);
    /// What factorise() will take, multiplications and additions counted as one each.
    double operations() const;
    /// False where the matrix is not positive definite or not finite. `shift` has one positive number per row.
    bool factorise(std::span<const double> shift);
    /// In place.
    void solve(std::span<double> x);
    /// y = (symmetric part of D W D) x.
    void multiply(std::span<const double> x, std::span<double> y);
    /// Numbers in the factor.
    long entries() const;

  private:
    struct Matrix;
    std::unique_ptr<Matrix> matrix_;
};

}  // namespace asperity::solvers
