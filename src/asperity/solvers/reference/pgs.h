// Projected Gauss-Seidel on scalar rows: what most engines do. Cheap and simple, and wrong off the axes: the maths is in
// pgs.cpp.
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
