// Ids and removal: stale ids are refused everywhere, other ids stay valid, what touched a removed body wakes, and what
// remains moves as if the body had never been there.
#include <functional>

#include "asperity/core/error.h"
#include "asperity/core/parallel.h"
#include "asperity/sim/contact_surface.h"
#include "asperity/sim/last_problem.h"
#include "tests/verify/worlds.h"

namespace asperity::verify {
namespace {

BodyId add_box(sim::World& world, const std::string& name, const Vec3& at, double half = 0.1) {
    return world.add_body({.name = name, .colliders = {{geometry::Box{{half, half, half}}}}, .pose = {at, {}}, .mass = 1});
}
BodyId add_floor(sim::World& world) { return BodyId{add_ground(world)}; }

TEST(Removal, StaleIdsAreRefusedByEveryFunction) {
    sim::World world = world_with(coulomb(0.5));
    add_floor(world);
    const BodyId box = add_box(world, "box", {0, 0, 0.1}), other = add_box(world, "other", {1, 0, 0.1});
    const ColliderId shape = world.collider(box);
    const JointId joint = world.add_joint(rigid::joint_at("pin", box, other, {}, rigid::Ball{}, world.state.bodies));
    const DragId drag = world.begin_drag(box, {0, 0, 0.1});
    world.remove_body(box);
    EXPECT_FALSE(world.contains(box));
    EXPECT_TRUE(world.contains(other));

    const auto refuses = [&](const char* who, const std::function<void(BodyId)>& work) {
        EXPECT_EQ(complaint([&] { work(box); }), fmt::format("{}: body id 1 is stale: that body was removed", who));
    };
    const auto refuse_all = [&] {
        refuses("remove_body", [&](BodyId id) { world.remove_body(id); });
        refuses("pose", [&](BodyId id) { world.pose(id); });
        refuses("center_of_mass", [&](BodyId id) { world.center_of_mass(id); });
        refuses("velocity", [&](BodyId id) { world.velocity(id); });
        refuses("angular_velocity", [&](BodyId id) { world.angular_velocity(id); });
        refuses("velocity_at", [&](BodyId id) { world.velocity_at(id, {}); });
        refuses("set_pose", [&](BodyId id) { world.set_pose(id, {}); });
        refuses("set_velocity", [&](BodyId id) { world.set_velocity(id, {}); });
        refuses("set_angular_velocity", [&](BodyId id) { world.set_angular_velocity(id, {}); });
        refuses("apply_impulse", [&](BodyId id) { world.apply_impulse(id, {}, {}); });
        refuses("wake", [&](BodyId id) { world.wake(id); });
        refuses("collider", [&](BodyId id) { world.collider(id); });
        refuses("set_grain", [&](BodyId id) { world.set_grain(id, surface::ConstantGrain{}); });
        refuses("set_slopes", [&](BodyId id) { world.set_slopes(id, {}); });
        refuses("begin_drag", [&](BodyId id) { world.begin_drag(id, {}); });
        refuses("contact_force_on", [&](BodyId id) { world.contact_force_on(id); });
        refuses("force_between", [&](BodyId id) { world.force_between(id, other); });
        refuses("force_between", [&](BodyId id) { world.force_between(other, id); });
        refuses("joint \"again\"", [&](BodyId id) {
            world.add_joint(rigid::joint_at("again", {}, id, {}, rigid::Ball{}, world.state.bodies));
        });
        EXPECT_EQ(complaint([&] { world.set_grain(shape, surface::ConstantGrain{}); }),
                  "set_grain: shape id 1 is stale: its body was removed");
        EXPECT_EQ(complaint([&] { world.set_slopes(shape, {}); }), "set_slopes: shape id 1 is stale: its body was removed");
    };
    refuse_all();
    EXPECT_EQ(complaint([&] { world.joint(joint); }), "joint: joint id 0 is stale: that joint was removed");
    EXPECT_EQ(complaint([&] { world.joint_force(joint); }), "joint_force: joint id 0 is stale: that joint was removed");
    EXPECT_EQ(complaint([&] { world.remove_joint(joint); }), "remove_joint: joint id 0 is stale: that joint was removed");
    EXPECT_NE(complaint([&] { world.move_drag(drag, {}); }).find("no drag 0"), std::string::npos);
    EXPECT_TRUE(world.find_body("box").is_world());

    const BodyId next = add_box(world, "box", {0, 0, 0.1});  // takes the slot: the old id stays stale
    EXPECT_EQ(next.index, box.index);
    EXPECT_NE(next, box);
    EXPECT_EQ(world.find_body("box"), next);
    EXPECT_TRUE(world.contains(next));
    EXPECT_FALSE(world.contains(box));
    refuse_all();
}

TEST(Removal, IdsThatWereNeverGivenAreRefusedToo) {
    sim::World world = world_with(coulomb(0.5));
    const BodyId box = add_box(world, "box", {});
    for (const int index : {-1, 1, 1 << 30})
        EXPECT_EQ(complaint([&] { world.pose(BodyId{index}); }),
                  fmt::format("pose: there is no body {}; add_body and find_body give the ids of bodies", index));
    EXPECT_EQ(complaint([&] { world.collider(box, 1); }), "collider: body \"box\" has no shape 1; it has 1, counted from 0");
    EXPECT_EQ(complaint([&] { world.set_grain(ColliderId{1}, surface::ConstantGrain{}); }),
              "set_grain: there is no shape 1; World::collider gives the ids of shapes");
    EXPECT_EQ(complaint([&] { world.joint(JointId{3}); }), "joint: there is no joint 3; add_joint gives the ids of joints");
    EXPECT_EQ(complaint([&] {
                  world.add_joint({"far", {}, BodyId{9}, {}, {}, rigid::Ball{}});
              }),
              "joint \"far\": there is no body 9; add_body and find_body give the ids of bodies");
}

TEST(Removal, OtherBodiesMoveAsIfItHadNeverBeenThere) {
    sim::World with = world_with(coulomb(0.5)), without = world_with(coulomb(0.5));
    BodyId gone, box[2][3];
    for (const bool extra : {true, false}) {
        sim::World& world = extra ? with : without;
        add_floor(world);
        if (extra) gone = add_box(world, "gone", {5, 0, 3});
        for (int i = 0; i < 3; ++i)
            box[extra][i] = add_box(world, fmt::format("box{}", i), {0.05 * i, 0.02 * i, 0.3 + 0.25 * i});
        run(world, 0.01, 20);
    }
    with.remove_body(gone);
    run(with, 0.01, 100);
    run(without, 0.01, 100);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(with.pose(box[1][i]), without.pose(box[0][i]));
        EXPECT_EQ(with.velocity(box[1][i]), without.velocity(box[0][i]));
    }
    EXPECT_EQ(with.kinetic_energy(), without.kinetic_energy());
    EXPECT_EQ(with.potential_energy(), without.potential_energy());
    EXPECT_EQ(with.linear_momentum(), without.linear_momentum());
}

TEST(Removal, WhatLayOnItFalls) {
    sim::World world = world_with(coulomb(0.5));
    const BodyId floor = add_floor(world), lower = add_box(world, "lower", {0, 0, 0.1}),
                 upper = add_box(world, "upper", {0, 0, 0.3});
    run(world, 0.01, 10);
    EXPECT_EQ(world.state.active.contacts.size(), 8u);
    world.remove_body(lower);
    EXPECT_TRUE(world.state.active.contacts.empty());
    run(world, 0.01, 10);
    EXPECT_NEAR(world.velocity(upper).z, -kGravity * 0.1, 1e-9);
    world.remove_body(floor);
    run(world, 0.01, 100);
    EXPECT_NEAR(world.velocity(upper).z, -kGravity * 1.1, 1e-9);  // no ground any more
    EXPECT_EQ(world.model.bodies.count(), 3);
}

TEST(Removal, WakesASleepingNeighbour) {
    for (const bool of_ground : {false, true}) {
        sim::World world = world_with(coulomb(0.5));
        world.model.settings.sleep_speed = 1e-3;
        const BodyId floor = add_floor(world), lower = add_box(world, "lower", {0, 0, 0.1}),
                     upper = add_box(world, "upper", {0, 0, 0.3}), far = add_box(world, "far", {9, 0, 0.1});
        run(world, 0.01, 80);
        const auto asleep = [&](BodyId id) { return world.state.bodies.island[static_cast<size_t>(id.index)] >= 0; };
        ASSERT_TRUE(asleep(lower) && asleep(upper) && asleep(far));
        world.remove_body(of_ground ? floor : lower);
        EXPECT_FALSE(asleep(upper));
        EXPECT_EQ(asleep(far), !of_ground);
        run(world, 0.01, 10);
        EXPECT_NEAR(world.velocity(upper).z, -kGravity * 0.1, 1e-9);
    }
}

TEST(Removal, PatchesKeepTheirContacts) {
    sim::World world = world_with(coulomb(0.5));
    world.model.settings.contact_model = surface::ContactModel::Patches;
    const BodyId floor = add_floor(world);
    const BodyId box[] = {add_box(world, "a", {0, 0, 0.1}), add_box(world, "b", {1, 0, 0.1}),
                          add_box(world, "c", {2, 0, 0.1})};
    run(world, 0.01, 5);
    ASSERT_EQ(world.state.active.patches.size(), 3u);
    world.remove_body(box[1]);
    ASSERT_EQ(world.state.active.patches.size(), 2u);
    for (const contact::PatchContact& p : world.state.active.patches) {
        ASSERT_EQ(p.count, 4);
        for (int k = p.first; k < p.first + p.count; ++k)
            EXPECT_EQ(world.state.active.contacts.at(static_cast<size_t>(k)).pair, p.at.pair);
    }
    EXPECT_NEAR(world.force_between(floor, box[2]).force.z, kGravity, 1e-6);
    run(world, 0.01, 5);
    EXPECT_NEAR(world.force_between(floor, box[2]).force.z, kGravity, 1e-6);
}

TEST(Removal, TakesJointsAndDragsAlong) {
    sim::World world = world_with(coulomb(0.5), 0, {});
    const BodyId a = add_box(world, "a", {0, 0, 0}), b = add_box(world, "b", {1, 0, 0}), c = add_box(world, "c", {2, 0, 0});
    const auto pin = [&](const char* name, BodyId from, BodyId to) {
        return world.add_joint(
            rigid::joint_at(name, from, to, {world.center_of_mass(to), {}}, rigid::Ball{}, world.state.bodies));
    };
    const JointId ab = pin("ab", a, b), bc = pin("bc", b, c), wc = pin("wc", {}, c);
    const DragId of_b = world.begin_drag(b, {1, 0, 0}), of_c = world.begin_drag(c, {2, 0, 0});
    run(world, 0.01, 3);
    world.remove_body(b);
    EXPECT_EQ(world.scene_joints().size(), 1u);
    EXPECT_EQ(world.joint(wc).name, "wc");
    EXPECT_EQ(world.joint(wc).b, c);
    EXPECT_NE(complaint([&] { world.joint(ab); }), "");
    EXPECT_NE(complaint([&] { world.joint(bc); }), "");
    ASSERT_EQ(world.drags().size(), 1u);
    EXPECT_EQ(world.drags()[0].id, of_c);
    EXPECT_NE(complaint([&] { world.end_drag(of_b); }), "");
    world.move_drag(of_c, {2, 0.1, 0});
    run(world, 0.01, 3);
    EXPECT_EQ(world.velocity(a), Vec3{});
    const JointId again = pin("ab", a, c);  // the name is free, the number is new
    EXPECT_NE(again, ab);
    world.remove_joint(wc);
    EXPECT_EQ(world.joint(again).name, "ab");
    run(world, 0.01, 3);
}

TEST(Removal, SlotsAreUsedAgainWhereTheShapesFit) {
    sim::World world = world_with(coulomb(0.5));
    add_floor(world);
    const auto pair_of_balls = [&](const std::string& name) {
        return world.add_body(
            {.name = name,
             .colliders = {{geometry::Sphere{0.1}, {{-0.1, 0, 0}, {}}, {}}, {geometry::Sphere{0.1}, {{0.1, 0, 0}, {}}, {}}},
             .pose = {{0, 0, 2}, {}}});
    };
    const BodyId one = add_box(world, "one", {0, 0, 0.1}), two = pair_of_balls("two");
    world.remove_body(one);
    world.remove_body(two);
    EXPECT_EQ(pair_of_balls("a").index, two.index);
    EXPECT_EQ(pair_of_balls("b").index, 3);
    EXPECT_EQ(add_box(world, "c", {0, 0, 0.1}).index, one.index);
    EXPECT_EQ(world.model.bodies.removed_count, 0);
    EXPECT_EQ(world.model.bodies.colliders.size(), 6u);
    for (int i = 0; i < 1000; ++i) world.remove_body(add_box(world, "short-lived", {1, 1, 1}));
    EXPECT_EQ(world.model.bodies.count(), 5);
}

// A removed half-space, a grained body and a mesh leave nothing behind in their slots.
TEST(Removal, NewBodyInAnOldSlotHasItsOwnShapeAndSurface) {
    sim::World world = world_with(coulomb(0.5));
    const BodyId floor = add_floor(world);
    world.set_grain(floor, surface::ConstantGrain{{1, 0, 0}});
    run(world, 0.01, 2);
    world.remove_body(floor);
    const BodyId box = add_box(world, "box", {0, 0, -0.5}), above = add_box(world, "above", {0, 0, 1});
    EXPECT_EQ(box.index, floor.index);
    EXPECT_EQ(world.model.grain_of(box.index), nullptr);
    run(world, 0.01, 10);
    for (const BodyId id : {box, above}) EXPECT_NEAR(world.velocity(id).z, -kGravity * 0.1, 1e-9);
    EXPECT_TRUE(world.state.active.contacts.empty());
}

// With contact_reuse, contacts are kept by the length of paths, which a larger body in an old slot must not inherit.
TEST(Removal, ContactReuseForgetsTheOldBody) {
    sim::World world = world_with(coulomb(0.5)), fresh = world_with(coulomb(0.5));
    BodyId last[2];
    for (sim::World* w : {&world, &fresh}) {
        w->model.settings.contact_reuse = 1e-4;
        add_floor(*w);
        if (w == &world) {
            const BodyId small = add_box(*w, "small", {0, 0, 0.01}, 0.01);
            run(*w, 0.01, 5);
            w->remove_body(small);
        }
        last[w == &fresh] = add_box(*w, "large", {0, 0, 1}, 1);
        w->set_angular_velocity(last[w == &fresh], {0.3, 0.2, 0.1});
        run(*w, 0.01, 100);
    }
    EXPECT_EQ(world.pose(last[0]), fresh.pose(last[1]));
}

std::string hash_after_churn(int threads) {
    set_thread_count(threads);
    sim::World world = world_with(coulomb(0.5));
    add_floor(world);
    std::vector<BodyId> boxes;
    for (int i = 0; i < 60; ++i)
        boxes.push_back(
            add_box(world, fmt::format("box{}", i), {0.21 * (i % 4), 0.21 * (i / 4 % 4), 0.1 + 0.25 * (i / 16)}));
    for (int round = 0; round < 6; ++round) {
        run(world, 0.01, 5);
        for (size_t k = static_cast<size_t>(round); k < boxes.size(); k += 7)
            if (world.contains(boxes[k])) world.remove_body(boxes[k]);
        for (size_t k = static_cast<size_t>(round); k < boxes.size(); k += 14)
            boxes[k] = add_box(world, fmt::format("new{} {}", round, k), {0.1 * round, 0.05 * static_cast<double>(k), 2});
    }
    run(world, 0.01, 20);
    set_thread_count(1);
    return world.state_hash();
}

TEST(Removal, SameBitsOnAnyNumberOfThreads) {
    const std::string one = hash_after_churn(1);
    EXPECT_EQ(hash_after_churn(1), one);
    EXPECT_EQ(hash_after_churn(2), one);
    EXPECT_EQ(hash_after_churn(3), one);
}

sim::World build(bool remove_first) {
    sim::World world = world_with(coulomb(0.5));
    add_floor(world);
    const BodyId a = add_box(world, "a", {0, 0, 0.1});
    const BodyId b = add_box(world, "b", {0.5, 0, 0.1});
    add_box(world, "c", {0.05, 0, 0.35});
    world.remove_body(remove_first ? a : b);
    return world;
}

TEST(Removal, CheckpointFitsAWorldWithTheSameRemovals) {
    sim::World world = build(true), same = build(true), other = build(false);
    run(world, 0.01, 30);
    const std::string saved = world.save_state(), hash = world.state_hash();
    same.restore_state(saved);
    EXPECT_EQ(same.state_hash(), hash);
    run(world, 0.01, 30);
    run(same, 0.01, 30);
    EXPECT_EQ(same.state_hash(), world.state_hash());
    EXPECT_NE(complaint([&] { other.restore_state(saved); }).find("other bodies or joints were removed"), std::string::npos);
    world.remove_body(world.find_body("c"));
    EXPECT_NE(complaint([&] { world.restore_state(saved); }), "");
}

TEST(Removal, LookingAtTheLastStepIsRefusedOrEmpty) {
    sim::World world = world_with(coulomb(0.5));
    add_floor(world);
    const BodyId a = add_box(world, "a", {0, 0, 0.1});
    add_box(world, "b", {1, 0, 0.1});
    EXPECT_NE(complaint([&] { sim::last_problem(world); }).find("has made no step"), std::string::npos);
    run(world, 0.01, 3);
    EXPECT_EQ(sim::last_problem(world).contacts.size(), 8u);
    world.remove_body(a);
    EXPECT_NE(complaint([&] { sim::last_problem(world); }).find("has made no step"), std::string::npos);
    EXPECT_NE(complaint([&] { sim::block_name(world, 0); }).find("has made no step"), std::string::npos);
    EXPECT_EQ(world.state.active.contacts.size(), 4u);
    for (size_t i = 0; i < 4; ++i) sim::limit_surface(world, i);
    run(world, 0.01, 1);
    EXPECT_EQ(sim::last_problem(world).contacts.size(), 4u);
}

}  // namespace
}  // namespace asperity::verify
