#include "asperity/sim/contact_surface.h"

#include "asperity/sim/cone_parts.h"
#include "asperity/sim/world.h"
#include "asperity/surface/footprint_sampler.h"

namespace asperity::sim {
namespace {

geometry::SurfacePoint side(const Model& model, const rigid::BodyStates& bodies, int body, int collider, const Vec3& in_body,
                            const Vec3& outward) {
    const auto i = static_cast<size_t>(body);
    const rigid::Collider& c = model.bodies.colliders[static_cast<size_t>(collider)];
    const Quat turn = bodies.pose[i].orientation * c.local.orientation;
    geometry::SurfacePoint at =
        geometry::surface_point(c.shape, c.local.to_local(in_body - model.bodies.center[i]), rotate_inverse(turn, outward));
    at.normal = rotate(turn, at.normal);
    at.tangent = rotate(turn, at.tangent);
    return at;
}

surface::PrefetchedGrain prefetch_side(const Model& model, const rigid::BodyStates& bodies, int body, int collider,
                                       int material, const Vec3& in_body, const Vec3& outward) {
    const auto i = static_cast<size_t>(body);
    const rigid::Collider& c = model.bodies.colliders[static_cast<size_t>(collider)];
    const Pose shape{c.local.position + model.bodies.center[i], c.local.orientation};
    return surface::ask(model.materials[static_cast<size_t>(material)], model.grain_of(collider),
                        {c.shape, shape, in_body, rotate_inverse(bodies.pose[i].orientation, outward)});
}

}  // namespace

ContactSurface contact_surface(const World& world, const contact::Contact& c) {
    if (c.collider_a < 0 || c.collider_b < 0) return {};
    const rigid::BodyStates& bodies = world.state.bodies;
    return {side(world.model, bodies, c.body_a, c.collider_a, c.local_a, c.normal),
            side(world.model, bodies, c.body_b, c.collider_b, c.local_b, -c.normal)};
}

PrefetchedSamples prefetch_surfaces(const Model& model, const rigid::BodyStates& bodies, const contact::Contact& c) {
    return {prefetch_side(model, bodies, c.body_a, c.collider_a, c.material_a, c.local_a, c.normal),
            prefetch_side(model, bodies, c.body_b, c.collider_b, c.material_b, c.local_b, -c.normal)};
}

ContactSamples read_surfaces(const Model& model, const rigid::BodyStates& bodies, const contact::Contact& c,
                             const PrefetchedSamples& pending) {
    const auto read_side = [&](const surface::PrefetchedGrain& grain, int body, int material) {
        return surface::read(grain, model.materials[static_cast<size_t>(material)],
                             bodies.pose[static_cast<size_t>(body)].orientation, c.normal);
    };
    return {read_side(pending.a, c.body_a, c.material_a), read_side(pending.b, c.body_b, c.material_b)};
}

ContactSamples sample_surfaces(const Model& model, const rigid::BodyStates& bodies, const contact::Contact& c) {
    return read_surfaces(model, bodies, c, prefetch_surfaces(model, bodies, c));
}
ContactSamples sample_surfaces(const World& world, const contact::Contact& c) {
    return sample_surfaces(world.model, world.state.bodies, c);
}

SampledFootprint sampled_footprint(const World& world, size_t entry) {
    const LimitSurfaces& cones = world.data().cones;
    const auto& samplers = world.data().derived.samplers;
    for (size_t k = 0; k + 1 < cones.law_first.size() && k < samplers.size(); ++k) {
        if (!samplers[k]) continue;
        for (int i = cones.law_first[k]; i < cones.law_first[k + 1]; ++i)
            if (cones.cone_order[static_cast<size_t>(i)] == static_cast<int>(entry))
                return {&cones.requests[static_cast<size_t>(cones.request_first[k] + i - cones.law_first[k])],
                        static_cast<int>(k)};
    }
    return {};
}

friction::LimitSurface limit_surface(const World& world, size_t entry) {
    const LimitSurfaces& cones = world.data().cones;
    if (!cones.circles) return entry < cones.cones.size() ? cones.cones[entry] : friction::LimitSurface{};
    const contact::Contact& c = world.state.active.entry(entry);  // its t is already that of the last step
    return {c.t, cross(c.normal, c.t), friction::circle_of(world.model.pair_of(c).friction)};
}

}  // namespace asperity::sim
