// Conversion between files and solvers: the solution is kept, and what FCLIB cannot express is refused.
#include "asperity/fclib/assembled.h"

#include "asperity/core/error.h"
#include "asperity/fclib/reduce.h"
#include "asperity/solvers/problem/contact_problem.h"
#include "problems.h"

namespace asperity::fclib {
namespace {

using solvers::AssembledProblem;
using solvers::BlockKind;

std::string number(int block) { return "block " + std::to_string(block); }

/// Two boxes side by side on the ground, pushed sideways. Four contacts have an ellipse rotated against the push, one is
/// frictionless, a joint connects the boxes, and a limit stops the second one.
solvers::ContactProblem boxes(bool stop_from_above) {
    solvers::ContactProblem p;
    p.reset(3, 5);
    for (int i = 0; i < 2; ++i) {
        p.velocity[static_cast<size_t>(i)] = {{0.3, 0.1, -0.1}, {0.05, -0.02, 0.2}};
        p.inverse_mass[static_cast<size_t>(i)] = 1.0 / (i + 1);
        p.inverse_inertia[static_cast<size_t>(i)] = Mat3::diagonal({6.0, 6.0, 6.0});
    }
    for (int i = 0; i < 5; ++i) {
        solvers::PointContact& c = p.contacts[static_cast<size_t>(i)];
        c.a = 2;
        c.b = i < 3 ? 0 : 1;
        c.normal = {0, 0, 1};
        c.t = normalized(Vec3{1, 0.5, 0});
        c.arm_b = {i % 3 == 0 ? 0.4 : -0.4, i % 3 == 1 ? 0.3 : -0.3, -0.5};
        c.rows = i == 4 ? 1 : 3;
        c.set = friction::Ellipse{0.6, 0.2};
    }
    solvers::Block& joint = p.add_block(BlockKind::Bilateral, 3, 0, 1);
    for (int r = 0; r < 3; ++r) {
        const Vec3 axis{r == 0 ? 1.0 : 0, r == 1 ? 1.0 : 0, r == 2 ? 1.0 : 0};
        p.jacobian[static_cast<size_t>(joint.first_row + r)] = {axis, -cross(Vec3{0.5, 0, 0}, axis),
                                                                cross(Vec3{-0.5, 0, 0}, axis)};
    }
    solvers::Block& stop = p.add_block(BlockKind::Interval, 1, 2, 1);
    (stop_from_above ? stop.high : stop.low) = 0;
    p.jacobian[static_cast<size_t>(stop.first_row)] = {{stop_from_above ? 1.0 : -1.0, 0, 0}, {}, {}};
    p.bias[static_cast<size_t>(stop.first_row)] = stop_from_above ? -0.05 : 0.05;
    p.prepare();
    return p;
}

double solve(AssembledProblem& p) {
    std::vector<double> history;
    return solvers::make_assembled_solver("prox")->solve(p, {1e-12, 1'000'000}, history).residual;
}

TEST(FromAssembled, EllipsesJointsAndStopsKeepTheirSolution) {
    for (const bool above : {false, true}) {
        AssembledProblem ours;
        solvers::assemble(boxes(above), ours);
        ASSERT_LE(solve(ours), 1e-12);
        const ProblemFile file = from_assembled(ours, number);
        const ProblemFile back = parse_problem(problem_bytes(file), "bytes");
        EXPECT_EQ(back.contact_count(), 6);  // five contacts and the limit
        AssembledProblem theirs = to_assembled(without_equations(std::get<LocalProblem>(back.problem)));
        theirs.impulse = back.solution.r;  // the original solution solves the translated problem ...
        theirs.refresh_velocities();
        EXPECT_LE(solvers::natural_map_residual(theirs).value, 1e-11);
        expect_same(theirs.velocity, back.solution.u, 1e-12);
        std::fill(theirs.impulse.begin(), theirs.impulse.end(), 0.0);
        theirs.refresh_velocities();
        ASSERT_LE(solve(theirs), 1e-12);  // ... and a new solution of it has the original velocities
        expect_same(theirs.velocity, back.solution.u, 1e-10);
    }
}

TEST(FromAssembled, RefusesWhatFclibHasNoWordsFor) {
    const auto refused = [](auto&& change, const std::string& mentions) {
        AssembledProblem p;
        solvers::assemble(boxes(false), p);
        change(p);
        try {
            from_assembled(p, number);
            FAIL() << mentions;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(mentions), std::string::npos) << error.what();
        }
    };
    const Vec2 corners[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    refused([&](AssembledProblem& p) { p.blocks[3].set = friction::Polygon{corners}; }, "block 3: a contact whose friction");
    refused(
        [](AssembledProblem& p) {
            p.blocks[2].set = friction::Rectangle{1, 1, 1, 1};
        },
        "block 2: a contact whose friction");
    refused([](AssembledProblem& p) { p.blocks[1].high = 3; }, "block 1: an impulse with bounds");
    refused([](AssembledProblem& p) { p.blocks[0].kind = BlockKind::Ball; }, "block 0: a spring of bounded force");
    refused(
        [](AssembledProblem& p) {
            p.blocks.resize(1);
            p.W.row_start.resize(2);
            p.q.resize(3);
        },
        "no contacts");
}

TEST(ToAssembled, MissingDiagonalsAndTrianglesAreZero) {
    LocalProblem p;
    // the second contact has no diagonal block; only one triangle is given
    p.W = make_sparse(6, 6, {{0, 4, 2}, {0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {5, 5, 0}});
    p.q = {1, 2, 3, 4, 5, 6};
    p.mu = {0.5, 0};
    const AssembledProblem a = to_assembled(p);
    ASSERT_EQ(a.block_count(), 2);
    std::vector<double> y(6);
    const std::vector<double> x{1, 2, 3, 4, 5, 6};
    a.multiply(x, y);
    EXPECT_EQ(y, (std::vector<double>{11, 2, 3, 0, 0, 0}));
    EXPECT_EQ(a.W.column, (std::vector<int>{0, 1, 0, 1}));
    EXPECT_EQ(a.diagonal_block(1).m[0][0], 0);
}

TEST(ToAssembled, ErrorIsThatOfTheFormulaWorkedOutByHand) {
    // W = I, q = (-1, 0.2, 0), mu = 0.5, r = (1, 0, 0): u = (0, 0.2, 0), z = r - u - (0.1, 0, 0) = (0.9, -0.2, 0), in the
    // cone. F = (0.1, 0.2, 0); |q| = sqrt(1.04) is the largest of the three norms.
    LocalProblem p;
    p.W = make_sparse(3, 3, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}});
    p.q = {-1, 0.2, 0};
    p.mu = {0.5};
    AssembledProblem a = to_assembled(p);
    a.impulse = {1, 0, 0};
    a.refresh_velocities();
    EXPECT_NEAR(solvers::siconos_error(a).value, std::sqrt(0.05) / std::sqrt(1.04), 1e-15);
}

}  // namespace
}  // namespace asperity::fclib
