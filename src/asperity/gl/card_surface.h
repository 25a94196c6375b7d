// Shapes as triangles for the graphics card. Each corner has the tangent frame and texture coordinates of surface_point().
#pragma once
#include <vector>

#include "asperity/geometry/shape/shape.h"

namespace asperity::gl {

/// One corner of a triangle, in shape axes.
struct Corner {
    Vec3 position, normal, tangent;
    bool mirrored = false;  ///< true: v grows along -(normal x tangent)
    Vec2 uv;
    int face = 0;  ///< as in SurfaceCoordinates
};

/// Three corners per triangle, counter-clockwise seen from outside. Meshes, boxes and hulls keep their faces; round shapes
/// get `kSegments` segments around a circle. Not for half-spaces, which are unbounded.
std::vector<Corner> corners_of(const geometry::Shape& shape);
constexpr int kSegments = 256;

/// The square |x|, |y| <= half of a half-space's surface, with texture coordinates (x, y).
std::vector<Corner> square(double half);

}  // namespace asperity::gl
