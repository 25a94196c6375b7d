// The interval of a line that lies in a convex shape, and the outward normals at its ends. Closed forms.
#pragma once
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {

struct LineInterval {
    double from = 0, to = 0;      ///< [m]; empty unless from <= to; at +-1e30 the line stays in a half-space
    Vec3 normal_from, normal_to;  ///< unit

    bool empty() const { return !(from <= to); }
};

/// The part of the line origin + t direction that lies in the shape, offset outwards by `grow`; shape axes. `direction` is
/// unit. The shape is closed: a line that touches it has an interval of length 0, up to rounding. Not for meshes.
LineInterval line_in_convex(const Shape& shape, const Vec3& origin, const Vec3& direction, double grow = 0);

}  // namespace asperity::geometry
