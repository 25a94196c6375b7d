// Block pivoting: exact where it converges, and with a true status where it does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tests/unit/solvers/small_problems.h"

namespace asperity::solvers {
namespace {

SolveReport pivot(AssembledProblem& p, const SolveOptions& options) {
    std::vector<double> history;
    return make_assembled_solver("pivot")->solve(p, options, history);
}

TEST(Pivot, FindsTheCheckValueOfTheSpecification) {
    AssembledProblem p = one_contact({1, 0, 0, 0, 1.3, 0.2, 0, 0.2, 0.9}, {-1.5, 2, -1}, friction::Ellipse{0.2, 0.8});
    ASSERT_EQ(pivot(p, {1e-12, 100}).status, SolveStatus::Converged);
    EXPECT_NEAR(p.impulse[1], -0.23392295, 1e-8);
    EXPECT_NEAR(p.impulse[2], 0.75131939, 1e-8);
}

/// Without friction nothing is frozen: a few direct solves, and the normal impulses are exact.
TEST(Pivot, EndsAfterAFewSolvesWithoutFriction) {
    int solves = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Sample sample(seed, {.bodies = 4, .contacts = 8});
        for (Block& block : sample.problem.blocks) block.set = friction::Ellipse{0, 0};
        const SolveReport report = pivot(sample.problem, {1e-11, 100});
        EXPECT_EQ(report.status, SolveStatus::Converged) << seed;
        solves += report.sweeps;
    }
    EXPECT_LT(solves, 50 * 8);
}

/// Redundant contacts may have several solutions, so Newton's method starts from the answer of pivot and must not change it.
TEST(Pivot, AgreesWithNewtonWhereverItEnds) {
    int ended = 0, cycled = 0;
    for (int number = 0; number < 240; ++number) {
        RandomProblemOptions options = variation(number);
        options.mu_max = 0.6;
        options.mass_ratio = 10;
        Sample sample(static_cast<std::uint64_t>(number), options);
        AssembledProblem expected = sample.problem;
        const SolveReport report = pivot(sample.problem, {1e-11, 5000});
        cycled += report.status == SolveStatus::Cycled;
        if (report.status != SolveStatus::Converged) continue;
        ++ended;
        if (options.redundant) expected = sample.problem;
        std::vector<double> history;
        ASSERT_EQ(make_assembled_solver("newton")->solve(expected, {1e-11, 500}, history).status, SolveStatus::Converged)
            << number;
        EXPECT_LT(largest_difference(sample.problem.velocity, expected.velocity), 1e-7)
            << number << ": " << describe(options);
    }
    EXPECT_GT(ended, 228);  // nineteen in twenty
    std::printf("pivot: %d of 240 end, %d run in circles\n", ended, cycled);
    EXPECT_EQ(ended + cycled, 240);  // the status of all others is Cycled
}

/// Friction that couples back strongly to the normal impulse: freezing and solving alternate forever.
TEST(Pivot, SaysThatItRunsInCircles) {
    int cycled = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Sample sample(seed, {.bodies = 3, .contacts = 6, .mu_max = 10});
        const SolveReport report = pivot(sample.problem, {1e-10, 100000});
        EXPECT_TRUE(report.status == SolveStatus::Converged || report.status == SolveStatus::Cycled)
            << seed << ": " << name(report.status);
        EXPECT_LT(report.sweeps, 5000) << seed;
        cycled += report.status == SolveStatus::Cycled;
    }
    EXPECT_GT(cycled, 0);
}

TEST(Pivot, EndsOnWhatIsNotFiniteOrEmptyOrOutOfTime) {
    AssembledProblem p = one_contact({1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, std::nan(""), 0}, friction::Ellipse{0.5, 0.5});
    EXPECT_EQ(pivot(p, {1e-12, 100}).status, SolveStatus::NotFinite);
    AssembledProblem empty;
    empty.W.row_start = {0};
    empty.prepare();
    EXPECT_EQ(pivot(empty, {1e-12, 100}).status, SolveStatus::Converged);
    Sample sample(3, {.bodies = 30, .contacts = 120, .mass_ratio = 1e4, .mu_max = 10, .redundant = true});
    EXPECT_EQ(pivot(sample.problem, {1e-30, 1000000, 0}).status, SolveStatus::TimeLimit);
}

}  // namespace
}  // namespace asperity::solvers
