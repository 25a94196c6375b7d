#include "asperity/geometry/shape/ray_cast.h"

#include <fmt/format.h>
#include <cmath>

#include "asperity/core/error.h"
#include "asperity/geometry/mesh/mesh_ray.h"
#include "asperity/geometry/shape/line_interval.h"

namespace asperity::geometry {
namespace {

/// For shapes with round parts the interval is found near their middle: from far away, the difference of the squares of two
/// distances would lose digits.
bool is_round(const Shape& shape) {
    return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Capsule>(shape) ||
           std::holds_alternative<Cylinder>(shape);
}

// Both in shape axes.
std::optional<ShapeHit> cast_on_convex(const Shape& shape, const Vec3& origin, const Vec3& direction, double reach) {
    const double shift = is_round(shape) ? -dot(origin, direction) : 0;
    const LineInterval on = line_in_convex(shape, origin + shift * direction, direction);
    if (on.empty() || !(shift + on.to > 0)) return {};
    const double distance = shift + on.from;
    if (distance < 0) return ShapeHit{0, -direction};
    if (distance > reach) return {};
    return ShapeHit{distance, on.normal_from};
}

std::optional<ShapeHit> cast_on_mesh(const TriangleSet& mesh, const Vec3& origin, const Vec3& direction, double reach) {
    if (mesh.ground() && is_inside(mesh, origin)) return ShapeHit{0, -direction};
    // A segment that ends inside meets nothing, so the surface is sought beyond its end.
    const bool maybe_inside = mesh.solid() && mesh.box.overlaps({origin, origin});
    const MeshHit hit = first_hit(mesh, origin, direction, maybe_inside ? std::numeric_limits<double>::infinity() : reach);
    if (hit.triangle < 0) return {};
    if (hit.leaves && maybe_inside && is_inside(mesh, origin)) return ShapeHit{0, -direction};
    if (hit.distance > reach) return {};
    const Vec3& normal = mesh.face_normals[static_cast<size_t>(hit.triangle)];
    return ShapeHit{hit.distance, hit.leaves ? -normal : normal, hit.triangle};
}

}  // namespace

Ray make_ray(const Vec3& origin, const Vec3& direction, double max_distance, const char* who) {
    if (!is_finite(origin))
        throw InputError(fmt::format("{}: origin = ({}, {}, {}): must be finite", who, origin.x, origin.y, origin.z));
    const double size = max_component(abs(direction));
    if (!is_finite(direction) || !(size > 0))
        throw InputError(fmt::format("{}: direction = ({}, {}, {}): must be finite and longer than 0", who, direction.x,
                                     direction.y, direction.z));
    if (!(max_distance >= 0))
        throw InputError(fmt::format("{}: max_distance = {}: must be at least 0 m; it may be infinite", who, max_distance));
    return {origin, normalized(direction / size), max_distance};  // without overflow
}

std::optional<ShapeHit> cast_ray(const Shape& shape, const Pose& pose, const Ray& ray) {
    const Vec3 origin = pose.to_local(ray.origin), direction = rotate_inverse(pose.orientation, ray.direction);
    const auto* mesh = std::get_if<Mesh>(&shape);
    std::optional<ShapeHit> hit = mesh ? cast_on_mesh(*mesh->triangles, origin, direction, ray.max_distance)
                                       : cast_on_convex(shape, origin, direction, ray.max_distance);
    if (hit) hit->normal = rotate(pose.orientation, hit->normal);
    return hit;
}

}  // namespace asperity::geometry
