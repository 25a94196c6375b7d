// A touching patch of two colliders: several contact points, or one that stands for a small region, whose load is one
// wrench.
#pragma once
#include "asperity/contact/contact.h"
#include "asperity/geometry/shared_volume/patch.h"

namespace asperity::contact {

struct PatchContact {
    /// As if it were one point at the patch's centre: bodies, materials, normal, mean gap, force and first tangent.
    /// `feature` numbers the patches of a pair.
    Contact at;
    Vec3 u;                        ///< unit, along the surface; the region's axes are u and w = normal x u
    geometry::PatchRegion region;  ///< where the centre of pressure may lie
    bool rolls = false;            ///< the surfaces curve away from each other: the region moves along as they roll
    Vec2 slope;                    ///< of the gap along u and w [-]
    int first = 0, count = 0;      ///< its points among the contacts
    bool from_volume = false;      ///< made of the volume that the bodies share, not of its points
    double load = 0;               ///< normal impulse that it began the step with [N s]
    // carried from step to step; the force is at.impulse
    Vec3 torque;       ///< angular impulse on B about the centre, world axes [N m s]
    Vec2 pressure;     ///< centre of pressure along u and w [m]
    Vec3 pressed;      ///< the same in world axes
    double reach = 0;  ///< from the centre to the farthest of the region [m]

    Vec3 w() const { return cross(at.normal, u); }
    Vec3 centre_of_pressure() const { return at.point + pressure.x * u + pressure.y * w(); }
};

}  // namespace asperity::contact
