// The default solver: block Gauss-Seidel with projections onto the exact limit surfaces. The maths is in prox.cpp.
#pragma once
#include "asperity/solvers/anderson.h"
#include "asperity/solvers/contact_problem.h"
#include "asperity/solvers/solver.h"

namespace asperity::solvers {

class Prox : public Solver {
  public:
    std::string_view name() const override { return "prox"; }
    SolveReport solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

  private:
    Anderson anderson_;
    std::vector<double> weight_, before_, plain_;   // norm weights; impulses before a double sweep, and after it without acceleration
};

}  // namespace asperity::solvers
