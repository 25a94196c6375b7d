// Newton's method on all blocks of the islands that the sweeps of `prox` do not solve.
#include "asperity/solvers/sweeps/island_newton.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "asperity/solvers/sweeps/prox.h"

namespace asperity::solvers {
namespace {

/// Towers of cubes side by side, four points per face. Each cube is `ratio` times as heavy as the one below. One step of
/// gravity from rest. Sweeps converge more slowly for larger ratios.
ContactProblem towers(int count, int height, double ratio, double push = 0) {
    ContactProblem p;
    p.reset(count * height + 1);
    for (int tower = 0; tower < count; ++tower) {
        double mass = 1;
        for (int k = 0; k < height; ++k, mass *= ratio) {
            const auto body = static_cast<size_t>(tower * height + k);
            p.inverse_mass[body] = 1 / mass;
            p.inverse_inertia[body] = Mat3::diagonal(Vec3{1, 1, 1} * (6 / mass));  // of a cube of 1 m: m/6
            p.velocity[body] = {{push, 0, -0.1}, {}};
            for (const double x : {-0.5, 0.5})
                for (const double y : {-0.5, 0.5}) {
                    PointContact& c = p.contacts.emplace_back();
                    c.a = k == 0 ? count * height : static_cast<int>(body) - 1;
                    c.b = static_cast<int>(body);
                    c.set = friction::Ellipse{0.5, 0.5};
                    c.normal = {0, 0, 1};
                    c.t = {1, 0, 0};
                    c.arm_a = {x, y, k == 0 ? 0 : 0.5};
                    c.arm_b = {x, y, -0.5};
                }
        }
    }
    p.prepare();
    return p;
}

// If every cube is ten times as heavy as the one below, sweeps alone need 10^5 and more.
TEST(IslandNewton, HeavyOnLightIsSolvedWithinTheDefaultNumberOfSweeps) {
    ContactProblem p = towers(1, 5, 10);
    std::vector<double> history;
    const SolveReport report = Prox().solve(p, {}, history);
    EXPECT_EQ(report.status, SolveStatus::Converged) << report.residual;
    EXPECT_LT(report.sweeps, 200);
    double load = 0;  // the lowest four points carry everything: m g dt of 1 + 10 + ... kg
    for (int i = 0; i < 4; ++i) load += p.contact_impulse[static_cast<size_t>(i)][0];
    EXPECT_NEAR(load, 0.1 * 11111, 11111 * 1e-9);
}

// An easy problem is left to the sweeps, because Newton's method would cost more.
TEST(IslandNewton, IsNotDueWhereTheErrorFallsQuickly) {
    const ContactProblem p = towers(1, 3, 1);
    IslandNewton together;
    together.start(p, 2000);
    double error = 1;
    for (int pass = 0; pass < 30; ++pass, error *= 0.4) EXPECT_FALSE(together.is_due(p, error, 1e-10)) << pass;
}

TEST(IslandNewton, IsDueWhereTheErrorHardlyFalls) {
    const ContactProblem p = towers(1, 3, 1);
    IslandNewton together;
    together.start(p, 2000);
    double error = 1;
    bool due = false;
    for (int pass = 0; pass < 30 && !due; ++pass, error *= 0.99) due = together.is_due(p, error, 1e-10);
    EXPECT_TRUE(due);
}

// max_sweeps of a dozen asks for a cheap step: no turn fits into the budget of a few times their work.
TEST(IslandNewton, KeepsToTheWorkThatTheSweepsMayDo) {
    const ContactProblem p = towers(1, 3, 1);
    IslandNewton together;
    together.start(p, 12);
    for (int pass = 0; pass < 30; ++pass) EXPECT_FALSE(together.is_due(p, 1, 1e-10)) << pass;
}

// An island that is solved already keeps its impulses bit by bit.
TEST(IslandNewton, TouchesOnlyIslandsThatAreNotSolved) {
    ContactProblem p = towers(2, 5, 4);
    std::vector<double> history;
    Prox().solve(p, {}, history);
    const size_t half = p.impulse.size() / 2;
    const std::vector<double> solved(p.impulse.begin(), p.impulse.begin() + static_cast<std::ptrdiff_t>(half));
    for (size_t i = half; i < p.impulse.size(); i += 3) p.impulse[i] *= 0.9;  // the normal impulses of the second tower
    p.refresh_velocities();
    IslandNewton together;
    together.start(p, 2000);
    bool due = false;
    for (int pass = 0; pass < 30 && !due; ++pass) due = together.is_due(p, 1, 1e-10);
    ASSERT_TRUE(due);
    ASSERT_GT(natural_map_residual(p).value, 1e-3);
    const NewtonRun turn = together.improve(p, 1e-10, 100, 1e9);
    EXPECT_TRUE(turn.helped);
    EXPECT_LE(natural_map_residual(p).value, 1e-10);
    EXPECT_TRUE(std::equal(solved.begin(), solved.end(), p.impulse.begin()));
}

// A turn of one iteration that does not help leaves the impulses unchanged.
TEST(IslandNewton, LeavesWhatItCannotImprove) {
    ContactProblem p = towers(1, 5, 10, 1);
    const std::vector<double> impulse = p.impulse;
    IslandNewton together;
    together.start(p, 2000);
    bool due = false;
    for (int pass = 0; pass < 30 && !due; ++pass) due = together.is_due(p, 1, 1e-10);
    ASSERT_TRUE(due);
    const NewtonRun turn = together.improve(p, 1e-10, 1, 1e9);
    EXPECT_EQ(turn.iterations, 1);
    if (!turn.helped) {
        EXPECT_EQ(p.impulse, impulse);
    } else {
        EXPECT_LT(natural_map_residual(p).value, 0.5 * natural_map_residual(towers(1, 5, 10, 1)).value * (1 + 1e-9));
    }
}

}  // namespace
}  // namespace asperity::solvers
