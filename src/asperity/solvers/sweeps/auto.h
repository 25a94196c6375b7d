// `auto`, the default where accuracy counts: cheap sweeps first, Newton's method where they stall, with equal work for both.
//
// Sweeps are better on broad piles, whose matrices fill in when factorised. Newton is better where loads travel far or
// masses differ. This is not known in advance. So the two alternate, each starting from the best impulses so far. The method
// with less work so far goes next, with twice the iterations of its previous turn. The total cost is at most about four
// times that of the better method alone. Work is counted in multiplications instead of seconds, so that every machine takes
// the same path.
#pragma once
#include "asperity/solvers/assembled/assembled_prox.h"
#include "asperity/solvers/newton/newton.h"

namespace asperity::solvers {

class Auto final : public AssembledSolver {
  public:
    /// The most values in W, its copy in the linear system, and the factors together (2 GiB). If W alone takes more, a step
    /// is solved without it (auto_in_step.h). If the factors take more, Newton's method gets no turn.
    static constexpr double kMostValues = 256.0 * 1024 * 1024;

    std::string_view name() const override { return "auto"; }
    SolveReport solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

  private:
    AssembledProx prox_;
    Newton newton_;
    std::vector<double> best_, turn_history_;
};

}  // namespace asperity::solvers
