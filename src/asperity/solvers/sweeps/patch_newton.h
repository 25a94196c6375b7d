// Newton's method on all contact patches and joints of a problem at once, in turns with the sweeps of `prox`.
//
// Patches are few and have few redundant rows. Sweeps carry loads only from body to body, one per pass; so the error of a
// stack falls by the same few per cent per pass whether its faces are patches or points. All patches together are a sparse
// system (for a stack a chain of 6 x 6 blocks), and its factorisation costs less than a sweep. Point contacts are left out
// at first, because a face has one or more redundant ones; their impulses stay fixed. This fails if points share a body's
// load with a patch, for example if a body rests with a face on one body and with a vertex on another. Then the next turns
// include the points. The first turn follows the first pass if a Newton iteration is cheap. Every other turn waits until the
// sweeps have done a quarter of its work. Work is counted in multiplications, so that every machine takes the same path.
#pragma once
#include "asperity/solvers/newton/block_subset.h"
#include "asperity/solvers/newton/matrix_cost.h"
#include "asperity/solvers/newton/newton.h"

namespace asperity::solvers {

class PatchNewton {
  public:
    /// Discards all data of the last problem. `max_sweeps` is the limit of the whole solve.
    void start(const ContactProblem& problem, int max_sweeps);
    /// Must be called for each sweep.
    void count_sweep() { spent_ += sweep_work_; }
    /// Whether a turn of Newton's method should run now.
    bool is_due(const ContactProblem& problem);

    /// Runs Newton's method on the chosen blocks until their natural map is below the tolerance [m/s], at most `most`
    /// iterations. If the natural map fell to a half or less, the problem gets the new impulses and velocities. Else it is
    /// unchanged.
    NewtonRun improve(ContactProblem& problem, double tolerance, int most, double seconds);
    /// Called after a turn that did not help: includes the points in the next turn, or doubles its iterations if they are
    /// included.
    void record_failed_run();

  private:
    void include_points();
    /// Assembles the matrix of the chosen blocks and computes the work of an iteration. False if no turn on these blocks can
    /// be due within the sweeps of this solve.
    bool assemble(const ContactProblem& problem);

    BlockSubset blocks_;
    MatrixCost cost_;
    Newton newton_;
    int points_ = 0;  // number of point contacts that are not chosen
    int turns_ = 0;
    bool any_patch_ = false, assembled_ = false, too_large_ = false;
    int max_sweeps_ = 0;
    double sweep_work_ = 0, spent_ = 0, iteration_work_ = 0;
    std::vector<int> rows_;  // of each chosen block, 0 if it is open
    std::vector<double> ignored_;
};

}  // namespace asperity::solvers
