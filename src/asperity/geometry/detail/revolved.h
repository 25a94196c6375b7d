// Cylinders and capsules as bodies of revolution about their own z axis: a mantle between -half and half, and half-balls or flat ends beyond it.
#pragma once
#include <cmath>
#include <vector>

#include "asperity/geometry/face_plane.h"
#include "asperity/geometry/overlap.h"

namespace asperity::geometry::detail {

struct Revolved {
    double radius, half;
    bool balls;

    double end() const { return half + (balls ? radius : 0); }
    /// How far the body stands above a plane in its own axes.
    double clearance(const FacePlane& plane) const {
        return -half * std::fabs(plane.normal.z) - radius * (balls ? 1 : std::hypot(plane.normal.x, plane.normal.y)) - plane.offset;
    }
};
inline Revolved revolved(const Shape& shape) {
    if (const auto* capsule = std::get_if<Capsule>(&shape)) return {capsule->radius, capsule->half_length, true};
    const auto& cylinder = std::get<Cylinder>(shape);
    return {cylinder.radius, cylinder.half_height, false};
}

constexpr int kPrismSides = 64;
/// The planes of a box, hull, cylinder or half-space, moved out by `grow`, in the axes of `frame`. A cylinder is a prism of 64 sides with its cross-section.
void gather_planes(const Shape& shape, const Pose& pose, const Pose& frame, double grow, std::vector<FacePlane>& out);

}  // namespace asperity::geometry::detail
