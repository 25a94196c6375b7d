// The checks of the soak see what they are there for: each promise broken by hand.
#include "checks.h"

#include <gtest/gtest.h>

#include <limits>

#include "asperity/scene/scene.h"
#include "asperity/sim/step.h"
#include "random_scene.h"

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
    Checks checks{scene.world, scene.dt};
    std::string step() { return checks.after_step(scene.world, sim::step(scene.world, scene.dt)); }
};

TEST_F(FallingBox, PassesFromTheFallToRest) {
    for (int k = 0; k < 300; ++k) ASSERT_EQ(step(), "") << "step " << k;
}

TEST_F(FallingBox, AHundredthMoreSpeedIsSeen) {
    for (int k = 0; k < 30; ++k) ASSERT_EQ(step(), "");
    sim::World changed = std::move(scene.world);
    changed.bodies.velocity[1] = 1.01 * changed.bodies.velocity[1];  // 2.9 m/s by now: 2 % of its energy
    EXPECT_NE(checks.after_step(changed, sim::step(changed, scene.dt)).find("above its lowest"), std::string::npos);
}

TEST_F(FallingBox, LeavingTheRoomIsSeen) {
    scene.world.bodies.pose[1].position = {0, 0, kRoomHeight + 0.1};
    EXPECT_NE(step().find("box left the room"), std::string::npos);
}

TEST_F(FallingBox, AnOverlapIsSeen) {
    ASSERT_EQ(step(), "");
    scene.world.bodies.pose[1].position.z = 0.05;
    EXPECT_NE(step().find("overlap of"), std::string::npos);
}

TEST_F(FallingBox, WhatIsNotFiniteIsSeen) {
    scene.world.bodies.velocity[1].x = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(step().find("not finite"), std::string::npos);
}

TEST(RandomScene, IsTheSameForTheSameSeed) {
    EXPECT_EQ(random_scene(7, "meshes", true), random_scene(7, "meshes", true));
    EXPECT_NE(random_scene(7, "meshes", true), random_scene(8, "meshes", true));
}

}  // namespace
}  // namespace asperity::soak
