// Contacts dissipate or conserve energy, but never add any. Overlapping bodies placed at rest separate without a burst.
#include "piles.h"

namespace asperity::verify {
namespace {

TEST(Energy, PileOfMixedShapesNeverGainsAny) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        sim::World world = pile(30, seed);
        world.model.settings.solve.max_sweeps = 100;  // the usual limit for a pile: energy must not depend on convergence
        const double start = energy(world);
        double gain = 0, rise = 0, before = start;
        run(world, 0.01, 300, [&] {
            gain = std::fmax(gain, energy(world) - start);
            rise = std::fmax(rise, energy(world) - before);
            before = energy(world);
        });
        measured(fmt::format("gain_{}", seed), gain / start);
        measured(fmt::format("rise_{}", seed), rise / start);
        EXPECT_LT(gain, 1e-6 * start) << "seed " << seed;
        EXPECT_LT(energy(world), 0.7 * start) << "seed " << seed;  // the pile did fall
    }
}

TEST(Overlap, BodiesPlacedInsideEachOtherPartWithoutGainingSpeed) {
    sim::World world = world_with(coulomb(0.4), 0, {});
    Body a(world, add(world, "a", geometry::Box{{0.1, 0.1, 0.1}}, {}));
    Body b(world, add(world, "b", geometry::Box{{0.1, 0.1, 0.1}}, {{0.02, 0.01, 0.17}, rotation({0.05, 0.02, 0.3})}));
    Body c(world, add(world, "c", geometry::Sphere{0.1}, {{0.19, 0, 0}, {}}));
    double fastest = 0;
    run(world, 0.01, 200, [&] {
        for (Body body : {a, b, c}) fastest = std::fmax(fastest, length(body.velocity()) + length(body.spin()));
    });
    measured("fastest", fastest);
    EXPECT_LT(fastest, 1e-9);  // the position pass moves poses, never velocities
    EXPECT_GE(b.position().z - a.position().z, 0.2 - 1e-3);
    EXPECT_GE(length(c.position() - a.position()), 0.2 - 1e-3);
}

// Lifting a body out of the ground gives it potential energy. The fall converts at most that into speed: v^2 <= 2 g depth.
TEST(Overlap, BoxStuckInTheGroundRisesSlowly) {
    const double depth = 0.05;
    sim::World world = world_with(coulomb(0.4));
    add_ground(world);
    Body box(world, add(world, "box", geometry::Box{{0.1, 0.1, 0.1}}, {{0, 0, 0.1 - depth}, rotation({0.1, 0.05, 0})}));
    double fastest = 0, highest = 0;
    run(world, 0.01, 300, [&] {
        fastest = std::fmax(fastest, length(box.velocity()));
        highest = std::fmax(highest, box.position().z);
    });
    measured("fastest", fastest);
    measured("highest", highest);
    EXPECT_LT(fastest, std::sqrt(2 * kGravity * depth));
    EXPECT_LT(highest, 0.13);  // a box tilted on its edge by 0.11 rad is 0.111 high
    EXPECT_LT(length(box.velocity()), 1e-6);
    EXPECT_NEAR(box.position().z, 0.1, 1e-5);
}

TEST(Rest, BodiesPlacedOnOthersStartAtRest) {
    scene::Scene s = scene::parse(R"toml(
[world]
default = { mu = 0.5 }
[[body]]
name = "ground"
shape = { half_space = true }
fixed = true
[[body]]
name = "crate"
shape = { box = [0.4, 0.4, 0.3] }
on = "ground"
[[body]]
name = "drum"
shape = { cylinder = [0.12, 0.25] }
on = "crate"
[[body]]
name = "lid"
shape = { box = [0.3, 0.3, 0.05] }
on = "drum"
[[body]]
name = "ball"
shape = { sphere = 0.1 }
on = "lid"
[[body]]
name = "wedge"
shape = { hull = [[0,0,0], [0.3,0,0], [0.3,0.2,0], [0,0.2,0], [0,0,0.2], [0,0.2,0.2]] }
on = "ground"
position = [1, 0, 0]
[[body]]
name = "pill"
shape = { capsule = [0.1, 0.3] }
on = "ground"
position = [-1, 0, 0]
pitch_deg = 90
)toml",
                                  "rest.toml");
    double fastest = 0;
    const std::vector<Pose> start = s.world.state.bodies.pose;
    run(s.world, 0.01, 20, [&] {
        for (size_t i = 0; i < start.size(); ++i)
            fastest = std::fmax(fastest, std::fmax(length(s.world.state.bodies.velocity[i]),
                                                   length(s.world.state.bodies.angular_velocity[i])));
    });
    measured("fastest", fastest);
    EXPECT_LT(fastest, 1e-9);
    for (size_t i = 0; i < start.size(); ++i)
        EXPECT_LT(length(s.world.state.bodies.pose[i].position - start[i].position), 1e-9) << s.world.model.bodies.name[i];
}

}  // namespace
}  // namespace asperity::verify
