// Contact patches for solvers that need convex sets: `apgd`, `admm`, `pivot`, `lcp`.
//
// What a patch can carry is not convex: its torque about the normal is tau + d x f with the centre of pressure d = m/f_n, a
// product of impulses over an impulse. With the centre of rubbing held at c it is: pressing in C, friction about c in f_n
// K(c), together the cone over R x K(c). Rows taken about c,
//     x = (f, tau_n - c x f),   y = (v + w_n n x c, w_n),        lambda = T x,  u_x = T^T u,  W_x = T^T W T,
// make it a plain block. So rounds: hold the centres, solve, see where the pressure is now, and again until the law itself
// is satisfied. A patch that sticks does not feel where c is, and one that slides feels it little; the centres are mixed by
// Anderson's rule all the same.
#pragma once
#include "asperity/friction/patch_limits.h"
#include "asperity/solvers/assembled/assembled_problem.h"
#include "asperity/solvers/iteration/anderson.h"

namespace asperity::solvers {

class HeldCentres {
  public:
    /// Whether there is a patch whose centre is not held.
    static bool are_needed(const AssembledProblem& problem);
    /// Rounds of `solver` on problems whose patches are held. Where the solver is not exact, until a round changes no
    /// velocity by more than the tolerance.
    SolveReport solve(AssembledSolver& solver, AssembledProblem& problem, const SolveOptions& options,
                      std::vector<double>& history);

  private:
    Vec2 centre(size_t patch) const { return {centres_[2 * patch], centres_[2 * patch + 1]}; }
    void move_inside(const AssembledProblem& problem);
    void hold(const AssembledProblem& problem);
    void release(AssembledProblem& problem) const;
    void centres_of(const AssembledProblem& problem, std::vector<double>& centres) const;

    AssembledProblem held_;
    std::vector<int> patches_;                   // blocks
    std::vector<friction::PatchLimits> limits_;  // of each of them, held
    std::vector<double> centres_, next_;         // two numbers each, along u and w
    std::vector<double> best_, last_velocity_, round_history_, weight_;
    Anderson anderson_;
};

}  // namespace asperity::solvers
