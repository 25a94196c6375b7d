// Pendulums on hinges, ball joints and rods. The period of a finite swing of amplitude q is
//     T = 2 pi sqrt((I + m l^2)/(m g l)) (1 + q^2/16 + 11 q^4/3072 + 173 q^6/737280 + ...)
// I is the inertia about the bob's centre; it drops out for a rod on a ball-shaped bob that is free to rotate.
#include "worlds.h"

namespace asperity::verify {
namespace {

constexpr double kLength = 0.5, kRadius = 0.05;
const double kAmplitude = radians(20);

double period(double inertia_over_mass) {
    const double q2 = kAmplitude * kAmplitude;
    return 2 * pi * std::sqrt((inertia_over_mass + kLength * kLength) / (kGravity * kLength)) *
           (1 + q2 / 16 + 11 * q2 * q2 / 3072 + 173 * q2 * q2 * q2 / 737280);
}

struct Swing {
    double period, amplitude_change, energy_gain;
};
/// Swings for five periods about the y axis through the origin.
Swing swing(const rigid::JointKind& kind, double dt) {
    sim::World world = world_with();
    const Vec3 start = kLength * Vec3{std::sin(kAmplitude), 0, -std::cos(kAmplitude)};
    const bool turns = !std::holds_alternative<rigid::Distance>(kind);
    Body bob(world, add(world, "bob", geometry::Sphere{kRadius}, {start, {}}));
    const Pose frame{{}, rotation({-pi / 2, 0, 0})};  // z of the joint along y
    rigid::Joint joint = rigid::joint_at("pivot", {}, BodyId{static_cast<int>(bob.i)}, frame, kind, world.state.bodies);
    if (!turns) joint.frame_b = {};  // the rod ends in the centre of the bob
    world.add_joint(joint);

    const double energy_at_start = energy(world);
    Swing result{0, 0, 0};
    double before = start.x, before_time = 0, first = 0, last = 0, largest_late = 0;
    int crossings = 0;
    const double expected = period(turns ? 0.4 * kRadius * kRadius : 0);
    run(world, dt, static_cast<int>(std::ceil(5.3 * expected / dt)), [&] {
        const double x = bob.position().x;
        if (before > 0 && x <= 0) {  // downward crossing of the middle, once a period; interpolated linearly between steps
            last = before_time + (world.state.time - before_time) * before / (before - x);
            if (crossings++ == 0) first = last;
        }
        before = x;
        before_time = world.state.time;
        if (world.state.time > 4.5 * expected) largest_late = std::fmax(largest_late, std::fabs(x));
        result.energy_gain = std::fmax(result.energy_gain, energy(world) - energy_at_start);
    });
    result.period = crossings > 1 ? (last - first) / (crossings - 1) : 0;
    result.amplitude_change = largest_late / start.x - 1;
    return result;
}

// Period, amplitude and energy are accurate to second order: tolerances are four times the measured constants, times dt^2.
// The amplitude is sampled at the steps, which adds the error of a sampled peak, q'' dt^2/8.
void expect_period(const rigid::JointKind& kind, double exact) {
    double last = 0;
    for (const double dt : {0.01, 0.005, 0.0025}) {
        const Swing got = swing(kind, dt);
        const double error = std::fabs(got.period / exact - 1);
        measured(fmt::format("period_{}ms", 1000 * dt), error);
        measured(fmt::format("amplitude_{}ms", 1000 * dt), got.amplitude_change);
        measured(fmt::format("energy_gain_{}ms", 1000 * dt), got.energy_gain);
        EXPECT_LT(error, 2 * dt * dt) << "dt " << dt;
        EXPECT_NEAR(got.amplitude_change, 0, 6 * dt * dt + 2e-5) << "dt " << dt;
        EXPECT_LT(got.energy_gain, 5 * dt * dt) << "dt " << dt;  // [J], of 0.3 J
        if (last > 0) { EXPECT_NEAR(order(last, error), 2, 0.1) << "dt " << dt; }
        last = error;
    }
}

TEST(Pendulum, HingedBobSwingsWithThePeriodOfACompoundPendulum) {
    expect_period(rigid::Hinge{}, period(0.4 * kRadius * kRadius));
}
TEST(Pendulum, BallJointGivesTheSamePeriodAsAHinge) { expect_period(rigid::Ball{}, period(0.4 * kRadius * kRadius)); }
TEST(Pendulum, RodGivesThePeriodOfAPoint) {
    expect_period(rigid::Distance{[](double) { return kLength; }}, period(0));
}

}  // namespace
}  // namespace asperity::verify
