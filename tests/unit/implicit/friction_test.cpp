// Friction of the implicit world: derivatives, exact hold, exact directions of sliding, smoothed friction.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/core/random.h"
#include "asperity/implicit/friction.h"
#include "tests/unit/implicit/friction_scenes.h"

namespace asperity::implicit::testing {
namespace {

double largest_motion(const World<3>& world, const std::vector<Vector<3>>& from) {
    double most = 0;
    for (std::size_t i = 0; i < from.size(); ++i) most = std::max(most, (world.state.nodes.x[i] - from[i]).norm());
    return most;
}

// === Formulas

FrictionContact contact_of(const friction::LimitSet& set) {
    FrictionContact c;
    c.surface = {{1, 0, 0}, {0, 1, 0}, set};
    c.load = 3;
    c.stiffness = 1e4;
    c.start = friction::project(set, {0.4, -0.2, 0}, c.load);
    return c;
}

/// Force = -gradient of the energy and stiffness = minus the derivative of the force, by central differences; the energy is
/// convex.
TEST(SoftFriction, EnergyForceAndStiffnessAgree) {
    const friction::LimitSet ellipse = friction::Ellipse{0.5, 0.3}, box = friction::Rectangle{0.5, 0.2, 0.3, 0.4};
    Random random(7);
    for (const friction::LimitSet& set : {ellipse, box})
        for (const double smoothing : {0.0, 1e-4}) {
            if (smoothing > 0 && !std::holds_alternative<friction::Ellipse>(set)) continue;
            FrictionContact c = contact_of(set);
            c.smoothing = smoothing;
            for (int i = 0; i < 200; ++i) {
                const Vec3 slip{random.uniform(-3e-4, 3e-4), random.uniform(-3e-4, 3e-4), 0};
                const FrictionAt at = friction_at(c, slip, FrictionStiffness::Exact);
                const double step = 1e-8;
                for (int k = 0; k < 2; ++k) {
                    Vec3 plus = slip, minus = slip;
                    plus[k] += step;
                    minus[k] -= step;
                    const FrictionAt up = friction_at(c, plus, FrictionStiffness::None),
                                     down = friction_at(c, minus, FrictionStiffness::None);
                    // the force changes by at most 1e4 N/m times the step; a kink of the box rarely lies between the two
                    EXPECT_NEAR(-(up.energy - down.energy) / (2 * step), at.force[k], 3e-4);
                    if (std::holds_alternative<friction::Rectangle>(set)) continue;
                    const Vec3 slope = (up.force - down.force) / (2 * step);
                    for (int j = 0; j < 2; ++j) EXPECT_NEAR(-slope[j], at.stiffness.r[j][k], 2e-3 * c.stiffness);
                }
                const Vec3 other{random.uniform(-3e-4, 3e-4), random.uniform(-3e-4, 3e-4), 0};
                const double middle = friction_at(c, 0.5 * (slip + other), FrictionStiffness::None).energy;
                EXPECT_LE(middle, 0.5 * (at.energy + friction_at(c, other, FrictionStiffness::None).energy) + 1e-12);
            }
        }
}

/// f0' = 2 s/e - s^2/e^2 and its derivative 2/e - 2 s/e^2 for e = 1e-3 and a limit of 1 N.
TEST(SoftFriction, SmoothedForceHasTheTabulatedValues) {
    FrictionContact c = contact_of(friction::Ellipse{0.5, 0.5});
    c.load = 2;
    c.smoothing = 1e-3;
    for (const auto& [slip, force, slope] :
         {std::array{1e-5, 0.0199, 1980.0}, {3e-4, 0.51, 1400.0}, {9.99e-4, 0.999999, 2.0}, {1.5e-3, 1.0, 0.0}}) {
        const FrictionAt at = friction_at(c, {slip, 0, 0}, FrictionStiffness::Exact);
        EXPECT_NEAR(-at.force.x, force, 1e-12);
        EXPECT_NEAR(at.stiffness.r[0].x, slope, 1e-8);
    }
    EXPECT_NEAR(friction_at(c, {}, FrictionStiffness::None).energy, 1e-3 / 3, 1e-18);
    EXPECT_NEAR(friction_at(c, {1e-3, 0, 0}, FrictionStiffness::None).energy, 1e-3, 1e-15);
    EXPECT_NEAR(friction_at(c, {0, 2e-3, 0}, FrictionStiffness::None).energy, 2e-3, 1e-15);
}

// === Hold

struct Held {
    double young, dt, psi_deg;
};
class Holds : public ::testing::TestWithParam<Held> {};
INSTANTIATE_TEST_SUITE_P(SoftFriction, Holds,
                         ::testing::Values(Held{1e5, 0.01, 30}, Held{1e6, 0.01, 30}, Held{1e6, 0.05, 137},
                                           Held{1e9, 0.01, 70}));

/// A soft block on a soft slab whose mesh does not fit, on an elliptic law, at 0.95 of its limit: once settled nothing
/// moves. The slope is raised within 2 s, so that the block does not swing.
TEST_P(Holds, ASoftBlockOnASoftSlabForGood) {
    World<3> world;
    set_friction(world, elliptic(0.5, 0.3));
    deform::Elasticity rubber = kRubber;
    rubber.young = GetParam().young;
    const int slab = world.add(soft_box<3>("slab", {0.4, 0.4, 0.1}, {7, 7, 2}, {0, 0, -0.05}, rubber));
    world.prescribe(slab, "base", [](const Vector<3>& x) { return x[2] < -0.0999; });
    SoftDesc<3> desc = soft_box<3>("block", {0.2, 0.2, 0.1}, {4, 4, 2}, {0.003, 0.002, 0.05 + 0.5 * kDistance}, rubber);
    desc.damping_stiffness = 0.02;
    const int block = world.add(desc);
    for (const int body : {slab, block}) world.set_self_contact(body, false);
    const double psi = GetParam().psi_deg * std::numbers::pi / 180, slope = std::atan(0.95 * limit_of(0.5, 0.3, psi));
    while (world.state.time < 10) {
        world.model.gravity = tilted(slope * std::min(1.0, (world.state.time + GetParam().dt) / 2), psi);
        ASSERT_TRUE(step(world, GetParam().dt).done);
    }
    const std::vector<Vector<3>> settled = world.state.nodes.x;
    int iterations = 0;
    for (int i = 0; i < 200; ++i) iterations += step(world, GetParam().dt).iterations;
    EXPECT_LT(largest_motion(world, settled), 1e-11);
    EXPECT_LE(iterations, 40);  // the bound for settled steps is a fifth of the 1 that smoothed friction needs at least
}

/// Crossing edges carry friction of their own: a square beam lies with its edge across two others.
TEST(SoftFriction, CrossingEdgesHold) {
    World<3> world;
    set_friction(world, coulomb(0.5));
    const double c = std::sqrt(0.5);
    const deform::Elasticity hard{deform::Hyperelastic::NeoHookean, 1e7, 0.4};
    const auto beam = [&](const std::string& name, const Vector<3>& size, const std::array<int, 3>& cells, int across,
                          const Vector<3>& place) {
        SoftDesc<3> desc = soft_box<3>(name, size, cells, {0, 0, 0}, hard);
        for (Vector<3>& p : desc.mesh.points) {  // stands on its edge
            p = across == 1 ? Vector<3>{p[0], c * (p[1] - p[2]), c * (p[1] + p[2])}
                            : Vector<3>{c * (p[0] - p[2]), p[1], c * (p[0] + p[2])};
            p += place;
        }
        desc.damping_stiffness = 0.01;
        const int body = world.add(desc);
        world.set_self_contact(body, false);
        return body;
    };
    for (const double y : {0.0, 0.5}) {
        const int lower = beam("lower", {1, 0.1, 0.1}, {10, 1, 1}, 1, {0, y, 0});
        world.prescribe(lower, "ends", [](const Vector<3>& x) { return std::fabs(x[0]) > 0.449; });
    }
    const int upper = beam("upper", {0.1, 1, 0.1}, {1, 7, 1}, 0, {0.013, 0.25, 0.2 * c + 0.3 * kDistance});
    const double slope = std::atan(0.95 * 0.5), psi = 0.5;
    while (world.state.time < 6) {
        world.model.gravity = tilted(slope * std::clamp(world.state.time - 1, 0.0, 1.0), psi);
        ASSERT_TRUE(step(world, 0.01).done);
    }
    const std::vector<Vector<3>> settled = world.state.nodes.x;
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(step(world, 0.01).done);
    EXPECT_LT(largest_motion(world, settled), 1e-11);
    EXPECT_NEAR(world.center_of_mass(upper).z, 0.2 * c, 0.03);
}

/// Vertices right above ridges are pushed off to either side, with the force over the gap as negative stiffness. Friction
/// holds them there: passes that use a smaller stiffness than that fall from one side to the other and never settle.
TEST(SoftFriction, HoldsVerticesOnRidges) {
    World<3> world;
    set_friction(world, coulomb(0.4));
    world.model.settings.dhat = 1e-4;
    world.model.gravity = tilted(0, 0);
    deform::Elasticity gel = kRubber;
    gel.young = 2e4;
    const double c = std::sqrt(0.5);
    for (const double x : {-0.05, 0.05}) {
        ObstacleDesc<3> ridge;
        const AffineDesc<3> beam = affine_box("ridge", {0.02, 0.2, 0.02}, 1000, {x, 0, -0.04 * c});
        ridge.name = "ridge";
        ridge.skin = beam.skin;
        for (Vector<3>& p : ridge.skin.points) p = {c * (p[0] - p[2]), p[1], c * (p[0] + p[2])};
        ridge.pose = {{x, 0, -0.02 * 2 * c}, {}};
        world.add(ridge);
    }
    SoftDesc<3> desc = soft_box<3>("block", {0.15, 0.1, 0.05}, {3, 2, 1}, {0, 0, 0.025 + 0.5e-4}, gel);
    for (Vector<3>& p : desc.mesh.points)
        if (std::fabs(p[0]) < 0.07) p[0] = std::copysign(0.05, p[0]);
    desc.damping_stiffness = 0.01;
    world.set_self_contact(world.add(desc), false);
    const double slope = std::atan(0.9 * 0.4);
    int passes = 0;
    while (world.state.time < 3) {
        world.model.gravity = tilted(slope * std::clamp(world.state.time - 0.5, 0.0, 1.0), 0);
        const StepReport report = step(world, 0.01);
        ASSERT_TRUE(report.done);
        passes += report.friction_passes;
    }
    EXPECT_LT(passes, 3000);  // measured: 1,841, and 11,672 with a smaller stiffness
    const std::vector<Vector<3>> settled = world.state.nodes.x;
    ASSERT_TRUE(run(world, 4, 0.01));
    EXPECT_LT(largest_motion(world, settled), 1e-11);
}

/// The block lets go between 0.9999 and 1.0001 of the limit; it is stiff, and wide enough not to rock.
TEST(SoftFriction, LetsGoAtTheLimitOfTheLaw) {
    for (const double share : {0.9999, 1.0001}) {
        World<3> world;
        set_friction(world, elliptic(0.5, 0.3));
        world.model.gravity = tilted(0, 0);
        add_ground(world);
        const int block = world.add(affine_box("block", {0.2, 0.2, 0.02}, 1000, {0, 0, 0.02 + 0.5 * kDistance}));
        ASSERT_TRUE(run(world, 0.5, 0.01));
        const double psi = 1, slope = std::atan(share * limit_of(0.5, 0.3, psi));
        world.model.gravity = tilted(slope, psi);
        ASSERT_TRUE(run(world, 2.5, 0.01));
        const double speed = length(world.velocity(block));
        const double excess = kGravity * std::cos(slope) * 1e-4 * limit_of(0.5, 0.3, psi);  // acceleration
        if (share < 1)
            EXPECT_LT(speed, 1e-9);
        else
            EXPECT_GT(speed, 0.5 * excess * 2);
    }
}

// === Sliding

TEST(SoftFriction, SlidesWhereTheLawSays) {
    expect_slides_of_the_law([](World<3>& world) { set_friction(world, elliptic(0.5, 0.3)); });
}

/// The certificate of a hold: load, resultant and margin of a block at rest on a slope are those of a rigid one.
TEST(SoftFriction, SaysHowSafelyItHolds) {
    World<3> world;
    set_friction(world, elliptic(0.5, 0.3));
    const double psi = 0.6, slope = std::atan(0.7 * limit_of(0.5, 0.3, psi));
    add_ground(world);
    SoftDesc<3> desc = soft_box<3>("block", {0.2, 0.2, 0.1}, {4, 4, 2}, {0, 0, 0.05 + 0.5 * kDistance}, kRubber);
    desc.damping_stiffness = 0.02;
    world.add(desc);
    while (world.state.time < 3) {
        world.model.gravity = tilted(slope * std::min(1.0, world.state.time), psi);
        ASSERT_TRUE(step(world, 0.01).done);
    }
    ASSERT_EQ(world.holds().size(), 1U);
    const PairHold hold = world.holds()[0];
    const double weight = 1000 * 0.004 * kGravity;
    EXPECT_NEAR(hold.load, weight * std::cos(slope), 1e-6 * weight);
    EXPECT_NEAR(hold.friction, weight * std::sin(slope), 1e-6 * weight);
    EXPECT_NEAR(hold.margin, 0.3, 1e-5);
    EXPECT_LT(hold.sliding, 1);
    EXPECT_EQ(hold.creep, 0);
}

/// In the plane too: a block slides down with g (sin a - mu cos a), and friction and normal force are in their ratio.
TEST(SoftFriction, SlidesInThePlane) {
    World<2> world;
    set_friction(world, coulomb(0.3));
    const double slope = 0.5;
    world.model.gravity = kGravity * Vector<2>{std::sin(slope), -std::cos(slope)};
    const int ground = add_ground(world);
    const int block = world.add(soft_box<2>("block", {0.2, 0.1}, {4, 2}, {0, 0.05 + 0.5 * kDistance}, kRubber));
    ASSERT_TRUE(run(world, 1.0, 0.01));
    const double before = world.velocity(block).x;
    double along = 0, normal = 0;
    while (world.state.time < 2 - 1e-9) {
        ASSERT_TRUE(step(world, 0.01).done);
        const Vec3 force = force_between(world, ground, block);
        along -= force.x;
        normal += force.z;
    }
    EXPECT_NEAR(along / normal, 0.3, 1e-4);
    EXPECT_NEAR(world.velocity(block).x - before, kGravity * (std::sin(slope) - 0.3 * std::cos(slope)), 2e-3);
}

/// Friction takes energy away and never gives any, and both sides of every pair feel the same force.
TEST(SoftFriction, NeverGivesEnergy) {
    World<3> world;
    set_friction(world, elliptic(0.6, 0.2));
    world.model.gravity = tilted(0, 0);
    const int ground = add_ground(world);
    SoftDesc<3> desc = soft_box<3>("block", {0.2, 0.1, 0.1}, {4, 2, 2}, {0, 0, 0.05 + 0.5 * kDistance}, kRubber);
    desc.velocity = {2, 1, 0};
    desc.angular_velocity = {0, 0, 5};
    const int block = world.add(desc);
    double last = 1e300;
    for (int i = 0; i < 100; ++i) {
        const StepReport r = step(world, 0.005);
        ASSERT_TRUE(r.done);
        const double energy = r.kinetic_energy + r.elastic_energy + r.gravity_energy + r.barrier_energy;
        EXPECT_LE(energy, last + 1e-6);
        last = energy;
        double power = 0;
        for (const FrictionContact& c : world.data().friction.contacts) {
            const Vec3 slip = slip_of<3>(world.model, world.data().attempt, world.data().now.x, c);
            power = std::max(power, dot(c.force, slip));
        }
        EXPECT_LE(power, 1e-9);
    }
    EXPECT_LT(length(world.velocity(block)), 2);
    EXPECT_GT(force_between(world, ground, block).z, 0);
}

/// Grain is carried by the surface: a pad twisted by 30 degrees has its easy direction turned by 30 degrees.
TEST(SoftFriction, GrainTurnsWithTheSurface) {
    World<3> world;
    set_friction(world, elliptic(0.1, 0.5));
    world.model.materials.push_back(world.model.materials[0]);
    world.model.materials[1].grain = {};
    world.model.gravity = tilted(0, 0);
    const int pad = world.add(soft_box<3>("pad", {0.4, 0.4, 0.1}, {6, 6, 2}, {0, 0, -0.05}, kRubber));
    const double turn = std::numbers::pi / 6;
    world.prescribe(
        pad, "all", [](const Vector<3>&) { return true; },
        [turn](const Vector<3>& x, double t) {
            const double a = turn * std::min(1.0, t);
            return Vector<3>{x[0] * std::cos(a) - x[1] * std::sin(a), x[0] * std::sin(a) + x[1] * std::cos(a), x[2]};
        });
    const int block = world.add(affine_box("block", {0.05, 0.05, 0.02}, 1000, {0, 0, 0.5}));
    world.model
        .parts[static_cast<std::size_t>(world.model.vertex_part[static_cast<std::size_t>(
            world.model.bodies[static_cast<std::size_t>(block)].first_vertex)])]
        .material = 1;
    world.state.nodes.v[static_cast<std::size_t>(world.model.bodies[static_cast<std::size_t>(block)].first_node)].setZero();
    ASSERT_TRUE(run(world, 1.5, 0.01));
    ASSERT_FALSE(world.data().friction.contacts.empty());
    for (const FrictionContact& c : world.data().friction.contacts)
        EXPECT_NEAR(std::fabs(dot(c.surface.t, Vec3{std::cos(turn), std::sin(turn), 0})), 1, 1e-9);
}

// === Smooth

/// A block at rest creeps at eps_v (1 - sqrt(1 - tan(a)/mu)), whatever dt is, with backward Euler and BDF2. Newmark's rule
/// is left out: it does not damp, so that velocities at rest ring from step to step.
TEST(SoftFriction, SmoothedFrictionCreepsByItsLaw) {
    const double slope = 20 * std::numbers::pi / 180, mu = 0.5;
    for (const Integrator integrator : {Integrator::BackwardEuler, Integrator::Bdf2})
        for (const double dt : {0.01, 0.003}) {
            World<3> world;
            set_friction(world, coulomb(mu));
            world.model.settings.friction = FrictionMethod::Smooth;
            world.model.settings.friction_passes = 5;
            world.model.settings.eps_v = 1e-3;
            world.model.settings.integrator = integrator;
            world.model.settings.tolerance = 1e-8;
            add_ground(world);
            SoftDesc<3> desc = soft_box<3>("block", {0.2, 0.2, 0.1}, {2, 2, 1}, {0, 0, 0.05 + 0.5 * kDistance}, kRubber);
            desc.damping_stiffness = 0.02;
            const int block = world.add(desc);
            while (world.state.time < 2) {
                world.model.gravity = tilted(slope * std::min(1.0, world.state.time), 0);
                ASSERT_TRUE(step(world, dt).done);
            }
            const double expected = 1e-3 * (1 - std::sqrt(1 - std::tan(slope) / mu));
            EXPECT_NEAR(world.velocity(block).x, expected, 0.01 * expected) << name(integrator) << ' ' << dt;
        }
}

/// The weights c and w of the integrators must cancel in the friction force. 30 degrees, mu 0.3. The contact is soft,
/// so that dt resolves its vibrations: Newmark's rule does not damp those that it does not resolve.
TEST(SoftFriction, AllIntegratorsSlideAlike) {
    const double slope = std::numbers::pi / 6;
    for (const FrictionMethod method : {FrictionMethod::Hold, FrictionMethod::Smooth})
        for (const Integrator integrator : {Integrator::BackwardEuler, Integrator::Newmark, Integrator::Bdf2}) {
            World<3> world;
            set_friction(world, coulomb(0.3));
            world.model.settings.friction = method;
            world.model.settings.friction_passes = 5;
            world.model.settings.integrator = integrator;
            world.model.settings.stiffness = 1e3;
            world.model.settings.dhat = 0.05;
            world.model.gravity = tilted(slope, 0);
            add_ground(world);
            const int block = world.add(affine_box("block", {0.1, 0.1, 0.02}, 1000, {0, 0, 0.055}));
            ASSERT_TRUE(run(world, 1.0, 0.002));
            const Vec3 before = world.velocity(block);
            ASSERT_TRUE(run(world, 3.0, 0.002));
            // it still swings up and down: the normal impulse is m g cos(a) t + m times the change of v_z
            const Vec3 gained = world.velocity(block) - before;
            EXPECT_NEAR(0.5 * (gained.x + 0.3 * gained.z), 2.356287, 1e-3 * 2.356287)
                << name(integrator) << ' ' << (method == FrictionMethod::Hold);
        }
}

/// Both ways of friction stop a sliding block after v^2/(2 mu g).
TEST(SoftFriction, StopsWhereTheClosedFormSays) {
    const double speed = 1, mu = 0.3, way = speed * speed / (2 * mu * kGravity);
    for (const FrictionMethod method : {FrictionMethod::Hold, FrictionMethod::Smooth})
        for (const Integrator integrator : {Integrator::BackwardEuler, Integrator::Bdf2}) {
            World<3> world;
            set_friction(world, coulomb(mu));
            world.model.settings.friction = method;
            if (method == FrictionMethod::Smooth) world.model.settings.friction_passes = 5;
            world.model.settings.integrator = integrator;
            world.model.gravity = tilted(0, 0);
            add_ground(world);
            // it starts where the barrier carries it: 3 (1 - s)^2 times 1e6 Pa is its weight over its area
            const double s = 1 - std::sqrt(1000 * kGravity * 0.04 / 3e6);
            AffineDesc<3> desc = affine_box("block", {0.1, 0.1, 0.02}, 1000, {0, 0, 0.02 + s * kDistance});
            desc.velocity = {speed, 0, 0};
            world.model.settings.stiffness = 1e6;
            const int block = world.add(desc);
            ASSERT_TRUE(run(world, 1, 0.005));
            // backward Euler stops dt v / 2 early (v falls at the start of each step); eps_v = 1e-3 changes the way by 1e-6
            EXPECT_NEAR(world.center_of_mass(block).x, way, 0.5 * 0.005 * speed + 0.01 * way)
                << name(integrator) << ' ' << (method == FrictionMethod::Hold);
        }
}

/// A checkpoint in the middle of sliding and sticking goes on with the same bits.
TEST(SoftFriction, GoesOnFromACheckpointWithTheSameBits) {
    const auto make = [] {
        auto world = std::make_unique<World<3>>();
        set_friction(*world, elliptic(0.5, 0.3));
        world->model.gravity = tilted(0.4, 0.3);
        add_ground(*world);
        SoftDesc<3> desc = soft_box<3>("lower", {0.3, 0.3, 0.1}, {4, 4, 2}, {0, 0, 0.05 + 0.5 * kDistance}, kRubber);
        world->add(desc);
        desc = soft_box<3>("upper", {0.2, 0.2, 0.1}, {3, 3, 2}, {0, 0, 0.15 + 1.2 * kDistance}, kRubber);
        desc.velocity = {0.3, 0, 0};
        world->add(desc);
        return world;
    };
    const auto world = make(), again = make();
    ASSERT_TRUE(run(*world, 0.1, 0.01));
    again->prepare();
    again->restore_state(world->save_state());
    measure(*again);
    ASSERT_TRUE(run(*world, 0.3, 0.01));
    ASSERT_TRUE(run(*again, 0.3, 0.01));
    EXPECT_EQ(world->state_hash(), again->state_hash());
}

}  // namespace
}  // namespace asperity::implicit::testing
