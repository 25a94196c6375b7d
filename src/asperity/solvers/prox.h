// The default solver: block Gauss-Seidel with projections onto the exact limit surfaces. The maths is in prox.cpp.
#pragma once
#include "asperity/solvers/accelerated_sweeps.h"
#include "asperity/solvers/contact_problem.h"
#include "asperity/solvers/local_contact.h"
#include "asperity/solvers/solver.h"

namespace asperity::solvers {

class Prox : public Solver, public PositionSolver {
  public:
    std::string_view name() const override { return "prox"; }
    SolveReport solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) override;
    SolveReport correct(const ContactProblem& problem, std::span<const double> gap_rate, ContactProblem& positions,
                        const SolveOptions& options) override;

  private:
    AcceleratedSweeps sweeps_;
    std::vector<LocalContact> alone_;
    std::vector<double> position_history_;
};

}  // namespace asperity::solvers
