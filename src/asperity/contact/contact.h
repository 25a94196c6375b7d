// A touching point of two colliders, with everything later stages ask about it.
#pragma once
#include <cstdint>

#include "asperity/geometry/collide.h"

namespace asperity::contact {

struct Contact {
    std::uint64_t pair = 0;                ///< collider_a << 32 | collider_b, collider_a < collider_b
    std::uint32_t feature = 0;             ///< which features touch; (pair, feature) is the contact's persistent id
    int collider_a = -1, collider_b = -1;
    int body_a = -1, body_b = -1;
    int material_a = 0, material_b = 0;
    Vec3 point, normal;                    ///< world; halfway between the surfaces; normal from A to B
    double gap = 0;                        ///< [m], negative = overlap
    Vec3 local_a, local_b;                 ///< the surface points in each body's authored axes; sim/contact_surface.h reads texture and frame there
    // carried from step to step by the persistent id
    Vec3 impulse;                          ///< on B, world axes: normal and friction part [N s]
    double drilling = 0;                   ///< drilling impulse about the normal [N m s]
    Vec3 t;                                ///< the first tangent of the last limit surface, or zero
};

}  // namespace asperity::contact
