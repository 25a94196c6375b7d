// Wedges held by friction alone, one per cent on either side of the limit.
#include "worlds.h"

namespace asperity::verify {
namespace {

constexpr double kMu = 0.4;

/// A triangular prism: right angle at (0, 0), `run` long in x, `run tan(angle)` high at x = 0; 0.4 m deep.
geometry::Shape wedge_shape(double run, double angle) {
    const double rise = run * std::tan(angle);
    std::vector<Vec3> points;
    for (const double y : {-0.2, 0.2}) points.insert(points.end(), {{0, y, 0}, {run, y, 0}, {0, y, rise}});
    return geometry::convex_hull(points);
}

// A load that can only move vertically presses on the slope of a wedge on ice; only the friction on the slope holds the
// wedge.
//
//       | load M |        It holds while tan(a) <= mu. Beyond, with tan(phi) = mu, the slope pushes with R,
//       |________|        at a - phi from the vertical:
//      \  |                  wedge  m x'' = R sin(a - phi)
//       \ |                  load   M y'' = M g - R cos(a - phi),     y'' = x'' tan(a)
//   ____\_|____ ice          x'' = g / (tan(a) + (m/M) / tan(a - phi))
struct Squeezed {
    sim::World world;
    int wedge, load;
    Squeezed(double angle, double wedge_mass, double load_mass) {
        const MaterialId ice = world.add_material({.name = "ice"}), wood = world.add_material({.name = "wood"});
        world.model.pairs.set(ice, wood, {.friction = coulomb(0)});
        world.model.pairs.set(wood, wood, {.friction = coulomb(kMu)});
        world.add_body({.name = "ground", .motion = rigid::Motion::Fixed, .colliders = {{geometry::HalfSpace{}, {}, ice}}});
        wedge =
            world.add_body({.name = "wedge", .colliders = {{wedge_shape(2, angle), {}, wood}}, .mass = wedge_mass}).index;
        // The load's lower face has the wedge's slope: a box rotated by the angle, the centre of its face above x = 0.6.
        const Quat turn = rotation({0, angle, 0});
        const Vec3 foot{0.6, 0, (2 - 0.6) * std::tan(angle)};
        load = world
                   .add_body({.name = "load",
                              .colliders = {{geometry::Box{{0.2, 0.15, 0.1}}, {}, wood}},
                              .pose = {foot + rotate(turn, {0, 0, 0.1}), turn},
                              .mass = load_mass})
                   .index;
        world.add_joint(rigid::joint_at("guide", {}, BodyId{load}, {foot, {}}, rigid::Slider{}, world.state.bodies));
    }
};

TEST(Wedge, UnderALoadIsHeldByFrictionBelowTheLimit) {
    Squeezed s(std::atan(0.99 * kMu), 1, 100);
    Body wedge(s.world, s.wedge);
    double fastest = 0;
    run(s.world, 0.01, 1000, [&] { fastest = std::fmax(fastest, length(wedge.velocity())); });
    measured("creep", fastest);
    EXPECT_LT(fastest, 1e-9);  // required in every step
}

TEST(Wedge, UnderALoadIsSqueezedOutAboveTheLimit) {
    const double angle = std::atan(1.01 * kMu), m = 1, M = 100;
    Squeezed s(angle, m, M);
    Body wedge(s.world, s.wedge), load(s.world, s.load);
    run(s.world, 0.01, 50);
    const double expected = kGravity / (std::tan(angle) + m / M / std::tan(angle - std::atan(kMu)));  // 2.96 m/s^2
    measured("relative_error", -wedge.velocity().x / s.world.state.time / expected - 1);
    // 1e-10 m/s in each of 50 steps, relative to 1.5 m/s
    EXPECT_NEAR(-wedge.velocity().x / s.world.state.time / expected, 1, 1e-8);
    EXPECT_NEAR(load.velocity().z, wedge.velocity().x * std::tan(angle), 1e-7);  // they stay in contact
}

// Heavy on light: a wedge of 1 kg lies on a slope with its upper face level, and carries a block of 100 kg. Both slide
// together or not at all.
struct OnSlope {
    sim::World world = world_with(coulomb(kMu));
    int wedge, block;
    explicit OnSlope(double angle) {
        // World axes are upright; the slope falls towards +x.
        world.add_body({.name = "slope",
                        .motion = rigid::Motion::Fixed,
                        .colliders = {{geometry::HalfSpace{}, {}, {}}},
                        .pose = {{}, rotation({0, angle, 0})}});
        const double run = 1, rise = run * std::tan(angle);
        std::vector<Vec3> points;  // level on top, sloping below
        for (const double y : {-0.3, 0.3}) points.insert(points.end(), {{0, y, 0}, {run, y, 0}, {run, y, -rise}});
        wedge = add(world, "wedge", geometry::convex_hull(points), {}, 1);
        block = add(world, "block", geometry::Box{{0.2, 0.2, 0.1}}, {{0.6, 0, 0.1}, {}}, 100);
    }
};

TEST(Wedge, WithAHeavyBlockStaysOnASlopeBelowTheLimit) {
    OnSlope s(std::atan(0.99 * kMu));
    Body wedge(s.world, s.wedge), block(s.world, s.block);
    double fastest = 0;
    run(s.world, 0.01, 1000,
        [&] { fastest = std::fmax(fastest, std::fmax(length(wedge.velocity()), length(block.velocity()))); });
    measured("creep", fastest);
    EXPECT_LT(fastest, 1e-9);
}

TEST(Wedge, WithAHeavyBlockSlidesAtTheClosedFormAboveTheLimit) {
    const double angle = std::atan(1.01 * kMu),
                 expected = kGravity * (std::sin(angle) - kMu * std::cos(angle));  // 0.036 m/s^2
    OnSlope s(angle);
    Body wedge(s.world, s.wedge), block(s.world, s.block);
    run(s.world, 0.01, 200);
    for (Body* body : {&wedge, &block}) {
        measured("relative_error_" + s.world.model.bodies.name[body->i],
                 length(body->velocity()) / s.world.state.time / expected - 1);
        EXPECT_NEAR(length(body->velocity()) / s.world.state.time / expected, 1,
                    3e-7);  // 1e-10 m/s in each of 200 steps, relative to 0.07 m/s
        EXPECT_NEAR(body->velocity().z / body->velocity().x, -std::tan(angle), 1e-6);
    }
}

// Two balls 3 m apart on a hinged arm fall between floor and wall, where friction (mu 2 at rest) holds them at any internal
// force. The equations do not determine that force, and many steps do not converge. Warm starts and the acceleration of the
// sweeps must not let it grow from step to step (1e7 N to 1e15 N against 100 N), because it then adds energy.
struct Jam {
    double force = 0, gain = 0;  // the largest [N], [J]; the force once everything lies still
    explicit Jam(const std::string& solver, int max_sweeps) {
        scene::Scene s = scene::load(fmt::format("{}/tests/verify/jam.toml", ASPERITY_SOURCE_DIR), {set_solver(solver)});
        s.world.model.settings.solve.max_sweeps = max_sweeps;
        const double start = energy(s.world);
        run(s.world, s.dt, 480, [&] {
            gain = std::fmax(gain, (energy(s.world) - start) / start);
            if (s.world.state.time < 1) return;
            for (const contact::Contact& c : s.world.state.active.contacts)
                force = std::fmax(force, length(c.impulse) / s.dt);
        });
    }
};

TEST(Wedge, JammedAtAnyInnerForceGainsNoEnergy) {
    for (const int sweeps : {50, 2000}) EXPECT_LT(Jam("prox", sweeps).gain, 1e-6) << sweeps << " sweeps";
}

// `auto` uses Newton's steps if sweeps do not converge, each close to the forces of the last step. All but four of the 480
// steps converge, and the largest force is 3.6 kN for a weight of 1.3 kN. Sweeps alone may find another force, but a similar
// one, even if they are cut short.
TEST(Wedge, InnerForceOfAJamStaysThatOfAnotherSolver) {
    const double other = Jam("auto", 2000).force;
    for (const int sweeps : {50, 2000}) {
        const double force = Jam("prox", sweeps).force;
        measured(fmt::format("force_{}", sweeps), force / other);
        EXPECT_LT(force, 4 * other) << sweeps << " sweeps";
    }
}

}  // namespace
}  // namespace asperity::verify
