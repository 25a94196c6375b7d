// Some blocks of a contact problem as an assembled problem of their own, with the impulses of all other blocks fixed.
// PatchNewton and IslandNewton solve it by Newton's method between the sweeps of `prox`.
#pragma once
#include <vector>

#include "asperity/solvers/assembled/assembled_problem.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::solvers {

/// The result of a turn, that is one run of Newton's method between sweeps.
struct NewtonRun {
    int iterations = 0;
    bool helped = false;
};

struct BlockSubset {
    static constexpr double kProgress = 0.5;  ///< a turn must reduce the natural map to this fraction; else sweeps do better

    std::vector<int> chosen;  ///< indices of the blocks in the problem, increasing
    AssembledProblem together;
    int iterations = 0;  ///< limit of the next turn

    /// Assembles the matrix of the chosen blocks. False if a stop was requested meanwhile.
    bool assemble_matrix(const ContactProblem& problem) { return assemble(problem, chosen, together); }
    /// Loads the present impulses, and into q the velocities caused by all other blocks. Call after assemble_matrix().
    void load(const ContactProblem& problem);
    /// Copies the impulses to the problem and updates its velocities. If the turn was cut short (`solved` is false), the
    /// next one gets twice the iterations.
    void keep(ContactProblem& problem, bool solved);
};

}  // namespace asperity::solvers
