// Overlaps with meshes that are seen without asking for contacts: what no contact tells of, no contact ends.
#pragma once
#include <string>

#include "asperity/sim/world.h"

namespace asperity::soak {

struct HiddenOverlap {
    double depth = 0;  ///< [m] from the surface to the point that is deepest inside, of some; a lower bound
    std::string who;   ///< the two colliders
};

/// The deepest over all pairs in which one collider is a solid mesh that is no ground. Points of the other one: its corners
/// and the middles between any two of them (of a mesh, of its edges), where a convex shape has for corners its farthest
/// points in 14 directions.
HiddenOverlap deepest_in_meshes(const sim::World& world);

}  // namespace asperity::soak
