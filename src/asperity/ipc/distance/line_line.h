// The vector between two lines in space, each through two points. The formula holds for the whole lines.
#pragma once
#include <cmath>

#include "asperity/ipc/distance/separation.h"

namespace asperity::ipc {

/// The lines must not be parallel.
inline Separation<3> line_line(const Vector<3>& a0, const Vector<3>& a1, const Vector<3>& b0, const Vector<3>& b1) {
    Separation<3> s;
    s.count = 4;
    s.parameters = 2;
    const Vector<3> u = a1 - a0, v = b1 - b0, w = a0 - b0, m = u.cross(v);
    const double squared = m.squaredNorm();
    const Vector<3> n = m / std::sqrt(squared);
    const double side = n.dot(w);
    s.distance = std::fabs(side);
    s.normal = side < 0 ? Vector<3>(-n) : n;
    const double on_a = -m.dot(w.cross(v)) / squared, on_b = -m.dot(w.cross(u)) / squared;
    s.weight = {1 - on_a, on_a, -(1 - on_b), -on_b};
    // dr = u d(on_a) - v d(on_b); in the axes x, y of the common normal plane u = (length, 0), -v = (along, height)
    const double length = u.norm();
    const Vector<3> x = u / length, y = n.cross(x);
    const double along = -x.dot(v), height = -y.dot(v);
    s.tangent = {x, y};
    const double a_along_y = -along / (height * length);
    s.slope[0] = {-1 / length, 1 / length, 0, 0};
    s.slope[1] = {-a_along_y, a_along_y, 1 / height, -1 / height};
    return s;
}

}  // namespace asperity::ipc
