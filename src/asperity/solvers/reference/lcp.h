// `lcp`: replaces every limit set by a polyhedral one and solves the resulting linear complementarity problem by Lemke's
// algorithm.
#pragma once
#include "asperity/solvers/assembled/assembled_problem.h"
#include "asperity/solvers/reference/held_centres.h"
#include "asperity/solvers/reference/lemke.h"

namespace asperity::solvers {

class Lcp final : public AssembledSolver {
  public:
    std::string_view name() const override { return "lcp"; }
    bool is_exact() const override { return false; }
    SolveReport solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

  private:
    Lemke lemke_;
    HeldCentres centres_;  // of patches
};

}  // namespace asperity::solvers
