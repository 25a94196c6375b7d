#include "asperity/record/wrench.h"

#include <gtest/gtest.h>

namespace asperity::record {
namespace {

/// Bodies 0 and 1 touch in a patch of three points with slightly different normals, and in a separate point with a drilling
/// torque. Bodies 0 and 2 touch in a point. Bodies 1 and 2 are near each other, without load.
Frame frame_with_a_patch() {
    Frame frame;
    PatchSample patch{.body_a = 0,
                      .body_b = 1,
                      .centre = {1, 2, 0},
                      .normal = {0, 0, 1},
                      .u = {1, 0, 0},
                      .force = {-3, 1.5, 12},
                      .pressure = {1.25, 1.5, 0},
                      .spin_torque = -0.75};
    patch.torque = cross(patch.pressure - patch.centre, patch.force) + patch.spin_torque * patch.normal;
    frame.patches = {patch};
    const Vec3 leaning = normalized(Vec3{0.01, 0, 1});
    for (const Vec3& corner : {Vec3{0, 1, 0.001}, Vec3{2, 1, 0}, Vec3{1, 3, 0}})
        frame.contacts.push_back(
            {.body_a = 0, .body_b = 1, .point = corner, .normal = leaning, .force = patch.force / 3, .patch = 0});
    frame.contacts.push_back({.body_a = 0, .body_b = 2, .point = {5, 5, 5}, .normal = {0, 1, 0}, .force = {2, 7, 0}});
    frame.contacts.push_back(
        {.body_a = 0, .body_b = 1, .point = {4, 2, 0}, .normal = {0, 0, 1}, .force = {0, 2, 4}, .spin_torque = 0.5});
    frame.contacts.push_back({.body_a = 1, .body_b = 2, .normal = {0, 0, 1}});
    return frame;
}

void expect_near(const Vec3& a, const Vec3& b, const char* what) { EXPECT_LT(length(a - b), 1e-14) << what; }

TEST(Wrench, PointsOfAPatchAddUpToIt) {
    const Frame frame = frame_with_a_patch();
    const std::vector<Wrench> all = contact_wrenches(frame);
    ASSERT_EQ(all.size(), frame.contacts.size());
    const PatchSample& patch = frame.patches[0];
    Vec3 force, torque, friction;
    double spin = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        force += all[i].force;
        torque += all[i].torque + cross(frame.contacts[i].point - patch.centre, all[i].force);
        friction += all[i].friction;
        spin += all[i].spin_torque;
    }
    expect_near(force, patch.force, "force");
    expect_near(torque, patch.torque, "torque about the centre");
    expect_near(friction, {-3, 1.5, 0}, "along the patch, not along the points' own planes");
    EXPECT_NEAR(spin, -0.75, 1e-15);
}

TEST(Wrench, APointByItselfTurnsNothingButByDrilling) {
    const std::vector<Wrench> all = contact_wrenches(frame_with_a_patch());
    EXPECT_EQ(all[3].torque, Vec3{});
    EXPECT_EQ(all[3].friction, (Vec3{2, 0, 0}));
    EXPECT_EQ(all[4].torque, (Vec3{0, 0, 0.5}));
    EXPECT_EQ(all[4].spin_torque, 0.5);
}

TEST(Wrench, OfAPairIsTheSumOfItsPatchesAndPoints) {
    const Frame frame = frame_with_a_patch();
    const std::vector<PairWrench> pairs = pair_wrenches(frame);
    ASSERT_EQ(pairs.size(), 2u) << "bodies that are near and do not press have no row";
    const PairWrench& p = pairs[0];
    EXPECT_EQ(p.body_b, 1);
    EXPECT_EQ(p.patches, 1);
    EXPECT_EQ(p.points, 1);
    const Vec3 at_patch{1.25, 1.5, 0}, at_point{4, 2, 0};
    const Vec3 middle = (12 * at_patch + 4 * at_point) / 16;
    expect_near(p.point, middle, "weighted by 12 N and 4 N");
    expect_near(p.normal, {0, 0, 1}, "normal");
    expect_near(p.force, {-3, 3.5, 16}, "force");
    expect_near(p.friction, {-3, 3.5, 0}, "friction");
    const double spin =
        -0.75 + 0.5 + cross(at_patch - middle, Vec3{-3, 1.5, 0}).z + cross(at_point - middle, Vec3{0, 2, 0}).z;
    expect_near(p.friction_torque, {0, 0, spin}, "torque of friction");
    expect_near(p.torque, {0, 0, spin}, "normal forces do not turn about their own centre");
    EXPECT_NEAR(p.spin_torque(), spin, 1e-15);
    EXPECT_EQ(pairs[1].body_b, 2);
    EXPECT_EQ(pairs[1].point, (Vec3{5, 5, 5}));
}

TEST(Wrench, OfAPairThatIsHeldFromBothSidesHasNoNormal) {
    Frame frame;
    frame.contacts = {{.body_a = 0, .body_b = 1, .point = {0, -1, 0}, .normal = {0, 1, 0}, .force = {0, 5, 2}},
                      {.body_a = 0, .body_b = 1, .point = {0, 1, 0}, .normal = {0, -1, 0}, .force = {0, -5, 2}}};
    const std::vector<PairWrench> pairs = pair_wrenches(frame);
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_EQ(pairs[0].normal, Vec3{});
    EXPECT_EQ(pairs[0].force, (Vec3{0, 0, 4}));
    EXPECT_EQ(pairs[0].friction, (Vec3{0, 0, 4}));
    EXPECT_EQ(pairs[0].torque, Vec3{});
    EXPECT_TRUE(pair_wrenches({}).empty());
}

}  // namespace
}  // namespace asperity::record
