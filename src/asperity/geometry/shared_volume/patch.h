// Contact patch: the flat region over which two bodies press on each other, as one contact instead of many points.
#pragma once
#include <array>
#include <variant>

#include "asperity/math/vec.h"

namespace asperity::geometry {

/// (x/a)^2 + (y/b)^2 <= 1 along u and w. A zero semi-axis makes it a line or a point.
struct EllipseRegion {
    double a = 0, b = 0;  ///< [m]
};
/// Convex polygon, vertices counter-clockwise seen along -normal. One vertex is a point, two are a line.
struct PolygonRegion {
    static constexpr int kCapacity = 16;
    int count = 0;
    std::array<Vec2, kCapacity> corners{};  ///< along u and w, relative to the patch's centre [m]
};
/// The set of admissible centres of pressure.
using PatchRegion = std::variant<EllipseRegion, PolygonRegion>;

struct Patch {
    Vec3 centre;     ///< world; origin of the region
    Vec3 normal, u;  ///< unit, at right angles; the normal points from A to B; w = normal x u
    double gap = 0;  ///< mean over the patch [m]; negative = overlap: minus the shared volume over the patch's area
    PatchRegion region;

    Vec3 w() const { return cross(normal, u); }
};

}  // namespace asperity::geometry
