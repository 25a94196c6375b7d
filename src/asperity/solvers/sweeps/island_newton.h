// Newton's method on all blocks of the islands that sweeps do not solve, in turns with the sweeps of `prox`. For problems
// without patches.
//
// Most solves of a step end within some ten sweeps, and a sweep costs a twentieth of a Newton iteration. But where joints,
// mass ratios or a jam make the error fall by only a per cent per pass, ten iterations do more than thousands of sweeps. The
// decision uses the error: every few passes, its fall predicts how many more sweeps are needed. If these cost more than a
// turn of Newton's method, a turn runs on the islands that are not solved yet. So one jam in a large scene costs no more
// than that jam alone. If all unsolved islands together are too expensive, the turn takes the smaller ones only. If Newton's
// method fails too, sweeps go on. The next turn then waits until they have done half of the work that it may take itself.
// All turns of a solve together may cost a few times the work of max_sweeps sweeps, so that `max_sweeps` still bounds the
// work. Work is counted instead of timed, so that every machine takes the same path.
#pragma once
#include <vector>

#include "asperity/solvers/newton/block_subset.h"
#include "asperity/solvers/newton/matrix_cost.h"
#include "asperity/solvers/newton/newton.h"

namespace asperity::solvers {

class IslandNewton {
  public:
    /// Discards all data of the last problem. `max_sweeps` is the limit of the whole solve.
    void start(const ContactProblem& problem, int max_sweeps);
    /// Must be called for each sweep.
    void count_sweep() { spent_ += sweep_work_; }
    /// Must be called after each pass, with its error [m/s]. Whether Newton's method would finish with less work than the
    /// sweeps.
    bool is_due(const ContactProblem& problem, double error, double tolerance);

    /// Runs Newton's method on the chosen islands until the natural map is below the tolerance [m/s], at most `most`
    /// iterations. If the natural map fell to a half or less, the problem gets the new impulses and velocities. Else, or if
    /// the solution only added internal forces in a jam (inner_forces.h), the problem is unchanged.
    NewtonRun improve(ContactProblem& problem, double tolerance, int most, double seconds);
    /// Called after a turn that did not help: doubles the iterations of the next turn and the work that sweeps must do
    /// before it.
    void record_failed_run();

  private:
    /// The number of further sweeps needed, predicted from the recent fall of the error; infinite if it did not fall.
    /// Computed at the end of each window of passes, else 0.
    double expected_sweeps(double error, double tolerance);
    struct Energy {
        // one_by_one: sum of W_ii lambda_i^2 over the rows of contacts with friction. Joints are left out, because between
        // very different masses they carry much energy at no cost. together: D of ContactProblem::merit(). [J]
        double one_by_one = 0, together = 0;
    };
    Energy energy() const;  // of the assembled blocks
    /// Chooses unsolved islands in order of increasing size, as long as a turn on them may cost no more than `affordable`.
    /// Returns the number of rows chosen.
    double choose_islands(const ContactProblem& problem, double tolerance, double affordable);
    /// The least work of a turn on so many rows, given the work of one iteration.
    static double least_work(double rows, double iteration);
    double expected_iteration(double rows) const;
    /// The most multiplications of a factorisation on so many rows, so that the least work of a turn is within `affordable`.
    static double most_work(double rows, double affordable);
    void remember_iteration(double rows, double work);

    BlockSubset blocks_;
    MatrixCost cost_;
    Newton newton_;
    struct Island {
        int name, rows;
    };
    std::vector<Island> islands_;         // unsolved islands
    std::vector<int> island_rows_;        // indexed by the group that names the island
    std::vector<char> unsolved_, taken_;  // same index
    int passes_ = 0;
    double best_ = 0, last_best_ = 0;  // smallest error of this window of passes and of the one before
    double sweep_work_ = 0, spent_ = 0, wait_ = 0, budget_ = 0;
    double iteration_work_ = 0;  // on the blocks assembled last
    double share_ = 1;           // chosen rows / rows of all unsolved islands
    // the most rows counted in this solve, and the work of an iteration on them; work per row grows with the number of
    // rows, because factors fill in
    double known_rows_ = 0, known_work_ = 0;
    std::vector<double> ignored_;
};

}  // namespace asperity::solvers
