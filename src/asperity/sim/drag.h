// Dragging: a spring between a point of a body and a target that a user moves. Drags are part of the state, not of
// scenes.
#pragma once
#include "asperity/core/id.h"
#include "asperity/math/vec.h"

namespace asperity::sim {

/// The spring is scaled with the body's mass m: k = m w^2, c = 2 m w with w = 2 pi frequency, which is critical
/// damping. The rotation of the body is damped by c = I w, with I its largest moment of inertia, so a body that hangs
/// from the spring stops swinging. Both are implicit, so they are stable for any dt and any mass. A hanging body sags
/// by g/w^2: 1 cm at 5 Hz.
struct DragOptions {
    double frequency = 5;           ///< of the spring: the speed at which the point follows [Hz]
    double max_acceleration = 200;  ///< the force is bounded by m times this [m/s^2]
};

/// A drag in progress. It acts as a point spring at the end of Model::joints.
struct Drag {
    DragId id;  ///< as begin_drag returned it
    int body = 0;
    Vec3 point;                         ///< in centre-of-mass axes of the body
    Vec3 target;                        ///< world axes
    double stiffness = 0, damping = 0;  ///< [N/m], [N s/m]
    double max_force = 0;               ///< [N]
    double angular_damping = 0;         ///< [N m s/rad]
};

}  // namespace asperity::sim
