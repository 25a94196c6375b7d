// Nearest points on triangles and meshes, with the sign that separates inside from outside.
#pragma once
#include "asperity/geometry/mesh/mesh.h"

namespace asperity::geometry {

/// The part of a triangle that holds a point.
enum class TrianglePart { Face, Edge0, Edge1, Edge2, Corner0, Corner1, Corner2 };

struct TrianglePoint {
    Vec3 point, barycentric;
    double distance_squared = 0;
    TrianglePart part = TrianglePart::Face;
};
/// Ericson, Real-Time Collision Detection, 5.1.5.
TrianglePoint closest_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p);

struct MeshNearest {
    int triangle = -1;  ///< -1: no triangle within reach
    TrianglePoint at;
    double signed_distance = 0;  ///< negative inside; meaningful for solids
};
/// The nearest point of the mesh within `reach` [m]. The sign is that of p - nearest against the normal of the nearest face,
/// edge or vertex. The normal of an edge is the sum of two face normals, that of a vertex the sum weighted by angle:
/// Baerentzen and Aanaes, "Signed distance computation using the angle weighted pseudonormal", IEEE TVCG 2005.
MeshNearest nearest_on_mesh(const TriangleSet& mesh, const Vec3& p, double reach);

}  // namespace asperity::geometry
