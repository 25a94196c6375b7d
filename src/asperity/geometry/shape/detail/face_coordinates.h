// One parametrisation for friction look-ups and for drawn meshes: surface_coordinates() picks a face and calls this, and
// triangulate() calls it for the face it is making.
#pragma once
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry::detail {

/// Coordinates of a point as seen by one given face, clamped to [0, 1] except for a half-space.
SurfaceCoordinates face_coordinates(const Shape& shape, int face, const Vec3& point);

/// The directions of u and v on a box face; with the outward normal they are right-handed, u x v = n.
struct FaceFrame {
    Vec3 u, v, n;
};
FaceFrame box_face_frame(int face);

}  // namespace asperity::geometry::detail
