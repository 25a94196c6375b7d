// The residual by which bench/peers judges every engine, for steps with a known answer: a cube on the ground, with one
// contact point below its centre. With h half its height, r = 1/(1/m + h^2/I).
#include "friction_law.h"

#include <gtest/gtest.h>

#include "peer_scene.h"

namespace asperity::peers {
namespace {

constexpr double kHalf = 0.1, kMu = 0.5;

class CubeOnGround : public ::testing::Test {
  protected:
    CubeOnGround() {
        scene.mu = kMu;
        scene.bodies = {fixed(geometry::HalfSpace{}, {}), box({kHalf, kHalf, kHalf}, 1000, {{0, 0, kHalf}, {}})};
        weight = scene.bodies[1].mass * scene.gravity * scene.dt;
        r = 1 / (1 / scene.bodies[1].mass + kHalf * kHalf / scene.bodies[1].inertia.x);
        step.poses = {scene.bodies[0].pose, scene.bodies[1].pose};
        step.before = step.after = {Twist{}, Twist{}};
        step.points = {{.a = 0, .b = 1, .normal = {0, 0, 1}, .impulse = {0, 0, weight}}};
    }
    /// Sums for a given velocity and friction impulse of the cube along x.
    LawSums with(double slip, double friction) {
        step.after[1].velocity = {slip, 0, 0};
        step.points[0].impulse = {friction, 0, weight};
        return judge(scene, step);
    }
    Scene scene;
    WatchedStep step;
    double weight = 0, r = 0;
};

constexpr double kRounding = 1e-12;  // for numbers near 1

TEST_F(CubeOnGround, SlidingAgainstFullFrictionIsTheLaw) {
    const LawSums sums = with(2, -kMu * weight);
    EXPECT_EQ(sums.loaded, 1);
    EXPECT_EQ(sums.sliding, 1);
    EXPECT_NEAR(std::sqrt(sums.friction), 0, kRounding);
    EXPECT_NEAR(sums.angle, 0, kRounding);
}

TEST_F(CubeOnGround, StickingInsideTheConeIsTheLaw) { EXPECT_NEAR(with(0, 0.3 * kMu * weight).friction, 0, kRounding); }

TEST_F(CubeOnGround, SlippingInsideTheConeIsOffByTheSlip) {
    EXPECT_NEAR(std::sqrt(with(1e-4, 0).friction), 1e-4, kRounding);
    EXPECT_EQ(with(1e-4, 0).sliding, 0);
}

TEST_F(CubeOnGround, FrictionBeyondTheConeIsOffByTheExcess) {
    EXPECT_NEAR(std::sqrt(with(0, 1.5 * kMu * weight).friction), 0.5 * kMu * weight / r, kRounding);
}

TEST_F(CubeOnGround, FrictionAlongTheSlipIsOffByTheWholeDiameter) {
    const LawSums sums = with(2, kMu * weight);
    EXPECT_NEAR(std::sqrt(sums.friction), 2 * kMu * weight / r, kRounding);
    EXPECT_NEAR(std::sqrt(sums.angle / sums.sliding_load), radians(180), kRounding);
}

TEST_F(CubeOnGround, OnlyWhatClosesMoreThanItsGapApproaches) {
    step.after[1].velocity = {0, 0, -0.2};
    step.points[0].gap = 0.0015;  // 0.15 m/s during 10 ms
    EXPECT_NEAR(std::sqrt(judge(scene, step).approach), 0.05, kRounding);
    step.after[1].velocity = {0, 0, 0.2};
    EXPECT_EQ(judge(scene, step).approach, 0);
}

TEST_F(CubeOnGround, SpinMovesThePoint) {
    step.after[1].spin = {0, 0.01, 0};  // w x (0, 0, -h) = (-w h, 0, 0)
    EXPECT_NEAR(std::sqrt(judge(scene, step).friction), 0.01 * kHalf, kRounding);
}

TEST_F(CubeOnGround, ReportedImpulsesMustExplainTheVelocities) {
    EXPECT_NEAR(judge(scene, step).unexplained, 0, kRounding);  // at rest under its weight
    step.points[0].impulse = -step.points[0].impulse;
    EXPECT_NEAR(judge(scene, step).unexplained, 4, kRounding);  // (2 m g dt)^2 over (m g dt)^2: a wrong sign is detected
}

}  // namespace
}  // namespace asperity::peers
