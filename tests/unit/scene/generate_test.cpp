// [[generate]]: stacks, rings, arches, chains, grids and rows, written as an author would.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "scenes.h"

namespace asperity::scene {
namespace {

TEST(Generate, StacksBoxesWithFormulaMasses) {
    const Scene scene = read(kGround + R"toml([[generate]]
name = "box"
count = 10
first_on = "ground"
body = { shape = { box = [0.5, 0.5, 0.2] }, mass = "10^i", on = "box_{i-1}" }
)toml");
    ASSERT_EQ(scene.world.model.bodies.count(), 11);
    for (int i = 0; i < 10; ++i) {
        const auto b = index_of(scene, "box_" + std::to_string(i));
        EXPECT_NEAR(scene.world.state.bodies.pose[b].position.z, 0.1 + 0.2 * i, 1e-12);
        EXPECT_DOUBLE_EQ(scene.world.model.bodies.mass[b], std::pow(10, i));
    }
}

TEST(Generate, LaunchesARing) {
    const Scene scene = read(kGround + R"toml([[generate]]
name = "puck"
count = 32
[generate.body]
shape = { box = [0.1, 0.1, 0.05] }
position = ["cos(2*pi*i/count)", "sin(2*pi*i/count)", 0]
on = "ground"
velocity = ["3*cos(2*pi*i/count)", "3*sin(2*pi*i/count)", 0]
)toml");
    ASSERT_EQ(scene.world.model.bodies.count(), 33);
    const auto b = index_of(scene, "puck_8");
    EXPECT_NEAR(scene.world.state.bodies.pose[b].position.y, 1, 1e-15);
    EXPECT_NEAR(scene.world.state.bodies.pose[b].position.z, 0.025, 1e-12);
    EXPECT_NEAR(scene.world.state.bodies.velocity[b].y, 3, 1e-15);
}

TEST(Generate, BuildsAnArchOfHulls) {
    const Scene scene = read(R"toml(
[params]
inner = 1
outer = 1.2
depth = 0.3
[world]
default = { mu = 0.6 }
[[generate]]
name = "stone"
count = 15
[generate.body]
shape = { hull = [
  ["inner*cos(pi*i/count)", 0, "inner*sin(pi*i/count)"], ["outer*cos(pi*i/count)", 0, "outer*sin(pi*i/count)"],
  ["inner*cos(pi*(i+1)/count)", 0, "inner*sin(pi*(i+1)/count)"],
  ["outer*cos(pi*(i+1)/count)", 0, "outer*sin(pi*(i+1)/count)"],
  ["inner*cos(pi*i/count)", "depth", "inner*sin(pi*i/count)"], ["outer*cos(pi*i/count)", "depth", "outer*sin(pi*i/count)"],
  ["inner*cos(pi*(i+1)/count)", "depth", "inner*sin(pi*(i+1)/count)"],
  ["outer*cos(pi*(i+1)/count)", "depth", "outer*sin(pi*(i+1)/count)"] ] }
)toml");
    ASSERT_EQ(scene.world.model.bodies.count(), 15);
    // Area of a trapezium between the chords: half of sin(pi/15) (outer^2 - inner^2).
    const double volume = 0.5 * std::sin(std::numbers::pi / 15) * (1.44 - 1) * 0.3;
    for (int i = 0; i < 15; ++i)
        EXPECT_NEAR(scene.world.model.bodies.mass[static_cast<std::size_t>(i)], 1000 * volume, 1e-10);
}

TEST(Generate, LinksAChainWithOneJointLess) {
    const Scene scene = read(kGround + R"toml([[generate]]
name = "link"
count = 5
body = { shape = { capsule = [0.02, 0.16] }, position = [0, 0, "3 - 0.2*i"] }
joint_count = "count - 1"
joint = { kind = "ball", a = "link_{i}", b = "link_{i+1}", at = [0, 0, "2.9 - 0.2*i"] }
)toml");
    ASSERT_EQ(scene.world.model.joints.size(), 4u);
    EXPECT_EQ(scene.world.model.joints[3].name, "link_joint_3");
    EXPECT_EQ(scene.world.model.joints[3].b.index, static_cast<int>(index_of(scene, "link_4")));
    EXPECT_NEAR(scene.world.model.joints[3].frame_a.position.z, -0.1, 1e-15);
}

TEST(Generate, ClosesARingWithModuloInTheTemplate) {
    const Scene scene = read(kGround + R"toml([[generate]]
name = "bead"
count = 6
body = { shape = { sphere = 0.1 }, position = ["cos(2*pi*i/count)", "sin(2*pi*i/count)", 2] }
joint = { name = "string {i}", kind = "distance", a = "bead_{i}", b = "bead_{mod(i+1, count)}" }
)toml");
    ASSERT_EQ(scene.world.model.joints.size(), 6u);
    EXPECT_EQ(scene.world.model.joints[5].name, "string 5");
    EXPECT_EQ(scene.world.model.joints[5].b.index, static_cast<int>(index_of(scene, "bead_0")));
}

TEST(Generate, FillsAGridAndNamesItByThreeIndices) {
    const Scene scene = read(kGround + R"toml([[generate]]
name = "c"
count = [10, 10, 10]
[generate.body]
shape = { capsule = [0.05, 0.1] }
position = ["0.3*i + uniform(-0.01, 0.01)", "0.3*j", "0.3*k + 1"]
random_orientation = true
)toml");
    ASSERT_EQ(scene.world.model.bodies.count(), 1001);
    const auto b = index_of(scene, "c_2_3_4");
    EXPECT_NEAR(scene.world.state.bodies.pose[b].position.x, 0.6, 0.01);
    EXPECT_DOUBLE_EQ(scene.world.state.bodies.pose[b].position.y, 0.3 * 3);
    std::set<double> different;
    for (const Pose& pose : scene.world.state.bodies.pose) different.insert(pose.position.x);
    EXPECT_EQ(different.size(), 1001u);  // every draw is different
}

TEST(Generate, GridColumnsStandOnFirstOnBelowIndexZero) {
    const Scene scene = read(kGround + R"toml([[generate]]
name = "b"
count = [2, 1, 3]
first_on = "ground"
body = { shape = { box = [1, 1, 1] }, on = "b_{i}_{j}_{k-1}", position = ["k == 0 ? 2*i : 0", 0, 0] }
)toml");
    EXPECT_NEAR(scene.world.state.bodies.pose[index_of(scene, "b_1_0_2")].position.z, 2.5, 1e-11);
    EXPECT_NEAR(scene.world.state.bodies.pose[index_of(scene, "b_1_0_2")].position.x, 2, 1e-12);
}

TEST(Generate, ZeroMakesNone) {
    EXPECT_EQ(read(kBlock + "[[generate]]\nname = \"x\"\ncount = 0\nbody = { shape = { sphere = 1 } }\n")
                  .world.model.bodies.count(),
              2);
}

TEST(Generate, KeepsTheOrderOfTheFileAmongBodies) {
    const Scene scene =
        read(kGround +
             "[[generate]]\nname = \"x\"\ncount = 1\nbody = { shape = { sphere = 1 }, position = [0, 0, 4] }\n"
             "[[body]]\nname = \"top\"\nshape = { sphere = 1 }\non = \"x_0\"\n");
    EXPECT_EQ(index_of(scene, "x_0"), 1u);
    EXPECT_NEAR(scene.world.state.bodies.pose[2].position.z, 6, 1e-11);
}

}  // namespace
}  // namespace asperity::scene
