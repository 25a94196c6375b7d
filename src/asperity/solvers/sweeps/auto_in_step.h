// `auto` in a step: counts what the written matrix would take first. If that is too much, `prox` solves the problem, which
// needs no matrix.
#pragma once
#include "asperity/solvers/assembled/assembling.h"
#include "asperity/solvers/newton/matrix_cost.h"
#include "asperity/solvers/sweeps/prox.h"

namespace asperity::solvers {

class AutoInStep final : public Solver {
  public:
    AutoInStep();
    std::string_view name() const override { return "auto"; }
    SolveReport solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

  private:
    Assembling written_;
    Prox sweeps_;
    MatrixCost cost_;
    std::vector<int> all_;
};

}  // namespace asperity::solvers
