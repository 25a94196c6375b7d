#include "asperity/geometry/mesh_contact/overlaps.h"

#include "asperity/geometry/convex_contact/collide.h"
#include "asperity/geometry/mesh/mesh_ray.h"
#include "asperity/geometry/shape/line_interval.h"

namespace asperity::geometry {
namespace {

/// A point of the shape, shape axes. With two shapes whose surfaces do not cross, it lies in the other one if any point
/// does.
Vec3 some_point(const Shape& shape) {
    const auto* mesh = std::get_if<Mesh>(&shape);
    return mesh                                       ? mesh->triangles->positions[0]
           : std::holds_alternative<HalfSpace>(shape) ? Vec3{}
                                                      : support(shape, {1, 0, 0});
}

/// `point`: shape axes.
bool holds(const Shape& shape, const Vec3& point) {
    if (const auto* mesh = std::get_if<Mesh>(&shape)) return is_inside(*mesh->triangles, point);
    const LineInterval on = line_in_convex(shape, point, {0, 0, 1});
    return on.from <= 0 && on.to >= 0;
}

bool half_spaces_overlap(const Pose& a, const Pose& b) {
    const Vec3 up_a = rotate(a.orientation, {0, 0, 1}), up_b = rotate(b.orientation, {0, 0, 1});
    if (length(cross(up_a, up_b)) > 1e-12 || dot(up_a, up_b) > 0) return true;
    return dot(up_a, b.position - a.position) <= 0;  // back to back: solid below a and above b
}

}  // namespace

bool overlaps(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
    if (std::holds_alternative<HalfSpace>(a) && std::holds_alternative<HalfSpace>(b))
        return half_spaces_overlap(pose_a, pose_b);
    if (!has_mesh(a, b)) {
        Manifold found;
        return collide(a, pose_a, b, pose_b, 0, {}, found);
    }
    ContactList found;
    return collide_mesh(a, pose_a, b, pose_b, 0, {}, found) || holds(a, pose_a.to_local(pose_b * some_point(b))) ||
           holds(b, pose_b.to_local(pose_a * some_point(a)));
}

}  // namespace asperity::geometry
