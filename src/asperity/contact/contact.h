// A contact point of two colliders, with the data that later stages read.
#pragma once
#include <cstdint>
#include <limits>

#include "asperity/contact/pair_key.h"
#include "asperity/geometry/convex_contact/collide.h"

namespace asperity::contact {

struct Contact {
    std::uint64_t pair = 0;     ///< pair_key(collider_a, collider_b)
    std::uint32_t feature = 0;  ///< identifies the touching features; (pair, feature) is the contact's persistent id
    int collider_a = -1, collider_b = -1;
    int body_a = -1, body_b = -1;
    int material_a = 0, material_b = 0;
    bool in_patch = false;  ///< a patch carries the load; `impulse` is this point's part of the patch's force
    Vec3 point, normal;     ///< world; halfway between the surfaces; normal from A to B
    double gap = 0;         ///< [m], negative = overlap
    /// the contact point on each surface, in the body's authored axes; sim/contact_surface.h reads texture and frame there
    Vec3 local_a, local_b;
    Vec3 local_normal;  ///< the normal in A's body axes
    // carried over between steps by the persistent id
    Vec3 impulse;         ///< on B, world axes: normal and friction part [N s]
    double drilling = 0;  ///< drilling impulse (torsional friction) about the normal [N m s]
    Vec3 t;               ///< first tangent of the last limit surface; zero: none
};

/// The contacts found for a pair of colliders, and the relative pose at which they were found. While the relative pose stays
/// the same, the contacts move with the bodies and need not be found again.
struct PairMemory {
    std::uint64_t pair = 0;
    int first = 0, count = 0;  ///< range of its contacts; may be empty
    double margin = 0;         ///< all contacts with a gap up to this were found [m]
    Pose relative_pose;        ///< B's body in the axes of A's body; A's in those of B's when B is a half-space
    /// Sum of both bodies' path lengths (sim/find_pairs.cpp) when the contacts were found [m]. Its increase bounds the
    /// relative motion, so most pairs need no comparison of poses. Not part of a saved state.
    double path = -std::numeric_limits<double>::infinity();
};

}  // namespace asperity::contact
