// The solvers on problems with known answers: a value computed elsewhere, closed forms, and invariants on random problems.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/solvers/problem/contact_problem.h"
#include "asperity/solvers/problem/solver.h"

namespace asperity::solvers {
namespace {

/// A unit point mass (group 0) against the world (group 1).
ContactProblem point_mass(double mass = 1) {
    ContactProblem p;
    p.reset(2);
    p.inverse_mass[0] = 1 / mass;
    return p;
}

/// A contact of group 0 on the world with axes n = z, t = x, b = y.
Block& add_point_contact(ContactProblem& p, friction::LimitSet set) {
    Block& block = p.add_block(BlockKind::Contact, 3, 1, 0);
    block.set = set;
    const Vec3 axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < 3; ++i) p.jacobian[static_cast<size_t>(block.first_row + i)] = {axes[i], {}, {}};
    return block;
}

SolveReport solve(std::string_view name, ContactProblem& p, double tolerance = 1e-13, int sweeps = 5000) {
    std::vector<double> history;
    p.prepare();
    return make_solver(name)->solve(p, {tolerance, sweeps}, history);
}

// A smooth Newton method, written apart from this code, gave f and v to 8 digits for W = [[1.3, .2], [.2, .9]], c = (2, -1),
// l_n = 1.5, mu = (.2, .8).
TEST(Prox, ReachesTheCheckValueOfTheSource) {
    ContactProblem p = point_mass();
    Block& block = p.add_block(BlockKind::Contact, 3, 1, 0);
    block.set = friction::Ellipse{0.2, 0.8};
    // J is the Cholesky factor of W with a unit mass, so J J^T = W; the normal row is uncoupled and needs exactly 1.5
    const double l11 = std::sqrt(1.3), l21 = 0.2 / l11, l22 = std::sqrt(0.9 - l21 * l21);
    p.jacobian[0].linear = {0, 0, 1};
    p.jacobian[1].linear = {l11, 0, 0};
    p.jacobian[2].linear = {l21, l22, 0};
    p.bias = {-1.5, 2, -1};
    const SolveReport report = solve("prox", p);
    EXPECT_EQ(report.status, SolveStatus::Converged);
    EXPECT_NEAR(p.impulse[0], 1.5, 1e-12);
    EXPECT_NEAR(p.impulse[1], -0.23392295, 5e-9);  // half a unit of the last printed digit
    EXPECT_NEAR(p.impulse[2], 0.75131939, 5e-9);
    EXPECT_NEAR(p.row_velocity(p.blocks[0], 1), 1.84616404, 5e-9);
    EXPECT_NEAR(p.row_velocity(p.blocks[0], 2), -0.37059714, 5e-9);
}

class EverySolver : public testing::TestWithParam<std::string> {};

TEST_P(EverySolver, StopsAPointThatSticksAndLeavesTheRightImpulse) {
    ContactProblem p = point_mass(2);
    add_point_contact(p, friction::Ellipse{0.5, 0.5});
    p.velocity[0].linear = {0.1, 0, -1};  // impulse 2 upwards, 0.2 sideways: inside the cone
    EXPECT_EQ(solve(GetParam(), p).status, SolveStatus::Converged);
    EXPECT_NEAR(p.impulse[0], 2, 1e-12);
    EXPECT_NEAR(p.impulse[1], -0.2, 1e-12);
    EXPECT_NEAR(length(p.velocity[0].linear), 0, 1e-12);
}

TEST_P(EverySolver, SlidesAlongAnAxisWithTheCoulombImpulse) {
    ContactProblem p = point_mass(2);
    add_point_contact(p, friction::Ellipse{0.5, 0.5});
    p.velocity[0].linear = {3, 0, -1};
    solve(GetParam(), p);
    EXPECT_NEAR(p.impulse[1], -1, 1e-12);  // mu * 2
    EXPECT_NEAR(p.velocity[0].linear.x, 2.5, 1e-12);
}

TEST_P(EverySolver, LeavesASeparatingContactAlone) {
    ContactProblem p = point_mass();
    add_point_contact(p, friction::Ellipse{0.5, 0.5});
    p.velocity[0].linear = {3, 0, 1};
    p.impulse = {5, 1, 1};  // the result must not depend on a wrong warm start
    const SolveReport report = solve(GetParam(), p);
    EXPECT_EQ(report.status, SolveStatus::Converged);
    for (const double lambda : p.impulse) EXPECT_NEAR(lambda, 0, 1e-12);
    EXPECT_NEAR(p.velocity[0].linear.x, 3, 1e-12);
}

TEST_P(EverySolver, KeepsABilateralBlockStillAndAMotorWithinItsStrength) {
    ContactProblem p = point_mass();
    p.velocity[0].linear = {1, 2, 3};
    Block& joint = p.add_block(BlockKind::Bilateral, 2, 1, 0);
    p.jacobian[static_cast<size_t>(joint.first_row)].linear = {1, 0.5, 0};
    p.jacobian[static_cast<size_t>(joint.first_row) + 1].linear = {0, 1, 0};
    Block& motor = p.add_block(BlockKind::Interval, 1, 1, 0);
    motor.low = -0.25;
    motor.high = 0.25;
    p.jacobian[static_cast<size_t>(motor.first_row)].linear = {0, 0, 1};
    solve(GetParam(), p);
    EXPECT_NEAR(p.velocity[0].linear.x, 0, 1e-12);
    EXPECT_NEAR(p.velocity[0].linear.y, 0, 1e-12);
    EXPECT_NEAR(p.velocity[0].linear.z, 2.75, 1e-12);  // 3 - 0.25: too weak to stop it
}

TEST_P(EverySolver, BlocksThatNothingCanMoveDoNotHurt) {
    ContactProblem p;
    p.reset(2);  // both groups infinitely heavy
    add_point_contact(p, friction::Ellipse{0.5, 0.5});
    p.add_block(BlockKind::Bilateral, 6, 0, 1);
    p.velocity[0].linear = {1, 1, -1};
    const SolveReport report = solve(GetParam(), p);
    EXPECT_EQ(report.status, SolveStatus::Converged);
    for (const double lambda : p.impulse) EXPECT_EQ(lambda, 0);
}

TEST_P(EverySolver, ReportsNaNInsteadOfHidingIt) {
    ContactProblem p = point_mass();
    add_point_contact(p, friction::Ellipse{0.5, 0.5});
    p.velocity[0].linear = {std::nan(""), 0, -1};
    EXPECT_EQ(solve(GetParam(), p).status, SolveStatus::NotFinite);
}

INSTANTIATE_TEST_SUITE_P(AllSolvers, EverySolver, testing::ValuesIn(exact_solver_names()),
                         [](const auto& test) { return test.param; });

/// Two bodies with random mass and inertia, several contacts, and a joint between them and the world.
ContactProblem random_problem(Random& random, bool with_drilling, double mu_max = 1) {
    ContactProblem p;
    p.reset(3);
    const auto vec = [&] { return Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; };
    for (size_t g = 0; g < 2; ++g) {
        p.inverse_mass[g] = std::pow(10, random.uniform(-1, 1));
        p.inverse_inertia[g] =
            p.inverse_mass[g] * Mat3::diagonal({random.uniform(2, 8), random.uniform(2, 8), random.uniform(2, 8)});
        p.velocity[g] = {vec(), vec()};
    }
    const int contacts = 1 + random.below(4);
    for (int c = 0; c < contacts; ++c) {
        const int other = random.below(2) ? 2 : 1;
        const bool drilling = with_drilling && random.below(2) == 1;
        Block& block = p.add_block(BlockKind::Contact, drilling ? 4 : 3, other, 0);
        const double mu_t = random.uniform(0, mu_max), mu_b = random.uniform(0, mu_max);
        if (drilling)
            block.set = friction::Ellipsoid{mu_t, mu_b, random.uniform(0.01, 0.3)};
        else
            block.set = friction::Ellipse{mu_t, mu_b};
        const Vec3 n = normalized(vec() + Vec3{0, 0, 2}), t = any_tangent(n), r_a = vec(), r_b = vec();
        const Vec3 axes[3] = {n, t, cross(n, t)};
        for (int i = 0; i < 3; ++i)
            p.jacobian[static_cast<size_t>(block.first_row + i)] = {axes[i], -cross(r_a, axes[i]), cross(r_b, axes[i])};
        if (drilling) p.jacobian[static_cast<size_t>(block.first_row + 3)] = {{}, -n, n};
    }
    return p;
}

// At a solution: 0 <= lambda_n perp u_n >= 0, lambda_f in lambda_n K, and no force of the set dissipates more than lambda_f.
TEST(Prox, SolutionsOfRandomProblemsObeyTheLawRowByRow) {
    Random random(7);
    int solved = 0;
    for (int trial = 0; trial < 300; ++trial) {
        ContactProblem p = random_problem(random, true);
        const SolveReport report = solve("prox", p, 1e-12, 20000);
        if (report.status != SolveStatus::Converged) continue;  // counted below
        ++solved;
        for (const Block& block : p.blocks) {
            const auto row = static_cast<size_t>(block.first_row);
            const double n = p.impulse[row], u_n = p.row_velocity(block, block.first_row);
            EXPECT_GE(n, 0);
            EXPECT_GE(u_n, -1e-11);
            EXPECT_NEAR(n * u_n, 0, 1e-10);
            Vec3 f, u;
            for (int i = 1; i < block.rows; ++i) {
                f[i - 1] = p.impulse[row + static_cast<size_t>(i)];
                u[i - 1] = p.row_velocity(block, block.first_row + i);
            }
            EXPECT_TRUE(friction::contains(block.set, f, n, 1e-9)) << "trial " << trial;
            EXPECT_NEAR(dot(f, u), -n * friction::support(block.set, -u), 1e-10) << "trial " << trial;
        }
    }
    EXPECT_GE(solved, 295);  // Gauss-Seidel is not guaranteed to converge; measured 300 of 300
}

TEST(Prox, ReportedResidualIsTheNaturalMapAndItsHistoryFalls) {
    Random random(3);
    ContactProblem p = random_problem(random, false);
    std::vector<double> history;
    p.prepare();
    const SolveReport report = make_solver("prox")->solve(p, {1e-12, 5000}, history);
    EXPECT_EQ(static_cast<int>(history.size()), report.sweeps);
    EXPECT_DOUBLE_EQ(report.residual, natural_map_residual(p).value);
    EXPECT_LE(report.residual, 1e-12);
    EXPECT_LT(history.back(), 1e-6 * history.front());
}

// Friction up to 10 couples normal and tangential rows so strongly that plain sweeps can diverge. Then the steps are
// shortened, and these problems converge as well. The reported residual is the natural map, whatever the step length.
TEST(Prox, ShortensItsStepsWherePlainSweepsDiverge) {
    Random random(11);
    int shortened = 0;
    for (int trial = 0; trial < 300; ++trial) {
        ContactProblem p = random_problem(random, false, 10);
        const SolveReport report = solve("prox", p, 1e-12, 5000);
        EXPECT_NE(report.status, SolveStatus::NotFinite);
        if (report.status != SolveStatus::Converged) continue;
        EXPECT_LE(natural_map_residual(p).value, 1e-12);
        if (report.rejections > 0) ++shortened;
    }
    EXPECT_GE(shortened, 1);
}

// The residual is divided by r, so a shorter step cannot make it look smaller. The scale of r only changes the speed.
TEST(Prox, SweepLimitIsReportedAsSuchWithATrueResidual) {
    Random random(5);
    ContactProblem p = random_problem(random, false);
    std::vector<double> history;
    p.prepare();
    const SolveReport report = make_solver("prox")->solve(p, {1e-15, 2}, history);
    EXPECT_EQ(report.status, SolveStatus::SweepLimit);
    EXPECT_EQ(report.sweeps, 2);
    EXPECT_DOUBLE_EQ(report.residual, natural_map_residual(p).value);
    EXPECT_GT(report.residual, 1e-15);
}

// Between the axes the pyramid of pgs is too strong by up to sqrt(2), so prox is the default.
TEST(Pgs, OverestimatesFrictionBetweenTheAxes) {
    ContactProblem p = point_mass(), q = point_mass();
    for (ContactProblem* problem : {&p, &q}) {
        add_point_contact(*problem, friction::Ellipse{0.5, 0.5});
        problem->velocity[0].linear = {3, 3, -1};
    }
    solve("pgs", p);
    solve("prox", q);
    EXPECT_NEAR(std::hypot(p.impulse[1], p.impulse[2]), 0.5 * std::sqrt(2.0), 1e-12);
    EXPECT_NEAR(std::hypot(q.impulse[1], q.impulse[2]), 0.5, 1e-12);
}

// A unit mass at -1 m/s with the warm start l has D = -l + l^2/2: above 2 worse than no impulse; least at the solution, 1.
TEST(WarmStart, ThatIsWorseThanNoneGoesBackToTheLowestPointOfItsRay) {
    for (const double start : {0.5, 1.9, 2.1, 50.0}) {
        ContactProblem p = point_mass();
        add_point_contact(p, friction::Ellipse{0.5, 0.5});
        p.velocity[0].linear = {0, 0, -1};
        p.impulse[0] = start;
        p.prepare();
        EXPECT_NEAR(p.impulse[0], start > 2 ? 1 : start, 1e-14);
        EXPECT_LE(p.merit(), 0);
        EXPECT_NEAR(p.velocity[0].linear.z, -1 + p.impulse[0], 1e-14);
    }
}

TEST(WarmStart, OfOneIslandDoesNotTouchAnother) {
    ContactProblem p;
    p.reset(3);
    p.inverse_mass[0] = p.inverse_mass[1] = 1;
    for (const int group : {0, 1}) {
        Block& block = p.add_block(BlockKind::Contact, 1, 2, group);
        p.jacobian[static_cast<size_t>(block.first_row)] = {{0, 0, 1}, {}, {}};
        p.velocity[static_cast<size_t>(group)].linear = {0, 0, -1};
    }
    p.impulse = {9, 1.5};
    p.prepare();
    EXPECT_NEAR(p.impulse[0], 1, 1e-14);
    EXPECT_EQ(p.impulse[1], 1.5);
}

// Without friction every projected step lowers D. So a truncated solve has removed energy whatever the acceleration did:
// K(v) <= K(v_free) - lambda.bias.
TEST(Prox, CutShortNeverEndsAboveTheMeritOfNoImpulses) {
    Random random(77);
    for (int k = 0; k < 300; ++k) {
        ContactProblem p = random_problem(random, false, 0);
        for (const Block& block : p.blocks) p.impulse[static_cast<size_t>(block.first_row)] = random.uniform(0, 20);
        solve("prox", p, 1e-13, 1 + random.below(40));
        EXPECT_LE(p.merit(), 1e-12) << "problem " << k;
    }
}

TEST(MakeSolver, NamesTheKnownSolversWhenAskedForAnother) {
    try {
        make_solver("pros");
        FAIL() << "an unknown solver was accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("did you mean \"prox\""), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace asperity::solvers
