// Whole faces from a triangulated hull: merges coplanar triangles into one loop and drops vertices on edges or inside faces.
#pragma once
#include <span>
#include <vector>

#include "asperity/geometry/hull/detail/exact_hull.h"

namespace asperity::geometry::detail {

using Loop = std::vector<int>;

/// The faces of the convex hull as loops of point indices, counter-clockwise as seen from outside. Every vertex belongs to
/// at least three faces, and every loop turns left at each vertex. Points within `coarse` grid steps of a plane count as in
/// it. Empty if the points lie in one plane.
std::vector<Loop> face_loops(std::span<const GridPoint> points, double coarse);

}  // namespace asperity::geometry::detail
