// The natural map of Coulomb's law at every contact point, as docs/solvers.md defines it for our own solvers.
#include "friction_law.h"

#include <algorithm>
#include <cmath>

#include "peer_scene.h"

namespace asperity::peers {
namespace {

constexpr double kSliding = 1e-3;  ///< [m/s]; the slip direction of slower points is not judged

/// Velocity along d1 that a unit impulse along d2 causes at the same point `arm`: one entry of W of a single body [1/kg].
double mobility(const Body& body, const Pose& pose, const Vec3& arm, const Vec3& d1, const Vec3& d2) {
    if (body.fixed) return 0;
    const Vec3 turn1 = rotate_inverse(pose.orientation, cross(arm, d1));
    const Vec3 turn2 = rotate_inverse(pose.orientation, cross(arm, d2));
    const Vec3 spin2{turn2.x / body.inertia.x, turn2.y / body.inertia.y, turn2.z / body.inertia.z};
    return dot(d1, d2) / body.mass + dot(turn1, spin2);
}

/// Largest eigenvalue of the symmetric matrix [[tt, tb], [tb, bb]].
double largest_eigenvalue(double tt, double tb, double bb) { return 0.5 * (tt + bb) + std::hypot(0.5 * (tt - bb), tb); }

void add_point_residual(const Scene& scene, const WatchedStep& step, const PeerContact& point, LawSums& sums) {
    const Body &body_a = scene.bodies[point.a], &body_b = scene.bodies[point.b];
    const Pose &pose_a = step.poses[point.a], &pose_b = step.poses[point.b];
    const Vec3 arm_a = point.point_a - pose_a.position, arm_b = point.point_b - pose_b.position;
    const Vec3& n = point.normal;
    const double load = dot(n, point.impulse);
    if (!(load > 0)) return;

    const Vec3 t = any_tangent(n), b = cross(n, t);
    const auto w = [&](const Vec3& d1, const Vec3& d2) {
        return mobility(body_a, pose_a, arm_a, d1, d2) + mobility(body_b, pose_b, arm_b, d1, d2);
    };
    const double r = 1 / largest_eigenvalue(w(t, t), w(t, b), w(b, b));  // reduced mass of the pair at this point [kg]

    const Twist &va = step.after[point.a], &vb = step.after[point.b];
    const Vec3 u = vb.velocity + cross(vb.spin, arm_b) - va.velocity - cross(va.spin, arm_a);
    const double u_n = dot(n, u);
    const Vec3 slip = u - u_n * n, friction = point.impulse - load * n;

    // |lambda_t - P(lambda_t - r u_t)| / r, where P projects onto the disc of radius mu lambda_n.
    const Vec3 trial = friction - r * slip;
    const double limit = scene.mu * load, size = length(trial);
    const Vec3 projected = size > limit ? (limit / size) * trial : trial;
    ++sums.loaded;
    sums.friction += length_squared(friction - projected) / (r * r);

    // A point may close its gap within the step, but not approach further.
    const double approach = std::max(0.0, -u_n - std::max(0.0, point.gap) / scene.dt);
    sums.approach += approach * approach;

    if (length(slip) > kSliding) {
        const double angle =
            std::atan2(length(cross(friction, slip)), -dot(friction, slip));  // 0: friction exactly opposite to the slip
        ++sums.sliding;
        sums.sliding_load += load;
        sums.angle += load * angle * angle;  // weighted, because the direction is rounding noise where the load is small
    }
}

/// m (v - v_old) = m g dt + impulses, per body: checks that the impulses reported by an engine are those it applied.
void judge_momentum(const Scene& scene, const WatchedStep& step, LawSums& sums) {
    std::vector<Vec3> impulse(scene.bodies.size());
    for (const PeerContact& point : step.points) {
        impulse[point.a] -= point.impulse;
        impulse[point.b] += point.impulse;
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        if (scene.bodies[i].fixed) continue;
        const double mass = scene.bodies[i].mass, weight = mass * scene.gravity * scene.dt;
        const Vec3 gained = mass * (step.after[i].velocity - step.before[i].velocity) + Vec3{0, 0, weight};
        ++sums.bodies;
        sums.unexplained += length_squared(gained - impulse[i]) / (weight * weight);
    }
}

}  // namespace

void LawSums::add(const LawSums& other) {
    loaded += other.loaded, friction += other.friction, approach += other.approach;
    sliding += other.sliding, sliding_load += other.sliding_load, angle += other.angle;
    bodies += other.bodies, unexplained += other.unexplained;
}

LawSums judge(const Scene& scene, const WatchedStep& step) {
    LawSums sums;
    for (const PeerContact& point : step.points) add_point_residual(scene, step, point, sums);
    judge_momentum(scene, step, sums);
    return sums;
}

}  // namespace asperity::peers
