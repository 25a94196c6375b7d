// Problems without a solution, with NaN or infinite numbers, or without meaning: every solver returns a status in time.
#include <gtest/gtest.h>

#include "asperity/core/random.h"
#include "asperity/solvers/assembled/assembled_problem.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::solvers {
namespace {

constexpr double kMu = 0.5;

/// Contacts of a body of mass 1 with the ground, all along z. `push` is the separation velocity that each demands.
ContactProblem body_between(std::initializer_list<double> normals, double push, double mu) {
    ContactProblem p;
    p.reset(2, 0);
    p.inverse_mass[0] = 1;
    p.inverse_inertia[0] = Mat3::diagonal({10, 10, 10});
    p.velocity[0] = {{0.5, 0, -1}, {}};
    for (const double z : normals) {
        PointContact c;
        c.a = 1;
        c.b = 0;
        c.normal = {0, 0, z};
        c.t = {1, 0, 0};
        c.arm_b = {0, 0, -0.1 * z};
        c.arm_a = c.arm_b;
        c.set = friction::Ellipse{mu, mu};
        c.bias[0] = -push;
        p.contacts.push_back(c);
    }
    return p;
}

class EveryName : public testing::TestWithParam<std::string> {
  protected:
    /// Prepares the problem only if the solver reads rows, as the step does.
    SolveReport solve(ContactProblem& p, const SolveOptions& options = {1e-10, 5000}) {
        const auto solver = make_solver(GetParam());
        if (solver->reads_rows()) p.prepare();
        std::vector<double> history;
        return solver->solve(p, options, history);
    }
};

TEST_P(EveryName, SolvesAnEmptyProblem) {
    ContactProblem p;
    p.reset(1, 0);
    EXPECT_EQ(solve(p).status, SolveStatus::Converged);
}

TEST_P(EveryName, SaysThatASqueezedBodyCannotObey) {
    ContactProblem p = body_between({1, -1}, 1, kMu);  // up by 1 m/s at least, and down by 1 m/s at least
    const SolveReport report = solve(p);
    EXPECT_NE(report.status, SolveStatus::Converged);
    EXPECT_TRUE(is_finite(p.velocity[0].linear) || report.status == SolveStatus::NotFinite);
}

TEST_P(EveryName, LeavesTwoFixedBodiesAlone) {
    ContactProblem p = body_between({1}, 1, kMu);
    p.inverse_mass[0] = 0;
    p.inverse_inertia[0] = Mat3::diagonal({0, 0, 0});
    const SolveReport report = solve(p);
    EXPECT_EQ(report.status, SolveStatus::Converged);  // no impulse can change any velocity
    EXPECT_EQ(p.velocity[0].linear, (Vec3{0.5, 0, -1}));
}

// Without friction the body keeps its sideways velocity. With mu = 1e6 it stops at the point on the ground. Tolerances:
// single precision for `fast`; ten times the tolerance of 1e-10 m/s for all others.
TEST_P(EveryName, TakesNoFrictionAndMuchFriction) {
    const double tolerance = GetParam() == "fast" ? 1e-5 : 1e-9;
    ContactProblem slippery = body_between({1}, 0, 0);
    EXPECT_EQ(solve(slippery, {GetParam() == "fast" ? 1e-5 : 1e-10, 5000}).status, SolveStatus::Converged);
    EXPECT_NEAR(slippery.velocity[0].linear.x, 0.5, tolerance);
    EXPECT_NEAR(slippery.velocity[0].linear.z, 0, tolerance);
    ContactProblem sticky = body_between({1}, 0, 1e6);
    EXPECT_EQ(solve(sticky, {GetParam() == "fast" ? 1e-5 : 1e-10, 5000}).status, SolveStatus::Converged);
    EXPECT_NEAR(sticky.velocity[0].linear.x - 0.1 * sticky.velocity[0].angular.y, 0, tolerance);
    EXPECT_NEAR(sticky.velocity[0].linear.z, 0, tolerance);
}

TEST_P(EveryName, StopsAtTheIterationLimit) {
    ContactProblem p = body_between({1, -1}, 1, kMu);
    const SolveReport report = solve(p, {1e-10, 7});
    EXPECT_LE(report.sweeps, 8);  // a forward and a backward sweep may count as one
}

/// Three hundred bodies in a row, compressed so much that no solver converges.
TEST_P(EveryName, StopsAtTheTimeLimit) {
    ContactProblem p;
    constexpr int kBodies = 300;
    p.reset(kBodies + 1, 0);
    Random random(5);
    for (int i = 0; i < kBodies; ++i) {
        p.inverse_mass[static_cast<size_t>(i)] = std::exp(random.uniform(0, 9));
        p.inverse_inertia[static_cast<size_t>(i)] = Mat3::diagonal({10, 10, 10});
        p.velocity[static_cast<size_t>(i)] = {{random.normal(), random.normal(), random.normal()}, {}};
    }
    for (int i = 0; i <= kBodies; ++i) {
        PointContact c;
        c.a = i == 0 ? kBodies : i - 1;
        c.b = i;
        c.normal = normalized(Vec3{random.normal(), random.normal(), random.normal()});
        c.t = any_tangent(c.normal);
        c.arm_a = {0.1, 0, 0};
        c.arm_b = {-0.1, 0, 0.05};
        c.set = friction::Ellipse{0.9, 0.9};
        c.bias[0] = -1;
        p.contacts.push_back(c);
    }
    SolveOptions options{1e-300, std::numeric_limits<int>::max()};
    options.time_limit = 0.05;
    // a solver that ignored its deadline would sweep until ctest stops it
    const SolveReport report = solve(p, options);
    EXPECT_NE(report.status, SolveStatus::Converged);
}

INSTANTIATE_TEST_SUITE_P(AllSolvers, EveryName, testing::ValuesIn(solver_names()), [](const auto& p) { return p.param; });

class EveryAssembled : public testing::TestWithParam<std::string> {};

AssembledProblem two_contacts() {
    AssembledProblem p;
    for (int k = 0; k < 2; ++k) {
        Block block;
        block.kind = BlockKind::Contact;
        block.first_row = 3 * k;
        block.rows = 3;
        block.set = friction::Ellipse{kMu, kMu};
        p.blocks.push_back(block);
    }
    const auto entry = [](double d, double o) { return std::vector<double>{d, o, 0, o, d, 0, 0, 0, d}; };
    p.W.row_start = {0, 2, 4};
    p.W.column = {0, 1, 0, 1};
    p.W.value_start = {0, 9, 18, 27};
    for (const double d : {1.0, 0.3, 0.3, 1.0}) {
        const std::vector<double> values = entry(d, 0.1);
        p.W.values.insert(p.W.values.end(), values.begin(), values.end());
    }
    p.q = {-1, 0.5, 0.2, -2, 0.1, 0.3};
    p.prepare();
    return p;
}

TEST_P(EveryAssembled, SaysThatAMatrixOrARightHandSideHasNoNumbers) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    for (const double bad : {nan, inf})
        for (const size_t at : {0, 1, 4, 9, 13}) {  // a diagonal entry, a coupling within a block, couplings between two
            AssembledProblem p = two_contacts();
            p.W.values[at] = bad;
            p.prepare();
            std::vector<double> history;
            const SolveReport report = make_assembled_solver(GetParam())->solve(p, {1e-10, 5000}, history);
            EXPECT_EQ(report.status, SolveStatus::NotFinite) << bad << " at " << at;
        }
    AssembledProblem p = two_contacts();
    p.q[1] = nan;
    p.prepare();
    std::vector<double> history;
    EXPECT_EQ(make_assembled_solver(GetParam())->solve(p, {1e-10, 5000}, history).status, SolveStatus::NotFinite);
}

TEST_P(EveryAssembled, SolvesAnEmptyProblem) {
    AssembledProblem p;
    p.W.row_start = {0};
    p.prepare();
    std::vector<double> history;
    EXPECT_EQ(make_assembled_solver(GetParam())->solve(p, {}, history).status, SolveStatus::Converged);
}

INSTANTIATE_TEST_SUITE_P(AllSolvers, EveryAssembled, testing::ValuesIn(assembled_solver_names()),
                         [](const auto& p) { return p.param; });

}  // namespace
}  // namespace asperity::solvers
