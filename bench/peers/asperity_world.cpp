#include "asperity_world.h"

#include <fmt/format.h>

namespace asperity::peers {
namespace {

geometry::Shape make_shape(const BodyShape& shape) {
    if (const auto* box = std::get_if<geometry::Box>(&shape)) return *box;
    if (const auto* capsule = std::get_if<geometry::Capsule>(&shape)) return *capsule;
    if (const auto* hull = std::get_if<ConvexHull>(&shape)) return geometry::convex_hull(hull->vertices);
    return geometry::HalfSpace{};
}

}  // namespace

sim::World asperity_world(const Scene& scene, std::string_view config) {
    sim::World world;
    world.model.settings.gravity = {0, 0, -scene.gravity};
    world.model.settings.solver = "prox";
    if (config == "high") {
        world.model.settings.solve = {.tolerance = 1e-12, .max_sweeps = 20000};
        world.model.settings.position_sweeps = 200;
    }
    if (config == "fast") {
        world.model.settings.solver = "fast";
        world.model.settings.solve = {.tolerance = 1e-5, .max_sweeps = 8};
        world.model.settings.position_sweeps = 8;
        world.model.settings.contact_reuse = 5e-3;
        world.model.settings.halfway_contacts = false;
        world.model.settings.contact_margin = 2e-3;
    }
    const MaterialId material = world.add_material({.name = "stone"});
    world.model.pairs.set_default({.friction = {.base = friction::Coulomb{scene.mu}}, .restitution = 0});
    for (size_t i = 0; i < scene.bodies.size(); ++i) {
        const Body& body = scene.bodies[i];
        rigid::BodyDesc desc{.name = fmt::format("body{}", i)};
        desc.motion = body.fixed ? rigid::Motion::Fixed : rigid::Motion::Dynamic;
        desc.colliders = {{make_shape(body.shape), Pose{}, material}};
        desc.pose = body.pose;
        desc.velocity = body.velocity;
        if (!body.fixed) desc.mass = body.mass;  // the inertia is computed from the shape
        world.add_body(desc);
    }
    world.prepare();
    return world;
}

}  // namespace asperity::peers
