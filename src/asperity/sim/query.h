// Results of the queries World::cast_ray, overlapping and bodies_in.
#pragma once
#include <functional>

#include "asperity/core/id.h"
#include "asperity/geometry/common/aabb.h"
#include "asperity/geometry/shape/ray_cast.h"

namespace asperity::sim {

/// Which bodies a query considers: those for which it returns true. Empty: all.
using BodyFilter = std::function<bool(BodyId)>;

struct RayHit {
    BodyId body;
    ColliderId collider;
    double distance = 0;  ///< along the ray [m]; 0 where it begins inside a solid
    Vec3 point;           ///< world
    Vec3 normal;          ///< unit, outward; against the ray where it begins inside, and on sheets
};

}  // namespace asperity::sim
