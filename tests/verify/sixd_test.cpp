// Contact patches: rolling, spinning and both; patches against points if both are exact; solvers against each other. Energy:
// tests/soak/patch_heaps.h.
#include "worlds.h"

#include "asperity/geometry/mesh/bumpy_box.h"
#include "asperity/solvers/problem/solver.h"

namespace asperity::verify {
namespace {

using geometry::Box;
using geometry::Cylinder;
using geometry::Sphere;

sim::World patch_world(double mu, friction::SpinModel spin = friction::SpinModel::Uniform, double radius = 0,
                       const Vec3& gravity = {0, 0, -kGravity}) {
    sim::World world = world_with(coulomb(mu), 0, gravity);
    world.model.pairs.set_default({coulomb(mu), 0, surface::ContactModel::Patches, spin, radius});
    add_ground(world);
    return world;
}

class EverySolver : public testing::TestWithParam<std::string> {};

// acc = (5/7) g (sin - (a/r) cos); at rest up to tan = a/r. Tolerance: 200 steps, each solved to 1e-10 m/s.
TEST_P(EverySolver, BallRollsAgainstItsPatch) {
    for (const auto& [angle, radius] : {std::pair{10.0, 0.02}, {20.0, 0.05}, {2.0, 0.02}, {30.0, 0.0}}) {
        const double a = radians(angle);
        sim::World world = patch_world(0.5, friction::SpinModel::Uniform, radius, tilted_gravity(a));
        world.model.settings.solver = GetParam();
        Body ball(world, add(world, "ball", Sphere{0.5}, {{0, 0, 0.5}, {}}));
        run(world, 0.005, 200);
        EXPECT_NEAR(ball.velocity().x, std::fmax(0.0, 5.0 / 7 * kGravity * (std::sin(a) - radius / 0.5 * std::cos(a))), 2e-8)
            << GetParam() << " " << angle;
        EXPECT_NEAR(ball.position().z, 0.5, 1e-9) << GetParam();
    }
}

TEST_P(EverySolver, BoxSlidesSticksAndTipsAtItsLimits) {
    struct Case {
        double angle, mu, height;
        char what;
    };
    // Slides if tan > mu; tips if tan > width/height.
    for (const Case& c : {Case{26, 0.5, 0.5, 'r'}, Case{27, 0.5, 0.5, 's'}, Case{26, 0.9, 2, 'r'}, Case{27, 0.9, 2, 't'}}) {
        sim::World world = patch_world(c.mu, friction::SpinModel::Uniform, 0, tilted_gravity(radians(c.angle)));
        world.model.settings.solver = GetParam();
        Body box(world, add(world, "box", Box{{0.5, 0.5, 0.5 * c.height}}, {{0, 0, 0.5 * c.height}, {}}));
        run(world, 0.01, 50);
        const double tilt = std::fabs(box.spin().y), speed = box.velocity().x;
        const double slides =
            c.what == 's' ? 0.5 * kGravity * (std::sin(radians(c.angle)) - c.mu * std::cos(radians(c.angle))) : 0;
        if (c.what == 't') {
            EXPECT_GT(tilt, 0.02) << GetParam();  // (0.0085 g)/(5/3 m) = 0.05 rad/s^2 for half a second, and rising
        } else {
            EXPECT_NEAR(speed, slides, 1e-8) << GetParam() << " " << c.angle;
            EXPECT_LT(tilt, 1e-8) << GetParam() << " " << c.angle;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, EverySolver, testing::ValuesIn(solvers::solver_names()),
                         [](const auto& p) { return p.param; });

// t_stop = 0.4 r^2 omega0/(k mu g a); the spin decreases linearly.
TEST(SixD, SpinOfABallDecaysEvenly) {
    for (const auto& [model, k] : {std::pair{friction::SpinModel::FourCorner, std::sqrt(2.0)},
                                   {friction::SpinModel::Uniform, 2.0 / 3},
                                   {friction::SpinModel::Contensou, 2.0 / 3}}) {
        sim::World world = patch_world(0.5, model, 0.1);
        Body ball(world, add(world, "ball", Sphere{0.5}, {{0, 0, 0.5}, {}}));
        ball.spin() = {0, 0, 10};
        run(world, 0.01, 100);
        const double stop = 0.4 * 0.25 * 10 / (k * 0.5 * kGravity * 0.1);
        EXPECT_NEAR(ball.spin().z, 10 * (1 - 1 / stop), 1e-8);
        EXPECT_LT(length(ball.velocity()), 1e-12);
    }
}

// A thin disc: force and torque of one step at given v/(omega R), against the table for a disc under uniform pressure. The
// thickness shifts the centre of pressure, an error of mu h/R = 3e-5.
TEST(SixD, DiscHasTheForcesOfSlidingAndSpinning) {
    const double table[][3] = {{0.1, 0.099875, 0.661676},
                               {0.5, 0.483844, 0.547748},
                               {0.9, 0.795759, 0.333212},
                               {1.1, 0.881354, 0.248917},
                               {2, 0.967688, 0.127809}};
    for (const auto& [e, force, torque] : table) {
        const double mu = 0.3, R = 0.1, dt = 1e-6;
        sim::World world = patch_world(mu, friction::SpinModel::Contensou);
        Body disc(world, add(world, "disc", Cylinder{R, 1e-5}, {{0, 0, 1e-5}, {}}));
        disc.velocity() = {e, 0, 0};
        disc.spin() = {0, 0, 1 / R};
        run(world, dt, 1);
        EXPECT_NEAR((e - disc.velocity().x) / (mu * kGravity * dt), force, 1e-3 * force) << e;
        EXPECT_NEAR((1 / R - disc.spin().z) * 0.5 * R * R / (mu * kGravity * dt * R), torque, 1e-3 * torque) << e;
    }
}

TEST(SixD, DiscStopsSlidingAndSpinningTogether) {
    for (const double start : {1.0 / 3, 0.5, 1.01}) {
        const double mu = 0.3, R = 0.1;
        sim::World world = patch_world(mu, friction::SpinModel::Contensou);
        Body disc(world, add(world, "disc", Cylinder{R, 1e-4}, {{0, 0, 1e-4}, {}}));
        disc.velocity() = {1, 0, 0};
        disc.spin() = {0, 0, 1 / (start * R)};
        double stop = 0, ratio = 0;
        run(world, 1e-3, 1200, [&] {
            if (disc.velocity().x > 1e-3) {
                stop = world.state.time;
                ratio = disc.velocity().x / (disc.spin().z * R);
            }
        });
        if (start == 0.5) {
            EXPECT_NEAR(stop, 0.646, 0.001);
            EXPECT_NEAR(disc.position().x, 0.334, 0.0005);
        }
        // At 0.1 % of the speed: 0.638, 0.650, 0.656; the previous step is up to 1e-3 s of mu g earlier.
        EXPECT_NEAR(ratio, start == 0.5 ? 0.650 : start < 0.5 ? 0.638 : 0.656, 0.012) << start;
        EXPECT_LT(length(disc.velocity()) + length(disc.spin()), 1e-9);
    }
}

TEST(SixD, CubeStaysUntilHalfItHangsOver) {
    for (const double over : {0.4999, 0.5001}) {
        sim::World world = world_with(coulomb(0.5));
        world.model.settings.contact_model = surface::ContactModel::Patches;
        world.add_body({.name = "table",
                        .motion = rigid::Motion::Fixed,
                        .colliders = {{Box{{2, 2, 0.5}}, {}, {}}},
                        .pose = {{-2, 0, -0.5}, {}}});
        Body cube(world, add(world, "cube", Box{{0.5, 0.5, 0.5}}, {{over - 0.5, 0, 0.5}, {}}));
        run(world, 0.01, 200);
        if (over < 0.5) {
            EXPECT_LT(length(cube.spin()), 1e-9);
        } else {
            EXPECT_GT(cube.spin().y, 1e-3);  // grows from (over - 0.5) as exp(t sqrt(m g h/I)): e^4.3 in 2 s
        }
    }
}

geometry::Hull prism(int sides, double r, double half_height) {
    std::vector<Vec3> points;
    for (int i = 0; i < sides; ++i)
        for (const double z : {-half_height, half_height})
            points.push_back({r * std::cos(2 * pi * i / sides), r * std::sin(2 * pi * i / sides), z});
    return geometry::convex_hull(points);
}

// An octagon stands on all eight vertices. It tips if the load leaves its outline, at rho/cos(angle to the nearest side's
// normal) from the middle, in any direction. On a plane, and on a box, where one face clips the other.
TEST(SixD, OctagonTipsOverItsTrueOutline) {
    const double r = 0.3, half = 0.5, rho = r * std::cos(pi / 8);
    for (const bool on_box : {false, true})
        for (int k = 0; k < 16; ++k) {
            const double azimuth = 0.05 + 2 * pi * k / 16, off = std::remainder(azimuth - pi / 8, pi / 4),
                         limit = rho / std::cos(off) / half;
            for (const double share : {0.999, 1.001}) {
                const double angle = std::atan(share * limit);
                const Vec3 pull = kGravity * Vec3{std::sin(angle) * std::cos(azimuth), std::sin(angle) * std::sin(azimuth),
                                                  -std::cos(angle)};
                sim::World world = patch_world(2, friction::SpinModel::Uniform, 0, pull);
                if (on_box)
                    world.add_body({.name = "table",
                                    .motion = rigid::Motion::Fixed,
                                    .colliders = {{Box{{1, 1, 0.5}}, {}, {}}},
                                    .pose = {{0, 0, 0.5}, {}}});
                Body body(world, add(world, "octagon", prism(8, r, half), {{0, 0, (on_box ? 1 : 0) + half}, {}}));
                run(world, 0.01, 20);
                // The excess of the pull, 0.001 g sin, rotates it by half/(I about the edge) = 1.3 per second: 2.5e-3 rad/s
                // after 0.2 s.
                if (share < 1)
                    EXPECT_LT(length(body.spin()), 1e-8) << on_box << " " << k;
                else
                    EXPECT_GT(length(body.spin()), 5e-4) << on_box << " " << k;
            }
        }
}

// Two square faces at 45 degrees also share an octagon. The spin of all these is braked by mu f_n times the mean distance
// over the regular polygon, rho/(3 tan b) (sec b tan b + ln(sec b + tan b)), b = pi/n.
TEST(SixD, SpinOnAPolygonIsThatOfItsOutline) {
    const double mu = 0.3, r = 0.2, b = pi / 8, rho = r * std::cos(b);
    const double mean = rho / (3 * std::tan(b)) * (std::tan(b) / std::cos(b) + std::log(1 / std::cos(b) + std::tan(b)));
    for (const bool squares : {false, true}) {
        sim::World world = patch_world(mu);
        int index = 0;
        if (squares) {  // half width rho: the square below is rotated, and both share the octagon
            world.add_body({.name = "post",
                            .motion = rigid::Motion::Fixed,
                            .colliders = {{Box{{rho, rho, 0.5}}, {}, {}}},
                            .pose = {{0, 0, 0.5}, rotation({0, 0, pi / 4})}});
            index = add(world, "square", Box{{rho, rho, 0.05}}, {{0, 0, 1.05}, {}});
        } else {
            index = add(world, "octagon", prism(8, r, 0.05), {{0, 0, 0.05}, {}});
        }
        Body body(world, index);
        body.spin() = {0, 0, 1e-3};  // so slow that the body stays in place
        const double inertia = world.model.bodies.inertia[body.i].r[2].z, dt = 1e-6;
        run(world, dt, 1);
        EXPECT_NEAR((1e-3 - body.spin().z) * inertia / (mu * kGravity * dt), mean, 1e-6 * mean) << squares;
    }
}

// Fixed bodies need no contact with each other, even if they overlap; a body on top of them has its own.
TEST(SixD, TwoFixedBodiesHaveNoPatch) {
    const geometry::Shape meshes[] = {geometry::make_bumpy_box({{0.5, 0.5, 0.5}, 0.01, 4, 16}), Box{{0.5, 0.5, 0.5}}};
    for (const geometry::Shape& shape : meshes) {
        sim::World world = patch_world(0.5);
        for (const double x : {0.0, 0.9})
            world.add_body({.name = fmt::format("fixed{}", x),
                            .motion = rigid::Motion::Fixed,
                            .colliders = {{shape, {}, {}}},
                            .pose = {{x, 0, 0.4}, {}}});
        run(world, 0.01, 3);
        EXPECT_EQ(world.state.active.contacts.size(), 0u);
        EXPECT_EQ(world.state.active.patches.size(), 0u);
        Body body(world, add(world, "box", Box{{0.1, 0.1, 0.1}},
                             {{-0.2, 0, 1.0 + (std::holds_alternative<Box>(shape) ? 0 : 0.01)}, {}}));
        run(world, 0.01, 50);
        EXPECT_EQ(world.state.active.patches.size(), 1u);
        EXPECT_LT(length(body.velocity()), 1e-6);
    }
}

// A plank on two posts: one patch on each, and loads by the lever rule.
TEST(SixD, APlankOnTwoPostsHasAPatchOnEach) {
    sim::World world = world_with(coulomb(0.5));
    world.model.settings.contact_model = surface::ContactModel::Patches;
    for (const double x : {-0.5, 1.0})
        world.add_body({.name = fmt::format("post{}", x),
                        .motion = rigid::Motion::Fixed,
                        .colliders = {{Box{{1e-3, 0.2, 0.5}}, {}, {}}},
                        .pose = {{x, 0, -0.5}, {}}});
    add(world, "plank", Box{{1.2, 0.1, 0.05}}, {{0, 0, 0.05}, {}}, 2);
    run(world, 0.01, 5);
    ASSERT_EQ(world.state.active.patches.size(), 2u);
    const double left = world.state.active.patches[0].at.impulse.z, right = world.state.active.patches[1].at.impulse.z,
                 all = 2 * kGravity * 0.01;
    EXPECT_NEAR(left + right, all, 1e-9 * all);
    // posts of 2 mm: the centre of pressure on them is free within 1 mm of 1.5 m
    EXPECT_NEAR(left / all, 1.0 / 1.5, 1.5e-3);
}

// A lying capsule with a load over one end has two discs in one pair with the same normal but very different loads. Each
// must warm start with its own load, at rest and while sliding, so that the law holds before any sweep.
TEST(SixD, DiscsOfOnePairBeginWithTheirOwnLoads) {
    for (const double speed : {0.0, 2.0}) {
        sim::World world = patch_world(0.2, friction::SpinModel::Uniform, 0.01);
        const Quat lying = rotation({0, 0.5 * std::numbers::pi, 0});
        Body capsule(world, add(world, "capsule", geometry::Capsule{0.1, 0.4}, {{0, 0, 0.1}, lying}));
        Body load(world, add(world, "load", Box{{0.05, 0.05, 0.05}}, {{0.35, 0, 0.25}, {}}, 5));
        capsule.velocity() = load.velocity() = {speed, 0, 0};
        run(world, 0.01, 10);
        ASSERT_GE(world.state.active.patches.size(), 3u);
        ASSERT_EQ(world.state.active.patches[0].at.pair, world.state.active.patches[1].at.pair);
        const double one = world.state.active.patches[0].at.impulse.z, other = world.state.active.patches[1].at.impulse.z;
        EXPECT_GT(std::max(one, other), 5 * std::min(one, other));
        world.model.settings.solve.max_sweeps = 0;                              // measures the warm start
        EXPECT_LT(sim::step(world, 0.01).residual, 1e-9) << "speed " << speed;  // the previous result, to 1e-10 m/s
    }
}

// A box overhangs an edge, and the edge moves away below it by 4 cm. The patch's centre jumps by 2 cm, but the centre of
// pressure must stay.
TEST(SixD, APatchThatShiftsPressesWhereItDid) {
    sim::World world = patch_world(0.5);
    const auto shelf = static_cast<size_t>(world
                                               .add_body({.name = "shelf",
                                                          .motion = rigid::Motion::Fixed,
                                                          .colliders = {{Box{{0.5, 0.5, 0.1}}, {}, {}}},
                                                          .pose = {{0, 0, 0.9}, {}}})
                                               .index);
    add(world, "box", Box{{0.1, 0.1, 0.1}}, {{0.45, 0, 1.1}, {}});
    run(world, 0.01, 10);
    ASSERT_EQ(world.state.active.patches.size(), 1u);
    const Vec3 centre = world.state.active.patches[0].at.point;
    world.state.bodies.pose[shelf].position.x -= 0.04;
    world.model.settings.solve.max_sweeps = 0;  // measures the warm start
    const sim::StepReport report = sim::step(world, 0.01);
    EXPECT_NEAR(world.state.active.patches[0].at.point.x - centre.x, -0.02, 1e-9);
    EXPECT_NEAR(world.state.active.patches[0].centre_of_pressure().x, 0.45, 1e-9);
    EXPECT_LT(report.residual, 1e-9);
}

/// Poses after a second with points and with patches. For faces on planes the mechanics are the same: friction is symmetric,
/// and nothing spins on the spot.
TEST(SixD, MovesAsPointsDoWhereBothAreExact) {
    const std::vector<std::pair<geometry::Shape, double>> shapes = {{Box{{0.2, 0.2, 0.1}}, 0.1},
                                                                    {Box{{0.1, 0.3, 0.15}}, 0.15},
                                                                    {Cylinder{0.2, 0.1}, 0.1},
                                                                    {prism(8, 0.2, 0.1), 0.1},
                                                                    {prism(6, 0.3, 0.05), 0.05}};
    int scenes = 0;
    for (const auto& [shape, height] : shapes)
        for (const auto& [angle, speed] : {std::pair{0.0, 2.0}, {15.0, 0.0}, {30.0, 0.0}, {20.0, 1.5}}) {
            Vec3 end[2];
            for (const bool patches : {false, true}) {
                sim::World world = world_with(coulomb(0.4), 0, tilted_gravity(radians(angle)));
                if (patches) world.model.settings.contact_model = surface::ContactModel::Patches;
                add_ground(world);
                Body body(world, add(world, "body", shape, {{0, 0, height}, {}}));
                body.velocity() = {speed, 0, 0};
                run(world, 0.01, 100);
                end[patches] = body.position();
            }
            EXPECT_LT(length(end[1] - end[0]), 1e-6 + 1e-6 * length(end[0])) << scenes;  // required: 1 %; both are exact
            ++scenes;
        }
    EXPECT_EQ(scenes, 20);
}

TEST(SixD, StackNeedsFewerSweepsAndEndsInTheSamePlace) {
    double sweeps[2] = {};
    std::vector<Vec3> end[2];
    for (const bool patches : {false, true}) {
        scene::Scene s = load("sixd/tapered_stack", {{"step.contact_model", patches ? "patches" : "points"}});
        for (int i = 0; i < 500; ++i) {
            // Without warm starts: with them, a stack at rest needs one pass with either model.
            for (contact::Contact& c : s.world.state.active.contacts) c.impulse = {};
            for (contact::PatchContact& p : s.world.state.active.patches) p.at.impulse = p.torque = {};
            sweeps[patches] += sim::step(s.world, s.dt).sweeps;
        }
        for (int i = 1; i < s.world.model.bodies.count(); ++i)
            end[patches].push_back(s.world.state.bodies.pose[static_cast<size_t>(i)].position);
    }
    for (size_t i = 0; i < end[0].size(); ++i) EXPECT_LT(length(end[1][i] - end[0][i]), 1e-3);
    measured("ratio of sweeps", sweeps[1] / sweeps[0]);
    EXPECT_LT(sweeps[1], 0.1 * sweeps[0]);  // the source has 74 against 3087
}

// A ball and a box that land flat leave at e times their speed; a box that lands on an edge gains no energy.
TEST(SixD, Bounces) {
    for (const bool box : {false, true}) {
        sim::World world = world_with(coulomb(0.3), 0.5, {});
        world.model.pairs.set_default({coulomb(0.3), 0.5, surface::ContactModel::Patches});
        add_ground(world);
        Body body(world, add(world, "body", box ? geometry::Shape(Box{{0.3, 0.2, 0.1}}) : geometry::Shape(Sphere{0.1}),
                             {{0, 0, 0.101}, {}}));
        body.velocity() = {0, 0, -2};
        run(world, 0.01, 3);
        EXPECT_NEAR(body.velocity().z, 1, 1e-9) << box;
        EXPECT_LT(length(body.spin()), 1e-9) << box;
    }
    sim::World world = world_with(coulomb(0.3), 0.5);
    world.model.pairs.set_default({coulomb(0.3), 0.5, surface::ContactModel::Patches});
    add_ground(world);
    Body body(world, add(world, "body", Box{{0.3, 0.2, 0.1}}, {{0, 0, 0.4}, rotation({0, 0.4, 0})}));
    body.velocity() = {0.5, 0, -2};
    double last = energy(world), rise = 0;
    run(world, 0.01, 200, [&] {
        rise = std::fmax(rise, energy(world) - last);
        last = energy(world);
    });
    measured("rise in a step", rise);
    EXPECT_LT(rise, 1e-3);                                           // of 6 J
    EXPECT_LT(length(body.velocity()) + length(body.spin()), 1e-6);  // and the box comes to rest
    EXPECT_NEAR(body.position().z, 0.1, 1e-6);
}

TEST(SixD, SolversAgreeOnAStackThatLands) {
    std::vector<Vec3> first;
    // `fast` works in single precision, whose error a landing amplifies
    for (const char* solver : {"prox", "newton", "auto"}) {
        scene::Scene s = load("sixd/sloppy_stack", {set_solver(solver)});
        run(s.world, s.dt, 60);
        for (int i = 1; i < s.world.model.bodies.count(); ++i) {
            const Vec3& p = s.world.state.bodies.pose[static_cast<size_t>(i)].position;
            if (std::string(solver) == "prox") first.push_back(p);
            EXPECT_LT(length(p - first[static_cast<size_t>(i - 1)]), 1e-6) << solver << " body " << i;
        }
    }
}

}  // namespace
}  // namespace asperity::verify
