// Joints under load, each against its closed form: stops, motors, drives, sliders, welds, ropes, springs, chains.
#include "worlds.h"

namespace asperity::verify {
namespace {

using rigid::joint_at;

BodyId id(const Body& body) { return BodyId{static_cast<int>(body.i)}; }
rigid::TimeFunction constant(double value) {
    return [value](double) { return value; };
}
const Quat kAxisY = rotation({-pi / 2, 0, 0}), kAxisX = rotation({0, pi / 2, 0});  // rotate a joint's z to +y, +x

TEST(HingeLimit, FallingArmStopsAtItsAngle) {
    const double dt = 0.005, limit = radians(25);
    sim::World world = world_with();
    Body arm(world, add(world, "arm", geometry::Box{{0.2, 0.02, 0.02}}, {{0.2, 0, 0}, {}}));
    world.add_joint(joint_at("hinge", {}, id(arm), {{}, kAxisY}, rigid::Hinge{.limits = rigid::Limits{-limit, limit}},
                             world.state.bodies));
    double beyond = 0;
    run(world, dt, 400, [&] {
        beyond = std::fmax(beyond, std::fabs(rigid::coordinate(world.model.joints[0], world.state.bodies)) - limit);
    });
    const double angle =
        rigid::coordinate(world.model.joints[0], world.state.bodies);  // falling turns +x towards -z: positive about y
    measured("beyond", beyond);
    measured("angle", angle - limit);
    EXPECT_LT(beyond, 1e-8);
    EXPECT_NEAR(angle, limit, 1e-8);
    EXPECT_LT(length(arm.spin()), 1e-9);
    EXPECT_LT(length(arm.velocity()), 1e-9);
}

// A torque T accelerates an inertia I to w in I w/T; from then on the speed is held.
TEST(HingeMotor, ReachesItsSpeedInTheTimeItsTorqueAllows) {
    const double dt = 0.005, speed = 8, torque = 0.05;
    sim::World world = world_with({}, 0, {});
    Body wheel(world, add(world, "wheel", geometry::Cylinder{0.2, 0.02}, {}));
    world.add_joint(joint_at("axle", {}, id(wheel), {}, rigid::Hinge{.motor = rigid::Motor{constant(speed), torque}},
                             world.state.bodies));
    const double time = wheel.inertia().r[2].z * speed / torque;  // 3.2 s
    double reached = 0;
    run(world, dt, static_cast<int>(1.5 * time / dt), [&] {
        if (reached == 0 && wheel.spin().z > speed - 1e-9) reached = world.state.time;
        if (reached == 0) { EXPECT_NEAR(wheel.spin().z, torque * world.state.time / wheel.inertia().r[2].z, 1e-8); }
    });
    EXPECT_GE(reached, time - 1e-9);
    EXPECT_LE(reached, time + dt + 1e-9);
    EXPECT_NEAR(wheel.spin().z, speed, 1e-9);
}

TEST(HingeMotor, StallsUnderALoadBeyondItsTorque) {
    sim::World world = world_with();
    Body arm(world, add(world, "arm", geometry::Box{{0.2, 0.02, 0.02}}, {{0.2, 0, 0}, {}}));
    const double load = arm.mass() * kGravity * 0.2;
    world.add_joint(joint_at("hinge", {}, id(arm), {{}, kAxisY},
                             rigid::Hinge{.motor = rigid::Motor{constant(0), 0.9 * load}}, world.state.bodies));
    run(world, 0.005, 20);
    EXPECT_GT(arm.spin().y, 0.1);  // brakes, but falls
    world.model.joints[0].kind = rigid::Hinge{.motor = rigid::Motor{constant(0), 10 * load}};
    run(world, 0.005, 40);
    EXPECT_LT(length(arm.spin()), 1e-9);  // strong enough now
}

// A flywheel of inertia I and initial speed w0 under a brake of torque T loses T/I of its speed per second. It stops after
// w0 I/T, having turned by w0^2 I/(2 T).
TEST(HingeBrake, FlywheelStopsInTheTimeItsTorqueAllows) {
    const double dt = 0.005, w0 = 8, torque = 0.05;
    sim::World world = world_with({}, 0, {});
    Body wheel(world, add(world, "wheel", geometry::Cylinder{0.2, 0.02}, {}));
    wheel.spin() = {0, 0, w0};
    world.add_joint(joint_at("axle", {}, id(wheel), {}, rigid::Hinge{.brake = rigid::Brake{torque}}, world.state.bodies));
    const double inertia = wheel.inertia().r[2].z, time = w0 * inertia / torque;  // 3.2 s
    double stood = 0, turned = 0, last = w0;
    run(world, dt, static_cast<int>(1.2 * time / dt), [&] {
        turned += 0.5 * dt * (last + wheel.spin().z);
        last = wheel.spin().z;
        if (stood == 0 && last < 1e-9) stood = world.state.time;
        if (stood == 0) { EXPECT_NEAR(last, w0 - torque * world.state.time / inertia, 1e-8); }
    });
    EXPECT_GE(stood, time - 1e-9);
    EXPECT_LE(stood, time + dt + 1e-9);
    EXPECT_LT(std::fabs(wheel.spin().z), 1e-12);
    EXPECT_NEAR(turned, 0.5 * w0 * time, 1e-11);  // 10 x measured; the time is a whole number of steps
    measured("turned", turned - 0.5 * w0 * time);
}

TEST(HingeBrake, HoldsALoadBelowItsTorqueAndSlipsAboveIt) {
    for (const double share : {0.99, 1.01}) {
        sim::World world = world_with();
        Body arm(world, add(world, "arm", geometry::Box{{0.2, 0.02, 0.02}}, {{0.2, 0, 0}, {}}));
        const double load = arm.mass() * kGravity * 0.2;
        const double inertia = arm.inertia().r[1].y + arm.mass() * 0.2 * 0.2;
        world.add_joint(joint_at("hinge", {}, id(arm), {{}, kAxisY}, rigid::Hinge{.brake = rigid::Brake{load / share}},
                                 world.state.bodies));
        double fastest = 0;
        run(world, 0.005, share < 1 ? 2000 : 1, [&] { fastest = std::fmax(fastest, length(arm.spin())); });
        measured(fmt::format("spin_{}", share), fastest);
        if (share < 1) {
            // Within the solver's tolerance, 1e-10 m/s at an arm of 0.2 m, in each of 2000 steps.
            EXPECT_LT(fastest, 1e-9);
            // Accelerated by the excess over the brake's torque; one step, in which the arm's direction hardly changes.
        } else {
            EXPECT_NEAR(fastest, 0.005 * (load - load / share) / inertia, 1e-6);
        }
    }
}

// The brake's torque is a function of time: released until 1 s, then locked.
TEST(HingeBrake, FollowsItsFunctionOfTime) {
    sim::World world = world_with({}, 0, {});
    Body wheel(world, add(world, "wheel", geometry::Cylinder{0.2, 0.02}, {}));
    wheel.spin() = {0, 0, 8};
    world.add_joint(joint_at("axle", {}, id(wheel), {},
                             rigid::Hinge{.brake = rigid::Brake{[](double t) { return t < 1 ? 0.0 : 1e9; }}},
                             world.state.bodies));
    run(world, 0.01, 100);
    EXPECT_NEAR(wheel.spin().z, 8, 1e-12);
    run(world, 0.01, 1);
    EXPECT_LT(std::fabs(wheel.spin().z), 1e-9);
}

TEST(SliderBrake, BlockStopsAfterMVSquaredOverTwiceTheForce) {
    const double v = 2, force = 5, mass = 3;
    sim::World world = world_with({}, 0, {});
    Body block(world, add(world, "block", geometry::Box{{0.1, 0.1, 0.1}}, {}, mass));
    block.velocity() = {0, 0, v};
    world.add_joint(joint_at("rail", {}, id(block), {}, rigid::Slider{.brake = rigid::Brake{force}}, world.state.bodies));
    run(world, 0.01, 300);
    measured("distance", block.position().z - mass * v * v / (2 * force));
    EXPECT_NEAR(block.position().z, mass * v * v / (2 * force), 1e-12);  // rounding; it stops after a whole number of steps
    EXPECT_LT(length(block.velocity()), 1e-12);
}

// Steering: a fork on a vertical hinge follows a target angle that is a function of time, and holds a spinning wheel. On a
// ramp of rate w, a spring and damper lag by c w/k; at rest the lag vanishes.
TEST(Steering, ForkReachesItsAngleAndLagsTheRampByTheClosedForm) {
    const double k = 500, c = 40, rate = 0.5, dt = 0.005;
    sim::World world = world_with({}, 0, {});
    Body fork(world, add(world, "fork", geometry::Box{{0.05, 0.1, 0.05}}, {}, 2));
    Body wheel(world, add(world, "wheel", geometry::Cylinder{0.3, 0.05}, {{}, kAxisY}, 5));
    wheel.spin() = {0, 20, 0};
    const auto target = [&](double t) { return rate * std::fmin(t, 1.0); };
    world.add_joint(
        joint_at("steering", {}, id(fork), {}, rigid::Hinge{.drive = rigid::Drive{target, k, c}}, world.state.bodies));
    world.add_joint(joint_at("axle", id(fork), id(wheel), {{}, kAxisY}, rigid::Hinge{}, world.state.bodies));
    const auto angle = [&] { return rigid::coordinate(world.model.joints[0], world.state.bodies); };
    run(world, dt, 180);  // 0.9 s of the ramp: settled, since c/k = 0.08 s
    measured("lag", rate * world.state.time - angle() - c * rate / k);
    EXPECT_NEAR(rate * world.state.time - angle(), c * rate / k, 3e-4);  // 10 x measured
    run(world, dt, 420);
    measured("angle", angle() - rate);
    EXPECT_NEAR(angle(), rate, 1e-9);
    EXPECT_NEAR(rotate(wheel.orientation(), {0, 0, 1}).x, -std::sin(rate), 1e-8);  // the wheel's axle turned with the fork
}

TEST(Drive, SliderSettlesAtTheStaticOffset) {
    const double k = 400, c = 30, dt = 0.01, target = 0.3;
    sim::World world = world_with();
    Body load(world, add(world, "load", geometry::Box{{0.05, 0.05, 0.05}}, {}, 2));
    world.add_joint(joint_at("lift", {}, id(load), {}, rigid::Slider{.drive = rigid::Drive{constant(target), k, c}},
                             world.state.bodies));
    run(world, dt, 1000);
    EXPECT_NEAR(load.position().z, target - load.mass() * kGravity / k, 1e-9);
    EXPECT_LT(length(load.velocity()), 1e-9);
}

TEST(Drive, HingeSettlesWhereSpringAndGravityBalance) {
    const double k = 5, c = 0.5, l = 0.2;
    sim::World world = world_with();
    Body arm(world, add(world, "arm", geometry::Box{{l, 0.02, 0.02}}, {{l, 0, 0}, {}}));
    world.add_joint(joint_at("hinge", {}, id(arm), {{}, kAxisY}, rigid::Hinge{.drive = rigid::Drive{constant(0), k, c}},
                             world.state.bodies));
    run(world, 0.01, 2000);
    const double q = rigid::coordinate(world.model.joints[0], world.state.bodies);
    EXPECT_NEAR(k * q, arm.mass() * kGravity * l * std::cos(q), 1e-7);
}

TEST(Drive, AnyStiffnessIsStable) {
    for (const double k : {1e2, 1e5, 1e9}) {
        sim::World world = world_with();
        Body load(world, add(world, "load", geometry::Box{{0.05, 0.05, 0.05}}, {}, 2));
        world.add_joint(joint_at("lift", {}, id(load), {}, rigid::Slider{.drive = rigid::Drive{constant(0.1), k, 0}},
                                 world.state.bodies));
        double highest = 0;
        run(world, 0.01, 500, [&] { highest = std::fmax(highest, load.position().z); });
        EXPECT_LT(highest, 0.2) << k;  // an undamped spring started 0.1 below its target swings to 0.2 at most
    }
}

TEST(SliderJoint, InclinedSliderGainsTheDownslopePartOfGravity) {
    const double angle = radians(30);
    sim::World world = world_with();
    Body cart(world, add(world, "cart", geometry::Box{{0.1, 0.05, 0.05}}, {}));
    const Quat down = rotation({0, angle, 0}) * kAxisX;  // +x tilted down by the angle
    world.add_joint(
        joint_at("rail", {}, id(cart), {{}, down}, rigid::Slider{.limits = rigid::Limits{-1, 1}}, world.state.bodies));
    run(world, 0.005, 80);
    EXPECT_NEAR(length(cart.velocity()), kGravity * std::sin(angle) * world.state.time, 1e-8);
    EXPECT_NEAR(rigid::coordinate(world.model.joints[0], world.state.bodies),
                0.5 * kGravity * std::sin(angle) * world.state.time * world.state.time, 1e-8);
    run(world, 0.005, 200);  // reaches the stop after 0.64 s
    EXPECT_NEAR(rigid::coordinate(world.model.joints[0], world.state.bodies), 1, 1e-8);
    EXPECT_LT(length(cart.velocity()), 1e-9);
}

TEST(WeldJoint, CantileverOfFourHoldsUnderALoad) {
    sim::World world = world_with();
    world.model.settings.solve.max_sweeps = 20000;
    BodyId last;
    for (int i = 0; i < 4; ++i) {
        Body beam(world,
                  add(world, fmt::format("beam{}", i), geometry::Box{{0.1, 0.05, 0.05}}, {{0.1 + 0.2 * i, 0, 0}, {}}));
        world.add_joint(
            joint_at(fmt::format("weld{}", i), last, id(beam), {{0.2 * i, 0, 0}, {}}, rigid::Weld{}, world.state.bodies));
        last = id(beam);
    }
    Body load(world, add(world, "load", geometry::Sphere{0.1}, {{0.8, 0, 0}, {}}, 20));
    world.add_joint(joint_at("hook", last, id(load), {{0.8, 0, 0}, {}}, rigid::Weld{}, world.state.bodies));
    const std::vector<Pose> start = world.state.bodies.pose;
    run(world, 0.01, 200);
    double moved = 0;
    for (size_t i = 0; i < start.size(); ++i)
        moved = std::fmax(moved, length(world.state.bodies.pose[i].position - start[i].position));
    measured("moved", moved);
    EXPECT_LT(moved, 5e-10);  // 10 x measured
}

TEST(DistanceJoint, FollowsALengthThatChangesWithTime) {
    const auto wanted = [](double t) { return 0.8 + 0.2 * std::sin(3 * t); };
    sim::World world = world_with();
    Body bob(world, add(world, "bob", geometry::Sphere{0.05}, {{0.4, 0, -std::sqrt(0.64 - 0.16)}, {}}));
    rigid::Joint rod{"rod", {}, id(bob), {}, {}, rigid::Distance{wanted}};
    world.add_joint(rod);
    double worst = 0;
    run(world, 0.005, 800, [&] { worst = std::fmax(worst, std::fabs(length(bob.position()) - wanted(world.state.time))); });
    measured("error", worst);
    EXPECT_LT(worst, 2.5e-6);  // 10 x measured
}

TEST(Rope, OnlyPulls) {
    const double length_of_rope = 1, dt = 0.005;
    sim::World world = world_with();
    Body bob(world, add(world, "bob", geometry::Sphere{0.05}, {{0, 0, -0.4}, {}}));
    world.add_joint({"rope", {}, id(bob), {}, {}, rigid::Distance{constant(length_of_rope), true}});
    double longest = 0;
    const double taut_after = std::sqrt(2 * 0.6 / kGravity);
    run(world, dt, 200, [&] {
        if (world.state.time < taut_after - dt) {
            EXPECT_NEAR(bob.velocity().z, -kGravity * world.state.time, 1e-9);  // slack: free fall
            EXPECT_EQ(world.state.joint_impulses[0][0][0], 0);
        }
        EXPECT_LE(world.state.joint_impulses[0][0][0], 0);  // never pushes
        longest = std::fmax(longest, length(bob.position()));
    });
    EXPECT_LT(longest, length_of_rope + 1e-8);
    EXPECT_NEAR(bob.position().z, -length_of_rope, 1e-8);
    EXPECT_LT(length(bob.velocity()), 1e-9);
    EXPECT_NEAR(world.state.joint_impulses[0][0][0], -bob.mass() * kGravity * dt, 1e-8);
}

// One step maps (Q, V = v/w), with h = w dt and s = 1 + h^2, by
//     V1 = (V - h Q)/s,   Q1 = Q + h (V + V1)/2,
// so it rotates by acos(trace/(2 sqrt(det))) per step. The frequency must be exactly that, which is w to second order.
TEST(PointSpringJoint, SwingsAtItsFrequency) {
    const double k = 100, m = 1, w = std::sqrt(k / m);
    for (const double dt : {0.01, 0.002}) {
        sim::World world = world_with({}, 0, {});
        Body ball(world, add(world, "ball", geometry::Sphere{0.05}, {{0.1, 0, 0}, {}}, m));
        world.add_joint({"spring", {}, id(ball), {}, {}, rigid::PointSpring{k, 0}});
        std::vector<double> x;
        run(world, dt, 400, [&] { x.push_back(ball.position().x); });
        // A linear map of two unknowns satisfies x[n+2] = trace x[n+1] - det x[n]; both follow from any five values.
        const double det01 = x[1] * x[1] - x[0] * x[2];
        const double trace = (x[1] * x[2] - x[0] * x[3]) / det01, det = (x[2] * x[2] - x[1] * x[3]) / det01;
        const double h = w * dt, s = 1 + h * h;
        EXPECT_NEAR(trace, 1 - h * h / (2 * s) + 1 / s, 1e-6) << dt;
        EXPECT_NEAR(det, (1 - h * h / (2 * s)) / s + h * h / (2 * s) * (1 + 1 / s), 1e-6) << dt;
        const double frequency = std::acos(trace / (2 * std::sqrt(det))) / dt;
        measured(fmt::format("frequency_{}ms", 1000 * dt), frequency / w - 1);
        EXPECT_NEAR(frequency / w, 1, h * h) << dt;
    }
}

TEST(PointSpringJoint, PullsNoHarderThanItsMaximumForce) {
    sim::World world = world_with({}, 0, {});
    Body ball(world, add(world, "ball", geometry::Sphere{0.05}, {{10, 0, 0}, {}}, 2));
    world.add_joint({"spring", {}, id(ball), {}, {}, rigid::PointSpring{1e4, 0, 6}});
    run(world, 0.01, 50);
    EXPECT_NEAR(ball.velocity().x, -3 * world.state.time, 1e-9);  // 6 N on 2 kg
}

TEST(Chain, TenLinksUnderAThousandTimesTheirWeightDoNotStretch) {
    const int count = 10;
    sim::World world = world_with();
    BodyId last;
    const double pitch = 0.1;
    for (int i = 0; i < count; ++i) {
        Body link(world, add(world, fmt::format("link{}", i), geometry::Capsule{0.01, 0.04},
                             {{0, 0, -pitch * (i + 0.5)}, {}}, 0.1));
        world.add_joint(
            joint_at(fmt::format("pin{}", i), last, id(link), {{0, 0, -pitch * i}, {}}, rigid::Ball{}, world.state.bodies));
        last = id(link);
    }
    Body weight(world, add(world, "weight", geometry::Sphere{0.1}, {{0, 0, -pitch * count - 0.1}, {}}, 100));
    world.add_joint(joint_at("hook", last, id(weight), {{0, 0, -pitch * count}, {}}, rigid::Ball{}, world.state.bodies));
    const double start = weight.position().z;
    double stretch = 0;
    run(world, 0.01, 300, [&] { stretch = std::fmax(stretch, std::fabs(weight.position().z - start)); });
    measured("stretch", stretch);
    EXPECT_LT(stretch, 1e-9);  // 10 x measured; required: 1e-6
}

}  // namespace
}  // namespace asperity::verify
