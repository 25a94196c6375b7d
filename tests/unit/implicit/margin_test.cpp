// The certificate of a hold: limits, spare forces and bounds of creep against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/core/random.h"
#include "asperity/implicit/margin.h"
#include "tests/support/allocations.h"
#include "tests/unit/implicit/friction_scenes.h"

namespace asperity::implicit::testing {
namespace {

/// Distance of a point from an ellipse, by brute force over its boundary.
double distance_from_ellipse(double a, double b, double x, double y) {
    double least = 1e300;
    for (int k = 0; k < 200000; ++k) {
        const double angle = 2 * std::numbers::pi * k / 200000;
        least = std::min(least, std::hypot(a * std::cos(angle) - x, b * std::sin(angle) - y));
    }
    return least;
}

TEST(Margin, SpareForceIsTheDistanceFromTheBoundary) {
    Random random(11);
    for (int i = 0; i < 20; ++i) {
        FrictionContact c;
        c.normal = {0, 0, 1};
        c.load = random.uniform(0.1, 10);
        const double a = random.uniform(0.05, 2), b = random.uniform(0.05, 2);
        c.surface = {{1, 0, 0}, {0, 1, 0}, friction::Ellipse{a, b}};
        const double angle = random.uniform(0, 6.28), share = random.uniform(0, 1);
        c.force = share * c.load * Vec3{a * std::cos(angle), b * std::sin(angle), 0};
        const double expected = distance_from_ellipse(a * c.load, b * c.load, c.force.x, c.force.y);
        const Spare spare = spare_of(c, false);
        EXPECT_NEAR(spare.force, expected, 1e-8 * c.load);
        EXPECT_NEAR(length(spare.direction), 1, 1e-12);
        // the force with its spare added in the direction of the slip's normal lies on the boundary
        c.surface.set = friction::Rectangle{a, b, b, a};
        c.force = 0.9 * c.load * Vec3{random.uniform(-a, b), random.uniform(-b, a), 0};
        const double side = std::min(std::min(c.force.x + a * c.load, b * c.load - c.force.x),
                                     std::min(c.force.y + b * c.load, a * c.load - c.force.y));
        EXPECT_NEAR(spare_of(c, false).force, side, 1e-12 * c.load);
    }
}

/// A block at 0.7 of the limit of a slope: limit, margin and spare force of the pair are those of the resultant on one
/// ellipse; what the contacts can carry adds up, however the load is spread. Then the spare force, applied, makes the block
/// slip, and 0.98 of it does not.
TEST(Margin, CertifiesABlockOnASlope) {
    const double mu_t = 0.5, mu_b = 0.3, psi = 0.6, slope = std::atan(0.7 * limit_of(mu_t, mu_b, psi));
    for (const FrictionMethod method : {FrictionMethod::Hold, FrictionMethod::Velocity}) {
        World<3> world;
        set_friction(world, elliptic(mu_t, mu_b));
        world.model.settings.friction = method;
        add_ground(world);
        const int block = world.add(affine_box("block", {0.2, 0.2, 0.02}, 1000, {0, 0, 0.02 + 0.5 * kDistance}));
        while (world.state.time < 1) {
            world.model.gravity = tilted(slope * std::min(1.0, 2 * world.state.time), psi);
            ASSERT_TRUE(step(world, 0.01).done);
        }
        const bool velocity = method == FrictionMethod::Velocity;
        const double mass = world.model.bodies[static_cast<std::size_t>(block)].mass;
        const double normal = mass * kGravity * std::cos(slope), load = mass * kGravity * std::sin(slope);
        ASSERT_EQ(world.holds().size(), 1U);
        const PairHold hold = world.holds()[0];
        const double tolerance = 1e-6 * normal;
        EXPECT_NEAR(hold.load, normal, tolerance);
        EXPECT_NEAR(hold.friction, load, tolerance);
        EXPECT_NEAR(hold.limit, normal * limit_of(mu_t, mu_b, psi), tolerance);
        EXPECT_NEAR(hold.margin, 0.3, 1e-5);
        EXPECT_NEAR(hold.spare,
                    distance_from_ellipse(mu_t * normal, mu_b * normal, load * std::cos(psi), load * std::sin(psi)),
                    tolerance);
        EXPECT_LE(hold.creep_bound, velocity ? 1e-9 : 0);
        double sum = 0;
        for (const ContactForce& c : world.contacts()) {
            sum += c.load;
            EXPECT_GE(c.margin, 0);
            EXPECT_LE(c.spare, c.load * mu_t);
            EXPECT_NEAR(c.limit * (1 - c.margin), length(c.friction), 1e-9 * normal);
            EXPECT_LE(c.creep_bound, hold.creep_bound);
        }
        EXPECT_NEAR(sum, normal, tolerance);
        const Vec3 extra = hold.spare / mass * hold.spare_direction;
        const Vector<3> gravity = world.model.gravity;
        for (const double share : {0.98, 1.02}) {
            world.model.gravity = gravity + share * Vector<3>(extra.x, extra.y, extra.z);
            ASSERT_TRUE(run(world, world.state.time + 0.5, 0.01));
            EXPECT_EQ(length(world.velocity(block)) > 1e-4, share > 1) << velocity << ' ' << share;
        }
    }
}

/// The bound of `smooth` is the speed of its creep.
TEST(Margin, SmoothedFrictionStatesItsCreep) {
    World<3> world;
    const double slope = 20 * std::numbers::pi / 180, mu = 0.5;
    set_friction(world, coulomb(mu));
    world.model.settings.friction = FrictionMethod::Smooth;
    world.model.settings.friction_passes = 5;
    world.model.settings.tolerance = 1e-8;
    add_ground(world);
    world.add(affine_box("block", {0.2, 0.2, 0.02}, 1000, {0, 0, 0.02 + 0.5 * kDistance}));
    while (world.state.time < 2) {
        world.model.gravity = tilted(slope * std::min(1.0, world.state.time), 0);
        ASSERT_TRUE(step(world, 0.01).done);
    }
    const double expected = 1e-3 * (1 - std::sqrt(1 - std::tan(slope) / mu));
    ASSERT_EQ(world.holds().size(), 1U);
    EXPECT_NEAR(world.holds()[0].creep_bound, expected, 0.01 * expected);
}

/// In the plane there are two directions: the spare force is what is left towards the nearer limit.
TEST(Margin, HasTwoDirectionsInThePlane) {
    World<2> world;
    set_friction(world, coulomb(0.5));
    add_ground(world);
    SoftDesc<2> desc = soft_box<2>("block", {0.2, 0.1}, {4, 2}, {0, 0.05 + 0.5 * kDistance}, kRubber);
    desc.damping_stiffness = 0.02;
    world.add(desc);
    const double slope = 0.3;
    while (world.state.time < 2) {
        const double angle = slope * std::min(1.0, world.state.time);
        world.model.gravity = kGravity * Vector<2>{std::sin(angle), -std::cos(angle)};
        ASSERT_TRUE(step(world, 0.01).done);
    }
    ASSERT_EQ(world.holds().size(), 1U);
    const PairHold hold = world.holds()[0];
    const double weight = 1000 * 0.02 * kGravity;
    EXPECT_NEAR(hold.spare, weight * (0.5 * std::cos(slope) - std::sin(slope)), 1e-5 * weight);
    EXPECT_NEAR(std::fabs(hold.spare_direction.x), 1, 1e-9);
    EXPECT_GT(hold.spare_direction.x, 0);
}

/// Renewing the friction contacts of a settled step takes no memory.
TEST(Margin, FrictionOfASettledStepAllocatesNothing) {
    World<3> world;
    friction::Law law = elliptic(0.5, 0.3);
    law.load = friction::LoadScaling{10, 0.8};
    set_friction(world, law);
    world.model.gravity = tilted(0.1, 0);
    add_ground(world);
    world.add(affine_box("lower", {0.2, 0.2, 0.02}, 1000, {0, 0, 0.02 + 0.5 * kDistance}));
    world.add(affine_box("upper", {0.1, 0.1, 0.02}, 1000, {0, 0, 0.06 + kDistance}));
    ASSERT_TRUE(run(world, 1, 0.01));
    ASSERT_FALSE(world.data().friction.contacts.empty());
    for (int i = 0; i < 2; ++i) {
        const long before = testing_support::allocation_count();
        freeze_friction(world.model, world.state, world.data());
        remember_friction(world.model, world.data());
        if (i > 0) { EXPECT_EQ(testing_support::allocation_count(), before); }
    }
}

}  // namespace
}  // namespace asperity::implicit::testing
