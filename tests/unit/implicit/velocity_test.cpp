// Friction `velocity`: closed forms of slopes, agreement with `hold`, the form of its contact problem, no crossing surfaces.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/ccd/intersections.h"
#include "asperity/core/error.h"
#include "asperity/core/parallel.h"
#include "asperity/core/random.h"
#include "tests/unit/implicit/friction_scenes.h"

namespace asperity::implicit::testing {
namespace {

template <int Dim>
void set_velocity_friction(World<Dim>& world, const friction::Law& law) {
    set_friction(world, law);
    world.model.settings.friction = FrictionMethod::Velocity;
    world.model.settings.friction_passes = 1;
}

/// The block lets go between 0.9999 and 1.0001 of the limit of an ellipse, as affine body and as soft body.
TEST(VelocityFriction, LetsGoAtTheLimitOfTheLaw) {
    for (const double share : {0.9999, 1.0001}) {
        World<3> world;
        set_velocity_friction(world, elliptic(0.5, 0.3));
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

/// A soft block on a soft slab whose mesh does not fit, at 0.95 of the limit: what is left of motion is within the tolerance
/// of the solver, 1e-10 m/s.
TEST(VelocityFriction, ASoftBlockHoldsOnASoftSlab) {
    World<3> world;
    set_velocity_friction(world, elliptic(0.5, 0.3));
    const int slab = world.add(soft_box<3>("slab", {0.4, 0.4, 0.1}, {7, 7, 2}, {0, 0, -0.05}, kRubber));
    world.prescribe(slab, "base", [](const Vector<3>& x) { return x[2] < -0.0999; });
    SoftDesc<3> desc = soft_box<3>("block", {0.2, 0.2, 0.1}, {4, 4, 2}, {0.003, 0.002, 0.05 + 0.5 * kDistance}, kRubber);
    desc.damping_stiffness = 0.02;
    const int block = world.add(desc);
    for (const int body : {slab, block}) world.set_self_contact(body, false);
    const double psi = 0.5, slope = std::atan(0.95 * limit_of(0.5, 0.3, psi));
    while (world.state.time < 4) {
        world.model.gravity = tilted(slope * std::min(1.0, (world.state.time + 0.01) / 2), psi);
        ASSERT_TRUE(step(world, 0.01).done);
    }
    const std::vector<Vector<3>> settled = world.state.nodes.x;
    ASSERT_TRUE(run(world, 6, 0.01));
    double most = 0;
    for (std::size_t i = 0; i < settled.size(); ++i) most = std::max(most, (world.state.nodes.x[i] - settled[i]).norm());
    EXPECT_LT(most, 2 * 1e-9);
    const double weight = 1000 * 0.004 * kGravity;
    const Vec3 force = force_between(world, slab, block);
    EXPECT_NEAR(length(force), weight, 1e-6 * weight);
}

TEST(VelocityFriction, SlidesWhereTheLawSays) {
    expect_slides_of_the_law([](World<3>& world) { set_velocity_friction(world, elliptic(0.5, 0.3)); });
}

/// Every solver of problems with a written matrix finds the same steady slide. lcp replaces the ellipse by a polygon.
TEST(VelocityFriction, EverySolverSlidesAlike) {
    const double psi = std::numbers::pi / 6, slope = std::atan(1.2 * limit_of(0.5, 0.3, psi));
    const Slide expected = closed_form(slope, psi, 0.5, 0.3);
    for (const std::string& solver : solvers::assembled_solver_names()) {
        if (solver == "lcp") continue;
        World<3> world;
        set_velocity_friction(world, elliptic(0.5, 0.3));
        world.model.settings.solver = solver;
        world.model.settings.max_sweeps = 20000;
        world.model.gravity = tilted(slope, psi);
        add_ground(world);
        const int block = world.add(affine_box("block", {0.1, 0.1, 0.02}, 1000, {0, 0, 0.02 + 0.5 * kDistance}));
        ASSERT_TRUE(run(world, 0.2, 0.01)) << solver;
        const Vec3 before = world.velocity(block);
        ASSERT_TRUE(run(world, 0.4, 0.01)) << solver;
        const Vec3 gained = world.velocity(block) - before;
        EXPECT_NEAR(std::atan2(gained.y, gained.x), expected.angle, 0.01 * std::numbers::pi / 180) << solver;
        EXPECT_NEAR(std::hypot(gained.x, gained.y) / 0.2, expected.acceleration, 1e-5 * expected.acceleration) << solver;
    }
}

/// The way to rest on a plane: backward Euler stops dt v / 2 early (spec/ipc-friction.md 5.2), exactly so with either
/// method, since the velocity falls by mu g dt in each step. BDF2 is of second order but for the step in which the block
/// stops.
TEST(VelocityFriction, StopsWhereTheClosedFormSays) {
    const double speed = 1, mu = 0.3, way = speed * speed / (2 * mu * kGravity);
    const auto stop = [&](FrictionMethod method, Integrator integrator, double dt) {
        World<3> world;
        set_velocity_friction(world, coulomb(mu));
        world.model.settings.friction = method;
        if (method == FrictionMethod::Hold) world.model.settings.friction_passes = 40;
        world.model.settings.integrator = integrator;
        world.model.gravity = tilted(0, 0);
        add_ground(world);
        const double s = 1 - std::sqrt(1000 * kGravity * 0.04 / 3e6);  // where the barrier of hold carries it
        const double gap = method == FrictionMethod::Hold ? s : 0.5;
        AffineDesc<3> desc = affine_box("block", {0.1, 0.1, 0.02}, 1000, {0, 0, 0.02 + gap * kDistance});
        desc.velocity = {speed, 0, 0};
        world.model.settings.stiffness = 1e6;
        const int block = world.add(desc);
        EXPECT_TRUE(run(world, 0.6, dt));
        EXPECT_LT(length(world.velocity(block)), 1e-6);
        return world.center_of_mass(block).x;
    };
    for (const double dt : {0.01, 0.005, 0.0025}) {
        const double velocity = stop(FrictionMethod::Velocity, Integrator::BackwardEuler, dt),
                     hold = stop(FrictionMethod::Hold, Integrator::BackwardEuler, dt);
        // the last step begins with less than mu g dt, so that rounding of the number of steps adds at most dt^2 mu g
        EXPECT_NEAR(velocity, way - 0.5 * dt * speed, mu * kGravity * dt * dt) << dt;
        EXPECT_NEAR(velocity, hold, mu * kGravity * dt * dt + 1e-4 * way) << dt;
        EXPECT_NEAR(stop(FrictionMethod::Velocity, Integrator::Bdf2, dt), way, 0.5 * dt * speed) << dt;
    }
}

/// A hard surface struck by a soft ball and a stiff cube at 5 m/s, half a body in each step: no two surfaces ever cross.
TEST(VelocityFriction, NothingCrosses) {
    World<3> world;
    set_velocity_friction(world, coulomb(0.4));
    world.model.gravity = tilted(0, 0);
    ObstacleDesc<3> wedge;
    const AffineDesc<3> box = affine_box("wedge", {0.5, 0.5, 0.05}, 1000, {0, 0, 0});
    wedge.name = "wedge";
    wedge.skin = box.skin;
    for (Vector<3>& p : wedge.skin.points) p = {0.9 * p[0] - 0.4 * p[2], p[1], 0.4 * p[0] + 0.9 * p[2]};
    wedge.pose = {{0, 0, -0.3}, {}};
    world.add(wedge);
    SoftDesc<3> soft = soft_box<3>("soft", {0.1, 0.1, 0.1}, {3, 3, 3}, {0.01, 0.02, 0}, kRubber);
    soft.velocity = {1, 0.3, -5};
    soft.angular_velocity = {3, 7, 1};
    world.set_self_contact(world.add(soft), false);
    AffineDesc<3> cube = affine_box("cube", {0.05, 0.05, 0.05}, 1000, {0.02, 0.01, 0.2});
    cube.velocity = {0, 0, -5};
    cube.angular_velocity = {5, 2, 0};
    world.add(cube);
    int halvings = 0;
    double energy = 0.5 * 2 * (1 * (26.09)) + 20;  // kinetic at the start, with what gravity adds on the way
    for (int i = 0; i < 60; ++i) {
        const StepReport report = step(world, 0.01);
        ASSERT_TRUE(report.done) << report.trouble;
        halvings += report.halvings;
        EXPECT_FALSE(
            ccd::first_intersection(world.model.surface.view(), std::span<const Vector<3>>(world.surface_positions())).found)
            << i;
        EXPECT_LT(report.kinetic_energy, energy) << i;
    }
    EXPECT_LT(halvings, 10);
}

/// The solver's problem: W symmetric, its diagonal positive; impulses over dt carry the weight; velocities at contacts that
/// stick are within the tolerance.
TEST(VelocityFriction, ItsProblemIsThatOfTheBodies) {
    World<3> world;
    set_velocity_friction(world, coulomb(0.5));
    world.model.gravity = tilted(0.2, 0.4);
    add_ground(world);
    world.add(soft_box<3>("block", {0.2, 0.2, 0.1}, {3, 3, 2}, {0, 0, 0.05 + 0.5 * kDistance}, kRubber));
    ASSERT_EQ(world.contact_problem(), nullptr);
    ASSERT_TRUE(run(world, 1, 0.01));
    const solvers::AssembledProblem* problem = world.contact_problem();
    ASSERT_NE(problem, nullptr);
    ASSERT_EQ(problem->block_count(), 16);
    double normal = 0;
    for (int k = 0; k < problem->block_count(); ++k) {
        const solvers::Block& block = problem->blocks[static_cast<std::size_t>(k)];
        ASSERT_EQ(block.rows, 3);
        normal += problem->impulse_of(block)[0] / 0.01;
    }
    const double weight = 1000 * 0.004 * kGravity;
    EXPECT_NEAR(normal, weight * std::cos(0.2), 1e-4 * weight);
    EXPECT_EQ(world.contact_name(3).substr(0, 30), "contact 3 of 'ground' and 'blo");
    // W lambda . mu >= 0 and symmetry: x . W y = y . W x for two vectors
    std::vector<double> x, y, Wx(problem->q.size()), Wy(problem->q.size());
    Random random(3);
    for (std::size_t i = 0; i < problem->q.size(); ++i) {
        x.push_back(random.uniform(-1, 1));
        y.push_back(random.uniform(-1, 1));
    }
    problem->multiply(x, Wx);
    problem->multiply(y, Wy);
    double xWy = 0, yWx = 0, xWx = 0;
    for (std::size_t i = 0; i < x.size(); ++i) xWy += x[i] * Wy[i], yWx += y[i] * Wx[i], xWx += x[i] * Wx[i];
    EXPECT_NEAR(xWy, yWx, 1e-12 * xWx);
    EXPECT_GT(xWx, 0);
}

/// In the plane: a block slides down with g (sin a - mu cos a).
TEST(VelocityFriction, SlidesInThePlane) {
    World<2> world;
    set_velocity_friction(world, coulomb(0.3));
    const double slope = 0.5;
    world.model.gravity = kGravity * Vector<2>{std::sin(slope), -std::cos(slope)};
    const int ground = add_ground(world);
    SoftDesc<2> desc = soft_box<2>("block", {0.2, 0.1}, {4, 2}, {0, 0.05 + 0.5 * kDistance}, kRubber);
    desc.damping_stiffness = 0.01;
    const int block = world.add(desc);
    ASSERT_TRUE(run(world, 1.0, 0.01));
    const double before = world.velocity(block).x;
    ASSERT_TRUE(run(world, 2.0, 0.01));
    EXPECT_NEAR(world.velocity(block).x - before, kGravity * (std::sin(slope) - 0.3 * std::cos(slope)), 2e-3);
    const Vec3 force = force_between(world, ground, block);
    EXPECT_NEAR(-force.x / force.z, 0.3, 1e-9);
}

/// A checkpoint while sliding, on one thread and on two: the same bits.
TEST(VelocityFriction, GoesOnFromACheckpointWithTheSameBits) {
    const auto make = [] {
        auto world = std::make_unique<World<3>>();
        set_velocity_friction(*world, elliptic(0.5, 0.3));
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
    set_thread_count(1);
    ASSERT_TRUE(run(*world, 0.1, 0.01));
    again->prepare();
    again->restore_state(world->save_state());
    measure(*again);
    ASSERT_TRUE(run(*world, 0.3, 0.01));
    set_thread_count(2);
    ASSERT_TRUE(run(*again, 0.3, 0.01));
    set_thread_count(1);
    EXPECT_EQ(world->state_hash(), again->state_hash());
}

/// Held parts and joints are in the matrix of the bodies: a soft block, held at its top, is dragged over the ground and
/// draws an affine box behind it by a joint. Friction is mu times the load under each, and the holding force balances all of
/// it.
TEST(VelocityFriction, HeldPartsAndJointsAreInTheProblem) {
    World<3> world;
    const double mu = 0.4, speed = 0.2;
    set_velocity_friction(world, coulomb(mu));
    world.model.gravity = tilted(0, 0);
    const int ground = add_ground(world);
    SoftDesc<3> desc = soft_box<3>("soft", {0.2, 0.2, 0.1}, {4, 4, 2}, {0, 0, 0.05 + 0.5 * kDistance}, kRubber);
    desc.damping_stiffness = 0.02;
    const int soft = world.add(desc);
    world.set_self_contact(soft, false);
    world.prescribe(
        soft, "top", [](const Vector<3>& x) { return x[2] > 0.1; },
        [speed](const Vector<3>& x, double t) { return Vector<3>(x + Vector<3>(speed * t, 0, -1e-3)); });
    const int box = world.add(affine_box("box", {0.05, 0.05, 0.02}, 1000, {-0.17, 0, 0.02 + 0.5 * kDistance}));
    world.attach(soft, box, {-0.1, 0, 0.02});
    ASSERT_TRUE(run(world, 1.5, 0.01));
    const Vec3 under_soft = force_between(world, ground, soft), under_box = force_between(world, ground, box);
    const double mass_soft = 4, mass_box = 0.4;
    EXPECT_NEAR(-under_soft.x, mu * under_soft.z, 1e-6 * under_soft.z);
    EXPECT_NEAR(-under_box.x, mu * under_box.z, 1e-6 * under_box.z);
    const Vec3 hold = world.region_force(0);
    EXPECT_NEAR(hold.x + under_soft.x + under_box.x, 0, 1e-5 * under_soft.z);
    EXPECT_NEAR(hold.z + under_soft.z + under_box.z, (mass_soft + mass_box) * kGravity, 1e-5 * under_soft.z);
    EXPECT_NEAR(world.velocity(box).x, speed, 1e-5);
    EXPECT_GT(under_soft.z, 1.5 * mass_soft * kGravity);  // it is pressed down
}

/// A stick-slip oscillator: a block on a belt of speed v, held by a spring k. It sticks until the spring pulls with mu_s N,
/// and slips back. With F = (mu_s - mu_k) N and w^2 = k/m the period is 2 F/(k v) + (2/w) (pi - atan(F w/(k v))). The
/// coefficient is the static one below a slip of static_speed, so that a slip begins late: at 1 mm/s the period is 2.8 %
/// longer.
TEST(VelocityFriction, StickSlipHasItsPeriod) {
    const double mu = 0.3, ratio = 5.0 / 3, belt = 0.05, k = 400, mass = 1.6;
    const auto period = [&](FrictionMethod method, double dt) {
        World<3> world;
        friction::Law law = coulomb(mu);
        law.static_kinetic = friction::StaticKinetic{ratio, 1e-4};
        set_friction(world, law);
        world.model.settings.friction = method;
        if (method == FrictionMethod::Velocity) world.model.settings.friction_passes = 1;
        world.model.gravity = tilted(0, 0);
        add_ground(world);
        world.model.materials.push_back(world.model.materials[0]);
        world.model.materials[1].surface_velocity = {belt, 0, 0};
        world.model.parts.back().material = 1;
        const int block = world.add(affine_box("block", {0.1, 0.1, 0.02}, 1000, {0, 0, 0.02 + 0.5 * kDistance}));
        world.attach(-1, block, {0, 0, 0.02}, k);
        std::vector<double> starts;  // of slips: the block begins to go back
        bool forth = false;
        while (world.state.time < 2.2) {
            EXPECT_TRUE(step(world, dt).done);
            const double speed = world.velocity(block).x;
            if (forth && speed < 0) starts.push_back(world.state.time);
            forth = speed > 0.5 * belt || (forth && speed >= 0);
        }
        EXPECT_GE(starts.size(), 3U);
        return starts.size() < 3 ? 0 : (starts.back() - starts[1]) / static_cast<double>(starts.size() - 2);
    };
    const double jump = (ratio - 1) * mu * mass * kGravity, w = std::sqrt(k / mass);
    const double expected = 2 * jump / (k * belt) + 2 / w * (std::numbers::pi - std::atan(jump * w / (k * belt)));
    for (const double dt : {0.002, 0.001}) {
        const double hold = period(FrictionMethod::Hold, dt), velocity = period(FrictionMethod::Velocity, dt);
        // ten times as low a static_speed: ten times as little; and steps of w dt = 0.03, with two changes in a period
        EXPECT_NEAR(velocity, expected, 0.003 * expected + 2 * dt) << dt;
        EXPECT_NEAR(hold, velocity, 2 * 2 * dt) << dt;
    }
}

TEST(VelocityFriction, RefusesWhatItCannotDo) {
    for (const Integrator integrator : {Integrator::Newmark, Integrator::QuasiStatic, Integrator::SymplecticEuler}) {
        World<3> world;
        set_velocity_friction(world, coulomb(0.5));
        world.model.settings.integrator = integrator;
        world.add(affine_box("block", {0.1, 0.1, 0.1}, 1000, {0, 0, 1}));
        try {
            world.prepare();
            ADD_FAILURE() << name(integrator);
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(name(integrator)), std::string::npos) << error.what();
        }
    }
    World<3> world;
    set_velocity_friction(world, coulomb(0.5));
    world.model.settings.solver = "pgs";
    world.add(affine_box("block", {0.1, 0.1, 0.1}, 1000, {0, 0, 1}));
    EXPECT_THROW(world.prepare(), InputError);
}

// === Against hold

/// A scene of random shapes, stiffnesses and laws on a slope of any direction, above the limit or below: after some time
/// everything rests or slides with a steady acceleration. Bodies have more friction on each other than on the ground: with
/// as much, a pile that slides as a whole is on the point of coming apart, and rounding decides.
struct Forces {
    std::vector<PairForce> pairs;
    double total = 0;
};
Forces forces_of_random_scene(std::uint64_t seed, FrictionMethod method) {
    Random random(seed);
    World<3> world;
    const double mu_t = random.uniform(0.1, 0.8), mu_b = random.uniform(0.1, 0.8);
    set_friction(world, elliptic(mu_t, mu_b));
    world.model.materials.push_back(world.model.materials[0]);
    world.model.materials[1].name = "ground";
    surface::Pair on_ground;
    on_ground.friction = elliptic(mu_t, mu_b);
    world.model.pairs.set(MaterialId{0}, MaterialId{1}, on_ground);
    surface::Pair on_each_other;
    on_each_other.friction = elliptic(random.uniform(1.2, 2) * mu_t, random.uniform(1.2, 2) * mu_b);
    world.model.pairs.set(MaterialId{0}, MaterialId{0}, on_each_other);
    world.model.settings.friction = method;
    if (method == FrictionMethod::Velocity) world.model.settings.friction_passes = 3;
    add_ground(world);
    world.model.parts.back().material = 1;
    const int count = 1 + static_cast<int>(random.below(3));
    double top = 0;
    for (int i = 0; i < count; ++i) {
        const Vector<3> size{random.uniform(0.15, 0.3), random.uniform(0.15, 0.3), random.uniform(0.04, 0.08)};
        const Vec3 place{random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), top + 0.5 * size[2] + 0.6 * kDistance};
        top = place.z + 0.5 * size[2];
        if (random.uniform(0, 1) < 0.4) {
            world.add(affine_box("box", {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]}, random.uniform(300, 2000), place));
            continue;
        }
        deform::Elasticity rubber = kRubber;
        rubber.young = std::pow(10.0, random.uniform(5.5, 7));
        SoftDesc<3> desc = soft_box<3>("soft", size, {3 + i % 2, 3, 1}, {place.x, place.y, place.z}, rubber);
        desc.density = random.uniform(300, 2000);
        desc.damping_stiffness = 0.02;
        world.set_self_contact(world.add(desc), false);
    }
    const double psi = random.uniform(0, 6.28), share = random.uniform(0.3, 1.5);
    const double slope = std::atan(std::min(0.6, share * limit_of(mu_t, mu_b, psi)));
    while (world.state.time < 1.2) {
        world.model.gravity = tilted(slope * std::min(1.0, 2 * world.state.time), psi);
        const StepReport report = step(world, 0.01);
        EXPECT_TRUE(report.done) << seed << ' ' << report.trouble;
        if (!report.done) break;
    }
    Forces out{world.forces(), 0};
    for (const PairForce& pair : out.pairs) out.total += length(pair.force);
    return out;
}

void expect_equal_forces(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t seed = first; seed < last; ++seed) {
        const Forces hold = forces_of_random_scene(seed, FrictionMethod::Hold),
                     velocity = forces_of_random_scene(seed, FrictionMethod::Velocity);
        ASSERT_EQ(hold.pairs.size(), velocity.pairs.size()) << seed;
        double difference = 0;
        for (std::size_t i = 0; i < hold.pairs.size(); ++i)
            difference += length(hold.pairs[i].force - velocity.pairs[i].force);
        EXPECT_LT(difference, 0.01 * hold.total) << seed;
        ::testing::Test::RecordProperty("seed_" + std::to_string(seed), std::to_string(difference / hold.total));
    }
}
TEST(VelocityFriction, AgreesWithHoldOnRandomScenes) { expect_equal_forces(0, 2); }
TEST(VelocityFrictionNightly, AgreesWithHoldOnTwentyRandomScenes) { expect_equal_forces(2, 20); }

}  // namespace
}  // namespace asperity::implicit::testing
