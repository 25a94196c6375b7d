// The default where accuracy counts: cheap sweeps first, Newton where they stall, each with as much work as the other.
//
// Sweeps win on broad piles, whose matrices fill up when factorised; Newton wins where loads travel far or masses differ.
// Nobody knows in advance, so the two take turns from the best impulses so far, each turn twice as long as its last, and the
// one that has had less work goes first. So the cost is at most about four times that of the better one alone. Work is
// counted in multiplications, not in seconds, so that the same problem takes the same path on every machine.
#pragma once
#include "asperity/solvers/assembled/assembled_prox.h"
#include "asperity/solvers/newton/newton.h"

namespace asperity::solvers {

class Auto final : public AssembledSolver {
  public:
    std::string_view name() const override { return "auto"; }
    SolveReport solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

  private:
    AssembledProx prox_;
    Newton newton_;
    std::vector<double> best_, turn_history_;
};

}  // namespace asperity::solvers
