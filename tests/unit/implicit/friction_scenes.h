// Closed forms of slopes, for the tests of friction in the implicit world.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "tests/unit/implicit/rubbing.h"

namespace asperity::implicit::testing {

/// Largest tangent of a slope that an ellipse holds towards psi.
inline double limit_of(double mu_t, double mu_b, double psi) {
    return 1 / std::hypot(std::cos(psi) / mu_t, std::sin(psi) / mu_b);
}

/// Acceleration down a slope under an elliptic law: along a direction theta with a = g_t - D^2 d/|D d| g_n parallel to d.
struct Slide {
    double angle, acceleration;
};
inline Slide closed_form(double slope, double psi, double mu_t, double mu_b) {
    const auto rest = [&](double theta) {
        const double drag = std::hypot(mu_t * std::cos(theta), mu_b * std::sin(theta)), n = kGravity * std::cos(slope);
        return Vec2{kGravity * std::sin(slope) * std::cos(psi) - n * mu_t * mu_t * std::cos(theta) / drag,
                    kGravity * std::sin(slope) * std::sin(psi) - n * mu_b * mu_b * std::sin(theta) / drag};
    };
    double low = psi, high = std::numbers::pi / 2 - 1e-9;  // mu_b < mu_t: it veers towards b
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        const Vec2 a = rest(middle);
        (a.y * std::cos(middle) - a.x * std::sin(middle) > 0 ? low : high) = middle;
    }
    const Vec2 a = rest(low);
    return {low, std::hypot(a.x, a.y)};
}

/// A rigid and a soft block at 1.2 of what an ellipse of 0.5 and 0.3 holds slide the closed form's way. `choose` sets the world's
/// law to this ellipse, and its friction method.
inline void expect_slides_of_the_law(const std::function<void(World<3>&)>& choose) {
    const double psi = std::numbers::pi / 6, slope = std::atan(1.2 * limit_of(0.5, 0.3, psi));
    const Slide expected = closed_form(slope, psi, 0.5, 0.3);
    for (const bool soft : {false, true}) {
        World<3> world;
        choose(world);
        world.model.gravity = tilted(0, 0);
        ObstacleDesc<3> base;
        const AffineDesc<3> slab = affine_box("base", {2, 2, 0.1}, 1000, {0, 0, -0.1});
        base.name = "base";
        base.skin = slab.skin;
        base.pose = slab.pose;
        world.add(base);
        SoftDesc<3> desc = soft_box<3>("block", {0.2, 0.2, 0.1}, {4, 4, 2}, {0, 0, 0.05 + 0.5 * kDistance}, kRubber);
        desc.damping_stiffness = 0.01;
        const int block = soft ? world.add(desc) : world.add(affine_box("block", {0.1, 0.1, 0.05}, 1000, {0, 0, 0.0505}));
        world.set_self_contact(block, false);
        ASSERT_TRUE(run(world, 0.5, 0.01));
        world.model.gravity = tilted(slope, psi);
        ASSERT_TRUE(run(world, 1.0, 0.01));
        const Vec3 before = world.velocity(block);
        ASSERT_TRUE(run(world, 1.5, 0.01));
        const Vec3 gained = world.velocity(block) - before;
        EXPECT_NEAR(std::atan2(gained.y, gained.x), expected.angle, 0.05 * std::numbers::pi / 180) << soft;
        EXPECT_NEAR(std::hypot(gained.x, gained.y) / 0.5, expected.acceleration, 1e-3 * expected.acceleration) << soft;
    }
}

}  // namespace asperity::implicit::testing
