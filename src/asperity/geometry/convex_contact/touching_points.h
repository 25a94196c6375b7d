// All points at which two faces lie over each other: the manifold of collide.h keeps four of them, a contact patch needs its
// whole outline.
#pragma once
#include "asperity/geometry/convex_contact/features.h"

namespace asperity::geometry {

/// Corners of the region in which the faces that look along `normal` (unit, from a to b) and against it cover each other,
/// with gaps up to `margin`; in no particular order, world axes. Half-spaces are faces without a border. The cap of a
/// cylinder that stands flat is a polygon of 32 corners; one that leans has a point that runs round its rim, and no corners.
/// Leaves `out` empty where there are no two faces.
void touching_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const Vec3& normal,
                     double margin, Candidates& out);

}  // namespace asperity::geometry
