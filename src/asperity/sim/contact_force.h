// Forces of contacts in the last step. World::contact_forces and force_between return these.
#pragma once
#include "asperity/core/id.h"
#include "asperity/math/vec.h"

namespace asperity::sim {

/// One contact, a point or a patch, that body A and body B exert on each other. What A exerts on B; B exerts the opposite
/// on A.
struct ContactForce {
    BodyId a, b;
    ColliderId collider_a, collider_b;
    Vec3 point;   ///< the contact point, or the centre of the patch, halfway between the surfaces
    Vec3 normal;  ///< unit, from A to B
    Vec3 force;   ///< on B [N]
    /// On B about `point` [N m]. A point: the drilling torque, along the normal. A patch: that and the offset of its
    /// pressure.
    Vec3 torque;
    bool patch = false;
};

/// Sum of all contacts of a pair of bodies: what the first exerts on the second.
struct PairForce {
    Vec3 force;        ///< [N]
    Vec3 torque;       ///< about the centre of mass of the second body [N m]
    int contacts = 0;  ///< points and patches that carry a load
};

}  // namespace asperity::sim
