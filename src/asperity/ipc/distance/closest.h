// Which parts of two primitives are closest: the ends or the inside of an edge, the corners, edges or inside of a triangle.
//
// At a boundary between two answers both give the same distance and the same gradient, so rounding does not matter there.
#pragma once
#include <Eigen/Geometry>  // cross()

#include "asperity/math/matrix.h"

namespace asperity::ipc {

enum class EdgePart : char { First, Second, Inside };

/// The part of the edge ab that is closest to p. An edge without length: its first end.
template <int Dim>
EdgePart closest_part(const Vector<Dim>& p, const Vector<Dim>& a, const Vector<Dim>& b) {
    const Vector<Dim> edge = b - a;
    if (!(edge.dot(p - a) > 0)) return EdgePart::First;
    return edge.dot(p - b) < 0 ? EdgePart::Inside : EdgePart::Second;
}

/// True if the foot of the perpendicular from p lies inside the triangle. Never for a triangle without area.
inline bool above_inside(const Vector<3>& p, const Vector<3>& a, const Vector<3>& b, const Vector<3>& c) {
    const Vector<3> n = (b - a).cross(c - a);
    return (b - a).cross(p - a).dot(n) > 0 && (c - b).cross(p - b).dot(n) > 0 && (a - c).cross(p - c).dot(n) > 0;
}

/// True if the closest points of two edges are inside both. Never for parallel edges.
inline bool cross_inside(const Vector<3>& a0, const Vector<3>& a1, const Vector<3>& b0, const Vector<3>& b1) {
    const Vector<3> u = a1 - a0, v = b1 - b0, w = a0 - b0, m = u.cross(v);
    const double squared = m.squaredNorm(), on_a = -m.dot(w.cross(v)), on_b = -m.dot(w.cross(u));
    return on_a > 0 && on_a < squared && on_b > 0 && on_b < squared;
}

}  // namespace asperity::ipc
