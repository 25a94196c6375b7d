// Shapes as triangles for the graphics card: corners with the frame and the texture coordinates that surface_point() gives.
#pragma once
#include <vector>

#include "asperity/geometry/shape/shape.h"

namespace asperity::gl {

/// One corner of a triangle, in shape axes.
struct Corner {
    Vec3 position, normal, tangent;
    bool mirrored = false;  ///< v grows against normal x tangent
    Vec2 uv;
};

/// Three corners a triangle, counter-clockwise seen from outside. Meshes, boxes and hulls as they are; round shapes with
/// `kSegments` round a circle. Not for half-spaces, which have no end.
std::vector<Corner> corners_of(const geometry::Shape& shape);
constexpr int kSegments = 256;

/// The square |x|, |y| <= half of a half-space's surface, texture coordinates (x, y).
std::vector<Corner> square(double half);

}  // namespace asperity::gl
