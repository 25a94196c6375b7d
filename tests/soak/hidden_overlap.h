// Overlaps with meshes, computed from the geometry without the contacts. If a contact is missed, nothing removes the
// overlap.
#pragma once
#include <string>

#include "asperity/sim/world.h"

namespace asperity::soak {

struct HiddenOverlap {
    double depth = 0;  ///< [m] greatest depth below the surface among sample points; a lower bound
    std::string who;   ///< the two colliders
};

/// The deepest over all pairs in which one collider is a solid mesh other than ground. Sample points of the other collider:
/// for a mesh, its vertices and points along its edges; for a convex shape, its farthest points in 14 directions and the
/// midpoints of all pairs of them. Also samples the mesh's edges inside a convex shape.
HiddenOverlap deepest_in_meshes(const sim::World& world);

}  // namespace asperity::soak
