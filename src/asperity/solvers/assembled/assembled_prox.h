// `prox` on an assembled problem: Gauss-Seidel sweeps for problems without bodies. With `exact_contacts`, each visit solves
// a contact with an elliptic set exactly (local_contact.h). All other blocks take one projected step.
#pragma once
#include "asperity/solvers/assembled/assembled_problem.h"
#include "asperity/solvers/iteration/accelerated_sweeps.h"
#include "asperity/solvers/iteration/local_contact.h"

namespace asperity::solvers {

class AssembledProx final : public AssembledSolver {
  public:
    std::string_view name() const override { return "prox"; }
    SolveReport solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) override;

  private:
    /// Data of a block that a visit needs besides its row of W.
    struct Visit {
        SymBlock w, inverse;           // W_ii, and its inverse for Bilateral blocks
        LocalContact alone;            // set up if the contact is solved exactly
        double r[kMaxBlockRows] = {};  // step length of each row
    };
    struct Sweeps;

    std::vector<Visit> visits_;
    AcceleratedSweeps sweeps_;
};

}  // namespace asperity::solvers
