// The soak's checks detect what they are for: each invariant is violated on purpose.
#include "checks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "asperity/scene/scene.h"
#include "asperity/sim/step.h"
#include "hidden_overlap.h"
#include "random_scene.h"
#include "tests/unit/geometry/meshes.h"

namespace asperity::soak {
namespace {

struct FallingBox : ::testing::Test {
    scene::Scene scene = scene::parse(R"toml(
world = { default = { mu = 0.5 } }
[[body]]
name = "floor"
fixed = true
shape = { half_space = true }
[[body]]
name = "box"
shape = { box = [0.2, 0.2, 0.2] }
position = [0, 0, 1]
angular_velocity = [1, 2, 3]
)toml",
                                      "box.toml");
    Checks checks{scene.world, scene.dt, {kRoomHalf, kRoomHeight}};
    std::string step() { return checks.after_step(scene.world, sim::step(scene.world, scene.dt)); }
};

TEST_F(FallingBox, PassesFromTheFallToRest) {
    for (int k = 0; k < 300; ++k) ASSERT_EQ(step(), "") << "step " << k;
}

TEST_F(FallingBox, AHundredthMoreSpeedIsSeen) {
    for (int k = 0; k < 30; ++k) ASSERT_EQ(step(), "");
    sim::World changed = std::move(scene.world);
    changed.state.bodies.velocity[1] = 1.01 * changed.state.bodies.velocity[1];  // speed is 2.9 m/s by now: 2 % more energy
    EXPECT_NE(checks.after_step(changed, sim::step(changed, scene.dt)).find("above its lowest"), std::string::npos);
}

TEST_F(FallingBox, LeavingTheRoomIsSeen) {
    scene.world.state.bodies.pose[1].position = {0, 0, kRoomHeight + 0.1};
    EXPECT_NE(step().find("box left the room"), std::string::npos);
}

TEST_F(FallingBox, AnOverlapIsSeen) {
    ASSERT_EQ(step(), "");
    scene.world.state.bodies.pose[1].position.z = 0.05;
    EXPECT_NE(step().find("overlap of"), std::string::npos);
}

TEST_F(FallingBox, WhatIsNotFiniteIsSeen) {
    scene.world.state.bodies.velocity[1].x = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(step().find("not finite"), std::string::npos);
}

// A bar across the rim of a block of triangles, 30 mm deep below the block's top and 20 mm behind its side. None of its
// vertices is inside, but midpoints of its edges are, by 20 mm.
TEST(SoakChecks, AnOverlapWithAMeshIsSeenWhetherContactsTellOfItOrNot) {
    sim::World world;
    const MaterialId stone = world.add_material({.name = "stone"});
    world.model.pairs.set_default({.friction = {.base = friction::Coulomb{0.5}}});
    world.add_body({.name = "block",
                    .motion = rigid::Motion::Fixed,
                    .colliders = {{geometry::make_mesh(geometry::box_data({0.5, 0.5, 0.5})), {}, stone}}});
    world.add_body(
        {.name = "bar", .colliders = {{geometry::Box{{0.8, 0.05, 0.05}}, {}, stone}}, .pose = {{0, 0.53, 0.52}, {}}});
    world.state.active.pair_memory = {{.pair = 1}};  // the pair of colliders 0 and 1; there are no contacts
    const HiddenOverlap hidden = deepest_in_meshes(world);
    EXPECT_NEAR(hidden.depth, 0.02, 1e-12);
    EXPECT_EQ(hidden.who, "bar (box) in block (mesh)");
    world.state.bodies.pose[1].position.y = 0.551;
    EXPECT_EQ(deepest_in_meshes(world).depth, 0);
}

TEST(RandomScene, IsTheSameForTheSameSeed) {
    EXPECT_EQ(random_scene(7, "meshes", true), random_scene(7, "meshes", true));
    EXPECT_NE(random_scene(7, "meshes", true), random_scene(8, "meshes", true));
}

// A beam on a weld at its end is 5 mrad below its target, as after an unconverged solve. The position pass lifts its centre,
// 1 m away, by 5 mm.
TEST(SoakChecks, AJointThatIsOffByAnAngleMayLiftByItsArmAndNoMore) {
    for (const double more : {0.0, 0.005}) {  // [m] lift without a matching error
        scene::Scene scene = scene::parse(R"toml(
[[body]]
name = "beam"
shape = { box = [2, 0.1, 0.1] }
position = [1, 0, 2]
[[joint]]
kind = "weld"
b = "beam"
at = [0, 0, 2]
)toml",
                                          "beam.toml");
        // rotated about its end
        scene.world.state.bodies.pose[0] = {{std::cos(0.005), 0, 2 - std::sin(0.005)}, rotation({0, 0.005, 0})};
        Checks checks(scene.world, scene.dt, {kRoomHalf, kRoomHeight});
        const sim::StepReport report = sim::step(scene.world, scene.dt);
        EXPECT_NEAR(scene.world.state.bodies.pose[0].position.z, 2, 1e-5);
        scene.world.state.bodies.pose[0].position.z += more;
        const std::string failure = checks.after_step(scene.world, report);
        EXPECT_EQ(failure.empty(), more == 0) << failure;
    }
}

}  // namespace
}  // namespace asperity::soak
