// Convex hulls of points in a plane, for contact regions.
#pragma once
#include <span>

#include "asperity/geometry/common/fixed_buffer.h"
#include "asperity/math/vec.h"

namespace asperity::geometry {

constexpr int kMostOutlinePoints = 192;
/// Vertices counter-clockwise; one vertex is a point, two are a line.
using ConvexOutline = FixedBuffer<Vec2, 2 * kMostOutlinePoints + 2>;

/// The convex hull of at most kMostOutlinePoints points, which get sorted. Leaves out vertices that stand out by less than
/// 1e-9 of the extent.
void convex_outline(std::span<Vec2> points, ConvexOutline& out);
/// Removes, one at a time, the vertex that contributes least area until `most` are left.
void drop_corners(ConvexOutline& outline, int most);
/// Centroid of the area, or of the line or point if the outline has no area.
Vec2 centroid(const ConvexOutline& outline);

}  // namespace asperity::geometry
