// `pgs`: projected Gauss-Seidel on scalar rows, the method of most engines. Cheap and simple, but inexact between the
// friction axes; the equations are in pgs.cpp.
#pragma once
#include "asperity/solvers/problem/contact_problem.h"
#include "asperity/solvers/problem/solver.h"

namespace asperity::solvers {

class Pgs : public Solver {
  public:
    std::string_view name() const override { return "pgs"; }
    SolveReport solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) override;
};

}  // namespace asperity::solvers
