// Modifiers of friction laws, and moving surfaces: static and kinetic, Stribeck, load scaling, conveyors, drilling.
#include "worlds.h"

namespace asperity::verify {
namespace {

using friction::Law;

/// A block on a plane tilted by `angle`.
struct Slide {
    sim::World world;
    Body block;
    Slide(const Law& law, double angle) : world(world_with(law, 0, tilted_gravity(angle))), block(world, 0) {
        add_ground(world);
        block.i = static_cast<size_t>(add(world, "block", geometry::Box{{0.1, 0.1, 0.05}}, {{0, 0, 0.05}, {}}));
    }
};

TEST(StaticKinetic, StartsAtTheStaticCoefficientAndSlidesWithTheKineticOne) {
    const double mu_k = 0.4, mu_s = 0.6, dt = 0.01;
    const Law law{.base = friction::Coulomb{mu_k}, .static_kinetic = friction::StaticKinetic{mu_s / mu_k, 1e-3}};
    Slide holds(law, std::atan(mu_s) - radians(0.01));
    run(holds.world, dt, 200);
    EXPECT_LT(length(holds.block.velocity()), 1e-9);

    const double angle = std::atan(mu_s) + radians(0.5);
    Slide slides(law, angle);
    run(slides.world, dt, 20);  // past the threshold speed
    const double early = slides.block.velocity().x;
    run(slides.world, dt, 50);
    const double gained = slides.block.velocity().x - early,
                 expected = 50 * dt * kGravity * (std::sin(angle) - mu_k * std::cos(angle));
    measured("acceleration", gained / expected - 1);
    EXPECT_NEAR(gained / expected, 1, 1e-7);
    // At an angle between the kinetic and the static limit, a resting block stays, but a pushed one keeps sliding.
    const double between = std::atan(0.5 * (mu_s + mu_k));
    Slide rests(law, between), pushed(law, between);
    pushed.block.velocity() = {0.01, 0, 0};
    run(rests.world, dt, 50);
    run(pushed.world, dt, 50);
    EXPECT_LT(length(rests.block.velocity()), 1e-9);
    EXPECT_GT(pushed.block.velocity().x, 0.1);
}

// Terminal speed, where drag and slope balance: mu (1 + (ratio - 1) exp(-(v/vs)^2) + c v) = tan a.
TEST(StribeckCurve, BlockReachesTheTerminalSpeedOfTheViscousBranch) {
    const double mu = 0.3, c = 0.5, angle = std::atan(0.45);
    const Law law{.base = friction::Coulomb{mu}, .stribeck = friction::Stribeck{1.2, 0.05, 2, c}};
    Slide slide(law, angle);
    slide.block.velocity() = {0.3, 0, 0};  // beyond the dip; there the exponential is below 1e-15
    run(slide.world, 0.01, 3000);          // relaxes with g mu c cos a = 1.3/s
    EXPECT_NEAR(slide.block.velocity().x, (std::tan(angle) / mu - 1) / c, 1e-8);
}

TEST(StribeckCurve, HoldsUpToTheStaticPeak) {
    const double mu = 0.3, ratio = 1.5;
    const Law law{.base = friction::Coulomb{mu}, .stribeck = friction::Stribeck{ratio, 0.05}};
    Slide below(law, std::atan(ratio * mu) - radians(0.01)), above(law, std::atan(ratio * mu) + radians(0.1));
    run(below.world, 0.01, 100);
    run(above.world, 0.01, 200);
    EXPECT_LT(length(below.block.velocity()), 1e-9);
    EXPECT_GT(above.block.velocity().x, 0.1);  // and then friction decreases
}

// A sliding ball touches in one point that carries its weight: mu_eff = mu (m g/reference)^(exponent - 1).
TEST(LoadScaling, HeavyBallSlidesWithTheSmallerCoefficientTheLawPredicts) {
    const double mu = 0.4, reference = 10, exponent = 2.0 / 3;
    for (const double mass : {0.5, 8.0}) {
        sim::World world =
            world_with(Law{.base = friction::Coulomb{mu}, .load = friction::LoadScaling{reference, exponent}});
        add_ground(world);
        Body ball(world, add(world, "ball", geometry::Sphere{0.1}, {{0, 0, 0.1}, {}}, mass));
        ball.velocity() = {5, 0, 0};
        run(world, 0.005, 5);  // the first step has no load from a previous one
        const double early = ball.velocity().x;
        run(world, 0.005, 20);
        const double scaled_mu = mu * std::pow(mass * kGravity / reference, exponent - 1);
        EXPECT_NEAR((early - ball.velocity().x) / (20 * 0.005), scaled_mu * kGravity, 1e-6) << mass << " kg";
    }
}

TEST(Conveyor, ParcelSlipsUntilItMovesWithTheBelt) {
    const double belt = 1, mu = 0.4, dt = 0.01;
    sim::World world = world_with(coulomb(mu));
    world.model.materials[0].surface_velocity = {};
    world.add_material({.name = "belt", .surface_velocity = {belt, 0, 0}});
    world.add_body({.name = "belt",
                    .motion = rigid::Motion::Fixed,
                    .colliders = {{geometry::Box{{3, 0.5, 0.1}}, {}, MaterialId{1}}},
                    .pose = {{0, 0, -0.1}, {}}});
    Body parcel(world, add(world, "parcel", geometry::Box{{0.1, 0.1, 0.05}}, {{-2, 0, 0.05}, {}}));
    run(world, dt, 20);
    EXPECT_NEAR(parcel.velocity().x, mu * kGravity * world.state.time, 1e-8);
    run(world, dt, 80);
    EXPECT_NEAR(parcel.velocity().x, belt, 1e-8);
    const double lag = belt * world.state.time - (parcel.position().x + 2);
    EXPECT_NEAR(lag, belt * belt / (2 * mu * kGravity),
                mu * kGravity * dt * dt / 8 + 1e-8);  // the step that ends the slip: fan_test
    EXPECT_LT(length(parcel.spin()), 1e-8);
}

// The drilling torque d m g on the inertia I stops the spin w after I w/(d m g).
TEST(Drilling, SpinningBallStopsInItsTime) {
    const double d = 0.004, w = 30, dt = 0.005, r = 0.1;
    sim::World world = world_with(Law{.base = friction::Coulomb{0.3}, .drilling = d});
    add_ground(world);
    Body ball(world, add(world, "ball", geometry::Sphere{r}, {{0, 0, r}, {}}, 2));
    ball.spin() = {0, 0, w};
    const double time = 0.4 * r * r * w / (d * kGravity);  // 3.06 s
    double stopped = 0;
    run(world, dt, static_cast<int>(1.2 * time / dt), [&] {
        if (length(ball.spin()) > 1e-9) stopped = world.state.time + dt;
        if (world.state.time < time - dt) {
            EXPECT_NEAR(ball.spin().z, w - d * kGravity * world.state.time / (0.4 * r * r), 1e-7);
        }
    });
    EXPECT_GE(stopped, time - 1e-9);
    EXPECT_LE(stopped, time + dt + 1e-9);
    EXPECT_LT(length(ball.velocity()), 1e-9);
}

TEST(Drilling, WithoutItABallSpinsOn) {
    sim::World world = world_with(coulomb(0.3));
    add_ground(world);
    Body ball(world, add(world, "ball", geometry::Sphere{0.1}, {{0, 0, 0.1}, {}}));
    ball.spin() = {0, 0, 30};
    run(world, 0.01, 300);
    EXPECT_NEAR(ball.spin().z, 30, 1e-9);
}

}  // namespace
}  // namespace asperity::verify
