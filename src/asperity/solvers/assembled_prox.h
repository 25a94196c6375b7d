// `prox` on a problem with its matrix written out: what the sweeps over bodies do, for problems that have none.
#pragma once
#include "asperity/solvers/assembled_problem.h"

namespace asperity::solvers {

class AssembledProx final : public AssembledSolver {
  public:
    std::string_view name() const override { return "prox"; }
    SolveReport solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

  private:
    double sweep(AssembledProblem& problem, bool forward);

    std::vector<SymBlock> inverse_;   // of the diagonal block, for Bilateral blocks
};

}  // namespace asperity::solvers
