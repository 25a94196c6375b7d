#include "asperity/sim/contact_surface.h"

#include "asperity/sim/step_data.h"

namespace asperity::sim {
namespace {

geometry::SurfacePoint side(const rigid::Bodies& bodies, int body, int collider, const Vec3& in_body, const Vec3& outward) {
    const auto i = static_cast<size_t>(body);
    const rigid::Collider& c = bodies.colliders[static_cast<size_t>(collider)];
    const Quat turn = bodies.pose[i].orientation * c.local.orientation;
    geometry::SurfacePoint at =
        geometry::surface_point(c.shape, c.local.to_local(in_body - bodies.center[i]), rotate_inverse(turn, outward));
    at.normal = rotate(turn, at.normal);
    at.tangent = rotate(turn, at.tangent);
    return at;
}

surface::PendingGrain asked(const World& world, int body, int collider, int material, const Vec3& in_body,
                            const Vec3& outward) {
    const auto i = static_cast<size_t>(body);
    const rigid::Collider& c = world.bodies.colliders[static_cast<size_t>(collider)];
    const Pose shape{c.local.position + world.bodies.center[i], c.local.orientation};
    return surface::ask(world.materials[static_cast<size_t>(material)], world.grain_of(collider),
                        {c.shape, shape, in_body, rotate_inverse(world.bodies.pose[i].orientation, outward)});
}

}  // namespace

ContactSurface contact_surface(const World& world, const contact::Contact& c) {
    if (c.collider_a < 0 || c.collider_b < 0) return {};
    return {side(world.bodies, c.body_a, c.collider_a, c.local_a, c.normal),
            side(world.bodies, c.body_b, c.collider_b, c.local_b, -c.normal)};
}

PendingSamples ask_surfaces(const World& world, const contact::Contact& c) {
    return {asked(world, c.body_a, c.collider_a, c.material_a, c.local_a, c.normal),
            asked(world, c.body_b, c.collider_b, c.material_b, c.local_b, -c.normal)};
}

ContactSamples read_surfaces(const World& world, const contact::Contact& c, const PendingSamples& pending) {
    const auto side = [&](const surface::PendingGrain& grain, int body, int material) {
        return surface::read(grain, world.materials[static_cast<size_t>(material)],
                             world.bodies.pose[static_cast<size_t>(body)].orientation, c.normal);
    };
    return {side(pending.a, c.body_a, c.material_a), side(pending.b, c.body_b, c.material_b)};
}

ContactSamples sample_surfaces(const World& world, const contact::Contact& c) {
    return read_surfaces(world, c, ask_surfaces(world, c));
}

friction::LimitSurface limit_surface(const World& world, size_t place) {
    const StepData& d = world.data();
    const size_t points = world.contacts.size();
    const contact::Contact& c = place < points ? world.contacts[place] : world.patches[place - points].at;
    // t is that of this step by now
    if (d.circles)
        return {c.t, cross(c.normal, c.t), friction::circle_of(world.pairs.pair(c.material_a, c.material_b).friction)};
    return place < d.cones.size() ? d.cones[place] : friction::LimitSurface{};
}

}  // namespace asperity::sim
