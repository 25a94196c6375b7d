// Asperity itself, through the same door as the others.
#include <fmt/format.h>

#include "asperity/core/parallel.h"
#include "asperity/sim/step.h"
#include "peer_scene.h"

namespace asperity::peers {
namespace {

geometry::Shape make_shape(const BodyShape& shape) {
    if (const auto* box = std::get_if<geometry::Box>(&shape)) return *box;
    if (const auto* capsule = std::get_if<geometry::Capsule>(&shape)) return *capsule;
    if (const auto* hull = std::get_if<ConvexHull>(&shape)) return geometry::convex_hull(hull->vertices);
    return geometry::HalfSpace{};
}

std::vector<TouchPoint> touch_points(const sim::World& world) {
    std::vector<TouchPoint> points;
    for (const contact::Contact& c : world.contacts) {
        points.push_back({c.body_a, c.body_b, c.point, c.point, c.normal, c.gap, c.impulse});
    }
    return points;
}

}  // namespace

std::string engine_name() { return "asperity"; }
/// fast: about the sweeps that other engines use, as for games and piles. default: prox as it comes, to 1e-10 m/s. high: a residual two orders
/// smaller, more sweeps in both passes.
std::vector<std::string> engine_configs() { return {"fast", "default", "high"}; }

bool engine_has_threads() { return true; }

Motion run(const Scene& scene, std::string_view config, int threads) {
    set_thread_count(threads);
    sim::World world;
    world.settings.gravity = {0, 0, -scene.gravity};
    world.settings.solver = "prox";
    if (config == "high") {
        world.settings.solve = {.tolerance = 1e-12, .max_sweeps = 20000};
        world.settings.position_sweeps = 200;
    }
    if (config == "fast") {
        world.settings.solver = "fast";
        world.settings.solve = {.tolerance = 1e-5, .max_sweeps = 8};
        world.settings.position_sweeps = 8;
        world.settings.contact_reuse = 5e-3;
        world.settings.halfway_contacts = false;
        world.settings.contact_margin = 2e-3;
    }
    const int material = world.add_material({.name = "stone"});
    world.pairs.set_default({.friction = {.base = friction::Coulomb{scene.mu}}, .restitution = 0});

    std::vector<int> index;
    for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
        const Body& body = scene.bodies[i];
        rigid::BodyDesc desc{.name = fmt::format("body{}", i)};
        desc.motion = body.fixed ? rigid::Motion::Fixed : rigid::Motion::Dynamic;
        desc.colliders = {{make_shape(body.shape), Pose{}, material}};
        desc.pose = body.pose;
        desc.velocity = body.velocity;
        if (!body.fixed) desc.mass = body.mass;  // the inertia follows from the shape
        index.push_back(world.add_body(desc).index);
    }
    world.prepare();
    // Bodies go in with their centre of mass in the origin and in the order of the scene: indices and poses are the same on both sides.
    return record(
        scene, [&](bool) { sim::step(world, scene.dt); }, [&](int i) { return world.bodies.authored_pose(index[i]); },
        [&](int i) {
            return Twist{world.bodies.velocity[index[i]], world.bodies.angular_velocity[index[i]]};
        },
        [&] { return touch_points(world); });
}

}  // namespace asperity::peers
