// Balls, cylinders and capsules as bodies of revolution about their own z axis: a mantle from -half to half, closed by
// half-balls or flat ends.
#pragma once
#include <cmath>

#include "asperity/geometry/shape/face_plane.h"
#include "asperity/geometry/shared_volume/overlap.h"

namespace asperity::geometry::detail {

struct Revolved {
    double radius, half;
    bool balls;

    double end() const { return half + (balls ? radius : 0); }
    /// Height of the body's lowest point over a plane given in its own axes; negative if it reaches below.
    double clearance(const FacePlane& plane) const {
        return -half * std::fabs(plane.normal.z) -
               radius * (balls ? 1 : std::sqrt(plane.normal.x * plane.normal.x + plane.normal.y * plane.normal.y)) -
               plane.offset;
    }
    /// The farthest point along the unit direction d on the end at z = side * half.
    Vec3 farthest(const Vec3& d, double side) const {
        if (balls) return Vec3{0, 0, side * half} + radius * d;
        const double across = std::sqrt(d.x * d.x + d.y * d.y), f = across > 1e-12 ? radius / across : 0;
        return {f * d.x, f * d.y, side * half};
    }
    /// Curvature of the part of the surface that is `depth` deep in another body with the normal n in these axes.
    OverlapPart::Curvature curvature(const Vec3& n, double depth) const {
        // Along the rim of a flat end, the height over the plane exceeds that of the deepest point by r s (1 - cos angle).
        if (!balls && depth >= 2 * radius * std::sqrt(n.x * n.x + n.y * n.y)) return OverlapPart::Curvature::Flat;
        return half > 0 && 2 * half * std::fabs(n.z) < depth ? OverlapPart::Curvature::Line : OverlapPart::Curvature::Point;
    }
};
/// The shape as a body of revolution, offset outwards by `grow`.
inline Revolved revolved(const Shape& shape, double grow) {
    if (const auto* sphere = std::get_if<Sphere>(&shape)) return {sphere->radius + grow, 0, true};
    if (const auto* capsule = std::get_if<Capsule>(&shape)) return {capsule->radius + grow, capsule->half_length, true};
    const auto& cylinder = std::get<Cylinder>(shape);
    return {cylinder.radius + grow, cylinder.half_height + grow, false};
}

}  // namespace asperity::geometry::detail
