// Joints: frames from world points, limits in degrees, functions of time.
#include <gtest/gtest.h>

#include "scenes.h"

namespace asperity::scene {
namespace {

Scene with_joint(const std::string& joint) {
    return read(kBlock + "[[joint]]\nname = \"j\"\nb = \"block\"\n" + joint);
}  // block at z = 2

// The joint's frame b in world axes.
Pose frame_b(const Scene& scene) { return scene.world.state.bodies.pose[1] * scene.world.model.joints[0].frame_b; }

TEST(JointReader, PutsAHingeAtItsPointWithZAlongTheAxis) {
    const Scene scene = with_joint(
        "kind = \"hinge\"\nat = [0.5, 0, 2]\naxis = [0, 3, 0]\nlimits_deg = [-90, \"45*2\"]\n"
        "drive = { target_deg = \"180*t\", stiffness = 5, damping = 0.5 }\n");
    const Pose frame = frame_b(scene);
    EXPECT_NEAR(frame.position.x, 0.5, 1e-15);
    EXPECT_NEAR(rotate(frame.orientation, {0, 0, 1}).y, 1, 1e-15);
    const auto& hinge = std::get<rigid::Hinge>(scene.world.model.joints[0].kind);
    EXPECT_DOUBLE_EQ(hinge.limits->low, radians(-90));
    EXPECT_DOUBLE_EQ(hinge.drive->target(0.5), radians(90));
    EXPECT_TRUE(std::isinf(hinge.drive->max_effort.at(0)));
}

TEST(JointReader, DefaultsASliderToTheCentreOfB) {
    const Scene scene = with_joint(
        "kind = \"slider\"\nlimits = [-0.1, 0.2]\nmotor = { speed = \"sin(t)\", max_effort = 4 }\ncollide = true\n");
    EXPECT_NEAR(frame_b(scene).position.z, 2, 1e-15);
    const auto& slider = std::get<rigid::Slider>(scene.world.model.joints[0].kind);
    EXPECT_EQ(slider.limits->high, 0.2);
    EXPECT_EQ(slider.motor->max_effort.at(0), 4);
    EXPECT_TRUE(scene.world.model.joints[0].collide);
}

TEST(JointReader, LetsEffortsFollowTime) {
    const Scene scene = with_joint(
        "kind = \"hinge\"\nat = [0, 0, 2]\nmotor = { speed = 3, max_effort = \"5 - t\" }\n"
        "brake = { max_effort = \"t < 2 ? 0 : 40\" }\ndrive = { target = 0, stiffness = 1, max_effort = \"2*t\" }\n");
    const auto& hinge = std::get<rigid::Hinge>(scene.world.model.joints[0].kind);
    EXPECT_DOUBLE_EQ(hinge.motor->max_effort.at(2), 3);
    EXPECT_DOUBLE_EQ(hinge.motor->max_effort.at(7), 0);  // values below 0 count as 0
    EXPECT_DOUBLE_EQ(hinge.brake->max_effort.at(1.9), 0);
    EXPECT_DOUBLE_EQ(hinge.brake->max_effort.at(2.1), 40);
    EXPECT_DOUBLE_EQ(hinge.drive->max_effort.at(3), 6);
}

TEST(JointReader, TakesABrakeWithoutABoundForALock) {
    const Scene scene = with_joint("kind = \"slider\"\nbrake = {}\n");
    EXPECT_TRUE(std::isinf(std::get<rigid::Slider>(scene.world.model.joints[0].kind).brake->max_effort.at(0)));
}

TEST(JointReader, TakesTheStartDistanceAsLength) {
    const Scene scene = with_joint("kind = \"distance\"\nat_a = [0, 3, 6.5]\nat_b = [0, 0, 2.5]\nrope = true\n");
    const auto& distance = std::get<rigid::Distance>(scene.world.model.joints[0].kind);
    EXPECT_DOUBLE_EQ(distance.length(7), 5);
    EXPECT_TRUE(distance.rope);
    EXPECT_NEAR(scene.world.model.joints[0].frame_b.position.z, 0.5, 1e-15);
    EXPECT_DOUBLE_EQ(rigid::coordinate(scene.world.model.joints[0], scene.world.state.bodies), 5);
}

TEST(JointReader, LetsALengthFollowTime) {
    const Scene scene = with_joint("kind = \"distance\"\nat_a = [0, 0, 5]\nlength = \"3 - 0.1*t\"\n");
    EXPECT_DOUBLE_EQ(std::get<rigid::Distance>(scene.world.model.joints[0].kind).length(10), 2);
}

TEST(JointReader, ReadsSpringsAndWelds) {
    const Scene spring = with_joint("kind = \"spring\"\nat_a = [0, 0, 5]\nstiffness = 100\ndamping = 2\nmax_force = 50\n");
    EXPECT_EQ(std::get<rigid::PointSpring>(spring.world.model.joints[0].kind).max_force, 50);
    const Scene weld = with_joint("kind = \"fixed\"\na = \"ground\"\n");
    EXPECT_TRUE(std::holds_alternative<rigid::Weld>(weld.world.model.joints[0].kind));
    EXPECT_EQ(weld.world.model.joints[0].a.index, 0);
}

TEST(JointReader, NamesJointsThatHaveNone) {
    const Scene scene = read(kBlock + "[[joint]]\nkind = \"weld\"\nb = \"block\"\n");
    EXPECT_EQ(scene.world.model.joints[0].name, "joint_0");
}

}  // namespace
}  // namespace asperity::scene
