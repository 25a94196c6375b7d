// Whole faces from a triangulated hull: coplanar triangles become one loop, corners that are none are left out.
#pragma once
#include <span>
#include <vector>

#include "asperity/geometry/hull/detail/exact_hull.h"

namespace asperity::geometry::detail {

using Loop = std::vector<int>;

/// The faces of the convex hull as loops of point indices, counter-clockwise from outside. Every corner belongs to three
/// faces or more and every loop turns left at each corner. Points within `coarse` grid steps of a plane count as in it.
/// Empty when the points lie in one plane.
std::vector<Loop> face_loops(std::span<const GridPoint> points, double coarse);

}  // namespace asperity::geometry::detail
