// Forces of contacts: weight, action and reaction, sums, torques; for points and for patches.
#include "asperity/core/error.h"
#include "tests/verify/worlds.h"

namespace asperity::verify {
namespace {

sim::World exact_world(surface::ContactModel model, double mu = 0.5, const Vec3& gravity = {0, 0, -kGravity}) {
    sim::World world = world_with(coulomb(mu), 0, gravity);
    world.model.settings.solve.tolerance = 1e-14;
    world.model.settings.solve.max_sweeps = 20000;
    world.model.settings.contact_model = model;
    return world;
}
const surface::ContactModel kModels[] = {surface::ContactModel::Points, surface::ContactModel::Patches};

TEST(ContactForce, RestingBoxIsCarriedByItsWeight) {
    for (const auto model : kModels) {
        const double mass = 2.5, weight = mass * kGravity;
        sim::World world = exact_world(model);
        const BodyId ground{add_ground(world)},
            box{add(world, "box", geometry::Box{{0.2, 0.1, 0.1}}, {{1, 2, 0.1}, {}}, mass)};
        run(world, 0.01, 50);
        EXPECT_NEAR(length(world.contact_force_on(box) - Vec3{0, 0, weight}), 0, 1e-9);
        EXPECT_EQ(world.contact_force_on(ground), -world.contact_force_on(box));
        const sim::PairForce up = world.force_between(ground, box), down = world.force_between(box, ground);
        EXPECT_NEAR(length(up.force - Vec3{0, 0, weight}), 0, 1e-9);
        EXPECT_EQ(down.force, -up.force);
        EXPECT_NEAR(length(up.torque), 0, 1e-9);  // about the centre of mass of the box
        // about the origin of the ground, where its centre is: the box presses at (1, 2)
        EXPECT_NEAR(length(down.torque - cross({1, 2, 0}, Vec3{0, 0, -weight})), 0, 1e-8);
        EXPECT_EQ(up.contacts, model == surface::ContactModel::Points ? 4 : 1);
        const std::vector<sim::ContactForce> all = world.contact_forces();
        ASSERT_EQ(all.size(), static_cast<size_t>(up.contacts));
        Vec3 sum, torque;
        for (const sim::ContactForce& c : all) {
            EXPECT_EQ(c.patch, model == surface::ContactModel::Patches);
            const bool box_is_b = c.b == box;
            EXPECT_EQ(box_is_b ? c.a : c.b, ground);
            EXPECT_EQ(box_is_b ? c.collider_b : c.collider_a, world.collider(box));
            EXPECT_NEAR(std::fabs(c.normal.z), 1, 1e-12);
            EXPECT_NEAR(c.point.z, 0, 1e-9);
            sum += (box_is_b ? 1 : -1) * c.force;
            torque += (box_is_b ? 1 : -1) * (c.torque + cross(c.point - world.center_of_mass(box), c.force));
        }
        EXPECT_NEAR(length(sum - world.contact_force_on(box)), 0, 1e-12);
        EXPECT_NEAR(length(torque - up.torque), 0, 1e-9);
    }
}

// In a stack each body carries those above it, and what acts on a body is the sum over its neighbours.
TEST(ContactForce, StackAddsUp) {
    for (const auto model : kModels) {
        sim::World world = exact_world(model);
        const BodyId ground{add_ground(world)};
        BodyId box[3];
        for (int i = 0; i < 3; ++i)
            box[i] = BodyId{add(world, fmt::format("box{}", i), geometry::Box{{0.1, 0.1, 0.1}},
                                {{0.02 * i, 0.01 * i, 0.1 + 0.2 * i}, {}}, 1 + i)};
        run(world, 0.01, 100);
        EXPECT_NEAR(world.force_between(ground, box[0]).force.z, 6 * kGravity, 1e-8);
        EXPECT_NEAR(world.force_between(box[0], box[1]).force.z, 5 * kGravity, 1e-8);
        EXPECT_NEAR(world.force_between(box[1], box[2]).force.z, 3 * kGravity, 1e-8);
        EXPECT_EQ(world.force_between(box[0], box[2]).force, Vec3{});
        EXPECT_EQ(world.force_between(box[0], box[2]).contacts, 0);
        for (int i = 0; i < 3; ++i) {
            Vec3 force, torque;
            for (const BodyId other : {ground, box[0], box[1], box[2]}) {
                if (other == box[i]) continue;
                const sim::PairForce f = world.force_between(other, box[i]);
                force += f.force;
                torque += f.torque;
                const sim::PairForce back = world.force_between(box[i], other);
                EXPECT_EQ(back.force, -f.force);
                // both torques about one point cancel
                const Vec3 apart = world.center_of_mass(box[i]) - world.center_of_mass(other);
                EXPECT_NEAR(length(f.torque + back.torque + cross(apart, f.force)), 0, 1e-8);
            }
            EXPECT_NEAR(length(force - world.contact_force_on(box[i])), 0, 1e-11);
            EXPECT_NEAR(length(force - Vec3{0, 0, (1 + i) * kGravity}), 0, 1e-8);
            EXPECT_NEAR(length(torque), 0, 1e-7);  // at rest nothing turns
        }
    }
}

// A fast sliding block: friction is mu N backwards. No torque is left over (the block does not tip), although the block has
// moved on by 5 cm within the step.
TEST(ContactForce, SlidingBlockIsBrakedByMuN) {
    for (const auto model : kModels) {
        sim::World world = exact_world(model, 0.25);
        const BodyId ground{add_ground(world)},
            box{add(world, "box", geometry::Box{{0.2, 0.2, 0.05}}, {{0, 0, 0.05}, {}}, 2)};
        world.set_velocity(box, {5, 0, 0});
        run(world, 0.01, 10);
        const sim::PairForce f = world.force_between(ground, box);
        EXPECT_NEAR(length(f.force - 2 * kGravity * Vec3{-0.25, 0, 1}), 0, 1e-8);
        EXPECT_NEAR(length(f.torque), 0, 1e-8);
    }
}

// A ball that spins on its pole is braked by drilling torque alone.
TEST(ContactForce, DrillingTorqueSlowsASpinningBall) {
    sim::World world = exact_world(surface::ContactModel::Points);
    friction::Law law = coulomb(0.5);
    law.drilling = 0.01;
    world.model.pairs.set_default({law, 0});
    const BodyId ground{add_ground(world)}, ball{add(world, "ball", geometry::Sphere{0.1}, {{0, 0, 0.1}, {}}, 1)};
    run(world, 0.01, 1);
    world.set_angular_velocity(ball, {0, 0, 20});
    run(world, 0.01, 5);
    const double before = world.angular_momentum().z;
    run(world, 0.01, 1);
    const double torque = (world.angular_momentum().z - before) / 0.01;
    EXPECT_LT(torque, -0.01);
    EXPECT_NEAR(world.force_between(ground, ball).torque.z, torque, 1e-9);
    const std::vector<sim::ContactForce> all = world.contact_forces();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_NEAR((all[0].b == ball ? 1 : -1) * all[0].torque.z, torque, 1e-9);
}

// A patch whose load is off centre: the wrench turns the box as its momentum says.
TEST(ContactForce, WrenchOfAPatchIsTheChangeOfMomentum) {
    for (const auto model : kModels) {
        sim::World world = exact_world(model, 0.8);
        const BodyId ground{add_ground(world)}, box{add(world, "box", geometry::Box{{0.1, 0.1, 0.3}}, {{0, 0, 0.3}, {}}, 3)};
        run(world, 0.01, 5);
        world.set_angular_velocity(box, {0, 0, 3});  // spins and is pushed
        world.set_velocity(box, {0.5, 0.2, 0});
        const Vec3 p = world.linear_momentum();
        const Vec3 spin = world.angular_velocity(box);
        run(world, 1e-3, 1);
        const sim::PairForce f = world.force_between(ground, box);
        const Vec3 force = (world.linear_momentum() - p) / 1e-3 + Vec3{0, 0, 3 * kGravity};
        EXPECT_NEAR(length(f.force - force), 0, 1e-8 * length(force));
        const Mat3 inertia = rigid::inertia_world(world.model.bodies, box.index, world.pose(box).orientation);
        const Vec3 torque = (inertia * (world.angular_velocity(box) - spin)) / 1e-3;
        EXPECT_LT(torque.z, -0.05);
        // the arm turns by 3 mrad within the step
        EXPECT_NEAR(length(f.torque - torque), 0, 0.01 * length(torque) + 0.003 * 0.3 * length(force));
    }
}

TEST(ContactForce, KnownAsleepRestoredAndInSubsteps) {
    for (const auto model : kModels) {
        const auto build = [&] {
            sim::World world = exact_world(model);
            world.model.settings.sleep_speed = 1e-3;
            world.model.settings.substeps = 2;
            add_ground(world);
            add(world, "box", geometry::Box{{0.1, 0.1, 0.1}}, {{0, 0, 0.1}, {}}, 2);
            return world;
        };
        sim::World world = build();
        const BodyId box{1};
        run(world, 0.01, 20);
        EXPECT_NEAR(world.contact_force_on(box).z, 2 * kGravity, 1e-8);  // awake
        sim::World restored = build();
        restored.restore_state(world.save_state());
        EXPECT_EQ(restored.contact_force_on(box), world.contact_force_on(box));
        const auto expected = world.contact_forces(), known = restored.contact_forces();
        ASSERT_EQ(known.size(), expected.size());
        for (size_t i = 0; i < known.size(); ++i) {
            EXPECT_EQ(known[i].point, expected[i].point);
            EXPECT_EQ(known[i].normal, expected[i].normal);
            EXPECT_EQ(known[i].force, expected[i].force);
            EXPECT_EQ(known[i].torque, expected[i].torque);
            EXPECT_EQ(known[i].collider_b, expected[i].collider_b);
        }
        EXPECT_EQ(restored.force_between(BodyId{0}, box).torque, world.force_between(BodyId{0}, box).torque);
        run(world, 0.01, 60);
        ASSERT_GE(world.state.bodies.island[1], 0);
        EXPECT_NEAR(world.contact_force_on(box).z, 2 * kGravity, 1e-8);  // asleep
    }
}

TEST(ContactForce, ZeroBeforeTheFirstStepAndInTheAir) {
    sim::World world = exact_world(surface::ContactModel::Points);
    const BodyId ground{add_ground(world)}, box{add(world, "box", geometry::Box{{0.1, 0.1, 0.1}}, {{0, 0, 5}, {}})};
    EXPECT_EQ(world.contact_force_on(box), Vec3{});
    run(world, 0.01, 1);
    EXPECT_EQ(world.contact_force_on(box), Vec3{});
    EXPECT_TRUE(world.contact_forces().empty());
    EXPECT_EQ(world.force_between(ground, box).contacts, 0);
    EXPECT_THROW(world.force_between(ground, {}), InputError);
}

TEST(JointForce, OfAHangingBodyIsItsWeight) {
    sim::World world = exact_world(surface::ContactModel::Points);
    const BodyId bob{add(world, "bob", geometry::Sphere{0.1}, {{0, 0, -1}, {}}, 3)};
    const JointId pivot = world.add_joint(rigid::joint_at("pivot", {}, bob, {}, rigid::Ball{}, world.state.bodies));
    EXPECT_EQ(world.joint_force(pivot), 0);
    run(world, 0.01, 20);
    EXPECT_NEAR(world.joint_force(pivot), 3 * kGravity, 1e-8);
}

}  // namespace
}  // namespace asperity::verify
