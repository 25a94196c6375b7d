// Snapshots: a copy of the state, taken back, goes on with the same bits; one that does not fit is refused untouched.
#include <functional>

#include "asperity/core/error.h"
#include "tests/verify/worlds.h"

namespace asperity::verify {
namespace {

struct Scene {
    sim::World world = world_with(coulomb(0.5));
    BodyId box[3];
    explicit Scene(double contact_reuse = 0) {
        world.model.settings.sleep_speed = 1e-3;
        world.model.settings.contact_reuse = contact_reuse;
        add_ground(world);
        for (int i = 0; i < 3; ++i)
            box[i] = BodyId{add(world, fmt::format("box{}", i), geometry::Box{{0.1, 0.1, 0.1}},
                                {{0.03 * i, 0.01 * i, 0.15 + 0.25 * i}, {}})};
        world.add_joint(rigid::joint_at("pin", {}, box[2], {{0.06, 0, 0.8}, {}}, rigid::Ball{}, world.state.bodies));
    }
};

TEST(Snapshot, GoesOnWithTheSameBits) {
    for (const double reuse : {0.0, 1e-4}) {
        Scene s(reuse);
        run(s.world, 0.01, 20);
        s.world.begin_drag(s.box[0], {0.05, 0, 0.1});
        run(s.world, 0.01, 5);
        const sim::State snapshot = s.world.state;
        const std::string then = s.world.state_hash();
        run(s.world, 0.01, 30);
        const std::string later = s.world.state_hash();
        s.world.begin_drag(s.box[1], {});
        s.world.end_drag(s.world.drags()[0].id);
        run(s.world, 0.01, 10);
        for (int again = 0; again < 2; ++again) {
            s.world.set_state(snapshot);
            EXPECT_EQ(s.world.state_hash(), then);
            EXPECT_EQ(s.world.drags().size(), 1u);
            EXPECT_EQ(s.world.model.joints.size(), 2u);
            run(s.world, 0.01, 30);
            EXPECT_EQ(s.world.state_hash(), later) << reuse << again;
        }
        Scene other(reuse);  // another world with the same model
        run(other.world, 0.01, 7);
        other.world.set_state(snapshot);
        run(other.world, 0.01, 30);
        EXPECT_EQ(other.world.state_hash(), later) << reuse;
    }
}

TEST(Snapshot, OfItselfChangesNothing) {
    Scene s;
    run(s.world, 0.01, 20);
    s.world.begin_drag(s.box[0], {0.05, 0, 0.1});
    run(s.world, 0.01, 5);
    const std::string hash = s.world.state_hash();
    s.world.set_state(s.world.state);
    EXPECT_EQ(s.world.state_hash(), hash);
}

TEST(Snapshot, ThatDoesNotFitIsRefusedAndChangesNothing) {
    Scene s;
    run(s.world, 0.01, 20);
    const sim::State good = s.world.state;
    const std::string hash = s.world.state_hash();
    const auto refused = [&](const std::string& why, const std::function<void(sim::State&)>& spoil) {
        sim::State bad = good;
        spoil(bad);
        EXPECT_NE(complaint([&] { s.world.set_state(bad); }).find(why), std::string::npos)
            << why << " but: " << complaint([&] { s.world.set_state(bad); });
        EXPECT_EQ(s.world.state_hash(), hash);
    };
    refused("the snapshot has 3 bodies, the world has 4", [](sim::State& b) { b.bodies.velocity.pop_back(); });
    refused("the snapshot has 2 joints, the world has 1", [](sim::State& b) { b.joint_impulses.emplace_back(); });
    refused("\"box1\" has a position or velocity that is not finite",
            [](sim::State& b) { b.bodies.velocity[2].y = std::nan(""); });
    refused("drag 0 draws a body that cannot be dragged", [](sim::State& b) {
        b.drags.push_back({.id = DragId{0}, .body = 0});
        b.joint_impulses.emplace_back();
    });
    refused("a contact is on a shape that does not exist",
            [](sim::State& b) { b.active.contacts[0].pair = contact::pair_key(0, 99); });
    refused("a pair of shapes has contacts that do not exist", [](sim::State& b) { b.active.pair_memory[0].count = 1000; });
    refused("an island that does not exist", [](sim::State& b) { b.bodies.island[1] = 4; });
    refused("an island that does not exist", [](sim::State& b) { b.bodies.island[1] = 2; });  // not its smallest body
    refused("an orientation that is no unit quaternion", [](sim::State& b) { b.bodies.pose[1].orientation.w = 3; });
    refused("been quiet for no time", [](sim::State& b) { b.bodies.quiet_time[1] = -1; });
    refused("pairs of shapes are not in order", [](sim::State& b) {
        auto& pairs = b.active.pair_memory;
        pairs.push_back(pairs.back());
        pairs.back().first += pairs.back().count;
        pairs.back().count = 0;
    });
    refused("belongs to another pair", [](sim::State& b) { b.active.contacts[0].pair = b.active.pair_memory.back().pair; });
    refused("belongs to no pair", [](sim::State& b) { b.active.contacts.push_back(b.active.contacts.back()); });
    refused("a contact has a number that is not finite", [](sim::State& b) { b.active.contacts[0].t.x = HUGE_VAL; });
    refused("negative or not finite", [](sim::State& b) { b.time = std::nan(""); });

    s.world.remove_body(s.box[1]);
    EXPECT_NE(complaint([&] { s.world.set_state(good); }).find("were removed between"), std::string::npos);
    s.world.add_body({.name = "new", .colliders = {{geometry::Sphere{0.1}}}});  // in its slot: all sizes are as before
    EXPECT_NE(complaint([&] { s.world.set_state(good); }).find("were removed between"), std::string::npos);
    const sim::State later = s.world.state;
    run(s.world, 0.01, 3);
    s.world.set_state(later);
    s.world.add_body({.name = "newer", .colliders = {{geometry::Sphere{0.1}}}});
    EXPECT_NE(complaint([&] { s.world.set_state(later); }).find("has 4 bodies, the world has 5"), std::string::npos);
}

}  // namespace
}  // namespace asperity::verify
