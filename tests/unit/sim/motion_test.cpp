// Reading and changing the motion of one body.
#include <functional>

#include "asperity/core/error.h"
#include "tests/verify/worlds.h"

namespace asperity::verify {
namespace {

/// A compound whose centre of mass is not the origin of its axes.
BodyId add_hammer(sim::World& world) {
    return world.add_body({.name = "hammer",
                           .colliders = {{geometry::Box{{0.1, 0.02, 0.02}}, {{0.2, 0, 0}, {}}, {}},
                                         {geometry::Box{{0.05, 0.05, 0.05}}, {{0.5, 0, 0}, {}}, {}}},
                           .pose = {{1, 2, 3}, rotation({0.1, 0.7, -0.3})}});
}

TEST(Motion, PoseIsThatOfTheAuthoredAxes) {
    sim::World world = world_with(coulomb(0.5), 0, {});
    const BodyId hammer = add_hammer(world);
    const Pose start{{1, 2, 3}, rotation({0.1, 0.7, -0.3})}, next{{-2, 0, 1}, rotation({0.5, 0, 1})};
    const Vec3 center = world.model.bodies.center[0];
    EXPECT_NEAR(length(world.pose(hammer).position - start.position), 0, 1e-15);
    EXPECT_NEAR(length(world.center_of_mass(hammer) - start * center), 0, 1e-15);
    world.set_pose(hammer, next);
    EXPECT_NEAR(length(world.pose(hammer).position - next.position), 0, 1e-15);
    EXPECT_EQ(world.pose(hammer).orientation, next.orientation);
    EXPECT_NEAR(length(world.center_of_mass(hammer) - next * center), 0, 1e-15);
}

TEST(Motion, ImpulseChangesMomentumAndAngularMomentum) {
    sim::World world = world_with(coulomb(0.5), 0, {});
    const BodyId hammer = add_hammer(world);
    world.set_velocity(hammer, {0.5, 0, -1});
    world.set_angular_velocity(hammer, {3, 1, -2});
    EXPECT_EQ(world.velocity(hammer), (Vec3{0.5, 0, -1}));
    EXPECT_EQ(world.angular_velocity(hammer), (Vec3{3, 1, -2}));
    const Vec3 p = world.linear_momentum(), l = world.angular_momentum(), impulse{20, -30, 10}, at{1.4, 2.1, 3};
    EXPECT_NEAR(
        length(world.velocity_at(hammer, at) - (Vec3{0.5, 0, -1} + cross({3, 1, -2}, at - world.center_of_mass(hammer)))), 0,
        1e-15);
    world.apply_impulse(hammer, impulse, at);
    EXPECT_NEAR(length(world.linear_momentum() - p - impulse), 0, 1e-13);
    EXPECT_NEAR(length(world.angular_momentum() - l - cross(at, impulse)), 0, 1e-12);
}

TEST(Motion, ChangesWakeTheBodyAndWhatTouchesIt) {
    const std::vector<std::function<void(sim::World&, BodyId)>> changes = {
        [](sim::World& w, BodyId id) {
            w.set_velocity(id, {0, 0, 1});
        },
        [](sim::World& w, BodyId id) {
            w.set_angular_velocity(id, {0, 0, 1});
        },
        [](sim::World& w, BodyId id) {
            w.apply_impulse(id, {0, 0, 1}, w.center_of_mass(id));
        },
        [](sim::World& w, BodyId id) {
            w.set_pose(id, {{3, 3, 3}, {}});
        }};
    for (const auto& change : changes) {
        sim::World world = world_with(coulomb(0.5));
        world.model.settings.sleep_speed = 1e-3;
        add_ground(world);
        const BodyId lower{add(world, "lower", geometry::Box{{0.1, 0.1, 0.1}}, {{0, 0, 0.1}, {}})},
            upper{add(world, "upper", geometry::Box{{0.1, 0.1, 0.1}}, {{0, 0, 0.3}, {}})},
            far{add(world, "far", geometry::Box{{0.1, 0.1, 0.1}}, {{9, 0, 0.1}, {}})};
        run(world, 0.01, 80);
        const auto asleep = [&](BodyId id) { return world.state.bodies.island[static_cast<size_t>(id.index)] >= 0; };
        ASSERT_TRUE(asleep(lower) && asleep(upper) && asleep(far));
        change(world, lower);
        EXPECT_FALSE(asleep(lower));
        EXPECT_FALSE(asleep(upper));
        EXPECT_TRUE(asleep(far));
    }
}

// A fixed body and a sleeping one make no pair, so nothing else would notice.
TEST(Motion, AFixedBodyMovedIntoASleeperWakesIt) {
    sim::World world = world_with(coulomb(0.5));
    world.model.settings.sleep_speed = 1e-3;
    add_ground(world);
    const BodyId wall = world.add_body({.name = "wall",
                                        .motion = rigid::Motion::Fixed,
                                        .colliders = {{geometry::Box{{0.1, 1, 1}}}},
                                        .pose = {{-5, 0, 0}, {}}});
    const BodyId box{add(world, "box", geometry::Box{{0.1, 0.1, 0.1}}, {{0, 0, 0.1}, {}})};
    run(world, 0.01, 80);
    ASSERT_GE(world.state.bodies.island[static_cast<size_t>(box.index)], 0);
    world.set_pose(wall, {{-0.19, 0, 0}, {}});  // 1 cm deep
    EXPECT_LT(world.state.bodies.island[static_cast<size_t>(box.index)], 0);
    run(world, 0.01, 50);
    EXPECT_NEAR(world.pose(box).position.x, 0.01, 1e-3);
}

TEST(Motion, RefusesWhatCannotBe) {
    sim::World world = world_with(coulomb(0.5));
    const BodyId ground{add_ground(world)}, box{add(world, "box", geometry::Sphere{0.1}, {{0, 0, 1}, {}})};
    const BodyId lift = world.add_body(
        {.name = "lift", .motion = rigid::Motion::Kinematic, .colliders = {{geometry::Sphere{0.1}}}, .path = [](double t) {
             return Pose{{0, 0, t}, {}};
         }});
    const BodyId hand =
        world.add_body({.name = "hand", .motion = rigid::Motion::Kinematic, .colliders = {{geometry::Sphere{0.1}}}});
    const double nan = std::nan("");
    const auto says = [&](const std::string& text, const std::function<void()>& work) {
        EXPECT_NE(complaint(work).find(text), std::string::npos) << text << " but: " << complaint(work);
    };
    says("body \"ground\" is fixed", [&] { world.set_velocity(ground, {}); });
    says("body \"ground\" is fixed", [&] { world.set_angular_velocity(ground, {}); });
    says("body \"lift\" follows its path", [&] { world.set_velocity(lift, {}); });
    says("body \"lift\" follows its path", [&] { world.set_pose(lift, {}); });
    says("only dynamic bodies", [&] { world.apply_impulse(hand, {}, {}); });
    says("only dynamic bodies", [&] { world.apply_impulse(ground, {}, {}); });
    says("velocity = (nan, 0, 0): must be finite", [&] { world.set_velocity(box, {nan, 0, 0}); });
    says("angular_velocity = (0, nan, 0)", [&] { world.set_angular_velocity(box, {0, nan, 0}); });
    says("impulse = (0, 0, nan)", [&] { world.apply_impulse(box, {0, 0, nan}, {}); });
    says("point = (0, 0, nan)", [&] { world.apply_impulse(box, {}, {0, 0, nan}); });
    says("position = (0, 0, nan)", [&] { world.set_pose(box, {{0, 0, nan}, {}}); });
    says("its norm is 2; must be 1", [&] { world.set_pose(box, {{}, {2, 0, 0, 0}}); });
    says("its norm is nan", [&] { world.set_pose(box, {{}, {nan, 0, 0, 0}}); });
    EXPECT_EQ(world.pose(box).position, (Vec3{0, 0, 1}));
    world.set_velocity(hand, {1, 0, 0});
    run(world, 0.01, 10);
    EXPECT_NEAR(world.pose(hand).position.x, 0.1, 1e-15);
}

}  // namespace
}  // namespace asperity::verify
