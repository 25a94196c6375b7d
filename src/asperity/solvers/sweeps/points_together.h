// Newton's method on all blocks of the islands that sweeps do not get done, in turns with the sweeps of `prox`. For problems
// without patches.
//
// Most solves of a step end within some ten sweeps, and each sweep costs a twentieth of a Newton iteration. But where
// joints, mass ratios or a jam make the error fall by a per cent per pass, thousands of sweeps do not do what ten iterations
// do. Which of the two it is shows in the error itself: every few passes its fall says how many more sweeps it would take.
// When these would cost more than a turn, it is Newton's: of the islands that are not solved yet, so that one jam in a wide
// scene costs what one jam costs. Where all of them are too dear, it is that of the smaller ones: a chain does not wait for
// the wall that it has not hit yet. Where Newton fails too, as it does at times, sweeps go on, and the next turn waits for
// as much work of theirs as it will take itself. All turns of a solve together may cost some times what its sweeps may cost,
// so that `max_sweeps` stays a bound of the work. Work is counted, not timed: the same problem takes the same path on every
// machine.
#pragma once
#include <vector>

#include "asperity/solvers/newton/chosen_blocks.h"
#include "asperity/solvers/newton/newton.h"

namespace asperity::solvers {

class PointsTogether {
  public:
    /// Forgets the last problem. `max_sweeps` are those of the whole solve.
    void start(const ContactProblem& problem, int max_sweeps);
    /// To be called for each sweep.
    void count_sweep() { spent_ += sweep_work_; }
    /// To be called after each pass, with its error [m/s]: whether Newton's method would be done sooner than the sweeps.
    bool is_due(const ContactProblem& problem, double error, double tolerance);

    /// Newton's method until the natural map is below the tolerance [m/s], `most` iterations at most. Where it has fallen to
    /// a half, the impulses and velocities of the problem are the better ones; otherwise, and where it was paid for by
    /// forces within a jam (inner_forces.h), they are as they were.
    TurnTogether improve(ContactProblem& problem, double tolerance, int most, double seconds);
    /// The next turn is longer, and so waits longer.
    void put_off();

  private:
    /// What sweeps will still do, by how the error has fallen lately; without bound where it has not. At the end of each
    /// window, else 0.
    double expected_sweeps(double error, double tolerance);
    struct Energy {
        // sum of W_ii lambda_i^2 of what rubs (joints of far different masses carry much for little), and D of
        // ContactProblem::merit() [J]
        double one_by_one = 0, together = 0;
    };
    Energy energy() const;  // of the blocks written out
    /// Of those that are not solved the smaller ones, as far as a turn on them may be done for that work; returns how many
    /// rows these are.
    double choose_islands(const ContactProblem& problem, double tolerance, double affordable);
    /// What a turn costs at least: by the work of an iteration, or as far as that is known.
    static double least_work(double rows, double iteration);
    double expected_iteration(double rows) const;

    ChosenBlocks blocks_;
    Newton newton_;
    struct Island {
        int name, rows;
    };
    std::vector<Island> islands_;         // not solved yet
    std::vector<int> island_rows_;        // per group that names an island
    std::vector<char> unsolved_, taken_;  // likewise
    int passes_ = 0;
    double best_ = 0, last_best_ = 0;  // errors of this window of passes and of the one before
    double sweep_work_ = 0, spent_ = 0, wait_ = 0, budget_ = 0;
    double iteration_work_ = 0;  // of the blocks written out last
    double share_ = 1;           // of the rows that are not solved: those written out
    // the most rows that were written out in this solve, and the work of an iteration on them: factors fill up faster than
    // rows grow
    double known_rows_ = 0, known_work_ = 0;
    std::vector<double> ignored_;
};

}  // namespace asperity::solvers
