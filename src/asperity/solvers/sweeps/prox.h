// `prox`, the default solver: block Gauss-Seidel with projections onto the exact limit surfaces. The equations are in
// prox.cpp.
#pragma once
#include "asperity/solvers/iteration/accelerated_sweeps.h"
#include "asperity/solvers/iteration/local_contact.h"
#include "asperity/solvers/problem/contact_problem.h"
#include "asperity/solvers/problem/solver.h"
#include "asperity/solvers/sweeps/coloured_blocks.h"
#include "asperity/solvers/sweeps/island_newton.h"
#include "asperity/solvers/sweeps/patch_newton.h"

namespace asperity::solvers {

class Prox : public Solver, public PositionSolver {
  public:
    /// Blocks: in the order of the blocks, on one thread. Colours: colour by colour on all threads, if there are enough
    /// blocks.
    enum class Order { Blocks, Colours };

    explicit Prox(Order order = Order::Blocks) : order_(order) {}
    std::string_view name() const override { return order_ == Order::Blocks ? "prox" : "prox_coloured"; }
    SolveReport solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) override;
    SolveReport correct(const ContactProblem& problem, std::span<const double> gap_rate, ContactProblem& positions,
                        const SolveOptions& options) override;

  private:
    Order order_;
    ColouredBlocks colours_;
    std::vector<double> chunk_error_;
    AcceleratedSweeps sweeps_;
    PatchNewton patches_;
    IslandNewton points_;
    std::vector<LocalContact> local_contacts_;
    std::vector<double> position_history_;
};

}  // namespace asperity::solvers
