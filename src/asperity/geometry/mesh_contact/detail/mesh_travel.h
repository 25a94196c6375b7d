// travel_to_touch() for pairs with at least one mesh.
#pragma once
#include "asperity/geometry/convex_contact/collide.h"

namespace asperity::geometry::detail {

Travel mesh_travel_to_touch(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const Vec3& direction);

}  // namespace asperity::geometry::detail
