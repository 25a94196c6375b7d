// Equilibria: weight on the ground, loads, prescribed parts, and the forces that are reported.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/unit/implicit/bodies.h"

namespace asperity::implicit::testing {
namespace {

struct Barrier {
    double stiffness, dhat;
};
class AnyBarrier : public ::testing::TestWithParam<Barrier> {};
INSTANTIATE_TEST_SUITE_P(Balance, AnyBarrier,
                         ::testing::Values(Barrier{1e3, 1e-3}, Barrier{1e5, 1e-3}, Barrier{1e7, 1e-3}, Barrier{1e5, 1e-4},
                                           Barrier{1e5, 1e-2}));

/// The contact forces on a resting block sum up to its weight, whatever the barrier is.
TEST_P(AnyBarrier, CarriesTheWeightOfARestingBlock) {
    World<3> world;
    world.model.settings.integrator = Integrator::QuasiStatic;
    world.model.settings.tolerance = 1e-11;
    world.model.settings.stiffness = GetParam().stiffness;
    world.model.settings.dhat = GetParam().dhat;
    world.model.gravity = {0, 0, -9.81};
    const int ground = add_ground(world);
    const int block = world.add(soft_box<3>("block", {0.2, 0.2, 0.1}, {4, 4, 2}, {0, 0, 0.05 + 0.5 * GetParam().dhat},
                                            {deform::Hyperelastic::NeoHookean, 1e6, 0.3}));
    ASSERT_TRUE(step(world, 1.0).done);
    const double weight = 1000 * 0.004 * 9.81;
    const Vec3 force = force_between(world, ground, block);
    EXPECT_NEAR(force.z, weight, 1e-9 * weight);
    EXPECT_LT(std::hypot(force.x, force.y), 1e-9 * weight);
}

/// The list of contacts adds up to the forces between bodies, and its points lie in the gap.
TEST(Balance, ContactsAddUpToTheForcesBetweenBodies) {
    World<3> world;
    world.model.settings.integrator = Integrator::QuasiStatic;
    world.model.settings.tolerance = 1e-10;
    world.model.settings.dhat = 1e-3;
    world.model.gravity = {0, 0, -9.81};
    const deform::Elasticity rubber{deform::Hyperelastic::NeoHookean, 1e6, 0.3};
    const int ground = add_ground(world);
    const int lower = world.add(soft_box<3>("lower", {0.3, 0.3, 0.1}, {3, 3, 1}, {0, 0, 0.0505}, rubber));
    const int upper = world.add(soft_box<3>("upper", {0.2, 0.2, 0.1}, {4, 4, 2}, {0, 0, 0.151}, rubber));
    ASSERT_TRUE(step(world, 1.0).done);
    Vec3 on_lower, on_upper;
    for (const ContactForce& c : world.contacts()) {
        EXPECT_LT(c.gap, 1e-3);
        const bool plane = c.body_a == ground;
        EXPECT_NEAR(c.point.z, plane ? 0.0005 : 0.1015, 1e-3);
        if (plane && c.body_b == lower) on_lower += c.force;
        if (!plane) on_upper += c.body_b == upper ? c.force : -1.0 * c.force;
    }
    EXPECT_LT(length(on_lower - force_between(world, ground, lower)), 1e-9 * length(on_lower));
    EXPECT_LT(length(on_upper - force_between(world, lower, upper)), 1e-9 * length(on_upper));
    EXPECT_NEAR(on_upper.z, 1000 * 0.004 * 9.81, 1e-6 * on_upper.z);
}

/// On a frictionless slope the normal force is m g cos(a), and the block slides with g sin(a).
TEST_P(AnyBarrier, SlidesDownAFrictionlessSlope) {
    World<3> world;
    world.model.settings.tolerance = 1e-10;
    world.model.settings.stiffness = GetParam().stiffness;
    world.model.settings.dhat = GetParam().dhat;
    const double angle = 0.3;
    world.model.gravity = 9.81 * Vector<3>{std::sin(angle), 0, -std::cos(angle)};
    const int ground = add_ground(world);
    const double dhat = GetParam().dhat;
    const int block = world.add(affine_box("block", {0.1, 0.1, 0.05}, 1000, {0, 0, 0.05 + 0.5 * dhat}));
    ASSERT_TRUE(run(world, 0.5, 0.01));
    EXPECT_NEAR(world.velocity(block).x, 9.81 * std::sin(angle) * 0.5, 1e-8);
    // once it no longer bounces
    const double normal = world.model.bodies[static_cast<std::size_t>(block)].mass * 9.81 * std::cos(angle);
    EXPECT_NEAR(force_between(world, ground, block).z, normal, 1e-9 * normal);
}

/// The parts that hold a beam carry its weight and its loads, and the torque of both.
TEST(Balance, HeldPartsCarryWeightAndLoads) {
    World<3> world;
    world.model.settings.integrator = Integrator::QuasiStatic;
    world.model.settings.tolerance = 1e-12;
    world.model.gravity = {0, 0, -9.81};
    const int beam =
        world.add(soft_box<3>("beam", {1, 0.1, 0.1}, {10, 2, 2}, {0.5, 0, 0}, {deform::Hyperelastic::NeoHookean, 1e7, 0.3}));
    EXPECT_EQ(world.prescribe(beam, "wall", [](const Vector<3>& x) { return x[0] < 1e-9; }, {}), 9);
    const double area = world.load(
        beam, [](const Vector<3>& x) { return x[0] > 1 - 1e-9; },
        [](double) {
            return Vector<3>{1, 2, 3};
        },
        {});
    EXPECT_NEAR(area, 0.01, 1e-12);
    ASSERT_TRUE(step(world, 1.0).done);
    const std::vector<PairForce> forces = world.forces();
    ASSERT_EQ(forces.size(), 1u);
    const double weight = 1000 * 0.01 * 9.81;
    EXPECT_LT(length(forces[0].force - Vec3{-1, -2, weight - 3}), 1e-9 * weight);
}

/// A pressure on all sides compresses a cube by the bulk modulus: dV/V = -p/K for small p.
TEST(Balance, PressureCompressesByTheBulkModulus) {
    World<3> world;
    world.model.settings.integrator = Integrator::QuasiStatic;
    world.model.settings.tolerance = 1e-13;
    const double young = 1e6, poisson = 0.3, pressure = 100, bulk = young / (3 * (1 - 2 * poisson));
    const int cube =
        world.add(soft_box<3>("cube", {1, 1, 1}, {3, 3, 3}, {0, 0, 0}, {deform::Hyperelastic::NeoHookean, young, poisson}));
    world.load(
        cube, [](const Vector<3>&) { return true; }, {}, [pressure](double) { return pressure; });
    ASSERT_TRUE(step(world, 1.0).done);
    double low = 0, high = 0;
    for (const Vector<3>& x : world.state.nodes.x) low = std::min(low, x[0]), high = std::max(high, x[0]);
    // the second order of the strain is 1e-4 of it
    EXPECT_NEAR(high - low, 1 - pressure / (3 * bulk), 1e-3 * pressure / (3 * bulk));
}

/// The patch test: a prescribed affine motion of the surface moves the inside affinely, too.
TEST(Balance, PatchTest) {
    World<3> world;
    world.model.settings.integrator = Integrator::QuasiStatic;
    world.model.settings.tolerance = 1e-12;
    const int cube =
        world.add(soft_box<3>("cube", {1, 1, 1}, {3, 3, 3}, {0, 0, 0}, {deform::Hyperelastic::NeoHookean, 1e5, 0.4}));
    Matrix<3, 3> F;
    F << 1.1, 0.05, 0.02, -0.03, 0.95, 0.04, 0.01, 0.02, 1.05;
    const auto on_surface = [](const Vector<3>& x) { return x.cwiseAbs().maxCoeff() > 0.5 - 1e-9; };
    world.prescribe(cube, "all", on_surface, [F](const Vector<3>& x, double) { return Vector<3>(F * x); });
    const std::vector<Vector<3>> rest = world.state.nodes.x;
    ASSERT_TRUE(step(world, 1.0).done);
    for (std::size_t i = 0; i < rest.size(); ++i) EXPECT_LT((world.state.nodes.x[i] - F * rest[i]).norm(), 1e-10);
}

/// A strip in plane strain sags as a slab of the same section does between two frictionless walls. The walls press the slab
/// by a strain of 4e-4. This is several times the contraction by its bending, so that the slab touches them everywhere.
TEST(Balance, PlaneStrainIsASlabBetweenTwoWalls) {
    const deform::Elasticity rubber{deform::Hyperelastic::NeoHookean, 1e5, 0.35};
    const auto held = [](const auto& x) { return std::fabs(x[0]) > 0.5 - 1e-9; };
    const auto sag = [](const auto& world, int axis) { return world.center_of_mass(0)[axis == 1 ? 2 : axis]; };
    World<2> strip;
    strip.model.settings.integrator = Integrator::QuasiStatic;
    strip.model.settings.tolerance = 1e-12;
    strip.model.gravity = {0, -0.02};
    strip.prescribe(strip.add(soft_box<2>("strip", {1, 0.2}, {40, 8}, {0, 0}, rubber)), "ends", held, {});
    ASSERT_TRUE(step(strip, 1.0).done);

    World<3> slab;
    slab.model.settings.integrator = Integrator::QuasiStatic;
    slab.model.settings.tolerance = 1e-12;
    slab.model.settings.dhat = 1e-5;
    slab.model.settings.stiffness = 1e7;
    slab.model.gravity = {0, 0, -0.02};
    slab.prescribe(slab.add(soft_box<3>("slab", {1, 0.025, 0.2}, {40, 1, 8}, {0, 0, 0}, rubber)), "ends", held, {});
    for (const double side : {-1.0, 1.0}) {
        ObstacleDesc<3> wall;
        wall.name = side < 0 ? "left" : "right";
        wall.pose = {{0, side * (0.0125 + 5e-6), 0}, rotation({side * 0.5 * std::numbers::pi, 0, 0})};
        slab.add(wall);
    }
    ASSERT_TRUE(step(slab, 1.0).done);
    // both meshes are stiffer than the continuum, by about (cell/height)^2 = 1.6 %, and by nearly the same
    EXPECT_NEAR(sag(slab, 2) / sag(strip, 1), 1, 0.01);
}

}  // namespace
}  // namespace asperity::implicit::testing
