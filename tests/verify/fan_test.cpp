// Blocks thrown in all directions on flat ground. With isotropic friction they move straight, and all stop after v0^2/(2 mu
// g). On grained ground the invariant is
//     v_b/v_b0 = (v_t/v_t0)^((mu_b/mu_t)^2)
#include "worlds.h"

namespace asperity::verify {
namespace {

TEST(Fan, StopsAtTheSameDistanceInAllDirectionsOnStraightPaths) {
    scene::Scene s = load("fan");
    ASSERT_EQ(s.params.at("count"), 32);
    const double exact = std::pow(s.params.at("v0"), 2) / (2 * s.params.at("mu") * kGravity);
    const std::vector<Pose> start = s.world.state.bodies.pose;
    const std::vector<Vec3> thrown = s.world.state.bodies.velocity;
    run(s.world, s.dt, static_cast<int>(std::lround(s.duration / s.dt)));

    double shortest = 1e9, longest = 0, bend_deg = 0;
    for (size_t i = 0; i < start.size(); ++i) {
        if (s.world.model.bodies.motion[i] != rigid::Motion::Dynamic) continue;
        const Vec3 travel = s.world.state.bodies.pose[i].position - start[i].position;
        shortest = std::fmin(shortest, length(travel));
        longest = std::fmax(longest, length(travel));
        bend_deg = std::fmax(bend_deg, std::atan2(length(cross(thrown[i], travel)), dot(thrown[i], travel)) * 180 / pi);
        EXPECT_LT(length(s.world.state.bodies.velocity[i]), 1e-9);
    }
    measured("spread", (longest - shortest) / exact);
    measured("bend_deg", bend_deg);
    measured("distance", longest / exact - 1);
    // 41 steps at 1e-10 m/s change the stopping distance by 2e-9 m; measured 2e-14.
    EXPECT_LT((longest - shortest) / exact, 1e-8);  // required: 5e-4
    EXPECT_LT(bend_deg, 3e-7);                      // required: 0.01
    // Only the last step has an error, at most mu g dt^2/8 (next test); required: 3e-3.
    const double bound = s.params.at("mu") * kGravity * s.dt * s.dt / 8;
    EXPECT_LT(std::fabs(longest - exact), 1.01 * bound);
}

// Speed decreases by exactly mu g dt per step, and the mean of old and new speed moves the block, so every step but the last
// is exact. The block stops after the fraction s of the last step. The mean gives r dt/2 with r = mu g s dt, whereas r s
// dt/2 is true:
//     error = mu g dt^2 s (1 - s)/2.
TEST(Fan, StoppingDistanceConvergesToSecondOrderWithThePredictedError) {
    const double mu = 0.5;
    double last_mean = 0;
    for (const double dt : {0.02, 0.01, 0.005, 0.0025}) {
        double mean = 0;
        const int count = 8;
        for (int k = 0; k < count; ++k) {  // speeds whose stops fall at different fractions of a step, at every dt
            const double v0 = 2 + mu * kGravity * dt * (k + 0.5) / count;
            const double exact = v0 * v0 / (2 * mu * kGravity);
            sim::World world = world_with(coulomb(mu));
            add_ground(world);
            Body block(world, add(world, "block", geometry::Box{{0.06, 0.06, 0.03}}, {{0, 0, 0.03}, {}}));
            block.velocity() = v0 * Vec3{std::cos(0.3), std::sin(0.3), 0};
            run(world, dt, static_cast<int>(1.2 * v0 / (mu * kGravity * dt)));
            const double steps = v0 / (mu * kGravity * dt), part = steps - std::floor(steps);
            const double error = length(block.position() - Vec3{0, 0, 0.03}) - exact;
            EXPECT_NEAR(error, 0.5 * mu * kGravity * dt * dt * part * (1 - part), 1e-8) << "dt " << dt << ", v0 " << v0;
            mean += std::fabs(error) / count;
        }
        measured(fmt::format("mean_error_{}ms", 1000 * dt), mean);
        if (last_mean > 0) {
            // the fractions of a step are the same 8 up to a shift
            EXPECT_NEAR(order(last_mean, mean), 2, 0.25) << "dt " << dt;
        }
        last_mean = mean;
    }
}

/// The largest violation of this invariant by any block of the elliptic fan at any time, as a fraction of its initial speed.
double invariant_error(double dt) {
    scene::Scene s = load("fan_elliptic", {set("step.dt", dt)});
    const double exponent = std::pow(s.params.at("mu_b") / s.params.at("mu_t"), 2);
    const std::vector<Vec3> thrown = s.world.state.bodies.velocity;
    double worst = 0;
    run(s.world, s.dt, static_cast<int>(std::lround(s.duration / s.dt)), [&] {
        for (size_t i = 0; i < thrown.size(); ++i) {
            const Vec3 v = s.world.state.bodies.velocity[i];
            if (std::fabs(thrown[i].x) < 1e-9 || std::fabs(thrown[i].y) < 1e-9) continue;
            const double ratio_t = v.x / thrown[i].x, ratio_b = v.y / thrown[i].y;  // t is the grain direction, along x
            if (length(v) > 1e-6) worst = std::fmax(worst, std::fabs(ratio_b - std::pow(std::fmax(ratio_t, 0.0), exponent)));
        }
    });
    return worst;
}

TEST(Fan, EllipticFloorKeepsTheInvariantThroughTheWholeMotion) {
    double last = 0;
    for (const double dt : {0.01, 0.005, 0.0025, 0.00125}) {
        const double error = invariant_error(dt);
        measured(fmt::format("error_{}ms", 1000 * dt), error);
        EXPECT_LT(error, 1.3 * dt);  // implicit step: first order in the speed; twice the measured constant
        if (last > 0) { EXPECT_NEAR(order(last, error), 1, 0.15); }
        last = error;
    }
}

TEST(Fan, EllipticFloorStopsBlocksThrownAlongItsAxesStraight) {
    scene::Scene s = load("fan_elliptic");
    const double v0 = s.params.at("v0");
    Body along(s.world, s.world.find_body("block_0").index), across(s.world, s.world.find_body("block_8").index);
    const Vec3 a = along.position(), b = across.position();
    run(s.world, s.dt, static_cast<int>(std::lround(s.duration / s.dt)));
    const Vec3 da = along.position() - a, db = across.position() - b;
    EXPECT_NEAR(da.x, v0 * v0 / (2 * s.params.at("mu_t") * kGravity),
                s.params.at("mu_t") * kGravity * s.dt * s.dt / 8 + 1e-9);
    EXPECT_NEAR(db.y, v0 * v0 / (2 * s.params.at("mu_b") * kGravity),
                s.params.at("mu_b") * kGravity * s.dt * s.dt / 8 + 1e-9);
    EXPECT_NEAR(da.y, 0, 1e-9);
    EXPECT_NEAR(db.x, 0, 1e-9);
}

}  // namespace
}  // namespace asperity::verify
