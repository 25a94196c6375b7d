// `fast`: block Gauss-Seidel for piles in single precision, eight pairs at a time, colour by colour. Its fixed points are
// those of `prox`.
#pragma once
#include "asperity/solvers/lanes/contact_lanes.h"

namespace asperity::solvers {

class Fast : public Solver, public PositionSolver {
  public:
    std::string_view name() const override { return "fast"; }
    bool reads_rows() const override { return false; }
    SolveReport solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) override;
    /// Must follow solve() of the same problem, whose lanes it reuses.
    SolveReport correct(const ContactProblem& problem, std::span<const double> gap_rate, ContactProblem& positions,
                        const SolveOptions& options) override;

  private:
    ContactLanes lanes_;
    std::vector<float> chunk_error_;
    std::vector<Residual> chunk_worst_;
};

}  // namespace asperity::solvers
