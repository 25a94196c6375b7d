// Free velocities: velocities at the end of the step without contacts and joints, and the inertia on which impulses
// act. Passes follow_paths, predict_velocities and predict_spins_again.
//
// Linear: v + dt g. Angular: the momentum L = I(q) w is conserved while the body rotates with the mean of both angular
// velocities,
//     q1 = exp(dt (w + w1)/2) q,    w1 = I(q1)^-1 (L + l),    free velocity = I(q1)^-1 L,
// the implicit trapezoidal rule for the gyroscopic term: symmetric, second order, no energy drift. l is the angular
// impulse of the last step, an estimate of the angular impulse of contacts and joints in this step. It is limited to
// the size that has lasted for several steps, because an impact does not repeat. Without l the orientation at the end
// of the step has an error of dt^2, and a fast top sinks. Newton's method solves
//     F(w1) = I(q1) w1 - (L + l),    dF/dw1 = I(q1) + dt/2 (I(q1) [w1]x - [I(q1) w1]x)     up to terms of order (dt w)^2.
// The fixed-point iteration of w1 = I(q1)^-1 (L + l) multiplies the error by dt |w| I_max/I_min per iteration, so it
// diverges for a spinning needle. Bodies that rotate slowly, as in a pile, converge in two to six such iterations, each
// at a fifth of the cost of a Newton iteration.
//
// A wrong estimate l costs energy of first order in dt w instead of second. Example: an impact over two steps makes a
// body spin and fly off. If half of the impact is expected once more, the inertia is evaluated at an orientation that
// the body never reaches, and its energy grows by 1.2 %. So once all impulses are known, predict_spins_again computes
// the correct angular velocities. If their energy differs by more than a fraction of the error of the step, the
// velocities are predicted again with these impulses, and the slightly changed problem is solved once more.
//
// A light link in a taut chain is a stiff spring: a joint force f at an arm r rotates with the body and restores its
// direction with the geometric stiffness k = f r. Directions are computed once per step, so this spring is explicit,
// and unstable if dt^2 k exceeds the inertia. Only in this case the inertia on which impulses act is raised to dt^2 k,
// which bounds the frequency by 1/dt. limit_energy.cpp removes the energy that this adds. Source: Andrews, Teichmann,
// Kry, "Geometric Stiffness for Real-time Constrained Multibody Dynamics", CGF 2017.
#include <cmath>
#include <limits>

#include "asperity/core/parallel.h"
#include "asperity/sim/islands.h"
#include "asperity/sim/stages.h"

namespace asperity::sim {
namespace {

constexpr int kMaxIterations = 30;
// relative error, and error in [rad]; Newton's method reaches rounding if the body rotates by less than about 1 rad a
// step
constexpr double kSpinTolerance = 1e-9;
constexpr double kSlowTurn = 1e-2;  // [rad] a step; below, fixed-point iteration gains one to three digits per iteration
constexpr int kPlainIterations = 6;
// of the momentum: largest impulse that is expected after a single step; a larger one may be an impact or a taut chain
constexpr double kTrustedImpulse = 0.1;
// of the momentum: bound of the expected impulse, which may double from step to step while contacts apply it
constexpr double kMaxExpectedImpulse = 0.5;

constexpr double kMinCheckedRotation = 1e-3;  // [rad] a step; below, a wrong estimate costs negligible energy
// of the momentum: smaller errors of the estimate, times the rotation in a step, are ignored
constexpr double kMinEstimateError = 1e-3;
// of the energy error of the step: 3 m (g dt)^2/8 for changes of contact state, and (w dt)^2 of the rotational energy
// (tests/soak/checks.h)
constexpr double kMaxEnergyGain = 0.25;

/// [v]x, with [v]x u = v x u.
Mat3 cross_matrix(const Vec3& v) { return {{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}}; }

/// r A r^T for a symmetric A, which is diagonal for most bodies.
Mat3 turned(const Mat3& body_axes, const Mat3& r) {
    const Vec3 &x = body_axes.r[0], &y = body_axes.r[1], &z = body_axes.r[2];
    const bool diagonal = x.y == 0 && x.z == 0 && y.z == 0;
    const auto times_a = [&](const Vec3& row) {
        return diagonal ? Vec3{row.x * x.x, row.y * y.y, row.z * z.z} : body_axes * row;
    };
    const Vec3 a = times_a(r.r[0]), b = times_a(r.r[1]), c = times_a(r.r[2]);
    const double ab = dot(a, r.r[1]), ac = dot(a, r.r[2]), bc = dot(b, r.r[2]);
    return {{{dot(a, r.r[0]), ab, ac}, {ab, dot(b, r.r[1]), bc}, {ac, bc, dot(c, r.r[2])}}};
}
Mat3 turned(const Mat3& body_axes, const Quat& q) { return turned(body_axes, matrix(q)); }

/// turned(body_axes, r) * v, without the matrix.
Vec3 times_turned(const Mat3& body_axes, const Mat3& r, const Vec3& v) { return r * (body_axes * (transposed(r) * v)); }

/// Result of the prediction for the end of the step.
struct Spin {
    Mat3 inverse_inertia;
    Vec3 free;        // angular velocity without impulses
    bool by_impulse;  // the result depends on the expected impulse
};

/// For needles and discs that rotate too far in a step for the rule above: Euler's equations in body axes by the
/// implicit midpoint rule,
///     w1 = w + dt I^-1 (I m x m),    m = (w + w1)/2.
/// Moments of inertia appear only as differences, so no ratio of them makes it stiff. It conserves energy exactly and
/// momentum to second order. The axes are those of the pose at the end of the step, q1 = exp(dt (W + W1)/2) q with W1 =
/// q1 w1 in world axes; there the energy is that of w1. Fixed-point iteration solves both equations; it contracts by
/// about dt |w|. If it does not converge, the body continues about its present axis: q1 = exp(dt W) q and W1 = W
/// conserve the energy and the size of the momentum.
Spin predict_spin_in_body_axes(const Model& model, const rigid::BodyStates& states, double dt, size_t i) {
    const Quat& q = states.pose[i].orientation;
    const Mat3 &inertia = model.bodies.inertia[i], &inverse_body = model.bodies.inverse_inertia[i];
    const Vec3 world_w = states.angular_velocity[i], w = rotate_inverse(q, world_w);
    const auto solved = [&](Vec3& x, const auto& next_of) {
        double change = 0;
        for (int k = 0; k < kMaxIterations; ++k) {
            const Vec3 next = next_of(x);
            change = length(next - x);
            x = next;
            if (change <= 1e-16 * length(w)) break;
        }
        return change <= kSpinTolerance * length(w);
    };
    Vec3 w1 = w, world_w1 = world_w;
    Quat q1 = q;
    const bool found = solved(w1,
                              [&](const Vec3& x) {
                                  const Vec3 m = 0.5 * (w + x);
                                  return w + dt * (inverse_body * cross(inertia * m, m));
                              }) &&
                       solved(world_w1, [&](const Vec3& x) {
                           q1 = rotation(0.5 * dt * (world_w + x)) * q;
                           return rotate(q1, w1);
                       });
    if (!found) q1 = rotation(dt * (world_w1 = world_w)) * q;
    return {turned(inverse_body, q1), world_w1, false};
}

/// Prediction with the angular impulse `expected` within the step.
Spin predict_spin(const Model& model, const rigid::BodyStates& states, double dt, size_t i, const Vec3& momentum,
                  const Vec3& expected) {
    const rigid::Bodies& bodies = model.bodies;
    const Quat& q = states.pose[i].orientation;
    const Vec3 w = states.angular_velocity[i], end = momentum + expected;
    const Mat3& inverse_body = bodies.inverse_inertia[i];
    const double half = 0.5 * dt;
    Vec3 w1 = w;
    for (int k = 0; k < kPlainIterations && dt * length(w) < kSlowTurn; ++k) {
        const Mat3 axes = matrix(rotation(half * (w + w1)) * q);
        const Vec3 next = times_turned(inverse_body, axes, end);
        const double change = length(next - w1);
        w1 = next;
        if (half * change > kSpinTolerance) continue;
        const Mat3 inverse_inertia = turned(inverse_body, axes);  // of a pose accurate to kSpinTolerance
        return {inverse_inertia, inverse_inertia * momentum, true};
    }
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kMaxIterations; ++k) {
        const Mat3 inertia = turned(bodies.inertia[i], rotation(half * (w + w1)) * q);
        const Vec3 held = inertia * w1;
        const Vec3 change = inverse(inertia + half * (inertia * cross_matrix(w1) + cross_matrix(-held))) * (held - end);
        const double step = length(change);
        if (!(step < last)) break;  // rounding level, or no convergence because the rotation is too large
        w1 -= change;
        last = step;
        if (step <= 1e-9 * length(w)) break;  // quadratic convergence: the remaining error is about the square
    }
    if (!(last <= kSpinTolerance * length(w))) return predict_spin_in_body_axes(model, states, dt, i);
    const Mat3 inverse_inertia = turned(inverse_body, rotation(half * (w + w1)) * q);
    return {inverse_inertia, inverse_inertia * momentum, true};
}

bool is_gyroscopic(const rigid::Bodies& bodies, const rigid::BodyStates& states, size_t i) {
    return !bodies.isotropic[i] && !(states.angular_velocity[i] == Vec3{});
}

Vec3 momentum_of(const rigid::Bodies& bodies, const rigid::BodyStates& states, size_t i) {
    return times_turned(bodies.inertia[i], matrix(states.pose[i].orientation), states.angular_velocity[i]);
}

void predict_dynamic(const Model& model, const rigid::BodyStates& states, double dt, size_t i, FreeMotion& motion) {
    const rigid::Bodies& bodies = model.bodies;
    const Vec3 w = states.angular_velocity[i];
    motion.old_velocity[i] = {states.velocity[i], w};
    motion.free_velocity[i] = {states.velocity[i] + dt * model.settings.gravity, w};
    if (!is_gyroscopic(bodies, states, i)) {
        motion.inverse_inertia[i] =
            bodies.isotropic[i] ? bodies.inverse_inertia[i] : turned(bodies.inverse_inertia[i], states.pose[i].orientation);
        return;
    }
    const Vec3 momentum = momentum_of(bodies, states, i);
    const double torque = length(states.angular_impulse[i]), size = length(momentum);
    // joint impulses rotate with the body, so less of them is expected
    const double most = motion.stiffness[i] > 0 ? kTrustedImpulse : kMaxExpectedImpulse;
    const double trusted = smaller(kTrustedImpulse * size + 2 * states.trusted_impulse[i], most * size);
    motion.trusted_impulse[i] = smaller(torque, trusted);
    motion.expected_impulse[i] = (torque > trusted ? trusted / torque : 1) * states.angular_impulse[i];
    const Spin spin = predict_spin(model, states, dt, i, momentum, motion.expected_impulse[i]);
    motion.inverse_inertia[i] = spin.inverse_inertia;
    motion.free_velocity[i].angular = spin.free;
}

/// motion.stiffness[i]: sum of f r over the joints of body i.
void gather_geometric_stiffness(const Model& model, const State& state, double dt, FreeMotion& motion) {
    motion.stiffness.assign(model.bodies.motion.size(), 0);
    motion.raised.assign(model.bodies.motion.size(), 0);
    for (size_t i = 0; i < model.joints.size(); ++i) {
        const rigid::Joint& joint = model.joints[i];
        const double force = rigid::joint_force(joint, state.joint_impulses[i][0], dt);
        if (!joint.a.is_world())
            motion.stiffness[static_cast<size_t>(joint.a.index)] += force * length(joint.frame_a.position);
        if (!joint.b.is_world())
            motion.stiffness[static_cast<size_t>(joint.b.index)] += force * length(joint.frame_b.position);
    }
}

void stiffen(const Model& model, const rigid::BodyStates& states, double dt, size_t i, FreeMotion& motion) {
    const Mat3& inertia = model.bodies.inertia[i];
    const double smallest = smaller(inertia.r[0].x, smaller(inertia.r[1].y, inertia.r[2].z));
    const double missing = dt * dt * motion.stiffness[i] - smallest;
    if (missing <= 0) return;
    motion.raised[i] = missing;
    const Mat3 raised = inertia + Mat3::diagonal({missing, missing, missing});
    motion.inverse_inertia[i] = turned(inverse(raised), states.pose[i].orientation);
}

}  // namespace

void follow_paths(const Model& model, double dt, State& state) {
    for (size_t i = 0; i < model.bodies.motion.size(); ++i) {  // serial: formulas of time are not thread-safe
        if (model.bodies.motion[i] != rigid::Motion::Kinematic || !model.bodies.path[i]) continue;
        const Pose &now = state.bodies.pose[i], next = model.bodies.path[i](state.time + dt);
        state.bodies.velocity[i] = (next.position - now.position) / dt;
        state.bodies.angular_velocity[i] = rotation_vector(next.orientation * conjugate(now.orientation)) / dt;
    }
}

void predict_velocities(const Model& model, const State& state, double dt, FreeMotion& motion) {
    const rigid::BodyStates& states = state.bodies;
    const size_t groups = static_cast<size_t>(model.bodies.count()) + 1;  // the last one is the world, at rest
    motion.old_velocity.resize(groups);
    motion.free_velocity.resize(groups);
    motion.inverse_inertia.resize(groups);
    motion.expected_impulse.resize(groups);
    motion.trusted_impulse.resize(groups);
    motion.middle_pose.resize(groups - 1);
    gather_geometric_stiffness(model, state, dt, motion);
    parallel_for(static_cast<int>(groups), [&](int k) {
        const auto i = static_cast<size_t>(k);
        motion.old_velocity[i] = motion.free_velocity[i] = {};
        motion.inverse_inertia[i] = Mat3::diagonal({0, 0, 0});
        motion.expected_impulse[i] = {};
        if (i + 1 == groups) return;
        motion.trusted_impulse[i] = states.trusted_impulse[i];
        if (is_free(model, state, i)) {  // sleeping bodies do not move
            predict_dynamic(model, states, dt, i, motion);
            stiffen(model, states, dt, i, motion);
        } else if (model.bodies.motion[i] == rigid::Motion::Kinematic) {
            motion.old_velocity[i] = motion.free_velocity[i] = {states.velocity[i], states.angular_velocity[i]};
        }
        const Pose& pose = states.pose[i];
        motion.middle_pose[i] = {pose.position + 0.5 * dt * motion.old_velocity[i].linear,
                                 rotation(0.5 * dt * motion.old_velocity[i].angular) * pose.orientation};
    });
}

bool predict_spins_again(const Model& model, const State& state, const Solution& solution, double dt, FreeMotion& motion,
                         solvers::ContactProblem& problem) {
    // bounce.cpp limits the energy of a step that bounces
    if (solution.worst.status == solvers::SolveStatus::NotFinite || solution.bounced) return false;
    const rigid::Bodies& bodies = model.bodies;
    const rigid::BodyStates& states = state.bodies;
    const auto takes_part = [&](size_t i) { return is_free(model, state, i); };
    const auto looks = [&](size_t i) {
        return takes_part(i) && motion.stiffness[i] == 0 && is_gyroscopic(bodies, states, i);
    };
    const auto found_impulse = [&](size_t i) {
        return inverse(motion.inverse_inertia[i]) * (problem.velocity[i].angular - motion.free_velocity[i].angular);
    };
    double gain = 0, step_error = 0;
    for (size_t i = 0; i < bodies.motion.size(); ++i) {
        const Vec3 &w = states.angular_velocity[i], &w1 = problem.velocity[i].angular;
        if (!looks(i) || dt * length(w) < kMinCheckedRotation) continue;
        const Vec3 momentum = momentum_of(bodies, states, i), found = found_impulse(i);
        if (dt * length(w) * length(found - motion.expected_impulse[i]) < kMinEstimateError * length(momentum)) continue;
        const Spin spin = predict_spin(model, states, dt, i, momentum, found);
        if (!spin.by_impulse) continue;
        const Vec3 end = momentum + found, right = spin.inverse_inertia * end;
        const Mat3 inertia = turned(bodies.inertia[i], rotation(0.5 * dt * (w + w1)) * states.pose[i].orientation);
        gain += 0.5 * (dot(w1, inertia * w1) - dot(right, end));
        step_error += 0.5 * dt * dt * dot(w, w) * dot(right, end);
    }
    if (!(gain > kMaxEnergyGain * step_error)) return false;
    const double g2 = dt * dt * dot(model.settings.gravity, model.settings.gravity);
    for (size_t i = 0; i < bodies.motion.size(); ++i) {
        if (!takes_part(i)) continue;
        const Vec3 &v = problem.velocity[i].linear, &w = states.angular_velocity[i];
        step_error += bodies.mass[i] * (3.0 / 8 * g2 + 0.5 * dt * dt * dot(w, w) * dot(v, v));
    }
    if (!(gain > kMaxEnergyGain * step_error)) return false;
    for (size_t i = 0; i < bodies.motion.size(); ++i) {
        if (!looks(i)) continue;
        motion.expected_impulse[i] = found_impulse(i);
        const Spin spin = predict_spin(model, states, dt, i, momentum_of(bodies, states, i), motion.expected_impulse[i]);
        motion.inverse_inertia[i] = spin.inverse_inertia;
        motion.free_velocity[i].angular = spin.free;
    }
    problem.reopen();
    problem.velocity = motion.free_velocity;
    problem.inverse_inertia = motion.inverse_inertia;
    return true;
}

}  // namespace asperity::sim
