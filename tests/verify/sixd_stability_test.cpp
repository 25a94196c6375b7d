// Overlap correction by volume, and compliant patches. The volume's Newton step against finite differences and closed forms;
// springs against closed forms; no energy gain.
#include "worlds.h"

#include "asperity/core/random.h"
#include "asperity/geometry/mesh/bumpy_box.h"
#include "asperity/geometry/shared_volume/overlap.h"
#include "asperity/sim/position_pass.h"

namespace asperity::verify {
namespace {

using geometry::Box;
using geometry::Cylinder;
using geometry::Shape;
using geometry::Sphere;
using surface::OverlapBy;

sim::World patch_world(const surface::Stabilisation& how, const Vec3& gravity = {}) {
    sim::World world = world_with(coulomb(0.5), 0, gravity);
    world.model.settings.contact_model = surface::ContactModel::Patches;
    world.model.settings.stabilisation = how;
    return world;
}
const surface::Stabilisation kVolume{OverlapBy::Volume, {}, {}};

double shared_volume(const sim::World& world, const Pose& of_a, const Pose& of_b) {
    geometry::Overlap shared;
    const rigid::Collider &a = world.model.bodies.colliders[0], &b = world.model.bodies.colliders[1];
    geometry::overlap(a.shape, of_a * a.local, b.shape, of_b * b.local, {}, shared);
    return shared.volume;
}

/// A sheet of depth d: V = A d exactly. So each step removes the given share of the volume above the target, without
/// rotation.
TEST(SixDVolume, BoxLeavesTheFloorByItsShareOfTheVolume) {
    for (const double target : {0.0, 4e-5}) {  // over 0.4 m x 0.2 m: 0.5 mm
        surface::Stabilisation how = kVolume;
        how.target_volume = target;
        sim::World world = patch_world(how);
        add_ground(world);
        Body box(world, add(world, "box", Box{{0.2, 0.1, 0.05}}, {{0, 0, 0.05 - 2e-3}, {}}));
        double depth = 2e-3;
        run(world, 0.01, 30, [&] {
            depth -= sim::kOverlapShare * (depth - target / 0.08);
            EXPECT_NEAR(0.05 - box.position().z, depth, 1e-12) << target;
        });
        EXPECT_EQ(length(box.velocity()) + length(box.spin()), 0) << "the correction changes poses only";
        EXPECT_LT(std::fabs(box.orientation().x) + std::fabs(box.orientation().y), 1e-12);
    }
}

/// A cap of depth h: V = pi h^2 (3r - h)/3, dV/dh = pi h (2r - h).
TEST(SixDVolume, BallLeavesTheFloorByTheNewtonStepOfItsCap) {
    sim::World world = patch_world(kVolume);
    add_ground(world);
    const double r = 0.1;
    Body ball(world, add(world, "ball", Sphere{r}, {{0, 0, r - 2e-3}, {}}));
    double h = 2e-3;
    run(world, 0.01, 20, [&] {
        h -= sim::kOverlapShare * h * (3 * r - h) / (3 * (2 * r - h));
        EXPECT_NEAR(r - ball.position().z, h, 1e-12);
    });
}

/// dq = -s M^-1 G^T (V - V_t)/(G M^-1 G^T), with G over all twelve coordinates by central differences of the volume. Two
/// free bodies at rest must move by exactly that, so their common centre and orientation stay.
TEST(SixDVolume, OneStepIsTheNewtonStepOfTheVolume) {
    Random random(7);
    const Vec3 corners[] = {{-0.2, -0.1, -0.1}, {0.2, -0.15, -0.1}, {0.1, 0.2, -0.12}, {-0.1, 0.1, 0.15}, {0.15, 0.05, 0.1}};
    const Shape hull = geometry::convex_hull(corners), mesh = geometry::make_bumpy_box({{0.2, 0.15, 0.1}, 0.01, 3, 12});
    struct Case {
        Shape a, b;
        double reach;  // of both shapes along z
    };
    const Case cases[] = {{Box{{0.2, 0.15, 0.1}}, Box{{0.1, 0.2, 0.1}}, 0.2},
                          {Box{{0.2, 0.15, 0.1}}, Sphere{0.1}, 0.2},
                          {Box{{0.2, 0.15, 0.1}}, hull, 0.21},
                          {Sphere{0.1}, Sphere{0.15}, 0.25},
                          {Cylinder{0.2, 0.1}, Box{{0.1, 0.1, 0.1}}, 0.2},
                          {mesh, Box{{0.1, 0.2, 0.1}}, 0.2}};
    double worst = 0;
    for (const Case& c : cases)
        for (int trial = 0; trial < 4; ++trial) {
            sim::World world = patch_world(kVolume);
            const Vec3 turn{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(-1, 1)};
            const Vec3 where{random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), c.reach - 0.01};
            add(world, "a", c.a, {}, random.uniform(0.5, 3));
            add(world, "b", c.b, {where, rotation(turn)}, random.uniform(0.5, 3));
            const Pose start[2] = {world.state.bodies.pose[0], world.state.bodies.pose[1]};
            const double V = shared_volume(world, start[0], start[1]);
            ASSERT_GT(V, 0);
            Vec3 push[2], twist[2], by[2], turned[2];  // G, and M^-1 G^T
            double GMG = 0;
            constexpr double kStep = 1e-6;
            for (const size_t i : {0, 1}) {
                const auto volume_at = [&](const Vec3& dx, const Vec3& dr) {
                    Pose moved[2] = {start[0], start[1]};
                    moved[i] = {start[i].position + dx, rotation(dr) * start[i].orientation};
                    return shared_volume(world, moved[0], moved[1]);
                };
                for (int k = 0; k < 3; ++k) {
                    Vec3 e;
                    (k == 0 ? e.x : k == 1 ? e.y : e.z) = kStep;
                    const double dx = (volume_at(e, {}) - volume_at(-e, {})) / (2 * kStep),
                                 dr = (volume_at({}, e) - volume_at({}, -e)) / (2 * kStep);
                    (k == 0 ? push[i].x : k == 1 ? push[i].y : push[i].z) = dx;
                    (k == 0 ? twist[i].x : k == 1 ? twist[i].y : twist[i].z) = dr;
                }
                const Mat3 inertia = world.model.bodies.inertia[i];  // in body axes
                const Vec3 local = rotate_inverse(start[i].orientation, twist[i]);
                by[i] = push[i] / world.model.bodies.mass[i];
                turned[i] = rotate(start[i].orientation, inverse(inertia) * local);
                GMG += dot(push[i], by[i]) + dot(twist[i], turned[i]);
            }
            run(world, 0.01, 1);
            for (const size_t i : {0, 1}) {
                const double scale = -sim::kOverlapShare * V / GMG;
                const Vec3 moved = world.state.bodies.pose[i].position - start[i].position;
                const Quat q = world.state.bodies.pose[i].orientation * conjugate(start[i].orientation);
                const Vec3 turned_by = 2 * Vec3{q.x, q.y, q.z};
                const double size = std::fabs(scale) * (length(by[0]) + length(by[1]));
                worst = std::fmax(worst, length(moved - scale * by[i]) / size);
                // Ten times the measured error, 4e-9 and 1.5e-7 for rotations: rounding of the differences, 1e-16 m^3 over
                // 1e-6 m of a face of 0.05 m^2.
                EXPECT_LT(length(moved - scale * by[i]), 4e-8 * size)
                    << "case " << &c - cases << " trial " << trial << " body " << i;
                EXPECT_LT(length(turned_by - scale * turned[i]), 2e-6 * size / 0.1)
                    << "case " << &c - cases << " trial " << trial << " body " << i;
            }
            const Vec3 centre = world.model.bodies.mass[0] * (world.state.bodies.pose[0].position - start[0].position) +
                                world.model.bodies.mass[1] * (world.state.bodies.pose[1].position - start[1].position);
            EXPECT_LT(length(centre), 1e-13);
            EXPECT_EQ(world.kinetic_energy(), 0);
        }
    measured("worst, of the step", worst);
}

// ---- compliance ----

surface::Stabilisation gives(double compliance) { return {{}, {}, compliance}; }

class CompliantPatch : public testing::TestWithParam<std::string> {};

/// At rest at the depth C G, without creep.
TEST_P(CompliantPatch, BlockRestsAtItsDeflectionAndDoesNotCreep) {
    const double C = 2e-5, m = 3;
    sim::World world = patch_world(gives(C), {0, 0, -kGravity});
    world.model.settings.solver = GetParam();
    add_ground(world);
    Body box(world, add(world, "box", Box{{0.2, 0.1, 0.05}}, {{0, 0, 0.05}, {}}, m));
    run(world, 0.01, 200);
    const double tolerance = GetParam() == "fast" ? 1e-8 : 1e-10;
    EXPECT_NEAR(0.05 - box.position().z, C * m * kGravity, tolerance);
    const double z = box.position().z;
    run(world, 0.01, 500);
    EXPECT_NEAR(box.position().z, z, tolerance);
    EXPECT_LT(length(box.velocity()), 1e-9);
}

/// On a slope the centre of pressure shifts by h tan. The bed of springs tilts by C M/k^2 with k^2 = (2a)^2/12, M = m g sin
/// h. Friction is rigid, so the block does not slide.
TEST_P(CompliantPatch, BlockOnASlopeTiltsAsABedOfSprings) {
    const double C = 1e-6, m = 2, a = 0.2, h = 0.1, angle = radians(10.0);
    sim::World world = patch_world(gives(C), tilted_gravity(angle));
    world.model.settings.solver = GetParam();
    add_ground(world);
    Body box(world, add(world, "box", Box{{a, 0.1, h}}, {{0, 0, h}, {}}, m));
    run(world, 0.01, 300);
    const double tilt = C * m * kGravity * std::sin(angle) * h / (a * a / 3);
    EXPECT_NEAR(2 * box.orientation().y, tilt, 1e-3 * tilt);  // the depth shortens the arm by 3e-4
    const double x = box.position().x;
    run(world, 0.01, 300);
    EXPECT_NEAR(box.position().x, x, 1e-9);
}

/// l = (v + gap/dt)/(S + gamma), S = 1/m, gamma = C/dt^2; then x moves by dt v_new, not by the mean velocity.
TEST_P(CompliantPatch, ImpactMeetsItsMassAndItsCompliance) {
    for (const double C : {1e-7, 1e-5, 1e-3}) {
        const double m = 2, dt = 0.01;
        sim::World world = patch_world(gives(C));
        world.model.settings.solver = GetParam();
        add_ground(world);
        Body box(world, add(world, "box", Box{{0.2, 0.1, 0.05}}, {{0, 0, 0.05}, {}}, m));
        box.velocity() = {0, 0, -0.3};
        run(world, dt, 1);  // compresses the springs
        const double v = 0.3, depth = 0.05 - box.position().z;
        box.velocity() = {0, 0, -v};
        run(world, dt, 1);
        const double impulse = (v + depth / dt) / (1 / m + C / (dt * dt)), after = -v + impulse / m;
        EXPECT_NEAR(box.velocity().z, after, GetParam() == "fast" ? 1e-6 : 1e-9) << C;
        EXPECT_NEAR(box.position().z, 0.05 - depth + dt * std::fmax(after, 0.5 * (after - v)), 1e-8) << C;
    }
}

/// Springs return only the energy that compressed them. The position pass lifts a block placed 2 cm deep in the floor,
/// upright or tilted, and never throws it. At C = 1e-6 m/N springs of that depth would hold 200 J.
TEST_P(CompliantPatch, OverlapThatNothingPressedInHoldsNoEnergy) {
    for (const double tilt : {0.0, 0.05}) {
        sim::World world = patch_world(gives(1e-6), {0, 0, -kGravity});
        world.model.settings.solver = GetParam();
        add_ground(world);
        Body box(world, add(world, "box", Box{{0.2, 0.1, 0.05}}, {{0, 0, 0.03}, rotation({0, tilt, 0})}, 2));
        double fastest = 0;
        run(world, 0.01, 200, [&] { fastest = std::fmax(fastest, length(box.velocity())); });
        EXPECT_LT(fastest, kGravity * 0.01) << tilt;  // the speed that gravity gives in a step
        EXPECT_NEAR(box.position().z, 0.05 - 1e-6 * 2 * kGravity, 1e-5) << tilt;
    }
}

INSTANTIATE_TEST_SUITE_P(Solvers, CompliantPatch, testing::Values("prox", "fast", "pgs", "newton", "auto"),
                         [](const auto& p) { return p.param; });

/// A block dropped on springs of any stiffness: the sum of kinetic energy, potential energy and gap^2/(2C) never rises,
/// except for m (g dt)^2/8 at a landing.
TEST(SixDCompliance, AddsNoEnergy) {
    for (const double C : {1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3}) {
        sim::World world = patch_world(gives(C), {0, 0, -kGravity});
        add_ground(world);
        const double m = 2, dt = 0.01;
        Body box(world, add(world, "box", Box{{0.2, 0.1, 0.05}}, {{0, 0, 0.06}, {}}, m));
        box.velocity() = {0, 0, -1};
        const auto total = [&] {
            const double depth = std::fmax(0.0, 0.05 - box.position().z);
            return energy(world) + depth * depth / (2 * C);
        };
        double last = total(), rise = -1e9;
        run(world, dt, 1000, [&] {  // 22 rad/s for the softest, damped by half of that times dt
            rise = std::fmax(rise, total() - last);
            last = total();
        });
        measured(fmt::format("rise at {}", C), rise);
        EXPECT_LT(rise, m * kGravity * kGravity * dt * dt / 8 + 1e-12) << C;
        EXPECT_NEAR(box.position().z, 0.05 - C * m * kGravity, 1e-3 * C * m * kGravity + 1e-9) << C;
    }
}

}  // namespace
}  // namespace asperity::verify
