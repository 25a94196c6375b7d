// Stage 4: velocities at the end of the step if nothing touched, and the inertia that impulses will meet.
//
// Linear: v + dt g. Angular: the momentum L = I(q) w is kept exactly while the body turns by the mean of both velocities,
//     q1 = exp(dt (w + w1)/2) q,    w1 = I(q1)^-1 L,
// the implicit trapezoidal rule: symmetric, second order, no drift of energy; it is the gyroscopic term. Solved by fixed-point
// iteration, which contracts by about dt |w| a pass.
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {
namespace {

constexpr int kMaxIterations = 30;

Mat3 turned(const Mat3& body_axes, const Quat& q) {
    const Mat3 r = matrix(q);
    return r * body_axes * transposed(r);
}

void predict_dynamic(const World& world, StepData& d, size_t i) {
    const rigid::Bodies& bodies = world.bodies;
    const Quat& q = bodies.pose[i].orientation;
    const Vec3 w = bodies.angular_velocity[i];
    d.old_velocity[i] = {bodies.velocity[i], w};
    d.free_velocity[i] = {bodies.velocity[i] + d.dt * world.settings.gravity, w};

    const Mat3 inverse_body = inverse(bodies.inertia[i]);
    d.inverse_inertia[i] = turned(inverse_body, q);
    if (bodies.isotropic[i] || w == Vec3{}) return;

    const Vec3 momentum = turned(bodies.inertia[i], q) * w;
    Vec3 w1 = w;
    for (int k = 0; k < kMaxIterations; ++k) {
        d.inverse_inertia[i] = turned(inverse_body, rotation(0.5 * d.dt * (w + w1)) * q);
        const Vec3 next = d.inverse_inertia[i] * momentum;
        const double change = length(next - w1);
        w1 = next;
        if (change <= 1e-16 * length(w)) break;
    }
    d.free_velocity[i].angular = w1;
}

/// Kinematic bodies are wherever their path says; their velocity is the one that takes them there.
void predict_kinematic(World& world, StepData& d, size_t i) {
    rigid::Bodies& bodies = world.bodies;
    if (bodies.path[i]) {
        const Pose next = bodies.path[i](world.time + d.dt);
        bodies.velocity[i] = (next.position - bodies.pose[i].position) / d.dt;
        bodies.angular_velocity[i] = rotation_vector(next.orientation * conjugate(bodies.pose[i].orientation)) / d.dt;
    }
    d.old_velocity[i] = d.free_velocity[i] = {bodies.velocity[i], bodies.angular_velocity[i]};
}

}  // namespace

void predict_velocities(World& world, StepData& d) {
    const StageTimer timer(d.report, Stage::predict_velocities);
    const size_t groups = static_cast<size_t>(world.bodies.count()) + 1;   // the last one is the world, which stands still
    d.old_velocity.assign(groups, {});
    d.free_velocity.assign(groups, {});
    d.inverse_inertia.assign(groups, Mat3::diagonal({0, 0, 0}));
    for (size_t i = 0; i + 1 < groups; ++i)   // formulas of time are not thread-safe, and there are few of them
        if (world.bodies.motion[i] == rigid::Motion::Kinematic) predict_kinematic(world, d, i);
    d.middle_pose.resize(groups - 1);
    parallel_for(world.bodies.count(), [&](int k) {
        const auto i = static_cast<size_t>(k);
        if (world.bodies.motion[i] == rigid::Motion::Dynamic) predict_dynamic(world, d, i);
        const Pose& pose = world.bodies.pose[i];
        d.middle_pose[i] = {pose.position + 0.5 * d.dt * d.old_velocity[i].linear,
                            rotation(0.5 * d.dt * d.old_velocity[i].angular) * pose.orientation};
    });
}

}  // namespace asperity::sim
