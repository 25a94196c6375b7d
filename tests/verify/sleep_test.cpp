// Sleep changes nothing but the cost: a sleeping body continues as if it had stayed awake, and a body that hits it feels its
// true mass. Contacts kept while bodies rest must be where fresh ones would be.
#include "asperity/sim/step_data.h"
#include "tests/verify/piles.h"

namespace asperity {
namespace {

using verify::Body;

sim::World stack(double sleep_speed) {
    sim::World world = verify::world_with(verify::coulomb(0.5));
    world.model.settings.sleep_speed = sleep_speed;
    verify::add_ground(world);
    for (int i = 0; i < 3; ++i)
        verify::add(world, fmt::format("box{}", i), geometry::Box{{0.1, 0.1, 0.1}}, {{0, 0, 0.1 + 0.2 * i}, {}}, 1);
    return world;
}

int sleepers(const sim::World& world) {
    int count = 0;
    for (const int island : world.state.bodies.island) count += island >= 0;
    return count;
}

TEST(Sleep, AStackSleepsAfterHalfASecondAndDoesNotMoveABit) {
    sim::World world = stack(1e-3);
    verify::run(world, 0.01, 48);
    EXPECT_EQ(sleepers(world), 0);
    verify::run(world, 0.01, 5);
    EXPECT_EQ(sleepers(world), 3);
    const Pose pose = world.state.bodies.pose[3];
    const sim::StepReport report = sim::step(world, 0.01);
    EXPECT_EQ(report.pairs, 0);
    EXPECT_EQ(report.contacts, 0);
    EXPECT_EQ(world.state.dormant.contacts.size(), 12u);
    EXPECT_EQ(world.state.bodies.pose[3].position, pose.position);
}

TEST(Sleep, IsOffUnlessAskedFor) {
    sim::World world = stack(0);
    verify::run(world, 0.01, 200);
    EXPECT_EQ(sleepers(world), 0);
}

// A ball dropped on the sleeping stack; the other world never slept. The sleepers have lost their residual motion, below
// 1e-11 m/s for a stack at rest. So the two agree to the distance travelled at that speed in a second.
TEST(Sleep, WakesAsIfItHadNeverSlept) {
    sim::World sleepy = stack(1e-3), awake = stack(0);
    for (sim::World* world : {&sleepy, &awake}) {
        const int ball = verify::add(*world, "ball", geometry::Sphere{0.1}, {{0.03, 0.01, 3}, {}}, 2);
        verify::run(*world, 0.01, 100);
        EXPECT_EQ(world->state.bodies.island[static_cast<size_t>(ball)], -1);
    }
    for (size_t i = 0; i < awake.state.bodies.pose.size(); ++i) {
        EXPECT_NEAR(length(sleepy.state.bodies.pose[i].position - awake.state.bodies.pose[i].position), 0, 1e-9) << i;
        EXPECT_NEAR(length(sleepy.state.bodies.velocity[i] - awake.state.bodies.velocity[i]), 0, 1e-8) << i;
    }
}

TEST(Sleep, AnImpactOnASleeperKeepsTheMomentum) {
    sim::World world = verify::world_with(verify::coulomb(0), 0, {0, 0, 0});
    world.model.settings.sleep_speed = 1e-3;
    const int target = verify::add(world, "target", geometry::Sphere{0.1}, {{1, 0, 0}, {}}, 3);
    Body hitter(world, verify::add(world, "hitter", geometry::Sphere{0.1}, {{-2, 0, 0}, {}}, 1));
    hitter.velocity() = {2, 0, 0};
    verify::run(world, 0.01, 80);
    EXPECT_GE(world.state.bodies.island[static_cast<size_t>(target)], 0);
    verify::run(world, 0.01, 120);  // they meet after 1.4 s
    EXPECT_EQ(world.state.bodies.island[static_cast<size_t>(target)], -1);
    EXPECT_NEAR(world.linear_momentum().x, 2, 1e-12);
    EXPECT_NEAR(world.state.bodies.velocity[static_cast<size_t>(target)].x, 0.5, 1e-9);  // together: 2 / (1 + 3)
}

TEST(Sleep, NobodySleepsOnABeltThatMoves) {
    sim::World world = verify::world_with(verify::coulomb(0.5));
    world.model.settings.sleep_speed = 1;  // every speed here is below the threshold
    rigid::BodyDesc lift{.name = "lift", .motion = rigid::Motion::Kinematic};
    lift.colliders = {{geometry::Box{{1, 1, 0.1}}, Pose{}, {}}};
    lift.path = [](double t) { return Pose{{0, 0, 0.1 * t}, {}}; };
    world.add_body(lift);
    const int box = verify::add(world, "box", geometry::Box{{0.1, 0.1, 0.1}}, {{0, 0, 0.2}, {}}, 1);
    verify::run(world, 0.01, 200);
    EXPECT_EQ(world.state.bodies.island[static_cast<size_t>(box)], -1);
    EXPECT_NEAR(world.state.bodies.pose[static_cast<size_t>(box)].position.z, 0.4, 1e-3);
}

TEST(Sleep, WakeIsThereForTheUser) {
    sim::World world = stack(1e-3);
    verify::run(world, 0.01, 60);
    ASSERT_EQ(sleepers(world), 3);
    world.wake(BodyId{2});
    EXPECT_EQ(sleepers(world), 0);
    EXPECT_EQ(world.state.active.contacts.size(), 12u);
    EXPECT_TRUE(world.state.dormant.contacts.empty());
}

// Kept contacts against fresh ones: the same pile, the same step. A gap is wrong by about reuse^2 / size = 1e-8 / 0.1, and
// as much again by the rotation of the normal, reuse / size, times the tangential drift, reuse. Only the lowest point of a
// tilted rim may be elsewhere with the same feature, but nothing has moved by more than reuse.
TEST(ContactReuse, GapsAreThoseOfFreshContacts) {
    sim::World world = verify::pile(60, 11);
    world.model.settings.contact_reuse = 1e-4;
    world.model.settings.solve = {1e-6, 60};
    verify::run(world, 0.01, 150);  // nearly at rest: some pairs are kept, some are not
    int kept = 0, compared = 0;
    double largest = 0, sum = 0;
    for (int k = 0; k < 100; ++k) {
        sim::World fresh = verify::pile(60, 11);
        fresh.model.settings = world.model.settings;
        fresh.model.settings.contact_reuse = 0;
        fresh.restore_state(world.save_state());
        sim::step(fresh, 0.01);
        sim::step(world, 0.01);
        for (const char flag : world.data().contacts.kept) kept += flag;
        for (const contact::Contact& c : world.state.active.contacts)
            for (const contact::Contact& f : fresh.state.active.contacts)
                if (f.pair == c.pair && f.feature == c.feature) {
                    ++compared;
                    sum += std::fabs(f.gap - c.gap);
                    largest = std::fmax(largest, std::fabs(f.gap - c.gap));
                }
    }
    EXPECT_GT(kept, 1000);
    verify::measured("gap_error", largest);
    verify::measured("mean_gap_error", sum / compared);
    EXPECT_LT(largest, world.model.settings.contact_reuse);
    // A pair that has moved by s on edges of 0.1 m has an error of about s^2 / 0.1 m. Measured 1e-9 to 2e-8, depending on
    // the pile.
    EXPECT_LT(sum / compared, world.model.settings.contact_reuse * world.model.settings.contact_reuse / 0.1);
}

}  // namespace
}  // namespace asperity
