// The outline of the region where two faces touch. The manifold of collide.h keeps four of these points; a contact patch
// needs all of them.
#pragma once
#include "asperity/geometry/convex_contact/features.h"

namespace asperity::geometry {

/// Vertices of the region in which two faces cover each other: the face that looks along `normal` (unit, from a to b) and
/// the one that looks against it. Gaps up to `margin` [m]; in no particular order, world axes. Half-spaces are unbounded
/// faces. A flat cap of a cylinder is a polygon of 32 vertices. A tilted cap touches at one point that runs round its rim,
/// and gives no vertices. Leaves `out` empty unless there are two faces.
void touching_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const Vec3& normal,
                     double margin, Candidates& out);

}  // namespace asperity::geometry
