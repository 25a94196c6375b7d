// Sends each pair of shapes to its function in pairs.h.
#include "asperity/geometry/convex_contact/collide.h"

#include "asperity/geometry/convex_contact/pairs.h"

namespace asperity::geometry {

namespace {

int roundness(const Shape& shape) {
    if (std::holds_alternative<Sphere>(shape)) return 0;
    if (std::holds_alternative<Capsule>(shape)) return 1;
    if (std::holds_alternative<Cylinder>(shape)) return 2;
    if (std::holds_alternative<Box>(shape)) return 3;
    if (std::holds_alternative<Hull>(shape)) return 4;
    return 5;
}

/// a is at least as round as b.
bool collide_ordered(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const PairRequest& request) {
    if (std::holds_alternative<HalfSpace>(b)) {
        return !std::holds_alternative<HalfSpace>(a) && collide_half_space(a, pose_a, pose_b, request);
    }
    const auto* sphere = std::get_if<Sphere>(&a);
    const auto *capsule = std::get_if<Capsule>(&a), *capsule_b = std::get_if<Capsule>(&b);
    const auto* cylinder_b = std::get_if<Cylinder>(&b);
    if (sphere) {
        if (const auto* other = std::get_if<Sphere>(&b)) return collide_spheres(*sphere, pose_a, *other, pose_b, request);
        if (capsule_b) return collide_sphere_capsule(*sphere, pose_a, *capsule_b, pose_b, request);
        if (cylinder_b) return collide_sphere_cylinder(*sphere, pose_a, *cylinder_b, pose_b, request);
    }
    if (capsule && capsule_b) return collide_capsules(*capsule, pose_a, *capsule_b, pose_b, request);
    const auto *box = std::get_if<Box>(&a), *box_b = std::get_if<Box>(&b);
    if (box && box_b) return collide_boxes(*box, pose_a, *box_b, pose_b, request);

    const Vec3& origin = pose_a.position;
    const Convex ca(a, pose_a, origin), cb(b, pose_b, origin);
    if (cylinder_b) return collide_with_cylinder(ca, cb, origin, request);
    if (ca.kind == Convex::Kind::Cylinder) return collide_cylinder_polyhedron(ca, cb, origin, request);
    if (ca.kind != Convex::Kind::Polyhedron) return collide_round_polyhedron(ca, cb, origin, request);
    return collide_hulls(ca, cb, origin, request);
}

}  // namespace

bool collide(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
             std::span<const std::uint32_t> previous, Manifold& out) {
    out.count = 0;
    out.apart = 0;
    ASPERITY_ASSERT(!has_mesh(a, b));
    const PairRequest request{margin, previous, out};
    if (roundness(a) <= roundness(b)) return collide_ordered(a, pose_a, b, pose_b, request);
    const bool touching = collide_ordered(b, pose_b, a, pose_a, request);
    flip(out);
    return touching;
}

}  // namespace asperity::geometry
