// Figures of Bouchard and others (2015) that no scene file covers: the centre of pressure, tipping, the growth of a coin's
// patch.
#include "worlds.h"

namespace asperity::verify {
namespace {

using geometry::Box;
using geometry::Cylinder;
using geometry::Sphere;

/// A push at the height of the centre of mass, as a horizontal part of gravity [m/s^2], which pushes all masses alike.
sim::World pushed(double mu, double push) {
    sim::World world = world_with(coulomb(mu), 0, {push, 0, -kGravity});
    world.model.settings.contact_model = surface::ContactModel::Patches;
    add_ground(world);
    return world;
}

/// Fig. 1: the centre of pressure shifts by P h/(m g) until it reaches the edge, at 9.81 N for a cube of 1 kg; beyond, the
/// cube tips.
TEST(SixDFigures, PressureOfAPushedCubeMovesAheadUntilItTips) {
    for (const double push : {0.0, 4.0, 9.8, 9.82}) {
        sim::World world = pushed(2, push);
        Body cube(world, add(world, "cube", Box{{0.5, 0.5, 0.5}}, {{0, 0, 0.5}, {}}));
        run(world, 0.01, 100);
        if (push > kGravity) {
            EXPECT_GT(cube.spin().y, 1e-2);  // 0.005 N m on 2/3 kg m^2, growing by e^(2.7 t)
            continue;
        }
        ASSERT_EQ(world.state.active.patches.size(), 1u);
        EXPECT_NEAR(world.state.active.patches[0].centre_of_pressure().x, 0.5 * push / kGravity, 1e-8)
            << push;  // 0.203874 at 4 N
        EXPECT_NEAR(world.state.active.patches[0].centre_of_pressure().y, 0, 1e-8);
        EXPECT_LT(length(cube.velocity()) + length(cube.spin()), 1e-9) << push;
    }
}

/// Fig. 2: a cylinder on its cap tips if P h > m g r, for any direction of the push, because its patch is the disc, not four
/// points of it.
TEST(SixDFigures, CylinderTipsBeyondItsRim) {
    for (const double share : {0.995, 1.005})
        for (const double turned : {0.0, 0.3, 0.785}) {
            sim::World world = pushed(1.5, share * kGravity);
            Body can(world, add(world, "can", Cylinder{0.5, 0.5}, {{0, 0, 0.5}, rotation({0, 0, turned})}));
            run(world, 0.01, 100);
            if (share < 1)
                EXPECT_LT(length(can.spin()), 1e-9) << turned;
            else
                EXPECT_GT(can.spin().y, 1e-2) << turned;
        }
}

/// Fig. 9: without friction a ball slides down at g sin and does not rotate.
TEST(SixDFigures, BallWithoutFrictionSlidesAndDoesNotTurn) {
    sim::World world = world_with(coulomb(0), 0, tilted_gravity(radians(10.0)));
    world.model.pairs.set_default({.friction = coulomb(0), .contact = surface::ContactModel::Patches, .patch_radius = 0.02});
    add_ground(world);
    Body ball(world, add(world, "ball", Sphere{0.5}, {{0, 0, 0.5}, {}}));
    run(world, 0.005, 200);
    EXPECT_NEAR(ball.velocity().x, kGravity * std::sin(radians(10.0)), 1e-9);
    EXPECT_LT(length(ball.spin()), 1e-9);
}

double area(const geometry::PatchRegion& region) {
    if (const auto* e = std::get_if<geometry::EllipseRegion>(&region)) return pi * e->a * e->b;
    const auto& polygon = std::get<geometry::PolygonRegion>(region);
    double twice = 0;
    for (int i = 0; i < polygon.count; ++i)
        twice +=
            cross(polygon.corners[static_cast<size_t>(i)], polygon.corners[static_cast<size_t>((i + 1) % polygon.count)]);
    return 0.5 * twice;
}

/// Fig. 11: a coin comes to rest within 20 s on its whole face, more than ten times the patch on which it rolled. Its energy
/// falls, except for the lift out of overlaps and second-order errors (derived in tests/soak/checks.h): the energy added by
/// the position pass since the lowest value, 3 m (g dt)^2/8 and (w dt)^2 K.
TEST(SixDFigures, CoinComesToRestOnItsFaceAndGainsNothing) {
    scene::Scene s = load("sixd/coin");
    Body coin(s.world, 1);
    sim::step(s.world, s.dt);
    ASSERT_EQ(s.world.state.active.patches.size(), 1u);
    const double rolling = area(s.world.state.active.patches[0].region);
    double lowest = energy(s.world), lifted = 0, turning = 0, worst = 0, rest = 0;
    while (s.world.state.time < 20 && rest == 0) {
        const double z = coin.position().z, v = coin.velocity().z;
        sim::step(s.world, s.dt);
        const double now = energy(s.world), m = coin.mass(), turn = s.dt * length(coin.spin());
        lifted += std::fmax(0.0, m * kGravity * (coin.position().z - z - 0.5 * s.dt * (v + coin.velocity().z)));
        turning = std::fmax(turning, turn * turn * s.world.kinetic_energy());
        worst = std::fmax(worst, (now - lowest) / (lifted + turning + 3 * m * kGravity * kGravity * s.dt * s.dt / 8 + 1e-9));
        if (now < lowest) lowest = now, lifted = turning = 0;
        if (length(coin.velocity()) + length(coin.spin()) < 1e-6) rest = s.world.state.time;
    }
    measured("rest [s]", rest);
    measured("worst rise, of what is granted", worst);
    EXPECT_GT(rest, 0);
    EXPECT_LT(worst, 1);
    ASSERT_EQ(s.world.state.active.patches.size(), 1u);
    EXPECT_NEAR(area(s.world.state.active.patches[0].region), pi * 0.25, 1e-9);
    EXPECT_GT(area(s.world.state.active.patches[0].region), 10 * rolling);
}

/// Fig. 13: 256 bumps form one patch in every step.
TEST(SixDFigures, BumpyCubeHasOnePatch) {
    scene::Scene s = load("sixd/bumpy_cube", {{"params.cells", "64"}});
    for (int i = 0; i < 30; ++i) {
        sim::step(s.world, s.dt);
        EXPECT_EQ(s.world.state.active.patches.size(), 1u) << "step " << i;
    }
}

}  // namespace
}  // namespace asperity::verify
