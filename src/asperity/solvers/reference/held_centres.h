// Contact patches for the solvers that need convex sets: `apgd`, `admm`, `pivot`, `lcp`.
//
// The wrenches that a patch can carry are not a convex set. The torque about the normal is tau + d x f with the centre of
// pressure d = m/f_n, which has products and quotients of impulses. If friction is taken about a fixed centre c instead, the
// set is convex: normal part in C, friction about c in f_n K(c), together the cone over R x K(c). With rows about c,
//     x = (f, tau_n - c x f),   y = (v + w_n n x c, w_n),        lambda = T x,  u_x = T^T u,  W_x = T^T W T,
// the patch is an ordinary block. So the loop holds the centres, solves, moves the centres to the new centres of pressure,
// and repeats until the true law is satisfied. Sticking patches do not depend on c, sliding ones only weakly. The centres
// are mixed by Anderson acceleration.
#pragma once
#include "asperity/friction/patch_limits.h"
#include "asperity/solvers/assembled/assembled_problem.h"
#include "asperity/solvers/iteration/anderson.h"

namespace asperity::solvers {

class HeldCentres {
  public:
    /// Whether some patch has limits that are not held.
    static bool are_needed(const AssembledProblem& problem);
    /// Rounds of `solver` on problems with held patches. If the solver is not exact, the rounds end when one of them changes
    /// no velocity by more than the tolerance.
    SolveReport solve(AssembledSolver& solver, AssembledProblem& problem, const SolveOptions& options,
                      std::vector<double>& history);

  private:
    Vec2 centre(size_t patch) const { return {centres_[2 * patch], centres_[2 * patch + 1]}; }
    void move_inside(const AssembledProblem& problem);
    void hold(const AssembledProblem& problem);
    void release(AssembledProblem& problem) const;
    void centres_of(const AssembledProblem& problem, std::vector<double>& centres) const;

    AssembledProblem held_;
    std::vector<int> patches_;                   // block indices
    std::vector<friction::PatchLimits> limits_;  // held limits of each patch
    std::vector<double> centres_, next_;         // two numbers per patch, along u and w
    std::vector<double> best_, last_velocity_, round_history_, weight_;
    Anderson anderson_;
};

}  // namespace asperity::solvers
