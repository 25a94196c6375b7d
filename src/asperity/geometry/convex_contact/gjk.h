// Distance between two convex cores by the Gilbert-Johnson-Keerthi iteration, and the local best separating direction that
// is also defined for shapes that touch or overlap. Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance
// between complex objects", IEEE J. Robotics 1988; van den Bergen, "A fast and robust GJK implementation", J. Graphics
// Tools 1999 (stopping rule).
#pragma once
#include "asperity/geometry/convex_contact/convex.h"

namespace asperity::geometry {

struct GjkResult {
    bool overlap = false;  ///< the cores share a point, up to rounding; the rest is then meaningless
    double distance = 0;
    Vec3 normal;      ///< unit, from a to b
    Vec3 on_a, on_b;  ///< nearest points of the cores; b is already shifted
    int iterations = 0;
};
/// `b` is moved by `shift` first, and both are scaled by `scale` about their middles. `guess`: any direction from a to b.
GjkResult gjk_distance(const Convex& a, const Convex& b, const Vec3& shift, const Vec3& guess, double scale = 1);

struct ClosestAxis {
    Vec3 normal;            ///< unit, from a to b
    double separation = 0;  ///< of the cores along `normal`, from the support functions
    Vec3 on_a, on_b;        ///< on_b - on_a = separation * normal
};
/// Apart: the direction of the nearest points. Touching or overlapping: a direction of least depth, local around the better
/// of `start` and the directions in which the shapes part when they shrink. From there b is pushed off along the current
/// direction until a small distance apart, where the nearest points are well defined again; each round can only increase
/// the separation, and the fixed point is a local minimum of the depth.
ClosestAxis closest_axis(const Convex& a, const Convex& b, const Vec3& start);

}  // namespace asperity::geometry
