// Wraps a solver of assembled problems for use in a step: assembles W, solves, and copies the impulses back.
#pragma once
#include <memory>

#include "asperity/solvers/assembled/assembled_problem.h"

namespace asperity::solvers {

class Assembling final : public Solver {
  public:
    explicit Assembling(std::unique_ptr<AssembledSolver> solver) : solver_(std::move(solver)) {}
    std::string_view name() const override { return solver_->name(); }
    SolveReport solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

  private:
    std::unique_ptr<AssembledSolver> solver_;
    AssembledProblem assembled_;
};

}  // namespace asperity::solvers
