// One parametrisation for friction look-ups and for drawn meshes. surface_coordinates() calls it for the face it picks,
// triangulate() for the face it makes.
#pragma once
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry::detail {

/// Coordinates of a point in the parametrisation of a given face, clamped to [0, 1] except for a half-space and a mesh.
SurfaceCoordinates face_coordinates(const Shape& shape, int face, const Vec3& point);

/// Directions of u and v on a box face; right-handed with the outward normal, u x v = n.
struct FaceFrame {
    Vec3 u, v, n;
};
FaceFrame box_face_frame(int face);

/// The rectangle of a hull's face: the smallest one with a side along the face's first edge.
struct HullFaceFrame {
    Vec3 origin, u, v;  ///< the face's first vertex; unit axes in the face
    Vec2 low, size;     ///< lower left corner seen from the origin, and edges [m]
};
HullFaceFrame hull_face_frame(const Polyhedron& hull, int face);

}  // namespace asperity::geometry::detail
