// Moves the poses with the velocities of solve_positions; kinematic bodies take the poses of their paths.
#include "asperity/core/parallel.h"
#include "asperity/sim/stages.h"

namespace asperity::sim {

void integrate_poses(const Model& model, const PositionSolve& positions, double dt, State& state) {
    const rigid::Bodies& bodies = model.bodies;
    parallel_for(bodies.count(), [&](int k) {
        const auto i = static_cast<size_t>(k);
        if (bodies.motion[i] == rigid::Motion::Fixed) return;
        if (bodies.motion[i] == rigid::Motion::Kinematic && bodies.path[i]) return;
        Pose& pose = state.bodies.pose[i];
        const solvers::Twist& motion = positions.problem.velocity[i];
        pose.position += dt * motion.linear;
        pose.orientation = normalized(rotation(dt * motion.angular) * pose.orientation);
    });
    for (size_t i = 0; i < bodies.motion.size(); ++i)  // serial: formulas of time are not thread-safe
        if (bodies.motion[i] == rigid::Motion::Kinematic && bodies.path[i])
            state.bodies.pose[i] = bodies.path[i](state.time + dt);
}

}  // namespace asperity::sim
