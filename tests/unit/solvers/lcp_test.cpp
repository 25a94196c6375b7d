// Lemke's algorithm on problems with known answers, and the error of a polyhedral cone against the exact one.
#include "asperity/solvers/reference/lcp.h"

#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/random.h"
#include "asperity/solvers/problem/contact_problem.h"
#include "asperity/solvers/reference/lemke.h"
#include "small_problems.h"

namespace asperity::solvers {
namespace {

const Deadline kNever(std::numeric_limits<double>::infinity());

TEST(Lemke, SolvesRandomMonotoneProblems) {
    Random random(41);
    for (int trial = 0; trial < 200; ++trial) {
        const auto n = static_cast<size_t>(1 + random.below(12));
        const auto rank = static_cast<size_t>(1 + random.below(12));
        std::vector<double> a(n * rank), m(n * n, 0), q(n), z(n), inside(n);
        for (double& value : a) value = random.normal();
        for (size_t i = 0; i < n; ++i)
            for (size_t k = 0; k < n; ++k)
                for (size_t r = 0; r < rank; ++r) m[i * n + k] += a[i * rank + r] * a[k * rank + r];
        // with a singular M there may be no solution: make sure that some z >= 0 has w >= 0
        for (double& value : inside) value = random.uniform();
        for (size_t i = 0; i < n; ++i) {
            q[i] = random.uniform();
            for (size_t k = 0; k < n; ++k) q[i] -= m[i * n + k] * inside[k];
        }
        Lemke lemke;
        ASSERT_EQ(lemke.solve(m, q, z, 1000, kNever), LemkeEnd::Solved) << "trial " << trial;
        for (size_t i = 0; i < n; ++i) {
            double w = q[i];
            for (size_t k = 0; k < n; ++k) w += m[i * n + k] * z[k];
            EXPECT_GE(z[i], 0);
            EXPECT_GE(w, -1e-9);  // entries of M are about 10; measured 1e-11
            EXPECT_LE(std::fabs(z[i] * w), 1e-8);
        }
    }
}

TEST(Lemke, SaysThatThereIsNoSolution) {
    std::vector<double> z(2, 7);
    EXPECT_EQ(Lemke().solve(std::vector<double>{1, -1, -1, 1}, std::vector<double>{-1.0, -1.0}, z, 100, kNever),
              LemkeEnd::Ray);
    EXPECT_EQ(z, (std::vector<double>{7, 7}));
}

// A redundant pair: w_1 and w_2 reach zero together with z0. Every split of z_1 + z_2 = 1 is a solution.
TEST(Lemke, EndsWhereOthersReachZeroTogetherWithIt) {
    std::vector<double> z(3);
    const std::vector<double> m{1, 1, 0.1, 1, 1, 0.1, 0.1, 0.1, 1};
    ASSERT_EQ(Lemke().solve(m, std::vector<double>{-1, -1, 2}, z, 100, kNever), LemkeEnd::Solved);
    EXPECT_NEAR(z[0] + z[1], 1, 1e-12);
    EXPECT_EQ(z[2], 0);
}

TEST(Lemke, KeepsItsLimits) {
    std::vector<double> z(2);
    const std::vector<double> m{2, 1, 1, 2}, q{-5, -6};
    EXPECT_EQ(Lemke().solve(m, q, z, 1, kNever), LemkeEnd::PivotLimit);
    EXPECT_EQ(Lemke().solve(m, q, z, 100, Deadline(-1)), LemkeEnd::TimeLimit);
    EXPECT_EQ(Lemke().solve(m, std::vector<double>{-5, std::nan("")}, z, 100, kNever), LemkeEnd::NotFinite);
}

/// A point of mass 1 on the ground, approaching at 1 m/s and sliding at 3 m/s in the given direction.
AssembledProblem sliding_point(const friction::LimitSet& set, double angle) {
    return one_contact({1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, 3 * std::cos(angle), 3 * std::sin(angle)}, set);
}

// With N vertices on the circle the drag along the motion is between cos(pi/N) and 1 of the true one. Many
// directions reach both bounds: the worst error is 1 - cos(pi/N) to within the spacing of the directions.
TEST(Lcp, LosesOneMinusCosineOfPiOverFacets) {
    for (const int facets : {4, 8, 16, 32, 64}) {
        const double predicted = 1 - std::cos(std::numbers::pi / facets);
        double worst = 0, best = 1;
        Random random(42);
        for (int trial = 0; trial < 400; ++trial) {
            AssembledProblem p = sliding_point(friction::Ellipse{0.5, 0.5}, random.uniform(0, 2 * std::numbers::pi));
            std::vector<double> history;
            SolveOptions options;
            options.facets = facets;
            ASSERT_EQ(Lcp().solve(p, options, history).status, SolveStatus::Converged);
            const double speed = std::hypot(p.velocity[1], p.velocity[2]);
            const double drag = -(p.impulse[1] * p.velocity[1] + p.impulse[2] * p.velocity[2]) / speed;
            worst = std::fmax(worst, 1 - drag / (0.5 * p.impulse[0]));
            best = std::fmin(best, 1 - drag / (0.5 * p.impulse[0]));
        }
        EXPECT_LE(worst, predicted * (1 + 1e-9)) << facets;
        EXPECT_GE(worst, predicted * 0.95) << facets;
        EXPECT_LE(best, predicted * 0.01) << facets;
    }
}

/// A body on three points with a joint, a motor and a bounded spring: all kinds of blocks at once.
ContactProblem mixed_problem(Random& random, const friction::LimitSet& set, bool spring) {
    ContactProblem p;
    p.reset(4);
    const auto vector = [&] { return Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; };
    for (size_t g = 0; g < 3; ++g) {
        p.inverse_mass[g] = random.uniform(0.5, 2);
        p.inverse_inertia[g] = Mat3::diagonal({random.uniform(2, 9), random.uniform(2, 9), random.uniform(2, 9)});
        p.velocity[g] = {vector(), vector()};
    }
    const auto add = [&](BlockKind kind, int rows, int a, int b) -> Block& {
        Block& block = p.add_block(kind, rows, a, b);
        for (int r = block.first_row; r < block.first_row + rows; ++r) {
            p.jacobian[static_cast<size_t>(r)] = {vector(), vector(), vector()};
            p.compliance[static_cast<size_t>(r)] = 0.01;
        }
        return block;
    };
    add(BlockKind::Bilateral, 3, 0, 1);
    Block& limit = add(BlockKind::Interval, 1, 1, 2);
    limit.low = 0;
    Block& motor = add(BlockKind::Interval, 1, 0, 2);
    motor.low = -0.1;
    motor.high = 0.2;
    Block& upper = add(BlockKind::Interval, 1, 2, 3);
    upper.high = 0.1;
    if (spring) add(BlockKind::Ball, 3, 1, 3).high = 0.2;
    for (int k = 0; k < 4; ++k) add(BlockKind::Contact, 3, k % 3, 3).set = set;
    p.prepare();
    return p;
}

TEST(Lcp, IsExactOnRectanglesWithJointsLimitsAndMotors) {
    Random random(43);
    for (int trial = 0; trial < 50; ++trial) {
        const ContactProblem p = mixed_problem(random, friction::Rectangle{0.1, 0.3, 0.2, 0.5}, false);
        std::vector<double> history;
        ContactProblem exact = p, polyhedral = p;
        ASSERT_EQ(make_solver("prox")->solve(exact, {1e-12, 100000}, history).status, SolveStatus::Converged);
        const SolveReport report = make_solver("lcp")->solve(polyhedral, {1e-10, 100000}, history);
        ASSERT_EQ(report.status, SolveStatus::Converged) << "trial " << trial << ", residual " << report.residual;
        for (size_t g = 0; g < p.velocity.size(); ++g) {
            EXPECT_LT(length(exact.velocity[g].linear - polyhedral.velocity[g].linear), 1e-9) << "trial " << trial;
            EXPECT_LT(length(exact.velocity[g].angular - polyhedral.velocity[g].angular), 1e-9) << "trial " << trial;
        }
    }
}

/// A box on four vertices, pressed down and sliding: the classical redundant contact, whose matrix is singular.
ContactProblem box_on_four_corners(double push) {
    ContactProblem p;
    p.reset(2, 0);
    p.inverse_mass[0] = 1;
    p.inverse_inertia[0] = Mat3::diagonal({60, 60, 40});
    p.velocity[0] = {{0.3, 0.1, -0.1}, {0, 0, 0.5}};
    for (const Vec3 corner : {Vec3{-1, -1, -1}, Vec3{1, -1, -1}, Vec3{1, 1, -1}, Vec3{-1, 1, -1}})
        for (const double side : {1.0, push > 0 ? -1.0 : 0.0}) {
            if (side == 0) continue;
            PointContact c;
            c.a = 1;
            c.b = 0;
            c.normal = {0, 0, side};
            c.t = {1, 0, 0};
            c.arm_a = c.arm_b = {0.1 * corner.x, 0.1 * corner.y, 0.1 * corner.z * side};
            c.set = friction::Ellipse{0.5, 0.5};
            c.bias[0] = -push;
            p.contacts.push_back(c);
        }
    p.prepare();
    return p;
}

// The softening must not change the solution: the load of the four vertices is m v / dt = 0.1 N s, and none approaches.
TEST(Lcp, SolvesRedundantContactsToRounding) {
    ContactProblem p = box_on_four_corners(0);
    std::vector<double> history;
    const SolveReport report = make_solver("lcp")->solve(p, {1e-12, 100000}, history);
    ASSERT_EQ(report.status, SolveStatus::Converged) << report.residual;
    double load = 0;
    for (const ContactImpulse& impulse : p.contact_impulse) load += impulse[0];
    EXPECT_NEAR(load, 0.1, 1e-12);
    EXPECT_NEAR(p.velocity[0].linear.z, 0, 1e-12);
    EXPECT_LT(length(p.velocity[0].linear), 0.3);  // friction has slowed it down
}

// Floor and ceiling that both push at 1 m/s: the softened problems have solutions, but the problem has none. The impulses
// must stay unchanged.
TEST(Lcp, SaysThatRedundantContactsContradictEachOther) {
    ContactProblem p = box_on_four_corners(1);
    std::vector<double> history;
    const SolveReport report = make_solver("lcp")->solve(p, {1e-10, 100000}, history);
    EXPECT_EQ(report.status, SolveStatus::Failed);
    ASSERT_EQ(p.contact_impulse.size(), p.contacts.size());
    for (const ContactImpulse& impulse : p.contact_impulse) EXPECT_EQ(impulse[0], 0);
}

// Balls and drilling axes get rings of vertices: the error falls with the square of their spacing.
TEST(Lcp, ApproachesTheExactAnswerWithMoreFacets) {
    double last = 1;
    for (const int facets : {4, 8, 16, 32}) {
        Random random(44);
        double worst = 0;
        for (int trial = 0; trial < 5; ++trial) {
            const ContactProblem p = mixed_problem(random, friction::Ellipse{0.2, 0.5}, true);
            std::vector<double> history;
            ContactProblem exact = p, polyhedral = p;
            SolveOptions options{1e-9, 100000};
            options.facets = facets;
            ASSERT_EQ(make_solver("prox")->solve(exact, {1e-12, 100000}, history).status, SolveStatus::Converged);
            ASSERT_EQ(make_solver("lcp")->solve(polyhedral, options, history).status, SolveStatus::Converged) << facets;
            for (size_t g = 0; g < p.velocity.size(); ++g)
                worst = std::fmax(worst, length(exact.velocity[g].linear - polyhedral.velocity[g].linear));
        }
        // a quarter where the motion is smooth; vertices that match the motion by chance change the ratio
        EXPECT_LT(worst, 0.6 * last) << facets;
        last = worst;
    }
    EXPECT_LT(last, 0.02);
}

}  // namespace
}  // namespace asperity::solvers
