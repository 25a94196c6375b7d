// Fully implicit stepping: the cases that it must not change, and those that it improves.
#include "worlds.h"

namespace asperity::verify {
namespace {

/// A block on ground whose grain runs in circles about the origin, easy along and hard across, so that the block is guided
/// round.
sim::World circular_track(int implicit_passes) {
    sim::World world = world_with({.base = friction::Matchstick{0.4, 0.05, 0.8}}, 0, {0, 0, -kGravity});
    const int ground = add_ground(world);
    const int block = add(world, "block", geometry::Box{{0.02, 0.02, 0.01}}, {{1, 0, 0.01}, {}});
    world.set_grain(BodyId{ground}, surface::AxisGrain{.around = 1});
    world.model.settings.implicit_passes = implicit_passes;
    Body(world, block).velocity() = {0, 2, 0};
    return world;
}

/// The block's position after half a second.
Vec3 end_of(int implicit_passes, double dt) {
    sim::World world = circular_track(implicit_passes);
    run(world, dt, static_cast<int>(std::lround(0.5 / dt)));
    return Body(world, world.find_body("block").index).position();
}

TEST(ImplicitStep, ChangesNothingWhereTheLawIsTheSameEverywhere) {
    Vec3 velocity[2];
    for (const int passes : {0, 5}) {
        sim::World world = world_with({.base = friction::Matchstick{0.2, 0.2, 3.0}}, 0, tilted_gravity(radians(45)));
        const int ground = add_ground(world),
                  block = add(world, "block", geometry::Box{{0.2, 0.2, 0.05}}, {{0, 0, 0.05}, {}});
        for (const int body : {ground, block}) world.set_grain(BodyId{body}, surface::ConstantGrain{{1, 1, 0}});
        world.model.settings.implicit_passes = passes;
        run(world, 0.01, 100);
        velocity[passes > 0] = Body(world, block).velocity();
    }
    EXPECT_GT(length(velocity[0]), 3);
    EXPECT_LT(length(velocity[1] - velocity[0]), 1e-8);  // 100 steps of 1e-10 m/s, the solver's tolerance
}

// The step applies friction against the slip at its end. With the grain at its start the two are inconsistent, and the block
// is turned too late. With the grain at its end only the error of implicit Euler remains, of the same order but far smaller.
TEST(ImplicitStep, LeadsTheBlockRoundInTimeWhereTheGrainTurns) {
    const double dt = 0.01;
    const Vec3 exact = 2 * end_of(20, 2.5e-4) - end_of(20, 5e-4);  // extrapolated: first order
    const double with_start = length(end_of(0, dt) - exact), with_end = length(end_of(20, dt) - exact),
                 half = length(end_of(20, dt / 2) - exact);
    measured("error_with_start", with_start);
    measured("error_with_end", with_end);
    EXPECT_GT(with_start, 0.01);
    EXPECT_LT(with_end, with_start / 5);
    EXPECT_NEAR(half / with_end, 0.5, 0.1);
}

TEST(ImplicitStep, AFewPassesAreEnough) { EXPECT_LT(length(end_of(20, 0.01) - end_of(6, 0.01)), 1e-6); }

}  // namespace
}  // namespace asperity::verify
