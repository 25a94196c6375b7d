// `apgd`: accelerated projected gradient on the cone complementarity problem, corrected to the exact law by De Saxce's term.
#pragma once
#include "asperity/solvers/reference/held_centres.h"
#include "asperity/solvers/reference/scaled_problem.h"

namespace asperity::solvers {

class Apgd final : public AssembledSolver {
  public:
    std::string_view name() const override { return "apgd"; }
    SolveReport solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

  private:
    ScaledProblem scaled_;
    std::vector<double> x_, y_, next_, Wx_, Wy_, Wnext_, s_, new_s_, v_, best_, gap_, moved_;
    HeldCentres centres_;  // of patches
};

}  // namespace asperity::solvers
