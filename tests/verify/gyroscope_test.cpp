// Free rotation conserves angular momentum; its energy error has the integrator's order; a heavy top precesses.
#include "asperity/core/random.h"
#include "worlds.h"

namespace asperity::verify {
namespace {

const geometry::Box kBrick{{0.05, 0.1, 0.15}};  // three different moments of inertia: largest about x, smallest about z

struct Drift {
    double momentum, energy;
};
/// The largest relative changes over two seconds of free rotation.
Drift tumble(const Vec3& spin, double dt, const geometry::Box& shape = kBrick) {
    sim::World world = world_with({}, 0, {});
    Body body(world, add(world, "body", shape, {{}, rotation({0.3, -0.2, 0.5})}));
    body.spin() = spin;
    const Vec3 momentum = world.angular_momentum();
    const double start = world.kinetic_energy();
    Drift worst{0, 0};
    run(world, dt, static_cast<int>(std::lround(2 / dt)), [&] {
        worst.momentum = std::fmax(worst.momentum, length(world.angular_momentum() - momentum) / length(momentum));
        worst.energy = std::fmax(worst.energy, std::fabs(world.kinetic_energy() / start - 1));
    });
    return worst;
}

TEST(Gyroscope, AngularMomentumOfATumblingBodyIsKeptToRounding) {
    const Drift drift = tumble({3, 5, 4}, 0.01);
    measured("momentum", drift.momentum);
    EXPECT_LT(drift.momentum, 1e-12);  // 200 steps of about 1e-15
}

TEST(Gyroscope, EnergyErrorOfATumblingBodyFallsWithTheSquareOfTheStep) {
    double last = 0;
    for (const double dt : {0.02, 0.01, 0.005, 0.0025}) {
        const double error = tumble({3, 5, 4}, dt).energy;
        measured(fmt::format("energy_{}ms", 1000 * dt), error);
        if (last > 0) { EXPECT_NEAR(order(last, error), 2, 0.2) << "dt " << dt; }
        last = error;
    }
    EXPECT_LT(last, 1e-3);
}

// Moments of inertia of 1 : 1250. The implicit gyroscopic step must not be solved by plain iteration, which diverges for
// such a body.
TEST(Gyroscope, ANeedleSpinsOnWithoutGainingEnergy) {
    for (const double spin : {1.0, 10.0, 60.0}) {
        const Drift drift = tumble({0, 1e-4 * spin, spin}, 0.01, geometry::Box{{0.5, 0.01, 0.01}});
        measured(fmt::format("needle_{}", spin), drift.energy);
        measured(fmt::format("needle_momentum_{}", spin), drift.momentum);
        // Twice the drift measured at 60 rad/s, 0.6 rad per step.
        const double second_order = 0.2 * (0.01 * spin) * (0.01 * spin);
        EXPECT_LT(drift.energy, second_order) << spin << " rad/s";
        EXPECT_LT(drift.momentum, second_order) << spin << " rad/s";
    }
}

// Bodies that rotate by radians within a step, as after an impact on an edge. If the iteration finds no solution of the
// step, it must not return a wrong one, which would add energy. The remaining error is the second-order one of slow
// rotation, at most (w dt)^2 of the energy. Beyond 0.6 rad per step energy is conserved by construction even if momentum is
// not.
TEST(Gyroscope, ABodyThatTurnsFarWithinAStepGainsNoEnergy) {
    Random random(1);
    for (const double turn : {0.3, 0.6, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 50.0}) {
        double worst = 0;
        for (int k = 0; k < 100; ++k) {
            const geometry::Box shape{{random.uniform(0.01, 0.21), random.uniform(0.01, 0.21), random.uniform(0.01, 0.21)}};
            sim::World world = world_with({}, 0, {});
            Body body(world, add(world, "body", shape, {{}, rotation({0.3, -0.2, 0.5})}));
            body.spin() = (turn / 0.01) * normalized(Vec3{random.normal(), random.normal(), random.normal()});
            const double start = world.kinetic_energy();
            run(world, 0.01, 100, [&] { worst = std::fmax(worst, world.kinetic_energy() / start - 1); });
        }
        measured(fmt::format("gain_{}", turn), worst);
        EXPECT_LT(worst, std::fmin(turn * turn, 0.36)) << turn << " rad a step";
    }
}

/// Cosine of the largest tilt of the body axis `axis` from its initial direction within 10 s.
double least_cosine(int axis) {
    sim::World world = world_with({}, 0, {});
    Body body(world, add(world, "body", kBrick, {}));
    body.spin() = {1e-3, 1e-3, 1e-3};
    body.spin()[axis] = 6;
    Vec3 e;
    e[axis] = 1;
    double least = 1;
    run(world, 0.005, 2000, [&] { least = std::fmin(least, dot(e, rotate(body.orientation(), e))); });
    return least;
}

TEST(Gyroscope, SpinAboutTheMiddleAxisTipsOverAndAboutTheOthersDoesNot) {
    EXPECT_GT(least_cosine(0), 0.999);
    EXPECT_LT(least_cosine(1), -0.9);  // the tennis racket effect
    EXPECT_GT(least_cosine(2), 0.999);
}

// A symmetric top on a fixed point at distance l, tilted by q, with spin w3 about its axis. With I1 about the fixed point,
// steady precession W satisfies I1 cos q W^2 - I3 w3 W + m g l = 0. Its slow root is m g l/(I3 w3), up to a relative error
// of I1 cos q m g l/(I3 w3)^2.
TEST(Gyroscope, HeavyTopPrecessesAtTheSteadyRate) {
    const double l = 0.1, tilt = radians(30), spin = 200;
    double last = 0;
    for (const double dt : {0.001, 0.0005, 0.00025}) {
        sim::World world = world_with();
        const Quat lean = rotation({0, tilt, 0});
        const Vec3 axis = rotate(lean, {0, 0, 1});
        Body top(world, add(world, "top", geometry::Cylinder{0.08, 0.01}, {l * axis, lean}));
        const double I3 = top.inertia().r[2].z, I1 = top.inertia().r[0].x + top.mass() * l * l,
                     mgl = top.mass() * kGravity * l;
        const double b = I3 * spin, a = I1 * std::cos(tilt);
        const double steady = 2 * mgl / (b + std::sqrt(b * b - 4 * a * mgl)), fast_top = mgl / b;
        EXPECT_NEAR(steady / fast_top, 1, 2 * a * mgl / (b * b));
        // w = W z + (w3 - W cos q) axis
        top.spin() = steady * Vec3{0, 0, 1} + (spin - steady * std::cos(tilt)) * axis;
        top.velocity() = cross(top.spin(), l * axis);
        world.add_joint(
            rigid::joint_at("pivot", {}, BodyId{static_cast<int>(top.i)}, {}, rigid::Ball{}, world.state.bodies));

        double lowest = 1, highest = 0, turned = 0, before = 0;
        run(world, dt, static_cast<int>(std::lround(1 / dt)), [&] {
            const Vec3 now = rotate(top.orientation(), {0, 0, 1});
            const double azimuth = std::atan2(now.y, now.x);
            turned += std::remainder(azimuth - before, 2 * pi);
            before = azimuth;
            lowest = std::fmin(lowest, now.z);
            highest = std::fmax(highest, now.z);
        });
        const double error = std::fabs(turned / world.state.time / steady - 1);
        measured(fmt::format("rate_{}ms", 1000 * dt), error);
        measured(fmt::format("tilt_low_{}ms", 1000 * dt), std::acos(lowest) - tilt);
        measured(fmt::format("tilt_high_{}ms", 1000 * dt), std::acos(highest) - tilt);
        // Second order: the inertia at the end of the step, which the impulses act on, is predicted with the last step's
        // impulse. The spin rotates the top by 0.2 rad in the largest step, so the expected error is (0.2)^2/8; 1e4 dt^2 is
        // twice that.
        const double sunk = std::fabs(std::acos(lowest) - tilt);
        EXPECT_LT(error, 1e4 * dt * dt) << "dt " << dt;
        EXPECT_LT(sunk, 1e2 * dt * dt) << "dt " << dt;  // measured 30 dt^2
        EXPECT_LT(std::fabs(std::acos(highest) - tilt), 1e2 * dt * dt) << "dt " << dt;
        if (last > 0) { EXPECT_GT(order(last, error), 1.8) << "dt " << dt; }
        last = error;
    }
}

}  // namespace
}  // namespace asperity::verify
