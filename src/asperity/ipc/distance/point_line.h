// The vector from a line, through two points, to a point. The formula holds for the whole line.
#pragma once
#include "asperity/ipc/distance/separation.h"

namespace asperity::ipc {

/// The two points of the line must differ. The error of the normal is that of the coordinates over the distance: the foot is
/// found from the nearer end of the line.
template <int Dim>
Separation<Dim> point_line(const Vector<Dim>& p, const Vector<Dim>& a, const Vector<Dim>& b) {
    Separation<Dim> s;
    s.count = 3;
    s.parameters = 1;
    const Vector<Dim> edge = b - a, from_a = p - a, from_b = p - b;
    const double length = edge.norm();
    const Vector<Dim> direction = edge / length;
    const bool near_a = from_a.squaredNorm() <= from_b.squaredNorm();
    const Vector<Dim>& from = near_a ? from_a : from_b;
    const double along = direction.dot(from) / length;
    const double share = near_a ? along : 1 + along;  // of b
    s.weight = {1, near_a ? -(1 - along) : along, -share, 0};
    s.tangent[0] = -direction;
    s.slope[0] = {0, 1 / length, -1 / length, 0};
    if constexpr (Dim == 2) {
        const double side = direction[0] * from[1] - direction[1] * from[0];
        s.distance = std::fabs(side);
        const double sign = side < 0 ? -1 : 1;
        s.normal = {-sign * direction[1], sign * direction[0]};
    } else {
        const Vector<3> moment = direction.cross(from);
        s.distance = moment.norm();
        s.normal.setZero();
        if (s.distance > 0) {
            s.tangent[1] = moment / s.distance;
            s.normal = s.tangent[1].cross(direction);
        } else {
            s.tangent[1].setZero();
        }
    }
    return s;
}

}  // namespace asperity::ipc
