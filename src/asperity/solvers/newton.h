// Semismooth Newton on the natural map, made regular by a proximal term.
#pragma once
#include "asperity/core/deadline.h"
#include "asperity/math/sparse_lu.h"
#include "asperity/solvers/assembled_problem.h"
#include "asperity/solvers/natural_map_newton.h"

namespace asperity::solvers {

class Newton final : public AssembledSolver {
  public:
    std::string_view name() const override { return "newton"; }
    SolveReport solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

    /// Multiplications of one iteration with all blocks active; what a solve would mostly cost.
    double work_per_iteration(const AssembledProblem& problem);

  private:
    void prepare(const AssembledProblem& problem);
    /// F of the proximal problem at lambda, u; returns the merit sum |F|^2 / (2 r).
    double evaluate(const AssembledProblem& problem, std::span<const double> lambda, std::span<const double> u);
    bool newton_step(const AssembledProblem& problem);

    double alpha_ = 0;
    std::vector<double> r_, scale_;              // step length and its inverse, per row
    std::vector<double> centre_;                 // of the proximal term
    std::vector<double> proximal_u_;             // u + alpha (lambda - centre) / r
    std::vector<double> step_, step_u_;          // change of lambda and of u
    std::vector<double> trial_, trial_u_;
    std::vector<double> known_, right_;
    std::vector<BlockLinearisation> linear_;
    std::vector<int> sizes_;
    SparseLu lu_;
};

}  // namespace asperity::solvers
