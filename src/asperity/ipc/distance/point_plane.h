// The vector from a plane, through three points, to a point. The formula holds for the whole plane.
#pragma once
#include <cmath>

#include "asperity/ipc/distance/separation.h"

namespace asperity::ipc {

/// The three points must not lie on a line.
inline Separation<3> point_plane(const Vector<3>& p, const Vector<3>& a, const Vector<3>& b, const Vector<3>& c) {
    Separation<3> s;
    s.count = 4;
    s.parameters = 2;
    const Vector<3> u = b - a, v = c - a, from = p - a;
    const double length = u.norm();
    const Vector<3> x = u / length, n = u.cross(v).normalized(), y = n.cross(x);
    const double side = n.dot(from);
    s.distance = std::fabs(side);
    s.normal = side < 0 ? Vector<3>(-n) : n;
    // in the axes x, y of the plane: u = (length, 0), v = (along, height)
    const double along = x.dot(v), height = y.dot(v);
    const double share_c = y.dot(from) / height, share_b = (x.dot(from) - along * share_c) / length;
    s.weight = {1, -(1 - share_b - share_c), -share_b, -share_c};
    s.tangent = {-x, -y};
    const double b_along_y = -along / (height * length);
    s.slope[0] = {0, 1 / length, -1 / length, 0};
    s.slope[1] = {0, 1 / height + b_along_y, -b_along_y, -1 / height};
    return s;
}

}  // namespace asperity::ipc
