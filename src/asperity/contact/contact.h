// A touching point of two colliders, with everything later stages ask about it.
#pragma once
#include <cstdint>
#include <limits>

#include "asperity/contact/pair_key.h"
#include "asperity/geometry/convex_contact/collide.h"

namespace asperity::contact {

struct Contact {
    std::uint64_t pair = 0;     ///< pair_key(collider_a, collider_b)
    std::uint32_t feature = 0;  ///< which features touch; (pair, feature) is the contact's persistent id
    int collider_a = -1, collider_b = -1;
    int body_a = -1, body_b = -1;
    int material_a = 0, material_b = 0;
    bool in_patch = false;  ///< a patch carries its load; the impulse is its share of the patch's force
    Vec3 point, normal;     ///< world; halfway between the surfaces; normal from A to B
    double gap = 0;         ///< [m], negative = overlap
    /// the surface points in each body's authored axes; sim/contact_surface.h reads texture and frame there
    Vec3 local_a, local_b;
    Vec3 local_normal;  ///< the normal in A's body axes
    // carried from step to step by the persistent id
    Vec3 impulse;         ///< on B, world axes: normal and friction part [N s]
    double drilling = 0;  ///< drilling impulse about the normal [N m s]
    Vec3 t;               ///< the first tangent of the last limit surface, or zero
};

/// What was found of a pair of colliders, and where the two bodies were then. As long as they stay there, relative to each
/// other, the contacts move with them and need not be found again.
struct PairMemory {
    std::uint64_t pair = 0;
    int first = 0, count = 0;  ///< its contacts; there may be none
    double margin = 0;         ///< all points with gaps up to this were found [m]
    Pose where;                ///< of B's body in the axes of A's; the other way round when B is a half-space
    /// The sum of both bodies' path lengths (sim/find_pairs.cpp) when they were at `where` [m]. A shortcut, not part of a
    /// saved state.
    double path = -std::numeric_limits<double>::infinity();
};

}  // namespace asperity::contact
