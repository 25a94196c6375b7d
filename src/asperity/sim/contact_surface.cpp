#include "asperity/sim/contact_surface.h"

namespace asperity::sim {
namespace {

geometry::SurfacePoint side(const rigid::Bodies& bodies, int body, int collider, const Vec3& in_body, const Vec3& outward) {
    const auto i = static_cast<size_t>(body);
    const rigid::Collider& c = bodies.colliders[static_cast<size_t>(collider)];
    const Quat turn = bodies.pose[i].orientation * c.local.orientation;
    geometry::SurfacePoint at = geometry::surface_point(c.shape, c.local.to_local(in_body - bodies.center[i]), rotate_inverse(turn, outward));
    at.normal = rotate(turn, at.normal);
    at.tangent = rotate(turn, at.tangent);
    return at;
}

surface::Sample sampled(const World& world, int body, int collider, int material, const Vec3& in_body, const Vec3& normal, const Vec3& outward) {
    const auto i = static_cast<size_t>(body);
    const rigid::Collider& c = world.bodies.colliders[static_cast<size_t>(collider)];
    const Quat& turn = world.bodies.pose[i].orientation;
    const Pose shape{c.local.position + world.bodies.center[i], c.local.orientation};
    return surface::sample(world.materials[static_cast<size_t>(material)], world.grain_of(collider),
                           {c.shape, shape, in_body, rotate_inverse(turn, outward)}, turn, normal);
}

}  // namespace

ContactSurface contact_surface(const World& world, const contact::Contact& c) {
    if (c.collider_a < 0 || c.collider_b < 0) return {};
    return {side(world.bodies, c.body_a, c.collider_a, c.local_a, c.normal), side(world.bodies, c.body_b, c.collider_b, c.local_b, -c.normal)};
}

ContactSamples sample_surfaces(const World& world, const contact::Contact& c) {
    return {sampled(world, c.body_a, c.collider_a, c.material_a, c.local_a, c.normal, c.normal),
            sampled(world, c.body_b, c.collider_b, c.material_b, c.local_b, c.normal, -c.normal)};
}

}  // namespace asperity::sim
