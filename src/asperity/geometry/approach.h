// Pairs with a mesh whose bodies move: which of many contacts are kept depends on where these will be at the end of the step.
#pragma once
#include "asperity/geometry/collide.h"

namespace asperity::geometry {

/// How points move within the step: the one at p by shift + turn x p. World axes, small turns.
struct Displacement {
    Vec3 shift, turn;

    Vec3 at(const Vec3& p) const { return shift + cross(turn, p); }
};
inline Displacement operator-(const Displacement& b, const Displacement& a) { return {b.shift - a.shift, b.turn - a.turn}; }

/// Of each of the two bodies. What they do against each other is not all that counts: cups that fall together within each other do not approach, until the floor stops the lowest.
struct Approach {
    Displacement a, b;
};

/// As collide_mesh() of collide.h. There may be more candidates than ContactList has room for: those that will be nearest at the end of the step stay. A foot that
/// comes down within a cup needs its floor, though the wall is nearer all the way.
bool collide_mesh(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin, std::span<const std::uint32_t> previous,
                  const Approach& approach, ContactList& out);

}  // namespace asperity::geometry
