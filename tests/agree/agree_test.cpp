// All solvers on one problem set. They must agree if their friction sets coincide: boxes, no friction, and pulls along an
// axis. Compares velocities, not impulses, because the load of four points under a box is not unique.
#include <gtest/gtest.h>

#include "asperity/core/random.h"
#include "asperity/sim/step.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::solvers {
namespace {

constexpr double kAgreement = 1e-8;  // [m/s]

/// Three stacked boxes on the ground, four contacts at each face, axes n = z, t = x, b = y.
ContactProblem stack(Random& random, const friction::LimitSet& set, const Vec3& pull) {
    ContactProblem p;
    p.reset(4);  // three boxes; the last group is the ground
    double z = 0;
    Vec3 below;
    for (int i = 0; i < 3; ++i) {
        const Vec3 half{random.uniform(0.1, 0.2), random.uniform(0.1, 0.2), random.uniform(0.05, 0.15)};
        const double mass = random.uniform(0.5, 5);
        const auto body = static_cast<size_t>(i);
        p.inverse_mass[body] = 1 / mass;
        p.inverse_inertia[body] = Mat3::diagonal({3 / (mass * (half.y * half.y + half.z * half.z)),
                                                  3 / (mass * (half.x * half.x + half.z * half.z)),
                                                  3 / (mass * (half.x * half.x + half.y * half.y))});
        p.velocity[body].linear = Vec3{0, 0, -0.0981} + random.uniform(0, 1) * pull;
        const Vec3 center{0, 0, z + half.z};
        for (int corner = 0; corner < 4; ++corner) {
            const Vec3 at{0.1 * (corner % 2 == 0 ? 1 : -1), 0.1 * (corner < 2 ? 1 : -1), z};
            Block& block = p.add_block(
                BlockKind::Contact,
                std::holds_alternative<friction::Ellipse>(set) && std::get<friction::Ellipse>(set).t == 0 ? 1 : 3,
                i == 0 ? 3 : i - 1, i);
            block.set = set;
            const Vec3 axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
            for (int k = 0; k < block.rows; ++k)
                p.jacobian[static_cast<size_t>(block.first_row + k)] = {axes[k], -cross(at - below, axes[k]),
                                                                        cross(at - center, axes[k])};
        }
        z += 2 * half.z;
        below = center;
    }
    return p;
}

/// The largest difference between the solvers' velocities. All must converge.
double disagreement(const ContactProblem& problem) {
    std::vector<std::vector<Twist>> answers;
    for (const std::string& name : exact_solver_names()) {
        ContactProblem p = problem;
        p.prepare();
        std::vector<double> history;
        const SolveReport report = make_solver(name)->solve(p, {1e-12, 200000}, history);
        EXPECT_EQ(report.status, SolveStatus::Converged) << name << ", residual " << report.residual;
        answers.push_back(p.velocity);
    }
    double largest = 0;
    for (const auto& answer : answers)
        for (size_t i = 0; i < answer.size(); ++i)
            largest = std::fmax(largest, length(answer[i].linear - answers[0][i].linear) +
                                             0.1 * length(answer[i].angular - answers[0][i].angular));
    return largest;
}

TEST(Agreement, OnBoxesOfFriction) {
    Random random(1);
    for (int i = 0; i < 40; ++i) {
        const friction::Rectangle box{random.uniform(0.1, 0.8), random.uniform(0.1, 0.8), random.uniform(0.1, 0.8),
                                      random.uniform(0.1, 0.8)};
        const Vec3 pull{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 0};
        EXPECT_LT(disagreement(stack(random, box, pull)), kAgreement) << "trial " << i;
    }
}

TEST(Agreement, WithoutFriction) {
    Random random(2);
    for (int i = 0; i < 40; ++i) {
        const Vec3 pull{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.1)};
        EXPECT_LT(disagreement(stack(random, friction::Ellipse{0, 0}, pull)), kAgreement) << "trial " << i;
    }
}

TEST(Agreement, AlongTheAxesOfAnEllipse) {
    Random random(3);
    for (int i = 0; i < 40; ++i) {
        const double speed = random.uniform(-0.3, 0.3);
        const Vec3 pull = i % 2 == 0 ? Vec3{speed, 0, 0} : Vec3{0, speed, 0};
        EXPECT_LT(disagreement(stack(random, friction::Ellipse{random.uniform(0.1, 0.8), random.uniform(0.1, 0.8)}, pull)),
                  kAgreement)
            << "trial " << i;
    }
}

// Control: off the axes a circle differs from a square, so the comparison must fail.
TEST(Agreement, EndsOffTheAxes) {
    Random random(4);
    double largest = 0;
    for (int i = 0; i < 10; ++i)
        largest = std::fmax(largest, disagreement(stack(random, friction::Ellipse{0.3, 0.3}, {0.3, 0.3, 0})));
    EXPECT_GT(largest, 1e-3);
}

/// The same in a full world: three boxes, the middle one pulled out along x or y.
sim::World world_stack(const std::string& solver, Random random, bool along_x) {
    sim::World world;
    world.model.settings.solver = solver;
    world.model.settings.solve = {1e-12, 100000};
    world.add_material({.name = "stuff"});
    world.model.pairs.set_default({friction::Law{friction::Coulomb{random.uniform(0.2, 0.6)}}, 0});
    world.add_body({.name = "ground", .motion = rigid::Motion::Fixed, .colliders = {{geometry::HalfSpace{}, {}, {}}}});
    double z = 0;
    for (int i = 0; i < 3; ++i) {
        const Vec3 half{random.uniform(0.15, 0.3), random.uniform(0.15, 0.3), random.uniform(0.03, 0.06)};
        world.add_body({.name = std::string(1, static_cast<char>('a' + i)),
                        .colliders = {{geometry::Box{half}, {}, {}}},
                        .pose = {{0, 0, z + half.z}, {}},
                        .mass = random.uniform(0.5, 3)});
        z += 2 * half.z;
    }
    const double speed = random.uniform(0.3, 1);
    world.state.bodies.velocity[2] = along_x ? Vec3{speed, 0, 0} : Vec3{0, -speed, 0};
    return world;
}

TEST(Agreement, OfWorldsWhoseMiddleBoxIsPulledOutAlongAnAxis) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        std::vector<sim::World> worlds;
        for (const std::string& name : exact_solver_names())
            worlds.push_back(world_stack(name, Random(seed), seed % 2 == 0));
        for (int step = 0; step < 20; ++step)
            for (sim::World& world : worlds) sim::step(world, 0.01);
        for (size_t i = 1; i < 4; ++i) {
            for (const sim::World& world : worlds) {
                EXPECT_LT(length(world.state.bodies.velocity[i] - worlds[0].state.bodies.velocity[i]), kAgreement)
                    << "seed " << seed << ", " << world.model.settings.solver;
                EXPECT_LT(length(world.state.bodies.pose[i].position - worlds[0].state.bodies.pose[i].position), kAgreement)
                    << "seed " << seed;
            }
        }
    }
}

}  // namespace
}  // namespace asperity::solvers
