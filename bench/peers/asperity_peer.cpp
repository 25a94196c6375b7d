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

}  // namespace

std::string engine_name() { return "asperity"; }
/// fast: the sweeps that other engines use, as for games and piles. default: prox as it comes, to 1e-10 m/s. high: a residual two orders
/// smaller, more sweeps in both passes.
std::vector<std::string> engine_configs() { return {"fast", "default", "high"}; }

Motion run(const Scene& scene, std::string_view config) {
    set_thread_count(1);
    sim::World world;
    world.settings.gravity = {0, 0, -scene.gravity};
    world.settings.solver = "prox";
    if (config == "high") {
        world.settings.solve = {.tolerance = 1e-12, .max_sweeps = 20000};
        world.settings.position_sweeps = 200;
    }
    if (config == "fast") {
        world.settings.solver = "fast";
        world.settings.solve = {.tolerance = 1e-5, .max_sweeps = 20};
        world.settings.position_sweeps = 20;
        world.settings.contact_reuse = 1e-4;
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
    return record(
        scene, [&] { sim::step(world, scene.dt); }, [&](int i) { return world.bodies.authored_pose(index[i]); });
}

}  // namespace asperity::peers
