// Impacts: momentum is conserved, the separation speed is e times the approach speed (Newton), and the energy loss follows.
#include "worlds.h"

namespace asperity::verify {
namespace {

class Impact : public testing::TestWithParam<double> {};

// With the reduced mass m = m1 m2/(m1 + m2) the loss is m (1 - e^2) v_rel^2/2.
TEST_P(Impact, CentralImpactOfTwoBallsFollowsNewtonsRule) {
    const double e = GetParam(), m1 = 1, m2 = 3, v1 = 2, v2 = -1;
    sim::World world = world_with(coulomb(0.3), e, {});
    Body a(world, add(world, "a", geometry::Sphere{0.1}, {{-0.5, 0, 0}, {}}, m1));
    Body b(world, add(world, "b", geometry::Sphere{0.15}, {{0.513, 0, 0}, {}}, m2));
    a.velocity() = {v1, 0, 0};
    b.velocity() = {v2, 0, 0};
    run(world, 0.01, 60);
    const double momentum = m1 * v1 + m2 * v2, speed = momentum / (m1 + m2), relative = e * (v1 - v2);
    EXPECT_NEAR(world.linear_momentum().x, momentum, 1e-12);
    EXPECT_NEAR(a.velocity().x, speed - m2 / (m1 + m2) * relative, 1e-9);
    EXPECT_NEAR(b.velocity().x, speed + m1 / (m1 + m2) * relative, 1e-9);
    const double loss = 0.5 * m1 * m2 / (m1 + m2) * (1 - e * e) * (v1 - v2) * (v1 - v2);
    EXPECT_NEAR(world.kinetic_energy(), 0.5 * (m1 * v1 * v1 + m2 * v2 * v2) - loss, 1e-8);
    EXPECT_LT(length(a.spin()) + length(b.spin()), 1e-9);
}

TEST_P(Impact, FrictionlessObliqueImpactKeepsTheTangentialSpeed) {
    const double e = GetParam();
    sim::World world = world_with(coulomb(0), e, {});
    add_ground(world);
    Body ball(world, add(world, "ball", geometry::Sphere{0.1}, {{0, 0, 0.777}, {}}));
    ball.velocity() = {1.5, -0.7, -2};
    ball.spin() = {3, 4, 5};
    run(world, 0.01, 60);
    EXPECT_NEAR(ball.velocity().x, 1.5, 1e-12);
    EXPECT_NEAR(ball.velocity().y, -0.7, 1e-12);
    EXPECT_NEAR(ball.velocity().z, 2 * e, 1e-9);
    EXPECT_NEAR(length(ball.spin() - Vec3{3, 4, 5}), 0, 1e-12);
    EXPECT_GE(ball.position().z, 0.1 - 1e-8);  // never inside
}

// The normal is that of the start of the step, so it deviates from the normal at impact by up to v dt/(r1 + r2).
TEST_P(Impact, ObliqueImpactOfTwoBallsIsRightToFirstOrderInTheStep) {
    const double e = GetParam(), v = 2, offset = 0.1, r = 0.1;
    double last = 0;
    for (const double dt : {0.004, 0.0005}) {
        sim::World world = world_with(coulomb(0), e, {});
        Body a(world, add(world, "a", geometry::Sphere{r}, {{-0.5003, 0, 0}, {}}));
        Body b(world, add(world, "b", geometry::Sphere{r}, {{0, offset, 0}, {}}));
        a.velocity() = {v, 0, 0};
        run(world, dt, static_cast<int>(0.5 / dt));
        const double angle = std::asin(offset / (2 * r));
        const Vec3 normal{std::cos(angle), std::sin(angle), 0};
        const Vec3 expected_b = 0.5 * (1 + e) * v * std::cos(angle) * normal;
        const double error = length(b.velocity() - expected_b);
        measured(fmt::format("error_{}", dt), error);
        EXPECT_NEAR(length(world.linear_momentum() - Vec3{v, 0, 0}), 0, 1e-12);
        EXPECT_NEAR(length(a.velocity() + b.velocity() - Vec3{v, 0, 0}), 0, 1e-12);
        EXPECT_LT(error, 0.5 * (1 + e) * v * 2 * v * dt / (2 * r));  // |d(cos n)| <= 2 |dn|, |dn| <= v dt/(2 r)
        if (last > 0) { EXPECT_LT(error, last); }
        last = error;
    }
}

INSTANTIATE_TEST_SUITE_P(Restitution, Impact, testing::Values(0.0, 0.5, 1.0),
                         [](const auto& p) { return fmt::format("e{:02.0f}", 10 * p.param); });

// The impact speed is that of the start of the step: up to g dt too small or, through the position of the impact, as much
// too large. So each bounce has v' = e v within 2 g dt, and its height v'^2/(2 g) within 2 v' dt e + .... The lower bound is
// the sum of these errors over the bounces.
TEST(Bounce, HeightsFallByTheSquareOfTheRestitution) {
    const double e = 0.8, h0 = 1, r = 0.1, dt = 0.001;
    sim::World world = world_with(coulomb(0.3), e);
    add_ground(world);
    Body ball(world, add(world, "ball", geometry::Sphere{r}, {{0, 0, r + h0}, {}}));
    std::vector<double> peaks;
    double before = 0;
    run(world, dt, 3500, [&] {
        if (before > 0 && ball.velocity().z <= 0) peaks.push_back(ball.position().z - r);
        before = ball.velocity().z;
    });
    ASSERT_GE(peaks.size(), 4u);
    double speed_error = 0;
    for (size_t k = 0; k < 4; ++k) {
        const double speed = std::pow(e, static_cast<double>(k + 1)) * std::sqrt(2 * kGravity * h0),
                     height = speed * speed / (2 * kGravity);
        speed_error = e * speed_error + 2 * kGravity * dt;
        measured(fmt::format("height_{}", k + 1), peaks[k] / height - 1);
        EXPECT_NEAR(peaks[k], height, speed * speed_error / kGravity) << "bounce " << k + 1;
    }
}

// A can leans on its rim, with the far side 2 R sin(tilt) = 4 cm high, and a heavy ball hits that side at 7 m/s, 7 cm per
// step. Contacts are those of the start of the step, one under the rim. The far side must stop at a tenth of the can's
// thickness in the floor (stop_at_ground.cpp); otherwise it would enter by 28 mm.
TEST(Impact, StruckCanDoesNotComeDownThroughTheFloor) {
    const double radius = 0.135, half = 0.05, tilt = 0.15;
    sim::World world = world_with(coulomb(0.5));
    add_ground(world);
    const double height = half * std::cos(tilt) + radius * std::sin(tilt);
    Body can(world, add(world, "can", geometry::Cylinder{radius, half}, {{0, 0, height}, rotation({0, tilt, 0})}));
    const Vec3 top = can.position() + rotate(can.orientation(), Vec3{-0.9 * radius, 0, half});
    Body ball(world, add(world, "ball", geometry::Sphere{0.1}, {top + Vec3{0, 0, 0.102}, {}}, 50));
    ball.velocity() = {0, 0, -7};
    double deepest = 0;
    run(world, 0.01, 10, [&] {
        const Vec3 up = rotate_inverse(can.orientation(), Vec3{0, 0, 1});
        const double lowest = can.position().z - half * std::fabs(up.z) - radius * std::hypot(up.x, up.y);
        deepest = std::fmax(deepest, -lowest);
    });
    measured("deepest", deepest);
    EXPECT_LT(deepest, 0.1 * 2 * half + 1e-3);  // the last interval of the search is halved six times
}

TEST(Bounce, FullyElasticBallNeitherGainsNorLosesHeight) {
    sim::World world = world_with(coulomb(0), 1);
    add_ground(world);
    Body ball(world, add(world, "ball", geometry::Sphere{0.1}, {{0, 0, 1.1}, {}}));
    const double start = energy(world);
    double gain = 0;
    run(world, 0.005, 4000, [&] { gain = std::fmax(gain, energy(world) - start); });
    measured("loss", energy(world) / start - 1);
    EXPECT_LT(gain, 1e-12 * start);
    // The ball reverses at the height where the step of the impact began, so nothing is lost either.
    EXPECT_NEAR(energy(world) / start, 1, 1e-12);
}

}  // namespace
}  // namespace asperity::verify
