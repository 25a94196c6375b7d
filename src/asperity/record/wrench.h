// Contacts as wrenches: what A exerts on B at each contact, and what it does in all. For those who ask how a pair of bodies
// rubs, whether points or patches carry it.
#pragma once
#include <vector>

#include "asperity/record/recording.h"

namespace asperity::record {

/// Force and torque on B, and the part of them that is friction.
struct Wrench {
    Vec3 force;              ///< [N]
    Vec3 torque;             ///< about the contact's point [N m]
    Vec3 friction;           ///< the part of the force that lies along the surface [N]
    double spin_torque = 0;  ///< of friction, about the normal; of a patch, through its centre of pressure [N m]
};

/// One for each of the frame's contacts. A point of a patch has an equal share of the patch's wrench, taken about the point:
/// added up about one place, all contacts together are all that acts.
std::vector<Wrench> contact_wrenches(const Frame& frame);

/// All that body A exerts on body B at a recorded moment, about the centre of pressure of all their contacts.
struct PairWrench {
    int body_a = -1, body_b = -1;
    int points = 0, patches = 0;  ///< that carry a load; points of patches do not count
    Vec3 point;                   ///< the mean of points and centres of pressure, weighted by their normal forces
    Vec3 normal;                  ///< which way the normal forces press together; zero where they cancel out
    Vec3 force, torque;           ///< [N, N m], the torque about `point`
    Vec3 friction;                ///< the parts of the forces along the surfaces, added up [N]
    Vec3 friction_torque;         ///< what these and the torques of friction turn B with, about `point` [N m]
    double spin_torque() const { return dot(friction_torque, normal); }
};

/// Of all pairs that press, ordered by A and then by B.
std::vector<PairWrench> pair_wrenches(const Frame& frame);

}  // namespace asperity::record
