// Newton's method on all patches of a problem at once, between the sweeps of `prox`.
#include "asperity/solvers/sweeps/patch_newton.h"

#include <gtest/gtest.h>

#include "tests/support/patch_problems.h"

namespace asperity::solvers {
namespace {

SolveReport solve(ContactProblem& p, double tolerance) {
    p.prepare();
    std::vector<double> history;
    return make_solver("prox")->solve(p, {tolerance, 5000}, history);
}

// Plain sweeps reduce the error of such a tower by only a tenth per pass. Here two sweeps and a few iterations, which count
// as sweeps, suffice.
TEST(PatchNewton, TowerThatSticksTakesAHandfulOfSweeps) {
    Random random(1);
    for (int trial = 0; trial < 20; ++trial) {
        ContactProblem p = patch_problem(random, {.bodies = 8, .planar = friction::Ellipse{1, 1}, .push = 0, .offset = 0});
        const SolveReport report = solve(p, 1e-12);
        EXPECT_EQ(report.status, SolveStatus::Converged) << report.residual;
        EXPECT_LE(report.sweeps, 8) << trial;
    }
}

// Slipping, tipping and rotating bodies: the active set must be found first, so sweeps and iterations alternate. Both count.
TEST(PatchNewton, TowersThatSlipAndTipAreSolved) {
    using Region = PatchProblemOptions::Region;
    Random random(2);
    for (const Region region : {Region::Rectangle, Region::Ellipse, Region::Line, Region::Ball})
        for (int trial = 0; trial < 50; ++trial) {
            const PatchProblemOptions options{.bodies = 5, .region = region, .push = 0.3};
            ContactProblem p = patch_problem(random, options);
            const SolveReport report = solve(p, 1e-12);
            EXPECT_EQ(report.status, SolveStatus::Converged)
                << describe(options) << ", trial " << trial << ", residual " << report.residual;
        }
}

// Two patches on one body can share its load in many ways: W is singular. Newton's method must not increase the
// self-cancelling forces without bound.
TEST(PatchNewton, SparePatchesDoNotHarm) {
    Random random(3);
    for (int trial = 0; trial < 50; ++trial) {
        ContactProblem p = patch_problem(random, {.bodies = 4, .push = 0.2, .groove = true});
        const SolveReport report = solve(p, 1e-11);
        EXPECT_EQ(report.status, SolveStatus::Converged) << "trial " << trial << ", residual " << report.residual;
        // the bodies have a momentum of at most 20 kg times 1 m/s
        for (const double impulse : p.impulse) EXPECT_LT(std::fabs(impulse), 100) << trial;
    }
}

// A turn that does not help leaves the impulses and velocities unchanged.
TEST(PatchNewton, LeavesWhatItCannotImprove) {
    Random random(4);
    ContactProblem p = patch_problem(random, {.bodies = 5, .push = 1});
    solve(p, 1e-13);
    const std::vector<double> impulse = p.impulse;
    PatchNewton together;
    together.start(p, 2000);
    ASSERT_FALSE(together.is_due(p));  // no sweep has been counted yet
    for (int i = 0; i < 10; ++i) together.count_sweep();
    ASSERT_TRUE(together.is_due(p));
    const NewtonRun turn = together.improve(p, 0, 3, 1e9);
    EXPECT_GT(turn.iterations, 0);
    if (!turn.helped) { EXPECT_EQ(p.impulse, impulse); }
    EXPECT_LT(natural_map_residual(p).value, 1e-12);
}

}  // namespace
}  // namespace asperity::solvers
