// The rows of contacts. If two bodies move together as one rigid body, their relative velocity is zero. If they move
// differently, the rows give the difference of the two velocities at the point, in the axes n, t, b, and the relative
// angular velocity about n.
#include <gtest/gtest.h>

#include "asperity/core/random.h"
#include "asperity/sim/last_problem.h"
#include "asperity/sim/step.h"

namespace asperity::sim {
namespace {

TEST(ContactRows, OfACommonRigidMotionAreZeroAndOfTwoMotionsTheirDifference) {
    Random random(9);
    const auto any = [&](double size) {
        return Vec3{random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
    };
    double worst_common = 0, worst_apart = 0;
    int rows = 0;
    for (int k = 0; k < 30; ++k) {
        World world;
        world.model.settings.gravity = {};
        world.add_material({.name = "stuff", .grain = {1, 2, 3}});
        world.model.pairs.set_default({.friction = {.base = friction::Matchstick{0.5, 0.1, 0.9}, .drilling = 0.02}});
        // Two boxes face to face in an arbitrary pose, with colliders off the origins of their bodies.
        const Pose place{any(2), normalized(Quat{random.normal(), random.normal(), random.normal(), random.normal()})};
        world.add_body({.name = "lower",
                        .colliders = {{geometry::Box{{0.3, 0.2, 0.1}}, {{0.4, 0, 0}, {}}, {}}},
                        .pose = place * Pose{{-0.4, 0, 0}, {}}});
        world.add_body({.name = "upper",
                        .colliders = {{geometry::Box{{0.1, 0.1, 0.1}}, {}, {}}},
                        .pose = place * Pose{{0.05, 0.02, 0.2}, rotation({0, 0, any(3).x})}});
        step(world, 1e-3);  // the bodies are at rest
        const solvers::ContactProblem problem = last_problem(world);
        ASSERT_EQ(problem.contacts.size(), 4U);
        const Vec3 centre[2] = {world.state.bodies.pose[0].position, world.state.bodies.pose[1].position};
        for (int motion = 0; motion < 10; ++motion) {
            const Vec3 v = any(1), w = any(1);  // velocity of the world's origin
            const auto common = [&](int body) { return solvers::Twist{v + cross(w, centre[body]), w}; };
            const solvers::Twist apart[2] = {{any(1), any(1)}, {any(1), any(1)}};
            for (const solvers::Block& block : problem.blocks) {
                ASSERT_EQ(block.rows, 4);
                const solvers::PointContact& c = problem.contacts[static_cast<size_t>(&block - problem.blocks.data())];
                const auto at = [&](const solvers::Twist& u, const Vec3& arm) { return u.linear + cross(u.angular, arm); };
                const Vec3 point = centre[block.a] + c.arm_a,
                           slip = at(apart[block.b], point - centre[block.b]) - at(apart[block.a], c.arm_a);
                const double expected[4] = {
                    dot(slip, c.normal), dot(slip, c.t), dot(slip, cross(c.normal, c.t)),
                    c.drilling_length * dot(apart[block.b].angular - apart[block.a].angular, c.normal)};
                for (int r = 0; r < 4; ++r, ++rows) {
                    const solvers::Row& row = problem.jacobian[static_cast<size_t>(block.first_row + r)];
                    worst_common = std::fmax(worst_common, std::fabs(row.rate(common(block.a), common(block.b))));
                    worst_apart = std::fmax(worst_apart, std::fabs(row.rate(apart[block.a], apart[block.b]) - expected[r]));
                }
            }
        }
    }
    EXPECT_EQ(rows, 30 * 10 * 4 * 4);
    // Velocities reach 8 m/s; some twenty roundings of 1.1e-16 of that give 2e-14. With the printed signs of M3 the error
    // would be as large as the velocities themselves.
    EXPECT_LT(worst_common, 2e-14);
    EXPECT_LT(worst_apart, 2e-14);
}

}  // namespace
}  // namespace asperity::sim
