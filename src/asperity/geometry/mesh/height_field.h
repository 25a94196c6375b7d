// Height field: ground as heights over a regular grid. A mesh built from the grid, solid below, for bodies that do not move
// freely.
#pragma once
#include "asperity/geometry/mesh/mesh.h"

namespace asperity::geometry {

/// Heights over a rectangle centred on the origin of the shape's axes; row by row, x fastest, from the corner (-x, -y).
struct HeightGrid {
    int points_x = 0, points_y = 0;  ///< 2 or more each
    Vec2 size;                       ///< [m] edges of the rectangle
    std::vector<double> heights;     ///< [m]
};

/// Two triangles per cell; the diagonals alternate so that no direction is preferred. Texture coordinates from (0, 0) to (1,
/// 1). Unlike a sheet it has one side: it is solid down to its own extent below the surface, and bodies in there are pushed
/// up. Throws InputError for fewer than 2 x 2 points, sizes not above 0 or beyond 1e6 m, heights that are not finite or
/// beyond 1e6 m, and more than kMaxMeshTriangles triangles.
Mesh make_height_field(const HeightGrid& grid, const std::string& what = "height field");

/// The triangle straight above or below `point` (mesh axes), or -1 outside the rectangle. Only for meshes that are ground().
int triangle_over(const TriangleSet& ground, const Vec3& point);

}  // namespace asperity::geometry
