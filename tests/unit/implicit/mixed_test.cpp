// Bodies and loads of all kinds at once: what each of them keeps alone they have to keep together.
#include <gtest/gtest.h>

#include "asperity/ccd/intersections.h"
#include "tests/unit/implicit/bodies.h"
#include "tests/unit/implicit/energy_bounds.h"

namespace asperity::implicit::testing {
namespace {

const deform::Elasticity kRubber{deform::Hyperelastic::NeoHookean, 1e5, 0.4};

/// A moving wall pushes a soft cube against a stiff box that comes towards it. In every step the momentum of the two
/// changes by the impulse of the wall, and their energy by its work and by what backward Euler takes: half of |v1 - v0|^2
/// in the mass, and the curvature of the potential along the step (energy_bounds.h). What is left of both is rounding.
TEST(Mixed, CollisionOfASoftAnAffineAndAKinematicBody) {
    World<3> world;
    world.model.settings.tolerance = 1e-9;
    world.model.settings.check = true;
    SoftDesc<3> desc = soft_box<3>("soft", {0.2, 0.2, 0.2}, {3, 3, 3}, {0, 0.02, 0.03}, kRubber);
    desc.velocity = {0.2, 0, 0};
    const int soft = world.add(desc);
    AffineDesc<3> stiff = affine_box("stiff", {0.1, 0.08, 0.07}, 2000, {0.23, 0, 0});
    stiff.velocity = {-1, 0, 0};
    const int affine = world.add(stiff);
    ObstacleDesc<3> plate;
    plate.name = "wall";
    plate.skin = affine_box("", {0.05, 0.3, 0.3}, 1, {}).skin;
    plate.path = [](double t) { return Pose{{-0.16 + 0.8 * t, 0.01, 0.02}, {}}; };
    const int wall = world.add(plate);
    const double dt = 0.002;
    StepReport before = measure(world);
    bool wall_touched = false, met = false;
    double impulse = 0, taken = 0;
    for (int i = 0; i < 80; ++i) {
        const State<3> from = world.state;
        const std::vector<Vector<3>> surface = world.surface_positions();
        const Vec3 momentum = world.linear_momentum();
        const double mass = world.model.bodies[0].mass + world.model.bodies[1].mass;
        const StepReport now = step(world, dt);
        ASSERT_TRUE(now.done) << now.trouble;
        ASSERT_EQ(now.halvings, 0);
        const Vec3 push = force_between(world, wall, soft) + force_between(world, wall, affine);
        wall_touched = wall_touched || length(push) > 0;
        met = met || length(force_between(world, soft, affine)) > 0;
        impulse += length(push) * dt;
        // 1e-12 of the momentum of a body at 1 m/s: forces are opposite to rounding
        EXPECT_LT(length(world.linear_momentum() - momentum - dt * push), 1e-12 * mass) << i;

        const double gain = now.kinetic_energy + now.elastic_energy + now.barrier_energy - before.kinetic_energy -
                            before.elastic_energy - before.barrier_energy;
        const double work = 0.8 * dt * push.x;
        const double bound = change_of_velocity(world.model, from, world.state) -
                             elastic_curvature(world.model, from, world.state) -
                             contact_curvature(world, surface, now.barrier_energy - before.barrier_energy);
        taken += bound;
        // rounding of the energies, 1e-15 of some 20 J times the sums over nodes
        EXPECT_NEAR(gain, work - bound, 1e-10 * (now.kinetic_energy + now.elastic_energy)) << i;
        before = now;
    }
    EXPECT_TRUE(wall_touched);
    EXPECT_TRUE(met);
    EXPECT_GT(impulse, 1);
    EXPECT_GT(taken, 0);  // over the whole collision the rule has only taken energy
    const std::vector<Vector<3>> x = world.surface_positions();
    EXPECT_FALSE(ccd::first_intersection(world.model.surface.view(), std::span<const Vector<3>>(x)).found);
}

/// One body whose upper face is moved by command, whose side is under pressure, and which rests on an affine block on the
/// ground: all forces and torques on it balance to 1e-9 of the load.
TEST(Mixed, PrescribedLoadedAndTouchingFacesOfOneBodyBalance) {
    World<3> world;
    world.model.settings.integrator = Integrator::QuasiStatic;
    world.model.settings.tolerance = 1e-11;
    world.model.settings.dhat = 1e-3;
    world.model.gravity = {0, 0, -9.81};
    const double pressure = 3000;
    const int ground = add_ground(world);
    const int block = world.add(affine_box("block", {0.15, 0.15, 0.05}, 500, {0, 0, 0.0505}));
    const int body = world.add(soft_box<3>("body", {0.2, 0.2, 0.1}, {4, 4, 3}, {0.01, 0, 0.151}, kRubber));
    world.prescribe(
        body, "top", [](const Vector<3>& x) { return x[2] > 0.201 - 1e-9; },
        [](const Vector<3>& x, double t) {
            return Vector<3>{x[0], x[1] + 0.002 * t, x[2] - 0.006 * t};
        });
    const auto side = [](const Vector<3>& x) { return x[0] < -0.09 + 1e-9; };
    EXPECT_NEAR(world.load(body, side, {}, [=](double) { return pressure; }), 0.02, 1e-12);
    std::vector<Vector<3>> from;
    for (int i = 0; i < 4; ++i) {
        from = world.state.nodes.x;  // pressure acts on the faces as they are when a step begins
        const StepReport report = step(world, 0.25);
        ASSERT_TRUE(report.done) << report.trouble;
    }
    const Vec3 centre = world.center_of_mass(body);
    const double weight = 9.81 * world.model.bodies[static_cast<std::size_t>(body)].mass;
    Vec3 force{0, 0, -weight}, torque;
    double size = weight;
    for (const PairForce& f : world.forces()) {
        const double sign = f.body_b == body ? 1 : f.body_a == body ? -1 : 0;
        force += sign * f.force;
        size += std::fabs(sign) * length(f.force);
        if (f.body_b == body) torque += f.torque;
    }
    EXPECT_GT(force_between(world, block, body).z, 5 * weight);
    EXPECT_GT(length(world.region_force(0)), 5 * weight);
    for (const auto& face : world.model.loads[0].faces) {
        std::array<Vec3, 3> start, end;
        for (std::size_t k = 0; k < 3; ++k) {
            const int node = world.model.carriers[static_cast<std::size_t>(face[k])].node;
            start[k] = to_vec3(from[static_cast<std::size_t>(node)]);
            end[k] = to_vec3(world.state.nodes.x[static_cast<std::size_t>(node)]);
        }
        const Vec3 push = (-pressure / 2) * cross(start[1] - start[0], start[2] - start[0]);
        force += push;
        torque += cross((1.0 / 3) * (end[0] + end[1] + end[2]) - centre, push);
    }
    EXPECT_LT(length(force), 1e-9 * size);
    EXPECT_LT(length(torque), 1e-9 * size * 0.2);
    // and the block below, on which nothing but its weight and two contacts act
    const double below = 9.81 * world.model.bodies[static_cast<std::size_t>(block)].mass;
    EXPECT_LT(length(force_between(world, ground, block) - force_between(world, block, body) + Vec3{0, 0, -below}),
              1e-9 * size);
}

}  // namespace
}  // namespace asperity::implicit::testing
