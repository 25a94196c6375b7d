// The convex hull of points on an integer grid, by quickhull with exact arithmetic. hull.cpp snaps to the grid and calls
// merge_faces.h, which calls this.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace asperity::geometry::detail {

/// Coordinates lie in [0, 2^kGridBits]: differences have 40 bits, normals 82, and an orientation test 3 * 40 + 3 bits. So
/// every sign below is exact in 128-bit integers. A grid step is 9e-13 of the points' extent.
constexpr int kGridBits = 40;
struct GridPoint {
    std::int64_t x, y, z;
    bool operator==(const GridPoint&) const = default;
};
using Wide = __int128;

/// The plane through three grid points; positive outside.
struct GridPlane {
    Wide x = 0, y = 0, z = 0;  ///< normal, not unit
    GridPoint origin{};
    double length = 0;  ///< of the normal: twice the area of the triangle
    Wide side(const GridPoint& p) const { return x * (p.x - origin.x) + y * (p.y - origin.y) + z * (p.z - origin.z); }
    double distance(const GridPoint& p) const { return static_cast<double>(side(p)) / length; }  ///< in grid steps
};
GridPlane plane_through(const GridPoint& a, const GridPoint& b, const GridPoint& c);

struct HullTriangle {
    int corner[3];     ///< point indices, counter-clockwise from outside
    int neighbour[3];  ///< the triangle across the edge corner[i] -> corner[i+1]
    GridPlane plane;
};
struct TriangulatedHull {
    std::vector<HullTriangle> triangles;  ///< empty when all points lie in one plane
    double tolerance = 0;                 ///< [grid steps] bound on the distance of any point from the hull
};

/// The hull of at least four points. Points nearer to the hull than the tolerance are left out. The tolerance is `coarse`
/// grid steps, or less for plates and needles so thin that this would reduce their thickness.
TriangulatedHull exact_hull(std::span<const GridPoint> points, double coarse);

}  // namespace asperity::geometry::detail
