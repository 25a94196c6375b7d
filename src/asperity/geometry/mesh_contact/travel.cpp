// First contact of a convex shape that moves along a line, by conservative advancement. With n the direction of the nearest
// points and s the separation, b may travel s / -(n . direction) without contact. On the convex distance function this is
// Newton's method from the safe side (van den Bergen, "Ray casting against general convex objects", 2004).
#include <algorithm>

#include "asperity/geometry/convex_contact/collide.h"
#include "asperity/geometry/convex_contact/gjk.h"
#include "asperity/geometry/mesh_contact/detail/mesh_travel.h"

namespace asperity::geometry {

namespace {

/// `shape` moves along `direction` towards the plane through `point` with outward normal n.
Travel travel_to_plane(const Shape& shape, const Pose& pose, const Vec3& direction, const Vec3& point, const Vec3& n) {
    const Convex convex(shape, pose, point);
    const double speed = -dot(n, direction);
    if (speed <= 1e-14) return {};
    return {true, (dot(n, convex.support(-n)) - convex.round) / speed};
}

}  // namespace

Travel travel_to_touch(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const Vec3& direction) {
    if (has_mesh(a, b)) return detail::mesh_travel_to_touch(a, pose_a, b, pose_b, direction);
    const bool a_plane = std::holds_alternative<HalfSpace>(a), b_plane = std::holds_alternative<HalfSpace>(b);
    if (a_plane && b_plane) return {};
    if (a_plane) return travel_to_plane(b, pose_b, direction, pose_a.position, rotate(pose_a.orientation, {0, 0, 1}));
    if (b_plane) return travel_to_plane(a, pose_a, -direction, pose_b.position, rotate(pose_b.orientation, {0, 0, 1}));

    const Convex ca(a, pose_a, pose_a.position), cb(b, pose_b, pose_a.position);
    const double radii = ca.round + cb.round;
    const double size = std::max(ca.extent, cb.extent);
    // Start clear of a: the support functions give how far back b must go.
    double travel = dot(direction, ca.support(-direction) - cb.support(direction)) - radii - size;
    Vec3 normal = -direction;
    for (int i = 0; i < 200; ++i) {
        const GjkResult gjk = gjk_distance(ca, cb, travel * direction, normal);
        // an overlap here is rounding: all steps so far were safe
        if (gjk.overlap) return {true, travel};
        normal = gjk.normal;
        // Very near, the normal has lost digits, and the supports along it may be vertices that are not the nearest points.
        // The distance itself keeps its digits.
        const double core =
            gjk.distance > 1e-4 * size ? separation_along(ca, cb, normal) + travel * dot(normal, direction) : gjk.distance;
        const double separation = core - radii;
        const double speed = -dot(normal, direction);
        if (separation <= 1e-13 * size) return {true, travel};
        if (speed <= 1e-14) return {};
        travel += separation / speed;
    }
    return {true, travel};
}

}  // namespace asperity::geometry
