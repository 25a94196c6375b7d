// The assembled problem against the matrix-free one: the same numbers, the same solution.
#include <gtest/gtest.h>

#include "asperity/core/random.h"
#include "asperity/solvers/assembled/assembled_problem.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::solvers {
namespace {

Vec3 random_vector(Random& random) { return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; }

/// Six bodies, one of them fixed, with joints, limits, springs and contacts of all kinds between random pairs.
ContactProblem random_problem(Random& random) {
    ContactProblem p;
    p.reset(6);
    for (size_t g = 0; g < 5; ++g) {
        p.inverse_mass[g] = random.uniform(0.5, 2);
        p.inverse_inertia[g] = Mat3::diagonal({random.uniform(2, 9), random.uniform(2, 9), random.uniform(2, 9)});
        p.velocity[g] = {random_vector(random), random_vector(random)};
    }
    const struct {
        BlockKind kind;
        int rows;
        friction::LimitSet set;
    } kinds[] = {{BlockKind::Contact, 3, friction::Ellipse{0.4, 0.4}},
                 {BlockKind::Contact, 3, friction::Ellipse{0.2, 0.8}},
                 {BlockKind::Contact, 4, friction::Ellipsoid{0.3, 0.5, 0.1}},
                 {BlockKind::Contact, 3, friction::Rectangle{0.1, 0.2, 0.3, 0.4}},
                 {BlockKind::Interval, 1, {}},
                 {BlockKind::Ball, 3, {}},
                 {BlockKind::Bilateral, 3, {}}};
    for (int i = 0; i < 12; ++i) {
        const auto& kind = kinds[i % 7];
        const int a = i % 5, b = (a + 1 + i % 4) % 6;
        Block& block = p.add_block(kind.kind, kind.rows, a, b);
        block.set = kind.set;
        if (kind.kind == BlockKind::Interval) block.low = 0;
        if (kind.kind == BlockKind::Ball) block.high = 0.3;
        for (int r = block.first_row; r < block.first_row + block.rows; ++r) {
            p.jacobian[static_cast<size_t>(r)] = {random_vector(random), random_vector(random), random_vector(random)};
            p.bias[static_cast<size_t>(r)] = 0.1 * random.uniform(-1, 1);
            p.compliance[static_cast<size_t>(r)] = 0.01;
            p.impulse[static_cast<size_t>(r)] = 0.1 * random.uniform(0, 1);
        }
    }
    p.prepare();
    return p;
}

TEST(Assembled, HasTheVelocitiesAndTheResidualOfTheMatrixFreeProblem) {
    Random random(5);
    for (int trial = 0; trial < 20; ++trial) {
        ContactProblem p = random_problem(random);
        AssembledProblem assembled;
        assemble(p, assembled);
        // other impulses than those from which q was computed
        for (double& lambda : p.impulse) lambda = random.uniform(-1, 1);
        assembled.impulse = p.impulse;
        p.refresh_velocities();
        assembled.refresh_velocities();
        for (const Block& block : p.blocks)
            for (int r = block.first_row; r < block.first_row + block.rows; ++r)
                EXPECT_NEAR(assembled.velocity[static_cast<size_t>(r)], p.row_velocity(block, r), 1e-12);
        EXPECT_NEAR(natural_map_residual(assembled).value, natural_map_residual(p).value, 1e-11);
        EXPECT_EQ(natural_map_residual(assembled).worst_block, natural_map_residual(p).worst_block);
    }
}

/// A row of bodies with a contact between neighbours and between bodies `skip` apart: every block has three rows.
ContactProblem points_in_a_row(int bodies, int skip, Random& random) {
    ContactProblem p;
    p.reset(bodies);
    for (size_t g = 0; g < p.inverse_mass.size(); ++g) {
        p.inverse_mass[g] = random.uniform(0.5, 2);
        p.inverse_inertia[g] = Mat3::diagonal({2, 3, 4});
        p.velocity[g] = {random_vector(random), random_vector(random)};
    }
    for (const int step : {1, skip})
        for (int i = 0; i + step < bodies; ++i) {
            Block& block = p.add_block(BlockKind::Contact, 3, i, i + step);
            block.set = friction::Ellipse{0.4, 0.4};
            for (int r = block.first_row; r < block.first_row + 3; ++r) {
                p.jacobian[static_cast<size_t>(r)] = {random_vector(random), random_vector(random), random_vector(random)};
                p.impulse[static_cast<size_t>(r)] = random.uniform(0, 1);
            }
        }
    p.prepare();
    return p;
}

// Memory is reused from step to step while contacts appear and vanish; q must keep no values of the last problem.
TEST(Assembled, ReusedMemoryHoldsNothingOfTheLastProblem) {
    Random random(6);
    AssembledProblem reused;
    for (const auto& [bodies, skip] : {std::pair{4, 2}, {12, 5}, {12, 3}, {5, 4}, {9, 2}}) {
        const ContactProblem p = points_in_a_row(bodies, skip, random);
        AssembledProblem fresh;
        assemble(p, fresh);
        assemble(p, reused);
        EXPECT_EQ(reused.q, fresh.q) << bodies << " bodies";
        EXPECT_EQ(reused.velocity, fresh.velocity) << bodies << " bodies";
    }
}

TEST(Assembled, EverySolverFindsWhatProxFinds) {
    Random random(6);
    for (const std::string& name : assembled_solver_names()) {
        if (!make_assembled_solver(name)->is_exact()) continue;
        for (int trial = 0; trial < 20; ++trial) {
            ContactProblem p = random_problem(random);
            AssembledProblem assembled;
            assemble(p, assembled);
            std::vector<double> history;
            const SolveReport expected = make_solver("prox")->solve(p, {1e-12, 100000}, history);
            ASSERT_EQ(expected.status, SolveStatus::Converged);
            const SolveReport report = make_assembled_solver(name)->solve(assembled, {1e-12, 100000}, history);
            if (name == "pivot" && report.status == SolveStatus::Cycled) continue;  // allowed, as it is reported
            ASSERT_EQ(report.status, SolveStatus::Converged) << name << ", residual " << report.residual;
            for (const Block& block : p.blocks)
                for (int r = block.first_row; r < block.first_row + block.rows; ++r)
                    EXPECT_NEAR(assembled.velocity[static_cast<size_t>(r)], p.row_velocity(block, r), 1e-9) << name;
        }
    }
}

TEST(Assembled, ExactVisitsAndOverRelaxationLeadToTheSameSolution) {
    Random random(7);
    for (int trial = 0; trial < 20; ++trial) {
        ContactProblem plain = random_problem(random), exact = plain;
        AssembledProblem assembled;
        assemble(plain, assembled);
        std::vector<double> history;
        SolveOptions options{1e-12, 100000};
        ASSERT_EQ(make_solver("prox")->solve(plain, options, history).status, SolveStatus::Converged);
        options.exact_contacts = true;
        options.relaxation = 1.2;
        ASSERT_EQ(make_solver("prox")->solve(exact, options, history).status, SolveStatus::Converged);
        ASSERT_EQ(make_assembled_solver("prox")->solve(assembled, options, history).status, SolveStatus::Converged);
        for (const Block& block : plain.blocks)
            for (int r = block.first_row; r < block.first_row + block.rows; ++r) {
                EXPECT_NEAR(exact.row_velocity(block, r), plain.row_velocity(block, r), 1e-9);
                EXPECT_NEAR(assembled.velocity[static_cast<size_t>(r)], plain.row_velocity(block, r), 1e-9);
            }
    }
}

/// One contact, W = identity, mu = 0.5, approach at 1 and sliding at 1: r = (1, -0.5, 0), u = (0, 0.5, 0) is the solution.
TEST(Assembled, ErrorOfSiconosByHand) {
    AssembledProblem p;
    Block block;
    block.kind = BlockKind::Contact;
    block.rows = 3;
    block.set = friction::Ellipse{0.5, 0.5};
    p.blocks = {block};
    p.W = {{0, 1}, {0}, {0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    p.q = {-1, 1, 0};
    p.impulse = {1, -0.5, 0};
    p.prepare();
    EXPECT_NEAR(siconos_error(p).value, 0, 1e-15);
    // Without impulses u = q and u + (mu |u_T|, 0, 0) = (-0.5, 1, 0). (0.5, -1, 0) projects to the cone at n = (0.5 +
    // 0.5)/1.25 = 0.8: F = (0.8, -0.4, 0), over |q| = sqrt 2.
    p.impulse = {0, 0, 0};
    p.refresh_velocities();
    EXPECT_NEAR(siconos_error(p).value, std::sqrt(0.8 / 2), 1e-15);
}

}  // namespace
}  // namespace asperity::solvers
