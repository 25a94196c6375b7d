// Axis-aligned boxes.
#pragma once
#include "asperity/math/vec.h"

namespace asperity::geometry {

struct Aabb {
    Vec3 low, high;
    bool overlaps(const Aabb& o) const {
        return low.x <= o.high.x && o.low.x <= high.x && low.y <= o.high.y && o.low.y <= high.y && low.z <= o.high.z &&
               o.low.z <= high.z;
    }
    Aabb grown(double margin) const { return {low - Vec3{margin, margin, margin}, high + Vec3{margin, margin, margin}}; }
};

}  // namespace asperity::geometry
