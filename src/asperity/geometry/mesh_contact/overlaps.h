// Whether two shapes share a point.
#pragma once
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {

/// Whether the shapes touch or overlap, to rounding. Closed meshes and height fields are solid; an open mesh is its surface.
bool overlaps(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);

}  // namespace asperity::geometry
