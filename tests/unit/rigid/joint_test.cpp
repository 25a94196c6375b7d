// Joint rows: zero rates under common rigid motion, which is equivalent to conserving angular momentum; and rates that are
// the time derivatives of C.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "asperity/core/random.h"
#include "asperity/rigid/joint.h"

namespace asperity::rigid {
namespace {

constexpr double kTime = 0.7, kDt = 0.01;

Vec3 random_vector(Random& random, double size = 1) {
    return size * Vec3{random.normal(), random.normal(), random.normal()};
}

struct Case {
    std::string name;
    JointKind kind;
    friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};
double constant(double) { return 0.5; }
const Case kCases[] = {
    {"ball", Ball{}},
    {"hinge", Hinge{Limits{-1, 1}, Motor{constant, 1}, Drive{constant, 1, 1}, Brake{1}}},
    {"slider", Slider{Limits{-1, 1}, Motor{constant, 1}, Drive{constant, 1, 1}, Brake{1}}},
    {"weld", Weld{}},
    {"distance", Distance{constant}},
    {"spring", PointSpring{1, 1, 1, 1}},
};

class Joints : public testing::TestWithParam<Case> {
  protected:
    /// Two bodies at random poses, joined there. Hinges are then rotated by 0.4, sliders moved by 0.3, distances stretched
    /// at random.
    BodyStates random_pair(Random& random, Joint& joint) const {
        BodyStates bodies;
        for (int i = 0; i < 2; ++i) {
            BodyDesc desc{.name = fmt::format("body{}", i),
                          .colliders = {{geometry::Box{{0.1, 0.2, 0.3}}, {}, {}}},
                          .pose = {random_vector(random), rotation(random_vector(random))},
                          .velocity = random_vector(random),
                          .angular_velocity = random_vector(random)};
            bodies.set(i, desc, mass_properties(desc, {1000}));
        }
        const Pose frame{random_vector(random), rotation(random_vector(random))};
        joint = joint_at("joint", BodyId{0}, BodyId{1}, frame, GetParam().kind, bodies);
        const Vec3 axis = rotate(frame.orientation, {0, 0, 1});
        Pose& b = bodies.pose[1];
        if (std::holds_alternative<Hinge>(joint.kind)) {
            const Quat turn = rotation(0.4 * axis);
            b = {frame.position + rotate(turn, b.position - frame.position), normalized(turn * b.orientation)};
        }
        if (std::holds_alternative<Slider>(joint.kind)) b.position += 0.3 * axis;
        if (std::holds_alternative<Distance>(joint.kind) || std::holds_alternative<PointSpring>(joint.kind))
            b.position += random_vector(random);
        return bodies;
    }
    static void move(BodyStates& bodies, double h) {
        for (size_t i = 0; i < 2; ++i) {
            bodies.pose[i].position += h * bodies.velocity[i];
            bodies.pose[i].orientation = normalized(rotation(h * bodies.angular_velocity[i]) * bodies.pose[i].orientation);
        }
    }
};

double rate(const JointRow& row, const BodyStates& bodies) {
    return dot(row.linear, bodies.velocity[1] - bodies.velocity[0]) + dot(row.angular_b, bodies.angular_velocity[1]) -
           dot(row.angular_a, bodies.angular_velocity[0]);
}

TEST_P(Joints, RowsDoNotFeelACommonMotion) {
    Random random(11);
    for (int trial = 0; trial < 50; ++trial) {
        Joint joint;
        BodyStates bodies = random_pair(random, joint);
        const Vec3 v = random_vector(random), w = random_vector(random);  // a rigid motion of both bodies about the origin
        for (size_t i = 0; i < 2; ++i) {
            bodies.velocity[i] = v + cross(w, bodies.pose[i].position);
            bodies.angular_velocity[i] = w;
        }
        JointBlock blocks[kMaxJointBlocks];
        const int count = joint_blocks(joint, bodies.pose, kTime, kDt, blocks);
        ASSERT_GT(count, 0);
        for (int k = 0; k < count; ++k)
            for (int r = 0; r < blocks[k].rows; ++r)
                EXPECT_NEAR(rate(blocks[k].row[r], bodies), 0, 1e-13) << "block " << k << ", row " << r;
    }
}

// Central differences with h = 1e-5: error h^2 times third derivatives of order 10, plus rounding of 1e-16/h.
TEST_P(Joints, RatesAreTheTimeDerivativesOfTheConstraintFunctions) {
    Random random(12);
    const double h = 1e-5;
    for (int trial = 0; trial < 50; ++trial) {
        Joint joint;
        const BodyStates bodies = random_pair(random, joint);
        BodyStates before = bodies, after = bodies;
        move(before, -h);
        move(after, h);
        JointBlock now[kMaxJointBlocks], earlier[kMaxJointBlocks], later[kMaxJointBlocks];
        const int count = joint_blocks(joint, bodies.pose, kTime, kDt, now);
        joint_blocks(joint, before.pose, kTime, kDt, earlier);
        joint_blocks(joint, after.pose, kTime, kDt, later);
        for (int k = 0; k < count; ++k) {
            if (!now[k].holds_position) continue;  // motors, drives and springs have no C
            for (int r = 0; r < now[k].rows; ++r) {
                const double difference = (later[k].row[r].error - earlier[k].row[r].error) / (2 * h);
                EXPECT_NEAR(rate(now[k].row[r], bodies), difference, 1e-7) << "block " << k << ", row " << r;
            }
        }
    }
}

TEST_P(Joints, AreSatisfiedWhereTheyWereMade) {
    Random random(13);
    Joint joint;
    const BodyStates bodies = random_pair(random, joint);
    JointBlock blocks[kMaxJointBlocks];
    joint_blocks(joint, bodies.pose, kTime, kDt, blocks);
    if (std::holds_alternative<Distance>(joint.kind) || std::holds_alternative<PointSpring>(joint.kind)) return;
    for (int r = 0; r < blocks[0].rows; ++r) EXPECT_NEAR(blocks[0].row[r].error, 0, 1e-14) << r;
    if (std::holds_alternative<Hinge>(joint.kind)) { EXPECT_NEAR(coordinate(joint, bodies), 0.4, 1e-14); }
    if (std::holds_alternative<Slider>(joint.kind)) { EXPECT_NEAR(coordinate(joint, bodies), 0.3, 1e-14); }
}

INSTANTIATE_TEST_SUITE_P(AllKinds, Joints, testing::ValuesIn(kCases), [](const auto& p) { return p.param.name; });

TEST(HingeAngle, StaysWithinHalfATurn) {
    BodyStates bodies;
    BodyDesc desc{.name = "body", .colliders = {{geometry::Sphere{0.1}, {}, {}}}};
    bodies.set(0, desc, mass_properties(desc, {1000}));
    const Joint joint = joint_at("hinge", {}, BodyId{0}, {}, Hinge{}, bodies);
    for (double angle = -10; angle < 10; angle += 0.1) {
        bodies.pose[0].orientation = rotation({0, 0, angle});
        EXPECT_NEAR(std::remainder(coordinate(joint, bodies) - angle, 2 * 3.141592653589793), 0, 1e-13) << angle;
        EXPECT_LE(std::fabs(coordinate(joint, bodies)), 3.1415926535897936);
    }
}

}  // namespace
}  // namespace asperity::rigid
