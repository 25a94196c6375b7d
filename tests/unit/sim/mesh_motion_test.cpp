// Bodies moving on meshes: no bumps at inner edges, no sinking, no tunnelling.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/importers/load.h"
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
    world.model.pairs.set_default(pair);
    return world;
}
void add_fixed(World& world, const geometry::Shape& shape, const Pose& pose = {}) {
    world.add_body({.name = "fixed", .motion = rigid::Motion::Fixed, .colliders = {{shape, {}, {}}}, .pose = pose});
}
size_t add_moving(World& world, const geometry::Shape& shape, const Pose& pose, const Vec3& velocity = {}) {
    return static_cast<size_t>(
        world.add_body({.name = "moving", .colliders = {{shape, {}, {}}}, .pose = pose, .velocity = velocity}).index);
}

// Without friction no force acts along a flat sheet, whatever its triangles: speed and height stay constant to rounding.
TEST(MeshMotion, BodiesSlideOverFlatTrianglesAtConstantSpeed) {
    for (const geometry::Shape& sheet :
         {geometry::Shape{make_mesh(geometry::flat_data(20, 4))},
          geometry::Shape{geometry::height_field(40, 20, {8, 8}, [](double, double) { return 0.0; })}}) {
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
                ASSERT_LT(length(world.state.bodies.velocity[body] - velocity), 1e-9)
                    << geometry::name(shape) << " step " << i;
                ASSERT_NEAR(world.state.bodies.pose[body].position.z, height, 1e-8)
                    << geometry::name(shape) << " step " << i;
            }
        }
    }
}

// A ball of 2.5 cm at 100 m/s moves 1 m per step; the walls are 5 mm and 0 mm thick.
TEST(MeshMotion, FastBallDoesNotPassThinWalls) {
    const geometry::Shape walls[] = {geometry::Box{{1, 1, 0.0025}}, make_mesh(geometry::box_data({1, 1, 0.0025})),
                                     make_mesh(geometry::flat_data(10, 1))};
    for (size_t w = 0; w < 3; ++w)
        for (const double start : {0.51, 1.27, 2.03})
            for (const double side : {1.0, -1.0}) {
                World world = world_with(0.3);
                world.model.settings.gravity = {};
                add_fixed(world, walls[w]);
                const size_t ball =
                    add_moving(world, geometry::Sphere{0.025}, {{0.113, 0.071, side * start}, {}}, {0, 0, -side * 100});
                for (int i = 0; i < 20; ++i) {
                    step(world, 0.01);
                    ASSERT_GT(side * world.state.bodies.pose[ball].position.z, 0.02)
                        << "wall " << w << " from " << side * start << " step " << i;
                }
            }
}

// A ball of 5 cm at 100 m/s moves 1 m per step, from all sides, over hills of 0.4 m and over flat ground. Its centre never
// gets below the ground. The grid of 0.1 m cuts the hills by up to h^2 f''/8 = 0.1^2 * (0.05 * 58 + 0.4 * 2.5)/8 = 5 mm;
// the ball's radius is 25 mm.
TEST(MeshMotion, FastBallDoesNotPassAHeightField) {
    const auto level = [](double x, double y) {
        return 0.4 * std::sin(1.3 * x) * std::cos(0.9 * y) + 0.05 * std::sin(7 * x + 3 * y);
    };
    const auto flat = [](double, double) { return 0.0; };
    const geometry::Mesh hills = geometry::height_field(200, 200, {20, 20}, level),
                         plain = geometry::height_field(10, 10, {20, 20}, flat);
    Random random(21);
    int steps = 0;
    double lowest = 1;
    for (int k = 0; k < 60; ++k) {
        const bool wavy = k % 3 != 0;
        World world = world_with(k % 2 ? 0.5 : 0);
        add_fixed(world, wavy ? hills : plain);
        const double slope = random.uniform(0.02, 1.4), heading = random.uniform(0, 6.283);
        const Vec3 velocity =
            100 * Vec3{std::cos(slope) * std::cos(heading), std::cos(slope) * std::sin(heading), -std::sin(slope)};
        const Vec3 target{random.uniform(-4, 4), random.uniform(-4, 4), wavy ? 0.6 : 0.1};
        const size_t ball =
            add_moving(world, geometry::Sphere{0.025}, {target - random.uniform(0, 1) * 0.01 * velocity, {}}, velocity);
        for (int i = 0; i < 200; ++i) {
            step(world, 0.01);
            const Vec3& p = world.state.bodies.pose[ball].position;
            if (std::fabs(p.x) > 9.9 || std::fabs(p.y) > 9.9) break;  // beyond the rim
            const double above = p.z - (wavy ? level(p.x, p.y) : 0);
            ++steps;
            lowest = std::fmin(lowest, above);
            ASSERT_GT(above, wavy ? 0 : 0.02) << "throw " << k << " step " << i;
        }
    }
    RecordProperty("lowest_mm", static_cast<int>(1000 * lowest));
    EXPECT_GT(steps, 1000);
}

struct Rest {
    double penetration, energy, drop;
};
Rest settle(World& world, size_t body, double seconds) {
    const double start = world.state.bodies.pose[body].position.z;
    StepReport report;
    for (int i = 0; i < 100 * seconds; ++i) report = step(world, 0.01);
    return {report.penetration, world.kinetic_energy(), start - world.state.bodies.pose[body].position.z};
}

// Dropped tilted about the axis through the ears. Upright on the chin, the head would balance for seconds before it falls.
// Tilted about both axes, it rocks for long on its round back, which only rolling resistance would stop.
TEST(MeshMotion, SuzanneComesToRestOnAnythingWithoutSinking) {
    const geometry::Mesh suzanne =
        importers::load(std::filesystem::path(ASPERITY_SOURCE_DIR) / "assets" / "suzanne.glb", 0.2);
    const geometry::Shape floors[] = {geometry::HalfSpace{}, make_mesh(geometry::flat_data(20, 2)),
                                      geometry::Box{{2, 2, 0.1}}};
    for (const geometry::Shape& floor : floors) {
        World world = world_with(0.5);
        add_fixed(world, floor, {{0, 0, std::holds_alternative<geometry::Box>(floor) ? -0.1 : 0}, {}});
        const size_t body = add_moving(world, suzanne, {{0, 0, 0.35}, rotation({radians(50), 0, 0})});
        const Rest rest = settle(world, body, 5);
        EXPECT_LT(rest.penetration, 1e-4) << geometry::name(floor);
        EXPECT_LT(rest.energy, 1e-8 * world.model.bodies.mass[body] * 9.81 * 0.5) << geometry::name(floor);
        EXPECT_GT(world.state.bodies.pose[body].position.z, 0.1) << geometry::name(floor);
    }
}

TEST(MeshMotion, SuzanneOnSuzanneDoesNotSink) {
    const geometry::Mesh suzanne =
        importers::load(std::filesystem::path(ASPERITY_SOURCE_DIR) / "assets" / "suzanne.glb", 0.2);
    World world = world_with(0.8);
    add_fixed(world, suzanne);
    const size_t body = add_moving(world, suzanne, {{0, 0.02, 0.45}, {}});
    double deepest = 0;
    for (int i = 0; i < 500; ++i) {
        const StepReport report = step(world, 0.01);
        if (i > 100) deepest = std::fmax(deepest, report.penetration);
    }
    EXPECT_LT(deepest, 1e-3);
    EXPECT_GT(length(world.state.bodies.pose[body].position), 0.2);  // on top or fallen off, never inside
}

}  // namespace
}  // namespace asperity::sim
