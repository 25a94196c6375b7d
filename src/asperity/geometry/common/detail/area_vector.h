// The one function that computes triangle normals: accurate for slivers.
#pragma once
#include "asperity/math/vec.h"

namespace asperity::geometry::detail {

/// Twice the area vector of a triangle, from its two shorter edges. With two long edges of a sliver, each component would be
/// a small difference of large products.
inline Vec3 area_vector(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = b - a, bc = c - b, ca = a - c;
    const double l_ab = dot(ab, ab), l_bc = dot(bc, bc), l_ca = dot(ca, ca);
    if (l_ab >= l_bc && l_ab >= l_ca) return cross(bc, ca);
    return l_bc >= l_ca ? cross(ca, ab) : cross(ab, bc);
}

}  // namespace asperity::geometry::detail
