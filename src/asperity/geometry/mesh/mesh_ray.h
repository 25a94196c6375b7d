// Where a line meets the triangles of a mesh.
#pragma once
#include "asperity/geometry/mesh/mesh.h"

namespace asperity::geometry {

struct MeshHit {
    int triangle = -1;  ///< -1: none within reach
    double distance = 0;
    bool leaves = false;  ///< the line goes along the outward normal
};
/// The first triangle that the ray meets at a distance of at most `reach` [m]; of equally near ones one that it enters
/// through, then the smallest index. A ray that begins on a solid's surface and leads away does not meet it there.
/// `direction`: unit, mesh axes. Watertight: neighbours decide consistently about a ray through their common edge or vertex
/// (Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection", JCGT 2013), so no ray slips between two triangles. A
/// triangle that is seen edge-on is not met.
MeshHit first_hit(const TriangleSet& mesh, const Vec3& origin, const Vec3& direction, double reach);

/// Whether a point is inside a solid, or below the surface of a height field and not below its bounds.
bool is_inside(const TriangleSet& mesh, const Vec3& point);

}  // namespace asperity::geometry
