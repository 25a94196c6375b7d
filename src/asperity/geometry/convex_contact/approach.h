// Pairs with a mesh whose bodies move: which of many contacts are kept depends on where these will be at the end of the
// step.
#pragma once
#include "asperity/geometry/convex_contact/collide.h"

namespace asperity::geometry {

/// How points of a body move within the step if nothing stops it: the one at p by shift + turn x p. Small turns.
struct StepMotion {
    Vec3 shift, turn;
    Vec3 of(const Vec3& p) const { return shift + cross(turn, p); }
};
/// Of both bodies of a pair, world axes. What they do against each other is not all that counts: cups that fall together
/// within each other do not approach, until the floor stops the lowest.
struct Approach {
    StepMotion a, b;
};

/// As collide_mesh() of collide.h. There may be more candidates than ContactList has room for: those that will be nearest at
/// the end of the step stay. A foot that comes down within a cup needs its floor, though the wall is nearer all the way. Two
/// meshes are searched where they move: a contact with a wide gap is there when it may close within the step, also if one of
/// the two is stopped by something else. out.reach says how far was looked all around.
bool collide_mesh(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                  std::span<const std::uint32_t> previous, const Approach& approach, ContactList& out);

}  // namespace asperity::geometry
