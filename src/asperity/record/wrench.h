// Contacts as wrenches: what A exerts on B at each contact, and in total per pair of bodies. Points and patches give the
// same kind of result.
#pragma once
#include <vector>

#include "asperity/record/recording.h"

namespace asperity::record {

/// Force and torque on B, and their friction parts.
struct Wrench {
    Vec3 force;              ///< [N]
    Vec3 torque;             ///< about the contact point [N m]
    Vec3 friction;           ///< part of the force along the surface [N]
    double spin_torque = 0;  ///< friction torque about the normal; for a patch through its centre of pressure [N m]
};

/// One wrench for each contact of the frame. Each point of a patch gets an equal part of the patch's wrench, about that
/// point. Transferred to a common point and summed, all contacts give the total load.
std::vector<Wrench> contact_wrenches(const Frame& frame);

/// The total load that body A exerts on body B at a recorded time, about the centre of pressure of all their contacts.
struct PairWrench {
    int body_a = -1, body_b = -1;
    int points = 0, patches = 0;  ///< contacts that carry a load; points of patches are not counted in `points`
    Vec3 point;                   ///< mean of points and centres of pressure, weighted by their normal forces
    Vec3 normal;                  ///< direction of the summed normal forces; zero where they cancel
    Vec3 force, torque;           ///< torque about `point` [N, N m]
    Vec3 friction;                ///< sum of the forces along the surfaces [N]
    Vec3 friction_torque;         ///< torque of `friction` and of the drilling torques on B, about `point` [N m]
    double spin_torque() const { return dot(friction_torque, normal); }
};

/// The loads of all pairs in loaded contact, ordered by A, then by B.
std::vector<PairWrench> pair_wrenches(const Frame& frame);

}  // namespace asperity::record
