// Newton's method on all contact patches and joints of a problem at once, in turns with the sweeps of `prox`.
//
// Patches are few, and few of their rows are spare: what is left for sweeps is that loads travel from body to body, one pass
// after the other, and the error of a stack falls by the same few per cent per pass whether its faces are patches or points.
// All patches together are a sparse system, that of a stack a chain of blocks of six, whose factorisation costs less than a
// sweep. Points (of which a face has one or more too many) stay where the sweeps have put them and only push; where that
// leads nowhere, because points share a body's load with a patch, as of one that lies with a face on one thing and with a
// corner on another, the next turns take the points in. The first turn follows the first pass; each later one waits until
// the sweeps have done a quarter of its work, counted in multiplications, so that the same problem takes the same path on
// every machine.
#pragma once
#include "asperity/solvers/newton/chosen_blocks.h"
#include "asperity/solvers/newton/newton.h"

namespace asperity::solvers {

class PatchesTogether {
  public:
    /// Forgets the last problem.
    void start(const ContactProblem& problem);
    /// To be called for each sweep.
    void count_sweep() { spent_ += sweep_work_; }
    /// Whether the sweeps have done enough work for a turn.
    bool is_due(const ContactProblem& problem);

    /// Newton's method until the natural map of the patches is below the tolerance [m/s], `most` iterations at most. Where
    /// it has fallen to a half, the impulses and velocities of the problem are the better ones; otherwise they are as they
    /// were.
    TurnTogether improve(ContactProblem& problem, double tolerance, int most, double seconds);
    /// The next turn is longer, and so waits longer; or it is the first that takes the points in.
    void put_off();

  private:
    void take_points_in();

    ChosenBlocks blocks_;
    Newton newton_;
    int points_ = 0;  // that are not among the chosen
    int turns_ = 0;
    bool any_patch_ = false, assembled_ = false;
    double sweep_work_ = 0, spent_ = 0, iteration_work_ = 0;
    std::vector<int> rows_;  // of each chosen block, none where it stands open
    std::vector<double> ignored_;
};

}  // namespace asperity::solvers
