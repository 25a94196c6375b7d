// Fast bodies of all shapes pass through no wall, however they turn.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/core/random.h"
#include "asperity/importers/load.h"
#include "asperity/sim/skeleton.h"
#include "asperity/sim/step.h"
#include "asperity/sim/world.h"
#include "tests/unit/geometry/meshes.h"

namespace asperity::sim {
namespace {

using geometry::make_mesh;

/// Bodies of 1 to 40 cm with 10 to 200 m/s, that is up to 2 m a step, and turns of up to 0.6 rad a step, against walls of 5
/// mm and a sheet without thickness. By contacts alone every second rod gets through.
class ThinWalls : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(FastBodies, ThinWalls, ::testing::Range(0, 4));

TEST_P(ThinWalls, StopFastBodiesThatTurn) {
    const geometry::Shape walls[] = {geometry::Box{{1, 1, 0.0025}}, make_mesh(geometry::box_data({1, 1, 0.0025})),
                                     make_mesh(geometry::flat_data(10, 1)), geometry::Box{{1, 1, 0.0025}}};
    const geometry::Shape bodies[] = {geometry::Sphere{0.025},
                                      geometry::Box{{0.03, 0.02, 0.025}},
                                      geometry::Box{{0.01, 0.01, 0.2}},
                                      geometry::Box{{0.1, 0.1, 0.004}},
                                      geometry::Capsule{0.01, 0.1},
                                      geometry::Cylinder{0.03, 0.01},
                                      geometry::convex_hull(geometry::box_polyhedron({0.02, 0.03, 0.02}).vertices),
                                      make_mesh(geometry::box_data({0.03, 0.02, 0.02}))};
    const double dt = 0.01;
    Random random(7, 3);
    for (const geometry::Shape& shape : bodies)
        for (const double spin : {0.0, 5.0, 20.0, 60.0})
            for (int i = 0; i < 5; ++i) {
                World world;
                world.add_material({.name = "stuff"});
                surface::Pair pair;
                pair.friction.base = friction::Coulomb{0.3};
                world.model.pairs.set_default(pair);
                world.model.settings.gravity = {};
                const geometry::Shape& wall = walls[GetParam()];
                const double speed = 10 * std::pow(20, random.uniform()), start = random.uniform(0.3, 2);
                const double side = random.uniform() < 0.5 ? -1 : 1;
                if (GetParam() == 3)  // it flies towards the body
                    world.add_body(
                        {.name = "wall", .colliders = {{wall, {}, {}}}, .velocity = {0, 0, 7 * side}, .mass = 1000.0});
                else
                    world.add_body({.name = "wall", .motion = rigid::Motion::Fixed, .colliders = {{wall, {}, {}}}});
                const auto normal3 = [&] {
                    const double x = random.normal(), y = random.normal(), z = random.normal();
                    return Vec3{x, y, z};
                };
                const Vec3 axis = normal3(), turned = normal3();
                const double x = random.uniform(-0.3, 0.3), y = random.uniform(-0.3, 0.3);
                const double vx = random.uniform(-0.2, 0.2), vy = random.uniform(-0.2, 0.2);
                const auto body = static_cast<size_t>(world
                                                          .add_body({.name = "body",
                                                                     .colliders = {{shape, {}, {}}},
                                                                     .pose = {{x, y, side * start}, rotation(3 * turned)},
                                                                     .velocity = speed * Vec3{vx, vy, -side},
                                                                     .angular_velocity = spin / length(axis) * axis})
                                                          .index);
                for (int k = 0; k < 15 + static_cast<int>(start / (speed * dt)); ++k) {
                    step(world, dt);
                    const Vec3 at = world.state.bodies.pose[0].to_local(world.state.bodies.pose[body].position);
                    if (std::fabs(at.x) > 0.9 || std::fabs(at.y) > 0.9) break;  // past the rim
                    ASSERT_GT(side * at.z, 0) << geometry::name(shape) << " with " << speed << " m/s, spin " << spin
                                              << ", case " << i << ", step " << k;
                }
            }
}

/// Every point of a core lies below the surface by its depth; the surface of a cylinder is that of a prism in it.
TEST(FastBodies, CoresLieBelowTheSurface) {
    const geometry::Shape shapes[] = {geometry::Sphere{0.3},
                                      geometry::Box{{0.1, 0.2, 0.3}},
                                      geometry::Capsule{0.1, 0.2},
                                      geometry::Cylinder{0.2, 0.1},
                                      geometry::convex_hull(geometry::box_polyhedron({0.1, 0.2, 0.1}).vertices),
                                      make_mesh(geometry::box_data({0.2, 0.15, 0.1}))};
    for (const geometry::Shape& shape : shapes) {
        const double half = half_thickness(shape);
        EXPECT_NEAR(half, geometry::name(shape) == "sphere" ? 0.3 : 0.1, 1e-12) << geometry::name(shape);
        Skeleton core;
        make_core(shape, 0.5, core);
        const geometry::Aabb box = geometry::bounds(shape, {});
        for (const Vec3& p : core.points)
            for (int k = 0; k < 3; ++k) {
                EXPECT_LE(p[k] + core.radius, box.high[k] - 0.5 * half + 1e-12) << geometry::name(shape);
                EXPECT_GE(p[k] - core.radius, box.low[k] + 0.5 * half - 1e-12) << geometry::name(shape);
            }
    }
    EXPECT_EQ(half_thickness(make_mesh(geometry::flat_data(4, 1))), 0);
    EXPECT_EQ(half_thickness(geometry::HalfSpace{}), 0);
}

}  // namespace
}  // namespace asperity::sim
