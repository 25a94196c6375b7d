// Convex outlines of points in a plane: what contact regions are made of.
#pragma once
#include <span>

#include "asperity/geometry/common/fixed_buffer.h"
#include "asperity/math/vec.h"

namespace asperity::geometry {

constexpr int kMostOutlinePoints = 192;
/// Corners counter-clockwise; one is a point, two are a line.
using ConvexOutline = FixedBuffer<Vec2, 2 * kMostOutlinePoints + 2>;

/// The convex hull of at most kMostOutlinePoints points, which are sorted on the way. Corners that stand out by less than
/// 1e-9 of the extent are left out.
void convex_outline(std::span<Vec2> points, ConvexOutline& out);
/// Leaves out the corners that add least to the area, one after the other, until `most` are left.
void drop_corners(ConvexOutline& outline, int most);
/// Of the area; of the line or the point where there is none.
Vec2 centroid(const ConvexOutline& outline);

}  // namespace asperity::geometry
