// Some blocks of a contact problem as a problem of their own, with its matrix written out; all other blocks only push.
// What PatchesTogether and PointsTogether hand to Newton's method between the sweeps of `prox`.
#pragma once
#include <vector>

#include "asperity/solvers/assembled/assembled_problem.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::solvers {

/// What a turn of Newton's method has done.
struct TurnTogether {
    int iterations = 0;
    bool helped = false;
};

struct ChosenBlocks {
    static constexpr double kProgress = 0.5;  ///< of the natural map: where a turn brings less, sweeps do better

    std::vector<int> chosen;  ///< places of the blocks in the problem, rising
    AssembledProblem together;
    int iterations = 0;  ///< of the next turn

    /// Writes out the matrix of the chosen blocks.
    void write_out(const ContactProblem& problem) { assemble(problem, chosen, together); }
    /// The present impulses, and in q what all others do. After write_out().
    void load(const ContactProblem& problem);
    /// The impulses back into the problem, and its velocities. Where it is not solved yet, the turn was on its way, and the
    /// next one is longer.
    void keep(ContactProblem& problem, bool solved);
};

}  // namespace asperity::solvers
