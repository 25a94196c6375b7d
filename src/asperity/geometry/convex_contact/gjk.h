// Distance between two convex cores by the Gilbert-Johnson-Keerthi iteration, and the locally best separating axis, which is
// also defined for shapes that touch or overlap. Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance
// between complex objects", IEEE J. Robotics 1988; van den Bergen, "A fast and robust GJK implementation", J. Graphics Tools
// 1999 (stopping rule).
#pragma once
#include "asperity/geometry/convex_contact/convex.h"

namespace asperity::geometry {

struct GjkResult {
    bool overlap = false;  ///< the cores share a point, up to rounding; the other fields are then meaningless
    double distance = 0;
    Vec3 normal;      ///< unit, from a to b
    Vec3 on_a, on_b;  ///< nearest points of the cores; b includes the shift
    int iterations = 0;
};
/// b is first moved by `shift`; both are scaled by `scale` about their middles. `guess`: any direction from a to b.
GjkResult gjk_distance(const Convex& a, const Convex& b, const Vec3& shift, const Vec3& guess, double scale = 1);

struct ClosestAxis {
    Vec3 normal;            ///< unit, from a to b
    double separation = 0;  ///< of the cores along `normal`, from the support functions
    Vec3 on_a, on_b;        ///< on_b - on_a = separation * normal
};
/// Apart: the direction of the nearest points. Touching or overlapping: a local minimum of the depth. The search starts from
/// the better of `start` and the separating direction of the shapes shrunk about their middles. Each round pushes b along
/// the current direction until it is a small distance apart, where the nearest points are well defined, and takes their
/// direction. A round can only increase the separation; the fixed point is a local minimum of the depth.
ClosestAxis closest_axis(const Convex& a, const Convex& b, const Vec3& start);

}  // namespace asperity::geometry
