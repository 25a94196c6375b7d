// The vector between two points.
#pragma once
#include <cmath>

#include "asperity/ipc/distance/separation.h"

namespace asperity::ipc {

/// Completes a unit normal to an orthonormal basis of space.
inline void complete_basis(const Vector<3>& normal, std::array<Vector<3>, 2>& tangent) {
    // the axis that is farthest from the normal: the cross product is at least sqrt(2/3) long
    int axis = 0;
    normal.cwiseAbs().minCoeff(&axis);
    tangent[0] = normal.cross(Vector<3>::Unit(axis)).normalized();
    tangent[1] = normal.cross(tangent[0]);
}
inline void complete_basis(const Vector<2>& normal, std::array<Vector<2>, 2>& tangent) {
    tangent[0] = {-normal[1], normal[0]};
}

template <int Dim>
Separation<Dim> point_point(const Vector<Dim>& p, const Vector<Dim>& q) {
    Separation<Dim> s;
    s.count = 2;
    s.weight = {1, -1, 0, 0};
    const Vector<Dim> r = p - q;
    s.distance = r.norm();
    s.normal = s.distance > 0 ? Vector<Dim>(r / s.distance) : Vector<Dim>(Vector<Dim>::Zero());
    complete_basis(s.normal, s.tangent);
    return s;
}

}  // namespace asperity::ipc
