// Newton's method in both forms: a known solution, order of convergence, agreement with sweeps, and difficult problems.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "tests/unit/solvers/small_problems.h"

namespace asperity::solvers {
namespace {

class NewtonForms : public testing::TestWithParam<const char*> {
  protected:
    SolveReport solve(AssembledProblem& p, const SolveOptions& options) {
        return make_assembled_solver(GetParam())->solve(p, options, history_);
    }
    std::vector<double> history_;
};
INSTANTIATE_TEST_SUITE_P(Both, NewtonForms, testing::Values("newton", "newton_fb"),
                         [](const auto& test) { return std::string(test.param); });

/// W = diag(1, [1.3 0.2; 0.2 0.9]), approach at 1.5, sliding at (2, -1), ellipse 0.2 x 0.8 (matchstick specification, 2.5).
TEST_P(NewtonForms, FindTheCheckValueOfTheSpecification) {
    AssembledProblem p = one_contact({1, 0, 0, 0, 1.3, 0.2, 0, 0.2, 0.9}, {-1.5, 2, -1}, friction::Ellipse{0.2, 0.8});
    const SolveReport report = solve(p, {1e-12, 100});
    ASSERT_EQ(report.status, SolveStatus::Converged);
    EXPECT_LT(report.sweeps, 20);
    // printed with eight digits
    const double impulse[3] = {1.5, -0.23392295, 0.75131939}, slip[2] = {1.84616404, -0.37059714};
    for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(p.impulse[i], impulse[i], 1e-8);
    for (size_t i = 0; i < 2; ++i) EXPECT_NEAR(p.velocity[i + 1], slip[i], 1e-8);
}

/// A body that hardly rotates has a drilling axis 1e7 times shorter than the others, in the units of its row. The Hessian of
/// the gauge then has entries of 1e15. It slides straight without spin: lambda_n = 0.16 N s, friction 0.3 of it against the
/// slip.
TEST_P(NewtonForms, TakeADrillingAxisOfAnySize) {
    for (const double drill : {0.3, 1e-4, 2.8e-8, 1e-12}) {
        AssembledProblem p;
        Block block;
        block.kind = BlockKind::Contact;
        block.rows = 4;
        block.set = friction::Ellipsoid{0.3, 0.3, drill};
        p.blocks = {block};
        p.W = {{0, 1}, {0}, {0}, std::vector<double>(16, 0.0)};
        for (size_t i = 0; i < 4; ++i) p.W.values[5 * i] = 0.5;
        p.q = {-0.08, 2, 0, 0};
        p.prepare();
        const SolveReport report = solve(p, {1e-11, 100});
        ASSERT_EQ(report.status, SolveStatus::Converged) << drill << ": " << report.residual;
        EXPECT_LT(report.sweeps, 20) << drill;
        EXPECT_NEAR(p.impulse[0], 0.16, 1e-10);
        EXPECT_NEAR(p.impulse[1], -0.048, 1e-10);
        EXPECT_NEAR(p.velocity[1], 2 - 0.024, 1e-10);
    }
}

/// |F_k+1| <= C |F_k|^2 at the end, with F in m/s on problems of size one. Tested on the last step that starts below 1e-3
/// (near the solution) and ends above 1e-12 (above rounding). A first-order method with a factor of ten per step would have
/// C = 1e8.
TEST_P(NewtonForms, ConvergeQuadraticallyNearTheSolution) {
    int steps = 0;
    double largest = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Sample sample(seed, {.bodies = 3, .contacts = 4, .mu_max = 0.8, .aspect = 3, .set = SetKind::Ellipse});
        if (solve(sample.problem, {1e-13, 500}).status != SolveStatus::Converged) continue;
        for (size_t k = history_.size(); k-- > 1;) {
            if (history_[k] < 1e-12) continue;
            if (history_[k - 1] > 1e-3) break;
            largest = std::fmax(largest, history_[k] / (history_[k - 1] * history_[k - 1]));
            ++steps;
            break;
        }
    }
    std::printf("%s: |F_k+1| / |F_k|^2 at most %.3g s/m over %d last steps\n", GetParam(), largest, steps);
    EXPECT_GE(steps, 10);
    EXPECT_LT(largest, std::string_view(GetParam()) == "newton" ? 200 : 5000);  // ten times the measured values, 16 and 465
}

/// Problems of all kinds. Redundant contacts may even have several solutions for the velocities: the four vertices of a face
/// can share their load, and so their friction, in many ways. There the sweeps start from Newton's answer and must not
/// change it.
TEST_P(NewtonForms, AgreeWithSweepsOnAllSetsAndJoints) {
    int compared = 0;
    for (int number = 0; number < 240; ++number) {
        RandomProblemOptions options = variation(number);
        options.mu_max = 0.6;     // larger values give problems with several solutions
        options.mass_ratio = 10;  // with larger ratios the sweeps of the comparison do not converge
        Sample sample(static_cast<std::uint64_t>(number), options);
        AssembledProblem swept = sample.problem;
        const SolveReport report = solve(sample.problem, {1e-11, 500});
        ASSERT_EQ(report.status, SolveStatus::Converged)
            << number << ": " << describe(options) << ", residual " << report.residual;
        if (options.redundant) swept = sample.problem;
        std::vector<double> history;
        if (make_assembled_solver("prox")->solve(swept, {1e-11, 20000}, history).status != SolveStatus::Converged) continue;
        ++compared;
        EXPECT_LT(largest_difference(sample.problem.velocity, swept.velocity), 1e-7) << number << ": " << describe(options);
    }
    EXPECT_GT(compared, 220);
}

TEST_P(NewtonForms, StayAtASolutionTheyAreGiven) {
    Sample sample(14, {.contacts = 6, .joints = 1});
    ASSERT_EQ(solve(sample.problem, {1e-11, 500}).status, SolveStatus::Converged);
    const std::vector<double> before = sample.problem.impulse;
    EXPECT_EQ(solve(sample.problem, {1e-11, 500}).sweeps, 0);
    EXPECT_EQ(sample.problem.impulse, before);
}

TEST_P(NewtonForms, GiveTheSameBitsAgain) {
    Sample sample(15, {.bodies = 8, .contacts = 24, .redundant = true});
    AssembledProblem again = sample.problem;
    solve(sample.problem, {1e-11, 500});
    solve(again, {1e-11, 500});
    EXPECT_EQ(sample.problem.impulse, again.impulse);
}

constexpr std::array<double, 9> kUnit = {1, 0, 0, 0, 1, 0, 0, 0, 1};

TEST_P(NewtonForms, WithoutFrictionAndWithEndlessFriction) {
    AssembledProblem smooth = one_contact(kUnit, {-1, 2, 0}, friction::Ellipse{0, 0});
    ASSERT_EQ(solve(smooth, {1e-12, 100}).status, SolveStatus::Converged);
    EXPECT_NEAR(smooth.impulse[0], 1, 1e-12);
    EXPECT_NEAR(smooth.velocity[1], 2, 1e-12);
    AssembledProblem rough = one_contact(kUnit, {-1, 2, 0}, friction::Ellipse{1e6, 1e6});
    ASSERT_EQ(solve(rough, {1e-12, 100}).status, SolveStatus::Converged);
    EXPECT_NEAR(rough.impulse[1], -2, 1e-12);
    EXPECT_NEAR(rough.velocity[1], 0, 1e-12);
}

TEST_P(NewtonForms, SayWhatIsNotFinite) {
    AssembledProblem p = one_contact({std::nan(""), 0, 0, 0, 1, 0, 0, 0, 1}, {-1, 2, 0}, friction::Ellipse{0.5, 0.5});
    EXPECT_EQ(solve(p, {1e-12, 100}).status, SolveStatus::NotFinite);
    AssembledProblem q = one_contact(kUnit, {-1, std::nan(""), 0}, friction::Ellipse{0.5, 0.5});
    EXPECT_EQ(solve(q, {1e-12, 100}).status, SolveStatus::NotFinite);
}

TEST_P(NewtonForms, HaveNothingToDoOnAnEmptyProblem) {
    AssembledProblem p;
    p.W.row_start = {0};
    p.prepare();
    const SolveReport report = solve(p, {1e-12, 100});
    EXPECT_EQ(report.status, SolveStatus::Converged);
    EXPECT_EQ(report.sweeps, 0);
}

/// A body that cannot rotate between two approaching walls: u_1 + u_2 = -2 for any impulses.
AssembledProblem squeezed() {
    AssembledProblem p;
    Block block;
    block.kind = BlockKind::Contact;
    block.rows = 3;
    block.set = friction::Ellipse{0.5, 0.5};
    p.blocks = {block, block};
    p.blocks[1].first_row = 3;
    p.W.row_start = {0, 2, 4};
    p.W.column = {0, 1, 0, 1};
    p.W.value_start = {0, 9, 18, 27};
    const std::array<double, 9> same = {1, 0, 0, 0, 1, 0, 0, 0, 1}, against = {-1, 0, 0, 0, 1, 0, 0, 0, -1};
    for (const auto& w : {same, against, against, same}) p.W.values.insert(p.W.values.end(), w.begin(), w.end());
    p.q = {-1, 0, 0, -1, 0, 0};
    p.prepare();
    return p;
}

TEST_P(NewtonForms, EndWhereThereIsNoSolution) {
    AssembledProblem p = squeezed();
    const SolveReport report = solve(p, {1e-10, 100000});
    EXPECT_TRUE(report.status == SolveStatus::Failed || report.status == SolveStatus::SweepLimit) << name(report.status);
    EXPECT_GE(report.residual, 1 - 1e-9);  // at least one of the two contacts is approached at 1 m/s or more
    EXPECT_LT(report.sweeps, 1000);
    for (const double lambda : p.impulse) EXPECT_TRUE(std::isfinite(lambda));
}

TEST_P(NewtonForms, KeepTheirLimits) {
    Sample sample(16, {.bodies = 60, .contacts = 240, .mass_ratio = 1e4, .mu_max = 10, .redundant = true});
    AssembledProblem p = sample.problem;
    EXPECT_EQ(solve(p, {1e-30, 3}).sweeps, 3);
    p = sample.problem;
    const SolveReport report = solve(p, {1e-30, 1000000, 0});
    EXPECT_EQ(report.status, SolveStatus::TimeLimit);
    EXPECT_LE(report.sweeps, 1);  // at most the iteration during which the time ran out
}

/// The solver must return the best iterate, not the last one.
TEST_P(NewtonForms, ReturnTheBestIterateOfTheHistory) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Sample sample(seed, {.bodies = 6, .contacts = 24, .mass_ratio = 1e4, .mu_max = 5, .redundant = true});
        const SolveReport report = solve(sample.problem, {1e-30, 7});
        const double best = *std::min_element(history_.begin(), history_.end());
        EXPECT_NEAR(report.residual, best, 1e-9 * best + 1e-12);  // recomputing u changes it by rounding
    }
}

}  // namespace
}  // namespace asperity::solvers
