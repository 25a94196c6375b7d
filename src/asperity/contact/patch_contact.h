// A 6D contact patch of two colliders: several contact points, or one that stands for a small region, with one wrench.
#pragma once
#include "asperity/contact/contact.h"
#include "asperity/geometry/shared_volume/patch.h"

namespace asperity::contact {

struct PatchContact {
    /// The patch as a single contact at its centre: bodies, materials, normal, mean gap, force and first tangent. `feature`
    /// numbers the patches of a pair.
    Contact at;
    Vec3 u;                        ///< unit, tangential; the region's axes are u and w = normal x u
    geometry::PatchRegion region;  ///< set of admissible centres of pressure
    bool rolls = false;            ///< the surfaces curve away from each other: the region moves along as the bodies roll
    Vec2 slope;                    ///< gradient of the gap along u and w [-]
    int first = 0, count = 0;      ///< range of its contact points
    bool from_volume = false;      ///< made from the shared volume of the bodies instead of contact points
    double load = 0;               ///< normal impulse at the start of the step [N s]
    // carried over between steps; the force is at.impulse
    Vec3 torque;       ///< angular impulse on B about the centre, world axes [N m s]
    Vec2 pressure;     ///< centre of pressure along u and w [m]
    Vec3 pressed;      ///< offset of the centre of pressure, world axes [m]
    double reach = 0;  ///< largest distance of the region from the centre [m]

    Vec3 w() const { return cross(at.normal, u); }
    Vec3 centre_of_pressure() const { return at.point + pressure.x * u + pressure.y * w(); }
};

}  // namespace asperity::contact
