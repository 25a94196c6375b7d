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

}  // namespace

ContactSurface contact_surface(const World& world, const contact::Contact& c) {
    if (c.collider_a < 0 || c.collider_b < 0) return {};
    return {side(world.bodies, c.body_a, c.collider_a, c.local_a, c.normal), side(world.bodies, c.body_b, c.collider_b, c.local_b, -c.normal)};
}

}  // namespace asperity::sim
