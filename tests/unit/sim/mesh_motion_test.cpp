// Bodies that move on meshes: no bumps at inner edges, no sinking, nothing passes.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/mesh/load.h"
#include "asperity/sim/step.h"
#include "asperity/sim/world.h"
#include "tests/unit/geometry/meshes.h"

namespace asperity::sim {
namespace {

using geometry::make_mesh;

World world_with(double mu) {
    World world;
    world.add_material({.name = "stuff"});
    surface::Pair pair;
    pair.friction.base = friction::Coulomb{mu};
    world.pairs.set_default(pair);
    return world;
}
void add_fixed(World& world, const geometry::Shape& shape, const Pose& pose = {}) {
    world.add_body({.name = "fixed", .motion = rigid::Motion::Fixed, .colliders = {{shape, {}, 0}}, .pose = pose});
}
size_t add_moving(World& world, const geometry::Shape& shape, const Pose& pose, const Vec3& velocity = {}) {
    return static_cast<size_t>(
        world.add_body({.name = "moving", .colliders = {{shape, {}, 0}}, .pose = pose, .velocity = velocity}).index);
}

// Without friction nothing acts along a flat sheet, whatever its triangles: speed and height stay to rounding.
TEST(MeshMotion, BodiesSlideOverFlatTrianglesAtConstantSpeed) {
    const geometry::Shape sheet = make_mesh(geometry::flat_data(20, 4));
    const std::pair<geometry::Shape, double> shapes[] = {
        {geometry::Box{{0.2, 0.15, 0.1}}, 0.1},
        {geometry::Sphere{0.1}, 0.1},
        {geometry::Capsule{0.1, 0.2}, 0.3},
        {geometry::Cylinder{0.1, 0.15}, 0.15},
        {geometry::convex_hull(geometry::box_polyhedron({0.1, 0.2, 0.1}).vertices), 0.1},
        {make_mesh(geometry::box_data({0.2, 0.15, 0.1})), 0.1}};
    for (const auto& [shape, height] : shapes) {
        World world = world_with(0);
        add_fixed(world, sheet);
        const Vec3 velocity{2, 0.7, 0};
        const size_t body = add_moving(world, shape, {{-3, -1, height}, rotation({0, 0, 0.3})}, velocity);
        for (int i = 0; i < 250; ++i) {
            step(world, 0.01);
            ASSERT_LT(length(world.bodies.velocity[body] - velocity), 1e-9) << geometry::name(shape) << " step " << i;
            ASSERT_NEAR(world.bodies.pose[body].position.z, height, 1e-8) << geometry::name(shape) << " step " << i;
        }
    }
}

// A ball of 2.5 cm at 100 m/s moves 1 m a step; the walls are 5 mm and 0 mm thick.
TEST(MeshMotion, FastBallDoesNotPassThinWalls) {
    const geometry::Shape walls[] = {geometry::Box{{1, 1, 0.0025}}, make_mesh(geometry::box_data({1, 1, 0.0025})),
                                     make_mesh(geometry::flat_data(10, 1))};
    for (size_t w = 0; w < 3; ++w)
        for (const double start : {0.51, 1.27, 2.03})
            for (const double side : {1.0, -1.0}) {
                World world = world_with(0.3);
                world.settings.gravity = {};
                add_fixed(world, walls[w]);
                const size_t ball =
                    add_moving(world, geometry::Sphere{0.025}, {{0.113, 0.071, side * start}, {}}, {0, 0, -side * 100});
                for (int i = 0; i < 20; ++i) {
                    step(world, 0.01);
                    ASSERT_GT(side * world.bodies.pose[ball].position.z, 0.02)
                        << "wall " << w << " from " << side * start << " step " << i;
                }
            }
}

struct Rest {
    double penetration, energy, drop;
};
Rest settle(World& world, size_t body, double seconds) {
    const double start = world.bodies.pose[body].position.z;
    StepReport report;
    for (int i = 0; i < 100 * seconds; ++i) report = step(world, 0.01);
    return {report.penetration, world.kinetic_energy(), start - world.bodies.pose[body].position.z};
}

// Dropped tilted about her ears: upright on her chin she would balance for seconds and then fall, and tilted both ways she rocks
// for long on the round back of her head, which only rolling resistance would stop.
TEST(MeshMotion, SuzanneComesToRestOnAnythingWithoutSinking) {
    const geometry::Mesh suzanne = mesh::load(std::filesystem::path(ASPERITY_SOURCE_DIR) / "assets" / "suzanne.glb", 0.2);
    const geometry::Shape floors[] = {geometry::HalfSpace{}, make_mesh(geometry::flat_data(20, 2)),
                                      geometry::Box{{2, 2, 0.1}}};
    for (const geometry::Shape& floor : floors) {
        World world = world_with(0.5);
        add_fixed(world, floor, {{0, 0, std::holds_alternative<geometry::Box>(floor) ? -0.1 : 0}, {}});
        const size_t body = add_moving(world, suzanne, {{0, 0, 0.35}, rotation({radians(50), 0, 0})});
        const Rest rest = settle(world, body, 5);
        EXPECT_LT(rest.penetration, 1e-4) << geometry::name(floor);
        EXPECT_LT(rest.energy, 1e-8 * world.bodies.mass[body] * 9.81 * 0.5) << geometry::name(floor);
        EXPECT_GT(world.bodies.pose[body].position.z, 0.1) << geometry::name(floor);
    }
}

TEST(MeshMotion, SuzanneOnSuzanneDoesNotSink) {
    const geometry::Mesh suzanne = mesh::load(std::filesystem::path(ASPERITY_SOURCE_DIR) / "assets" / "suzanne.glb", 0.2);
    World world = world_with(0.8);
    add_fixed(world, suzanne);
    const size_t body = add_moving(world, suzanne, {{0, 0.02, 0.45}, {}});
    double deepest = 0;
    for (int i = 0; i < 500; ++i) {
        const StepReport report = step(world, 0.01);
        if (i > 100) deepest = std::fmax(deepest, report.penetration);
    }
    EXPECT_LT(deepest, 1e-3);
    EXPECT_GT(length(world.bodies.pose[body].position), 0.2);  // on top or fallen off, never inside
}

}  // namespace
}  // namespace asperity::sim
