// A turn of Newton's method is refused by counting, before its matrix is written out.
#include "asperity/solvers/newton/matrix_cost.h"

#include <gtest/gtest.h>

#include <numeric>

#include "asperity/core/stop.h"
#include "asperity/solvers/newton/newton.h"
#include "asperity/solvers/sweeps/auto.h"
#include "asperity/solvers/sweeps/auto_in_step.h"
#include "asperity/solvers/sweeps/island_newton.h"
#include "asperity/solvers/sweeps/prox.h"
#include "tests/support/random_problem.h"

namespace asperity::solvers {
namespace {

std::vector<int> all_blocks(const ContactProblem& p) {
    std::vector<int> all(p.blocks.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// `count` cubes on a loose plate on the ground, four points each.
ContactProblem plate_with_cubes(int count) {
    ContactProblem p;
    p.reset(count + 2);
    const int plate = count, ground = count + 1;
    const auto add = [&](int a, int b, const Vec3& arm_a, const Vec3& arm_b) {
        for (const double x : {-0.5, 0.5})
            for (const double y : {-0.5, 0.5}) {
                PointContact& c = p.contacts.emplace_back();
                c.a = a;
                c.b = b;
                c.set = friction::Ellipse{0.5, 0.5};
                c.normal = {0, 0, 1};
                c.t = {1, 0, 0};
                c.arm_a = arm_a + Vec3{x, y, 0};
                c.arm_b = arm_b + Vec3{x, y, 0};
            }
    };
    for (int k = 0; k <= count; ++k) {
        const auto body = static_cast<size_t>(k);
        const double mass = k == plate ? 0.5 : 1;
        p.inverse_mass[body] = 1 / mass;
        p.inverse_inertia[body] = Mat3::diagonal(Vec3{1, 1, 1} * (6 / mass));
        p.velocity[body] = {{k == plate ? 3.0 : 0, 0, -0.1}, {}};
    }
    add(ground, plate, {}, {0, 0, -0.5});
    for (int k = 0; k < count; ++k) add(plate, k, {2.0 * k, 0, 0.5}, {0, 0, -0.5});
    p.prepare();
    return p;
}

TEST(MatrixCost, CountsTheValuesThatAssemblyWrites) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        Random random(seed);
        RandomProblem source = random_problem(random, {});
        source.problem.prepare();
        AssembledProblem assembled;
        assemble(source.problem, assembled);
        MatrixCost cost;
        cost.count(source.problem, all_blocks(source.problem));
        // a pair of bodies may appear in more than one run of blocks
        EXPECT_GE(cost.values(), static_cast<double>(assembled.W.values.size())) << seed;
        EXPECT_LE(cost.values(), 2.0 * static_cast<double>(assembled.W.values.size())) << seed;
    }
    const ContactProblem p = plate_with_cubes(20);
    AssembledProblem assembled;
    assemble(p, assembled);
    MatrixCost cost;
    cost.count(p, all_blocks(p));
    EXPECT_EQ(cost.values(), static_cast<double>(assembled.W.values.size()));
}

// Here all rows are coupled, so the count is exact up to rounding.
TEST(MatrixCost, RefusesOnlyWhatCostsMore) {
    const ContactProblem p = plate_with_cubes(60);
    AssembledProblem assembled;
    assemble(p, assembled);
    const double work = Newton::kDenseSpeed * Newton().work_per_iteration(assembled);
    MatrixCost cost;
    cost.count(p, all_blocks(p));
    EXPECT_FALSE(cost.surely_exceeds(1.001 * work));
    EXPECT_TRUE(cost.surely_exceeds(0.9 * work));
}

// Written out, W of 2,000 cubes on a plate has 5.8e8 values: 4.6 GB, and again as much in the linear system.
TEST(MatrixCost, MemoryOfASolveDoesNotGrowWithTheSquareOfTheContacts) {
    const ContactProblem p = plate_with_cubes(2000);
    MatrixCost cost;
    cost.count(p, all_blocks(p));
    EXPECT_GT(cost.values(), 5e8);
    EXPECT_TRUE(cost.surely_exceeds(1e300));  // whatever work is permitted, the memory is not
    IslandNewton together;
    together.start(p, 2000);
    double error = 1;
    for (int pass = 0; pass < 30; ++pass, error *= 0.99) EXPECT_FALSE(together.is_due(p, error, 1e-10)) << pass;
}

// The same plate: `auto` counts, and leaves it to the sweeps, whose result it returns.
TEST(MatrixCost, AutoSolvesWithoutAMatrixThatWouldBeTooLarge) {
    ContactProblem by_auto = plate_with_cubes(2000), by_prox = by_auto;
    MatrixCost cost;
    cost.count(by_auto, all_blocks(by_auto));
    ASSERT_GT(2 * cost.values(), Auto::kMostValues);
    SolveOptions options;
    options.max_sweeps = 20;
    std::vector<double> history;
    AutoInStep().solve(by_auto, options, history);
    options.exact_contacts = true;
    const SolveReport report = Prox().solve(by_prox, options, history);
    EXPECT_GT(report.sweeps, 0);
    EXPECT_EQ(by_auto.impulse, by_prox.impulse);
}

// Written out, this matrix would take 4.6 GB and many seconds. The stop comes first, and the warm start remains.
TEST(MatrixCost, AStopEndsTheAssemblyOfALargeMatrix) {
    ContactProblem p = plate_with_cubes(2000);
    const std::vector<double> before = p.impulse;
    request_stop();
    AssembledProblem assembled;
    EXPECT_FALSE(assemble(p, assembled));
    EXPECT_EQ(assembled.block_count(), 0);
    std::vector<double> history;
    const SolveReport report = make_solver("newton")->solve(p, {}, history);
    withdraw_stop_request();
    EXPECT_EQ(report.status, SolveStatus::TimeLimit);
    EXPECT_EQ(p.impulse, before);
}

}  // namespace
}  // namespace asperity::solvers
