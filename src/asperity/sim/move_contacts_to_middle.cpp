// Loaded contacts of rotating bodies act at their positions at the middle of the step, as joints do
// (assemble_problem.cpp). Impulses act along the rows J_m at the middle of the step, and the velocities satisfy the
// contact at the end:
//     J_m v_new + (J_m - J_n) v_old >= -gap/dt.
// A contact that persists (J_n v_old = 0) then does the work l J_m (v_old + v_new)/2 = 0, and its gap is kept to second
// order. With the rows of the start, the rotation in the step moves the body into the other one, and the position pass
// lifts it out without work: a capsule that wobbles on a floor without friction gained 250 % energy in four seconds
// (wobble_test). A contact that is new, or whose features do not touch at the middle of the step, keeps the rows of the
// start.
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/geometry/convex_contact/box_features.h"
#include "asperity/sim/collide_again.h"
#include "asperity/sim/islands.h"
#include "asperity/sim/stages.h"

namespace asperity::sim {
namespace {

constexpr double kMinRotation = 1e-3;  // [rad] a step; below, a wobble gains less than 1e-4 of its energy in a second
constexpr double kMaxRotation = 0.5;   // [rad] a step; above, a contact at the middle of the step has no meaning
// A point that moves faster than this times the speed of the surfaces, and by more than kMaxPointShift of its distance from
// the centre, keeps the rows of the start; example: under a coin that comes to rest.
constexpr double kMaxPointSpeedRatio = 2;
constexpr double kMaxPointShift = 0.35;  // of the distance from the centre
constexpr double kSameNormal = 0.9;      // cosine; a normal that rotates farther belongs to another feature
// times the change of slip by the rotation of the rows: a larger slip counts as slipping. A contact that sticks has
// about once that change as slip from the last step.
constexpr double kSlipRatio = 2;

using solvers::PointContact;
using solvers::Twist;

struct Input {
    const Model& model;
    const State& state;
    const ContactSet& set;
    const FreeMotion& motion;
    double dt;
};

/// Relative velocity of b and a at the contact, along its axes.
Vec3 rates(const PointContact& c, const Twist& a, const Twist& b) {
    const Vec3 u = b.linear + cross(b.angular, c.arm_b) - a.linear - cross(a.angular, c.arm_a);
    return {dot(c.normal, u), dot(c.t, u), dot(cross(c.normal, c.t), u)};
}

/// Whether the contact slips: then its tangent rows get no correction, so friction acts on the slip alone. `by` is the
/// change of the slip by the rotation of the rows.
bool slips(Vec2 slip, Vec2 by) { return dot(slip, slip) > kSlipRatio * kSlipRatio * dot(by, by); }

/// Moves a contact to its normal and point at the middle of the step. The tangents rotate with the normal.
void move(const FreeMotion& motion, const Vec3& normal, const Vec3& point, PointContact& c) {
    const auto a = static_cast<size_t>(c.a), b = static_cast<size_t>(c.b);
    const Twist &old_a = motion.old_velocity[a], &old_b = motion.old_velocity[b];
    const Vec3 then = rates(c, old_a, old_b);  // J_n v_old
    // the smallest rotation from one normal to the other
    c.t -= (dot(normal, c.t) / (1 + dot(normal, c.normal))) * (normal + c.normal);
    c.normal = normal;
    c.arm_a = point - motion.middle_pose[a].position;
    c.arm_b = point - motion.middle_pose[b].position;
    const Vec3 now = rates(c, old_a, old_b);  // J_m v_old
    // A contact that separates (J_n v_old > 0) requires at most -J_m v_old; more would be a push.
    c.bias[0] = larger(c.bias[0] + now[0] - then[0], now[0]);
    const Vec2 slip{then[1], then[2]}, by{now[1] - then[1], now[2] - then[2]};
    if (slips(slip, by)) return;
    c.bias[1] += by.x;
    c.bias[2] += by.y;
}

/// Bound of the relative speed of the two surfaces at the contact.
double surface_speed(const FreeMotion& motion, const PointContact& c) {
    const Twist &a = motion.old_velocity[static_cast<size_t>(c.a)], &b = motion.old_velocity[static_cast<size_t>(c.b)];
    return length(b.linear - a.linear) + length(a.angular) * length(c.arm_a) + length(b.angular) * length(c.arm_b);
}

/// Squared distance from the contact to the centre of the body that can move; the smaller one of two.
double squared_arm_of(const solvers::ContactProblem& problem, const PointContact& c) {
    const bool a = problem.inverse_mass[static_cast<size_t>(c.a)] > 0,
               b = problem.inverse_mass[static_cast<size_t>(c.b)] > 0;
    const double arm_a = length_squared(c.arm_a), arm_b = length_squared(c.arm_b);
    return a && b ? smaller(arm_a, arm_b) : a ? arm_a : arm_b;
}

void move_pair(const Input& in, size_t index, solvers::ContactProblem& problem) {
    const contact::PairMemory& memory = in.set.pair_memory[index];
    if (memory.count == 0) return;
    const auto first = static_cast<size_t>(memory.first), last = first + static_cast<size_t>(memory.count);
    const auto [body_a, body_b] = bodies_of(in.model, memory.pair);
    const auto a = static_cast<size_t>(body_a), b = static_cast<size_t>(body_b);
    const double spin =
        larger(length_squared(in.motion.old_velocity[a].angular), length_squared(in.motion.old_velocity[b].angular));
    if (in.dt * in.dt * spin < kMinRotation * kMinRotation || in.dt * in.dt * spin > kMaxRotation * kMaxRotation) return;
    const auto is_loaded = [&](size_t i) { return dot(in.set.contacts[i].impulse, in.set.contacts[i].normal) > 0; };
    const auto take = [&](size_t i, const Vec3& normal, const Vec3& point) {
        if (dot(in.set.contacts[i].normal, normal) < kSameNormal) return;
        const PointContact& c = problem.contacts[i];
        const double run2 = length_squared(point - in.set.contacts[i].point);
        if (run2 > kMaxPointShift * kMaxPointShift * squared_arm_of(problem, c) &&
            std::sqrt(run2) > kMaxPointSpeedRatio * 0.5 * in.dt * surface_speed(in.motion, c))
            return;
        move(in.motion, normal, point, problem.contacts[i]);
    };
    std::uint64_t search = 0;  // bit per contact to locate; box pairs need no narrow phase
    for (size_t i = first; i < last; ++i) search |= static_cast<std::uint64_t>(is_loaded(i)) << (i - first);
    if (search == 0) return;
    const rigid::Collider& on_a = in.model.bodies.colliders[static_cast<size_t>(in.set.contacts[first].collider_a)];
    const rigid::Collider& on_b = in.model.bodies.colliders[static_cast<size_t>(in.set.contacts[first].collider_b)];
    const auto *box_a = std::get_if<geometry::Box>(&on_a.shape), *box_b = std::get_if<geometry::Box>(&on_b.shape);
    if (box_a && box_b) {
        const geometry::BoxFeatures features(*box_a, in.motion.middle_pose[a] * on_a.local, *box_b,
                                             in.motion.middle_pose[b] * on_b.local);
        for (size_t i = first; i < last; ++i) {
            if (!(search >> (i - first) & 1)) continue;
            geometry::BoxFeatures::LocatedContact spot;
            const auto outcome = features.locate(in.set.contacts[i].feature, in.set.contacts[i].normal, spot);
            if (outcome == geometry::BoxFeatures::Outcome::Unknown) continue;
            search &= ~(std::uint64_t{1} << (i - first));
            if (outcome == geometry::BoxFeatures::Outcome::Meet) take(i, spot.normal, spot.point);
        }
        if (search == 0) return;
    }
    collide_again(in.model, in.state.bodies, in.set, in.dt, index, in.motion.middle_pose,
                  [&](size_t i, const Vec3& normal, const geometry::ManifoldPoint& point) {
                      if (search >> (i - first) & 1) take(i, normal, 0.5 * (point.on_a + point.on_b));
                  });
}

/// Moves a patch with its points, if all of them were moved.
void move_patch(const Input& in, size_t index, solvers::ContactProblem& problem) {
    const contact::PatchContact& p = in.set.patches[index];
    solvers::PatchConstraint& c = problem.patches[index];
    if (p.count == 0) return;
    if (c.compliance[0] > 0) return;  // the rows of a spring depend on the gap at the end of the step
    const auto a = static_cast<size_t>(c.a), b = static_cast<size_t>(c.b);
    Vec3 shift;
    const Vec3 normal = problem.contacts[static_cast<size_t>(p.first)].normal;
    for (int k = p.first; k < p.first + p.count; ++k) {
        const PointContact& point = problem.contacts[static_cast<size_t>(k)];
        if (!(point.normal == normal)) return;
        const Vec3 moved = in.motion.middle_pose[a].position + point.arm_a - in.set.contacts[static_cast<size_t>(k)].point;
        const Vec3 seen_from_b =
            in.motion.middle_pose[b].position + point.arm_b - in.set.contacts[static_cast<size_t>(k)].point;
        // a point that was not moved: its arms refer to the poses at the start
        if (length_squared(moved - seen_from_b) > 1e-20 * (1 + length_squared(moved))) return;
        shift = shift + moved / p.count;
    }
    const solvers::PatchConstraint before = c;
    const auto turned = [&](const Vec3& axis) {
        return axis - (dot(normal, axis) / (1 + dot(normal, before.normal))) * (normal + before.normal);
    };
    c.normal = normal;
    c.t = turned(before.t);
    c.u = turned(before.u);
    c.arm_a = p.at.point + shift - in.motion.middle_pose[a].position;
    c.arm_b = p.at.point + shift - in.motion.middle_pose[b].position;
    double now[solvers::kPatchRows], then[solvers::kPatchRows];
    for (int k = 0; k < solvers::kPatchRows; ++k) {
        now[k] = c.row(k).rate(in.motion.old_velocity[a], in.motion.old_velocity[b]);
        then[k] = before.row(k).rate(in.motion.old_velocity[a], in.motion.old_velocity[b]);
    }
    c.bias[0] = larger(c.bias[0] + now[0] - then[0], now[0]);
    for (const int k : {4, 5}) c.bias[k] += now[k] - then[k];
    const Vec2 by{now[1] - then[1], now[2] - then[2]};
    if (slips({then[1], then[2]}, by)) return;
    c.bias[1] += by.x;
    c.bias[2] += by.y;
}

}  // namespace

void move_contacts_to_middle(const Model& model, const State& state, const ContactSet& set, const FreeMotion& motion,
                             double dt, solvers::ContactProblem& problem) {
    if (!model.settings.halfway_contacts) return;
    const Input in{model, state, set, motion, dt};
    parallel_for(
        static_cast<int>(set.pair_memory.size()), [&](int i) { move_pair(in, static_cast<size_t>(i), problem); }, 64);
    parallel_for(
        static_cast<int>(set.patches.size()), [&](int i) { move_patch(in, static_cast<size_t>(i), problem); }, 64);
}

}  // namespace asperity::sim
