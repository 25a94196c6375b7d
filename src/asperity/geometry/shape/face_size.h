// The size of a face in metres: what one unit of u and of v is worth.
#pragma once
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {

/// Length on the surface per unit of u and of v [m], both above 0; docs/surface-coordinates.md has the table. Exact on
/// boxes, hulls, cylinders, half-spaces and along v on balls and capsules; along u on these it holds at the equator. On a
/// mesh `face` is the triangle, and the size is that of its part (TriangleSet::uv_size).
Vec2 face_size(const Shape& shape, int face);

}  // namespace asperity::geometry
