// Motion of the two bodies of a pair with a mesh. Which of many contacts are kept depends on the gaps at the end of the
// step.
#pragma once
#include "asperity/geometry/convex_contact/collide.h"

namespace asperity::geometry {

/// Displacement of the points of a body within the step if nothing stops it: shift + turn x p at the point p. Small
/// rotations.
struct StepMotion {
    Vec3 shift, turn;
    Vec3 of(const Vec3& p) const { return shift + cross(turn, p); }
};
/// Motion of both bodies of a pair, world axes. Their relative motion is not enough: cups that fall together, one in the
/// other, do not approach until the floor stops the lowest.
struct Approach {
    StepMotion a, b;
};

/// As collide_mesh() of collide.h, with the motion within the step. If there are more candidates than ContactList holds,
/// those nearest at the end of the step stay: a foot that comes down in a cup needs its floor, though the wall is nearer all
/// the way. Two meshes are searched along their motion. A contact with a wide gap is found if the gap may close within the
/// step, also when a third body stops one of the two. out.reach is the distance covered in all directions.
bool collide_mesh(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                  std::span<const std::uint32_t> previous, const Approach& approach, ContactList& out);

}  // namespace asperity::geometry
