// Intervals of the lines of a grid in convex shapes.
#include "asperity/geometry/shared_volume/detail/ray_intervals.h"
#include "asperity/geometry/shape/line_interval.h"

namespace asperity::geometry::detail {

bool ConvexOnGrid::meets(const Vec3& origin, int axis, RayInterval& out) const {
    const Vec3 from = origin - at_;
    const Vec3 o{dot(turn_.column(0), from), dot(turn_.column(1), from), dot(turn_.column(2), from)}, d = turn_.r[axis];
    const LineInterval r = line_in_convex(shape_, o, d, grow_);
    if (!(r.from < r.to)) return false;  // a line that only touches adds no volume
    out = {r.from, r.to, turn_ * r.normal_from, turn_ * r.normal_to};
    return true;
}

}  // namespace asperity::geometry::detail
