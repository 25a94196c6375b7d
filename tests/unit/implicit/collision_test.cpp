// Bodies of all kinds that meet: momentum, energy, no intersections, weight that is carried on.
#include <gtest/gtest.h>

#include "asperity/ccd/intersections.h"
#include "tests/unit/implicit/bodies.h"

namespace asperity::implicit::testing {
namespace {

const deform::Elasticity kRubber{deform::Hyperelastic::NeoHookean, 1e5, 0.4};

template <int Dim>
bool crosses(const World<Dim>& world) {
    const std::vector<Vector<Dim>> x = world.surface_positions();
    return ccd::first_intersection(world.model.surface.view(), std::span<const Vector<Dim>>(x)).found;
}

/// A soft, an affine and a kinematic body collide. Contact forces are opposite, so the momentum of the first two changes by
/// the impulse of the third alone; here the third has not been reached yet.
TEST(Collision, OfASoftAndAnAffineBodyKeepsMomentum) {
    World<3> world;
    world.model.settings.tolerance = 1e-10;
    world.model.settings.check = true;
    SoftDesc<3> soft = soft_box<3>("soft", {0.2, 0.2, 0.2}, {3, 3, 3}, {-0.15, 0.02, 0.03}, kRubber);
    soft.velocity = {2, 0, 0};
    world.add(soft);
    AffineDesc<3> stiff = affine_box("stiff", {0.1, 0.08, 0.07}, 2000, {0.15, 0, 0});
    stiff.velocity = {-1, 0, 0};
    world.add(stiff);
    const Vec3 before = world.linear_momentum();
    const Vec3 spin = world.angular_momentum();
    const double energy = world.kinetic_energy();
    StepReport report;
    bool touched = false;
    for (int i = 0; i < 60; ++i) {
        report = step(world, 0.002);
        ASSERT_TRUE(report.done) << report.trouble;
        touched = touched || report.contacts > 0;
        // forces are opposite to rounding, which is that of the solves: 1e-13 of the force of 1e3 N in each step
        EXPECT_LT(length(world.linear_momentum() - before), 1e-12 * 60);
        EXPECT_LE(report.kinetic_energy + report.elastic_energy + report.barrier_energy, energy * (1 + 1e-9));
    }
    EXPECT_TRUE(touched);
    EXPECT_LT(length(world.angular_momentum() - spin), 0.01 * length(cross(Vec3{0.15, 0, 0}, before)) + 0.01);
    EXPECT_FALSE(crosses(world));
}

TEST(Collision, WithAMovingWallPushesWithoutIntersecting) {
    World<3> world;
    world.model.settings.check = true;
    const int cube = world.add(soft_box<3>("cube", {0.2, 0.2, 0.2}, {4, 4, 4}, {0, 0, 0}, kRubber));
    ObstacleDesc<3> wall;
    wall.name = "wall";
    const AffineDesc<3> shape = affine_box("", {0.05, 0.3, 0.3}, 1, {});
    wall.skin = shape.skin;
    wall.path = [](double t) { return Pose{{-0.16 + 1.0 * t, 0.01, 0.02}, {}}; };
    const int obstacle = world.add(wall);
    for (int i = 0; i < 30; ++i) {
        const StepReport report = step(world, 0.01);
        ASSERT_TRUE(report.done) << report.trouble;
        EXPECT_GT(report.gap_min, 0);
    }
    EXPECT_GT(world.velocity(cube).x, 0.9);  // not slower than the wall, apart from its vibration
    EXPECT_GT(world.pose(cube).position.x - world.pose(obstacle).position.x, 0.12);
}

/// A soft beam on two affine cubes on a soft mat: each body carries the weight of those above it, to 1e-6 of the weight.
TEST(Collision, WeightIsCarriedDownThroughBodiesOfAllKinds) {
    World<3> world;
    world.model.settings.integrator = Integrator::QuasiStatic;
    world.model.settings.tolerance = 1e-10;
    world.model.settings.dhat = 1e-3;
    world.model.settings.stiffness = 1e5;
    world.model.gravity = {0, 0, -9.81};
    const double g = 5e-4;
    const int ground = add_ground(world);
    const int mat = world.add(soft_box<3>("mat", {0.8, 0.3, 0.05}, {16, 6, 1}, {0, 0, 0.025 + g}, kRubber));
    const int left = world.add(affine_box("left", {0.05, 0.05, 0.05}, 800, {-0.25, 0, 0.1 + 2 * g}));
    const int right = world.add(affine_box("right", {0.05, 0.05, 0.05}, 800, {0.25, 0, 0.1 + 2 * g}));
    const int beam = world.add(soft_box<3>("beam", {0.7, 0.08, 0.06}, {14, 2, 2}, {0, 0, 0.18 + 3 * g}, kRubber));
    const StepReport report = step(world, 1.0);
    ASSERT_TRUE(report.done) << report.trouble;
    const auto weight = [&](int body) { return 9.81 * world.model.bodies[static_cast<std::size_t>(body)].mass; };
    const double all = weight(mat) + weight(left) + weight(right) + weight(beam);
    EXPECT_NEAR(force_between(world, ground, mat).z, all, 1e-6 * all);
    EXPECT_NEAR(force_between(world, mat, left).z + force_between(world, mat, right).z, all - weight(mat), 1e-6 * all);
    EXPECT_NEAR(force_between(world, left, beam).z + force_between(world, right, beam).z, weight(beam), 1e-6 * all);
    EXPECT_NEAR(force_between(world, left, beam).z, 0.5 * weight(beam), 0.01 * weight(beam));
    EXPECT_FALSE(crosses(world));
}

TEST(Collision, InThePlaneKeepsDiscsApart) {
    World<2> world;
    world.model.settings.check = true;
    world.model.gravity = {0, -9.81};
    add_ground(world);
    for (int i = 0; i < 4; ++i) {
        SoftDesc<2> disc;
        disc.name = "disc" + std::to_string(i);
        disc.mesh = deform::disc(0.1, 8);
        for (Vector<2>& p : disc.mesh.points) p += Vector<2>{0.02 * i, 0.12 + 0.21 * i};
        disc.elasticity = kRubber;
        disc.damping_stiffness = 0.002;
        world.add(disc);
    }
    for (int i = 0; i < 100; ++i) {
        const StepReport report = step(world, 0.01);
        ASSERT_TRUE(report.done) << report.trouble;
    }
    EXPECT_FALSE(crosses(world));
    for (int b = 1; b <= 4; ++b) EXPECT_GT(world.pose(b).position.z, 0.05);
}

/// Blocks of nearly the same width are pressed flat, so that their corners face each other and slide. The force over the gap
/// is a negative stiffness that only the exact Hessian of a contact has. In the soak clamped ones needed hundreds of
/// iterations a step.
TEST(Collision, OfBlocksUnderPressureConvergesQuickly) {
    World<2> world;
    world.model.settings.dhat = 4e-4;
    const deform::Elasticity wood{deform::Hyperelastic::NeoHookean, 6e7, 0.4};
    for (int i = 0; i < 3; ++i)
        world.add(soft_box<2>("box" + std::to_string(i), {0.014 + 1e-4 * i, 0.005}, {3 + i, 2},
                              {2e-5 * i, 0.0029 + 0.0054 * i}, wood));
    add_ground(world);
    ObstacleDesc<2> lid;
    lid.name = "lid";
    lid.path = [](double t) { return Pose{{0, 0, 0.0166 - 0.5 * t}, rotation({0, 3.14159265358979, 0})}; };
    world.add(lid);
    int most = 0;
    for (int i = 0; i < 20; ++i) {
        const StepReport report = step(world, 3e-4);
        ASSERT_TRUE(report.done) << report.trouble;
        most = std::max(most, report.iterations);
    }
    EXPECT_LE(most, 20);  // measured: 14, and 35 with clamped Hessians
}

/// Bodies of an ignored pair pass through each other, without forces between them.
TEST(Collision, IgnoredPairsPassThroughEachOther) {
    World<3> world;
    SoftDesc<3> a = soft_box<3>("a", {0.1, 0.1, 0.1}, {2, 2, 2}, {-0.1, 0, 0}, kRubber);
    a.velocity = {1, 0, 0};
    world.add(a);
    world.add(soft_box<3>("b", {0.1, 0.1, 0.1}, {2, 2, 2}, {0.1, 0.013, 0.017}, kRubber));
    world.ignore(0, 1);
    ASSERT_TRUE(run(world, 0.3, 0.01));
    EXPECT_NEAR(world.pose(0).position.x, 0.2, 1e-9);
    EXPECT_LT(world.velocity(1).x, 1e-12);
}

}  // namespace
}  // namespace asperity::implicit::testing
