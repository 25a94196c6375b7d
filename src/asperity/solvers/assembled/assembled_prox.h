// `prox` on a problem with its matrix written out: the sweeps of Gauss-Seidel for problems that have no bodies. Contacts
// with elliptic sets are solved exactly on each visit if so asked (local_contact.h), everything else by one projected step.
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
    /// Everything a visit needs beside its row of W.
    struct Visit {
        SymBlock w, inverse;           // W_ii, and its inverse for Bilateral blocks
        LocalContact alone;            // where contacts are solved exactly
        double r[kMaxBlockRows] = {};  // step length of each row
    };
    struct Sweeps;

    std::vector<Visit> visits_;
    AcceleratedSweeps sweeps_;
};

}  // namespace asperity::solvers
