// Ploughing in motion: stopping distances, critical slopes in both directions, box friction on an incline. Closed forms from
// averaged slopes.
#include "worlds.h"

#include "asperity/surface/make_slopes.h"

namespace asperity::verify {
namespace {

using friction::FacetWeight;
using friction::Ploughing;
using surface::FootprintSettings;

/// A block on ground with a slope map; the block is smooth. `gravity` is given; downslope is +x.
struct Slide {
    Ploughing law;
    FootprintSettings footprint;
    surface::SlopeMap ground;
    double tile = 0.256;
    std::string solver = "prox";
};
sim::World world_of(const Slide& s, const Vec3& gravity) {
    sim::World world;
    world.model.settings.gravity = gravity;
    world.model.settings.solver = s.solver;
    const MaterialId ground = world.add_material({.name = "ground"}), block = world.add_material({.name = "block"});
    world.set_slopes(ground, {std::make_shared<surface::SlopeMap>(s.ground), s.tile, {}});
    world.model.pairs.set(ground, block, {.friction = {s.law}, .footprint = s.footprint});
    world.model.pairs.set_default({coulomb(0), 0});
    world.add_body({.name = "ground", .motion = rigid::Motion::Fixed, .colliders = {{geometry::HalfSpace{}, {}, ground}}});
    world.add_body({.name = "block",
                    .colliders = {{geometry::Box{{0.1, 0.1, 0.02}}, {}, block}},
                    .pose = {{0.013, -0.021, 0.02}, {}},
                    .mass = 1});
    return world;
}

surface::SlopeMap ramp(Vec2 slope) { return surface::ramp_slopes({4, 4}, slope); }

// Motion along +x meets a ramp on the ground that faces -x: mu = mu_0 + (2/pi) k_A s in this direction, mu_0 backwards and
// across. The critical slope is the atan of mu, so it differs between up and down.
TEST(PloughingVerification, CriticalSlopesDifferBothWays) {
    constexpr double mu_0 = 0.2, slope = 0.5;
    const double hard = mu_0 + 2 / pi * slope;
    for (const int directions : {4, 16})
        for (const FootprintSettings::Sampling sampling :
             {FootprintSettings::Sampling::Tables, FootprintSettings::Sampling::Rays})
            for (const double mu : {hard, mu_0}) {
                const double sign = mu == hard ? 1 : -1;
                for (const double off : {-0.05, 0.05}) {  // degrees
                    FootprintSettings footprint;
                    footprint.sampling = sampling;
                    sim::World world =
                        world_of({{mu_0, 1, 1, FacetWeight::Projected, directions}, footprint, ramp({-slope, 0})},
                                 tilted_gravity(std::atan(mu) + radians(off)));
                    world.model.settings.gravity.x *= sign;
                    run(world, 0.01, 100);
                    const double expected =
                        off < 0 ? 0
                                : sign * kGravity *
                                      (std::sin(std::atan(mu) + radians(off)) - mu * std::cos(std::atan(mu) + radians(off)));
                    // Slopes are floats: mu is off by 1e-8, and the speed after a second by 1e-7.
                    EXPECT_NEAR(Body(world, 1).velocity().x, expected, 1e-6) << directions << " mu " << mu << " off " << off;
                    EXPECT_NEAR(Body(world, 1).velocity().y, 0, 1e-9);
                }
            }
}

// v^2/(2 mu g), in the easy direction and against the facets
TEST(PloughingVerification, StopsAfterTheClosedFormDistanceWithEverySolver) {
    for (const std::string& solver : solvers::solver_names()) {
        for (const double sign : {1.0, -1.0}) {
            const double mu = 0.2 + (sign > 0 ? 2 / pi * 0.5 : 0);
            sim::World world = world_of({{0.2, 1, 1}, {}, ramp({-0.5, 0}), 0.256, solver}, {0, 0, -kGravity});
            Body block(world, 1);
            block.velocity() = {sign, 0, 0};
            const double start = block.position().x;
            run(world, 1e-3, 700);
            // Tolerance dt v/2. Along the normal of a side of the polygon every force of the side dissipates alike. Lemke's
            // method selects a vertex, so its block drifts sideways, by forces within half a side: 1/cos(pi/16) - 1 = 2 %.
            const double tolerance = solver == "lcp" ? 0.02 : 2e-3;
            EXPECT_NEAR(sign * (block.position().x - start), 1 / (2 * mu * kGravity), tolerance / (2 * mu * kGravity))
                << solver << " " << sign;
            EXPECT_NEAR(length(block.velocity()), 0, solver == "fast" ? 1e-3 : 1e-6) << solver;
        }
    }
}

// Box friction clamps each axis separately: a_t = g (sin al cos ps - mu_t cos al), a_b likewise. With 16 directions the set
// is round to 2 %.
TEST(PloughingVerification, BoxFrictionOnAnInclineIsThatOfItsAxes) {
    struct Row {
        double slope_deg, mu_t, mu_b, a_t, a_b;
    };
    for (const Row& row :
         {Row{30, 0.2, 0.2, 1.7692, 1.7692}, Row{30, 0.2, 0.5, 1.7692, 0}, Row{25, 0.3, 0.3, 0.2643, 0.2643}}) {
        // Facets against +x and +y, with slopes that raise the coefficients above 0.1; downslope at 45 degrees between t = x
        // and b = y.
        const Vec2 slope{-(row.mu_t - 0.1) * pi / 2, -(row.mu_b - 0.1) * pi / 2};
        const double al = radians(row.slope_deg);
        const Vec3 gravity = kGravity * Vec3{std::sin(al) * std::sqrt(0.5), std::sin(al) * std::sqrt(0.5), -std::cos(al)};
        FootprintSettings footprint;
        footprint.sampling = FootprintSettings::Sampling::Rays;  // a single slope lies between the directions of a table
        sim::World world = world_of({{0.1, 1, 1, FacetWeight::Projected, 4}, footprint, ramp(slope)}, gravity);
        world.model.settings.solve.tolerance = 1e-12;
        run(world, 0.01, 100);
        EXPECT_NEAR(Body(world, 1).velocity().x, row.a_t, 1e-4) << row.slope_deg;
        EXPECT_NEAR(Body(world, 1).velocity().y, row.a_b, 1e-4) << row.slope_deg;
    }
    // Round set: no axis is special.
    const double al = radians(25), s = 0.2 * std::sqrt(2 * pi) * pi / 2;  // Gaussian slopes that add 0.2
    const Vec3 gravity = kGravity * Vec3{std::sin(al) * std::sqrt(0.5), std::sin(al) * std::sqrt(0.5), -std::cos(al)};
    sim::World world = world_of({{0.1, 1, 1}, {}, surface::gaussian_slopes({256, 256}, {s, s}, 5)}, gravity);
    run(world, 0.01, 100);
    // Friction is that of 4 footprints of a quarter each: 4 x 100 texels at a time. So its error is 0.2 (1.46/sqrt(400)) =
    // 0.015 of g cos al at each of 100 steps.
    EXPECT_NEAR(std::hypot(Body(world, 1).velocity().x, Body(world, 1).velocity().y), 1.4786, 0.15);
}

// Ridges at 45 degrees to the world's axes. A box in world axes cannot distinguish along from across; a box along the slip
// and a polygon can.
TEST(PloughingVerification, FramesThatFollowTheSlipKeepWhatAWorldFrameLoses) {
    const double slope = 0.6;
    surface::SlopeMap map{8, 8, {}, {}, {}};
    for (int i = 0; i < 64; ++i) {
        const double s = ((i % 8 + i / 8) % 8 < 4 ? slope : -slope) * std::sqrt(0.5);
        map.slopes.push_back({static_cast<float>(s), static_cast<float>(s)});  // ridges along (1, -1)
    }
    const double across = 0.2 + slope / pi;
    const auto drag_along = [&](int directions, FootprintSettings::Frame frame, const Vec3& way) {
        FootprintSettings footprint;
        footprint.frame = frame;
        sim::World world =
            world_of({{0.2, 1, 1, FacetWeight::Projected, directions}, footprint, map, 0.008}, {0, 0, -kGravity});
        Body block(world, 1);
        block.velocity() = way;
        run(world, 1e-3, 50);
        return (1 - dot(block.velocity(), way)) / (0.05 * kGravity);
    };
    const Vec3 up = std::sqrt(0.5) * Vec3{1, 1, 0}, along = std::sqrt(0.5) * Vec3{1, -1, 0};
    using Frame = FootprintSettings::Frame;
    EXPECT_NEAR(drag_along(4, Frame::AlongSlip, up), across, 0.01);
    EXPECT_NEAR(drag_along(4, Frame::AlongSlip, along), 0.2, 0.01);
    EXPECT_NEAR(drag_along(16, Frame::Axis, up), across, 0.01);
    EXPECT_NEAR(drag_along(16, Frame::Axis, along), 0.2, 0.01);
    EXPECT_NEAR(drag_along(4, Frame::Axis, up) / drag_along(4, Frame::Axis, along), 1, 0.01);
}

TEST(PloughingVerification, MissingMapsLeaveTheNominalFriction) {
    Slide s{{0.3, 1, 1}, {}, ramp({0, 0})};
    sim::World world = world_of(s, {0, 0, -kGravity});
    world.model.materials[0].slopes = {};
    Body block(world, 1);
    block.velocity() = {0.6, 0.8, 0};
    run(world, 1e-3, 100);
    EXPECT_NEAR(length(block.velocity()), 1 - 0.1 * 0.3 * kGravity, 1e-9);
}

}  // namespace
}  // namespace asperity::verify
