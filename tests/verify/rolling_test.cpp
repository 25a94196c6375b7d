// Rolling: a ball that slides until it rolls, balls and cylinders on slopes, and a long roll on flat ground. Solid bodies: I
// = 2/5 m r^2 for a ball, 1/2 m r^2 for a cylinder. Tolerances follow from 200 steps solved to 1e-10 m/s; measured errors
// are rounding.
#include "worlds.h"

namespace asperity::verify {
namespace {

constexpr double kRadius = 0.1;
const Quat kLying = rotation({pi / 2, 0, 0});  // rotates a cylinder's axis, z, to y

// Friction mu g slows the ball, and spins it up at 5 mu g/(2 r), until v = w r: at t = 2 v0/(7 mu g) with 5/7 of the speed.
TEST(Rolling, SlidingBallEndsWithFiveSeventhsOfItsSpeed) {
    const double mu = 0.3, v0 = 3, dt = 0.002;
    sim::World world = world_with(coulomb(mu));
    add_ground(world);
    Body ball(world, add(world, "ball", geometry::Sphere{kRadius}, {{0, 0, kRadius}, {}}));
    ball.velocity() = {v0, 0, 0};
    const double expected_time = 2 * v0 / (7 * mu * kGravity);
    double rolls_since = 0;
    run(world, dt, 500, [&] {
        const double slip = std::fabs(ball.velocity().x - kRadius * ball.spin().y);
        if (slip > 1e-8)
            rolls_since = world.state.time + dt;  // still slips: rolls at the end of the next step at the earliest
    });
    measured("speed", ball.velocity().x / (5.0 / 7 * v0) - 1);
    measured("transition", rolls_since - expected_time);
    EXPECT_NEAR(ball.velocity().x, 5.0 / 7 * v0,
                1e-12);  // angular momentum about the contact point is conserved: exact to rounding
    EXPECT_NEAR(kRadius * ball.spin().y, 5.0 / 7 * v0, 1e-12);
    EXPECT_GE(rolls_since, expected_time - 1e-9);  // the step that contains the transition ends at most dt after it
    EXPECT_LE(rolls_since, expected_time + dt);
}

struct Rolled {
    double acceleration, angular_acceleration, slip;
};
Rolled roll_down(const geometry::Shape& shape, const Quat& orientation, double angle, double mu) {
    sim::World world = world_with(coulomb(mu), 0, tilted_gravity(angle));
    add_ground(world);
    Body body(world, add(world, "body", shape, {{0, 0, kRadius}, orientation}));
    run(world, 0.005, 200);
    return {body.velocity().x / world.state.time, body.spin().y / world.state.time,
            body.velocity().x - kRadius * body.spin().y};
}

TEST(Rolling, BallRollsDownASlopeWithFiveSeventhsOfTheAcceleration) {
    for (const double angle_deg : {5.0, 20.0, 40.0}) {  // rolls while tan a <= 7 mu/2
        const Rolled got = roll_down(geometry::Sphere{kRadius}, {}, radians(angle_deg), 0.5);
        const double expected = 5.0 / 7 * kGravity * std::sin(radians(angle_deg));
        measured(fmt::format("acceleration_{}", angle_deg), got.acceleration / expected - 1);
        EXPECT_NEAR(got.acceleration / expected, 1, 3e-8) << angle_deg;
        EXPECT_NEAR(got.slip, 0, 1e-8) << angle_deg;
    }
}

TEST(Rolling, CylinderRollsDownASlopeWithTwoThirdsOfTheAcceleration) {
    for (const double angle_deg : {5.0, 20.0, 35.0}) {  // 3 mu = 0.75: up to 36.9 degrees
        const Rolled got = roll_down(geometry::Cylinder{kRadius, 0.15}, kLying, radians(angle_deg), 0.25);
        const double expected = 2.0 / 3 * kGravity * std::sin(radians(angle_deg));
        measured(fmt::format("acceleration_{}", angle_deg), got.acceleration / expected - 1);
        EXPECT_NEAR(got.acceleration / expected, 1, 3e-8) << angle_deg;
        EXPECT_NEAR(got.slip, 0, 1e-8) << angle_deg;
    }
}

// Beyond tan a = 3 mu the cylinder slides with g (sin a - mu cos a) and spins up at 2 mu g cos a/r.
TEST(Rolling, CylinderSlipsWhereTheSlopeIsTooSteepToRoll) {
    const double mu = 0.1;
    for (const double angle_deg : {17.0, 30.0, 60.0}) {  // atan 0.3 = 16.7
        const double angle = radians(angle_deg);
        const Rolled got = roll_down(geometry::Cylinder{kRadius, 0.15}, kLying, angle, mu);
        const double linear = kGravity * (std::sin(angle) - mu * std::cos(angle)),
                     turning = 2 * mu * kGravity * std::cos(angle) / kRadius;
        measured(fmt::format("acceleration_{}", angle_deg), got.acceleration / linear - 1);
        EXPECT_NEAR(got.acceleration / linear, 1, 3e-8) << angle_deg;
        EXPECT_NEAR(got.angular_acceleration / turning, 1, 3e-8) << angle_deg;
        EXPECT_GT(got.slip, 0.01) << angle_deg;
    }
}

TEST(Rolling, LongRollOnTheFlatLosesNoSpeed) {
    for (const bool cylinder : {false, true}) {
        sim::World world = world_with(coulomb(0.5));
        add_ground(world);
        const geometry::Shape shape =
            cylinder ? geometry::Shape(geometry::Cylinder{kRadius, 0.15}) : geometry::Sphere{kRadius};
        Body body(world, add(world, "body", shape, {{0, 0, kRadius}, cylinder ? kLying : Quat{}}));
        body.velocity() = {2, 0, 0};
        body.spin() = {0, 2 / kRadius, 0};
        run(world, 0.01, 2000);  // 20 s, 64 revolutions
        measured(cylinder ? "cylinder" : "ball", body.velocity().x / 2 - 1);
        EXPECT_NEAR(body.velocity().x / 2, 1, 1e-7) << (cylinder ? "cylinder" : "ball");  // 2000 steps at 1e-10 m/s
        EXPECT_NEAR(body.position().y, 0, 1e-7);
        EXPECT_NEAR(body.position().x, 40, 1e-5);
    }
}

// On discs of radius a, a load F resists rolling with a torque of up to a F. A lying line of two discs resists as much as
// the single disc of a ball. Rolling without slip decelerates by (a/r) g/(1 + I/(m r^2)) until it stops, and stays at rest;
// on a slope up to tan(angle) = a/r. The same for points and patches.
TEST(Rolling, RoundBodiesStopOnTheirDiscs) {
    const double a = 0.004, v0 = 0.6, r = kRadius;
    const std::pair<geometry::Shape, Quat> shapes[] = {
        {geometry::Sphere{r}, {}}, {geometry::Capsule{r, 0.15}, kLying}, {geometry::Cylinder{r, 0.15}, kLying}};
    for (const surface::ContactModel model : {surface::ContactModel::Points, surface::ContactModel::Patches})
        for (const auto& [shape, orientation] : shapes) {
            sim::World world = world_with(coulomb(0.5));
            world.model.settings.contact_model = model;
            world.model.pairs.set_default({.friction = coulomb(0.5), .patch_radius = a});
            add_ground(world);
            Body body(world, add(world, "body", shape, {{0, 0, r}, orientation}));
            body.velocity() = {v0, 0, 0};
            body.spin() = {0, v0 / r, 0};
            // About the axis of rolling.
            const double inertia = orientation == Quat{} ? body.inertia().r[1].y : body.inertia().r[2].z;
            const double slows = a / r * kGravity / (1 + inertia / (body.mass() * r * r));
            run(world, 0.01, 100);
            measured(std::string(geometry::name(shape)), body.velocity().x - (v0 - slows));
            EXPECT_NEAR(body.velocity().x, v0 - slows, 1e-8) << geometry::name(shape);  // 100 steps to 1e-10 m/s
            run(world, 0.01, 300);
            EXPECT_LT(length(body.velocity()) + r * length(body.spin()), 1e-9) << geometry::name(shape);
            for (const double share : {0.95, 1.05}) {
                world.model.settings.gravity = tilted_gravity(std::atan(share * a / r));
                body.velocity() = body.spin() = {};
                run(world, 0.01, 100);
                if (share < 1)
                    EXPECT_LT(length(body.velocity()), 1e-9) << geometry::name(shape);
                else
                    EXPECT_NEAR(body.velocity().x,
                                (world.model.settings.gravity.x + a / r * world.model.settings.gravity.z) /
                                    (1 + inertia / (body.mass() * r * r)),
                                1e-8)
                        << geometry::name(shape);
            }
        }
}

/// A plate of 1 kg hangs between two cone tips that press on it from both sides with the force F, at l above its middle. It
/// swings about the line through them from the angle 0.4. Returns the angle at which it first reverses, and its final
/// kinetic energy.
struct Swing {
    double turns_at, energy_left;
};
Swing pinched_plate(double patch_radius, double mu, double force, double l) {
    sim::World world = world_with(coulomb(mu));
    world.model.pairs.set_default({.friction = coulomb(mu), .patch_radius = patch_radius});
    const auto corner = [](double side) {  // tip at the origin, its body on the given side
        return geometry::convex_hull(
            std::vector<Vec3>{{0, 0, 0}, {side * 0.2, 0.1, 0.1}, {side * 0.2, -0.1, 0.1}, {side * 0.2, 0, -0.1}});
    };
    const double half = 0.01, start = 0.4;
    world.add_body(
        {.name = "left", .motion = rigid::Motion::Fixed, .colliders = {{corner(-1), {}, {}}}, .pose = {{-half, 0, 0}, {}}});
    const Quat turned = rotation({start, 0, 0});
    Body plate(world, add(world, "plate", geometry::Box{{half, 0.05, 0.1}}, {rotate(turned, Vec3{0, 0, -l}), turned}));
    const auto right =
        world.add_body({.name = "right", .colliders = {{corner(1), {}, {}}}, .pose = {{half, 0, 0}, {}}, .mass = 1});
    const auto press = [](double) { return -1.0; };
    world.add_joint(rigid::joint_at("press", {}, right, {{half, 0, 0}, rotation({0, pi / 2, 0})},
                                    rigid::Slider{.motor = rigid::Motor{press, force}}, world.state.bodies));
    double last = start, turns_at = 0;
    run(world, 0.002, 5000, [&] {
        const Vec3 down = rotate(plate.orientation(), Vec3{0, 0, -1});
        const double angle = std::atan2(down.y, -down.z);
        if (turns_at == 0 && angle < 0 && angle > last) turns_at = last;
        last = angle;
    });
    return {turns_at, rigid::kinetic_energy(world.model.bodies, world.state.bodies, static_cast<int>(plate.i))};
}

// Each of the two points resists with the torque 2/3 mu a F. Over a swing from one side to the other it dissipates the
// potential energy lost: m g l (cos a1 - cos a0) = 2 (2/3 mu a F) (a0 + a1). Without discs the swing is that of a
// frictionless hinge.
TEST(Rolling, BodiesPinchedAtTwoCornersStopSwinging) {
    const double mu = 0.5, force = 200, l = 0.06, a = 0.0003;
    const Swing free = pinched_plate(0, mu, force, l), held = pinched_plate(a, mu, force, l);
    measured("free", free.turns_at + 0.4);
    EXPECT_NEAR(free.turns_at, -0.4, 1e-3);
    EXPECT_GT(free.energy_left, 0);
    const double torque = 2 * (2.0 / 3) * mu * a * force;
    double low = 0, high = 0.4;  // bounds of the angle on the other side
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (kGravity * l * (std::cos(middle) - std::cos(0.4)) > torque * (0.4 + middle) ? low : high) = middle;
    }
    measured("held", held.turns_at + low);
    EXPECT_GT(low, 0.1);
    EXPECT_NEAR(held.turns_at, -low, 1e-3);  // the weight reduces the resistance by (m g/(2 mu F))^2/2 = 1e-3
    EXPECT_LT(held.energy_left, 1e-12);
}

}  // namespace
}  // namespace asperity::verify
