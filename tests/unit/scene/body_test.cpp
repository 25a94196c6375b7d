// Bodies, materials, pairs and settings made by the reader.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/geometry/convex_contact/collide.h"
#include "scenes.h"

namespace asperity::scene {
namespace {

// Gap between the first colliders of two bodies.
double gap_between(const Scene& scene, const std::string& below, const std::string& above) {
    const rigid::Bodies& bodies = scene.world.model.bodies;
    double gap = 1e9;
    const auto a = index_of(scene, below), b = index_of(scene, above);
    for (int i = bodies.first_collider[a]; i < bodies.first_collider[a] + bodies.collider_count[a]; ++i)
        for (int j = bodies.first_collider[b]; j < bodies.first_collider[b] + bodies.collider_count[b]; ++j) {
            const rigid::Collider &x = bodies.colliders[static_cast<std::size_t>(i)],
                                  &y = bodies.colliders[static_cast<std::size_t>(j)];
            geometry::Manifold manifold;
            if (!geometry::collide(x.shape, scene.world.state.bodies.pose[a] * x.local, y.shape,
                                   scene.world.state.bodies.pose[b] * y.local, 1, {}, manifold))
                continue;
            for (int p = 0; p < manifold.count; ++p) gap = std::min(gap, manifold.points[p].gap);
        }
    return gap;
}

TEST(SceneReader, ReadsTheSettings) {
    const Scene scene = read(R"toml(
title = "A test"
seed = 5
params = { h = 3, v = "sqrt(2*g*h)" }
world = { gravity = [0, 0, -10], combine = "min", default = { mu = 0.1 } }
view = { eye = [1, 2, 3], target = [0, 0, "h"], fov_deg = 50 }
body = [ { name = "a", shape = { sphere = 1 } } ]
[step]
dt = "1/100"
duration = "h"
substeps = 2
solver = "pgs"
tolerance = 1e-7
max_sweeps = 99
exact_contacts = true
relaxation = 1.25
contact_margin = 0.01
bounce_threshold = 0.2
implicit_passes = 3
halfway_contacts = false
position_sweeps = 7
patch_overlap = "volume"
target_volume = 1e-6
patch_compliance = 1e-5
)toml");
    EXPECT_EQ(scene.title, "A test");
    EXPECT_EQ(scene.seed, 5u);
    EXPECT_EQ(scene.dt, 0.01);
    EXPECT_EQ(scene.duration, 3);
    EXPECT_EQ(scene.params.at("v"), std::sqrt(60.0));
    const sim::Settings& s = scene.world.model.settings;
    EXPECT_EQ(s.gravity, (Vec3{0, 0, -10}));
    EXPECT_EQ(s.solver, "pgs");
    EXPECT_EQ(s.substeps, 2);
    EXPECT_EQ(s.solve.tolerance, 1e-7);
    EXPECT_EQ(s.solve.max_sweeps, 99);
    EXPECT_TRUE(s.solve.exact_contacts);
    EXPECT_EQ(s.solve.relaxation, 1.25);
    EXPECT_EQ(s.contact_margin, 0.01);
    EXPECT_EQ(s.bounce_threshold, 0.2);
    EXPECT_EQ(s.implicit_passes, 3);
    EXPECT_FALSE(s.halfway_contacts);
    EXPECT_EQ(s.position_sweeps, 7);
    EXPECT_EQ(s.stabilisation.overlap, surface::OverlapBy::Volume);
    EXPECT_EQ(s.stabilisation.target_volume, 1e-6);
    EXPECT_EQ(s.stabilisation.compliance, 1e-5);
    EXPECT_EQ(scene.view->target.z, 3);
    EXPECT_EQ(scene.view->field_of_view_deg, 50);
}

TEST(SceneReader, ReadsMaterialsAndPairsInEitherOrder) {
    const Scene scene = read(R"toml(
[material.oak]
density = 700
grain = [2, 0, 0]
color = "#ffffff"
roughness = 0.3
checker = true
[material.hard-steel]
density = 7800
surface_velocity = [0.5, 0, 0]
color = [0.1, 0.2, 0.3]
[pair.hard-steel-oak]
law = "elliptic"
mu_t = 0.2
mu_b = 0.4
drilling = 0.01
restitution = 0.3
stribeck = { ratio = 1.5, speed = 0.1 }
load = { reference = 10, exponent = 0.9 }
[pair.oak-oak]
mu = 0.5
static_ratio = 1.2
[[body]]
name = "a"
shape = { box = [1, 1, 1] }
material = "oak"
[[body]]
name = "b"
shape = { box = [1, 1, 1] }
material = "hard-steel"
position = [0, 0, 5]
fixed = true
)toml");
    EXPECT_DOUBLE_EQ(scene.world.model.bodies.mass[0], 700);
    const surface::Material& oak = scene.world.model.materials[1];
    EXPECT_EQ(oak.name, "oak");
    EXPECT_EQ(oak.grain, (Vec3{1, 0, 0}));
    EXPECT_DOUBLE_EQ(oak.appearance.color.x, 1);
    EXPECT_TRUE(oak.appearance.checker);
    EXPECT_EQ(scene.world.model.materials[2].surface_velocity.x, 0.5);
    const surface::Pair& pair = scene.world.model.pairs.pair(1, 2);
    EXPECT_EQ(std::get<friction::Elliptic>(pair.friction.base).mu_b, 0.4);
    EXPECT_EQ(pair.restitution, 0.3);
    EXPECT_EQ(pair.friction.drilling, 0.01);
    EXPECT_EQ(pair.friction.stribeck->exponent, 2);
    EXPECT_EQ(pair.friction.load->reference, 10);
    EXPECT_EQ(scene.world.model.pairs.pair(1, 1).friction.static_kinetic->ratio, 1.2);
}

TEST(SceneReader, PositivePitchTipsXDown) {
    const Scene scene = read(kGround + "[[body]]\nname = \"b\"\nshape = { sphere = 1 }\npitch_deg = 30\nyaw_deg = 90\n");
    // Pitch first tips the x axis down by 30 degrees, then yaw rotates it onto y.
    const Vec3 x = rotate(scene.world.state.bodies.pose[1].orientation, {1, 0, 0});
    EXPECT_NEAR(x.y, std::cos(radians(30)), 1e-15);
    EXPECT_NEAR(x.z, -0.5, 1e-15);
}

TEST(SceneReader, NormalisesQuaternions) {
    const Scene scene = read(kGround + "[[body]]\nname = \"b\"\nshape = { sphere = 1 }\nquaternion = [0, 0, 0, 2]\n");
    EXPECT_EQ(scene.world.state.bodies.pose[1].orientation, (Quat{0, 0, 0, 1}));
}

TEST(SceneReader, BodyOnAPitchedPlankLiesFlatOnItWithNoGap) {
    const Scene scene = read(R"toml(
[params]
angle_deg = 30
[world]
default = { mu = 0.5 }
[[body]]
name = "plank"
shape = { box = [16, 1, 0.1] }
fixed = true
pitch_deg = "angle_deg"
position = [1, 2, 3]
[[body]]
name = "block"
shape = { box = [0.2, 0.2, 0.1] }
on = "plank"
position = [-4, 0.1, 0]
[[body]]
name = "ball"
shape = { sphere = 0.1 }
on = "block"
)toml");
    const Pose &plank = scene.world.state.bodies.pose[0], &block = scene.world.state.bodies.pose[1];
    EXPECT_EQ(plank.orientation, block.orientation);
    const Vec3 local = plank.to_local(block.position);
    EXPECT_NEAR(local.x, -4, 1e-12);
    EXPECT_NEAR(local.y, 0.1, 1e-12);
    EXPECT_NEAR(local.z, 0.1, 1e-12);
    EXPECT_NEAR(gap_between(scene, "plank", "block"), 0, 1e-12);
    EXPECT_NEAR(gap_between(scene, "block", "ball"), 0, 1e-12);
}

TEST(SceneReader, CompoundRestsOnItsLowestPart) {
    const Scene scene = read(kGround + R"toml(
[[body]]
name = "table"
on = "ground"
shapes = [ { box = [1, 1, 0.1], position = [0, 0, 0.5] }, { cylinder = [0.05, 0.9], position = [0.4, 0, 0] },
           { capsule = [0.05, 0.9], position = [-0.4, 0, 0], material = "default" } ]
)toml");
    // The capsule extends 0.5 below the origin, the cylinder 0.45.
    const auto table = index_of(scene, "table");
    EXPECT_NEAR(rigid::authored_pose(scene.world.model.bodies, scene.world.state.bodies, static_cast<int>(table)).position.z,
                0.5, 1e-12);
    EXPECT_NEAR(gap_between(scene, "ground", "table"), 0, 1e-12);
}

TEST(SceneReader, OnTakesTheOffsetFromFarAwayAndFromInside) {
    for (const char* z : {"100", "-3"}) {
        const Scene scene = read(
            kGround + "[[body]]\nname = \"b\"\nshape = { sphere = 0.5 }\non = \"ground\"\nposition = [0, 0, " + z + "]\n");
        EXPECT_NEAR(scene.world.state.bodies.pose[1].position.z, 0.5, 1e-12);
    }
}

TEST(SceneReader, KinematicPathsAreOffsetsFromTheBodysOwnPose) {
    const Scene scene = read(kGround + R"toml([[body]]
name = "shaker"
shape = { box = [1, 1, 0.1] }
position = [0, 0, 5]
pitch_deg = 10
kinematic = { position = ["0.1*cos(2*pi*t)", 0, "t"], yaw_deg = "30*t" }
)toml");
    const auto i = index_of(scene, "shaker");
    EXPECT_EQ(scene.world.model.bodies.motion[i], rigid::Motion::Kinematic);
    EXPECT_DOUBLE_EQ(scene.world.state.bodies.pose[i].position.x, 0.1);  // the path at t = 0 is the start
    const Pose pose = scene.world.model.bodies.path[i](3);
    EXPECT_NEAR(pose.position.z, 8, 1e-15);
    const Vec3 x = rotate(pose.orientation, {1, 0, 0});  // yawed by 90 degrees in world axes
    EXPECT_NEAR(x.x, 0, 1e-15);
    EXPECT_NEAR(x.z, -std::sin(radians(10)), 1e-15);
}

TEST(SceneReader, RandomOrientationsAreUnitDifferentAndRepeatable) {
    const std::string text = kGround +
                             "[[generate]]\nname = \"b\"\ncount = 2\nbody = { shape = { sphere = 1 }, position = [\"5*i\", "
                             "0, 9], random_orientation = true }\n";
    const Scene scene = read(text), again = read(text);
    const Quat &p = scene.world.state.bodies.pose[1].orientation, &q = scene.world.state.bodies.pose[2].orientation;
    EXPECT_NEAR(p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z, 1, 1e-15);
    EXPECT_FALSE(p == q);
    EXPECT_EQ(p, again.world.state.bodies.pose[1].orientation);
}

}  // namespace
}  // namespace asperity::scene
