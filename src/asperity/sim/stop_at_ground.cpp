// Continuous collision detection against ground (height fields and half-spaces). It handles bodies that move farther in
// a step than they are thick, or over flat ground by more than a tenth of that, and would end the step below the
// ground.
//
// Contacts are planes at points, found at the start of the step. They do not contain hills ahead, nor corners of the
// body that rotate down after an impact. A chip that is hit can rotate by a radian within the step and end with its
// centre below a flat floor; a can that is struck on its rim can pass to the other side of it. So the displacement of
// fast bodies is sampled at strides of a quarter of the thickness. It ends where the body would be deeper in the ground
// than at the start and than a tenth of its thickness. The velocities do not change; the contact in the next step
// changes them. Such a body loses the rest of the step's time. But for that time it is still pushed out of a height field by
// a fifth of its depth a step, as overlaps are elsewhere. Otherwise a body that is already too deep, and that any motion
// takes deeper, would stay where it is for ever while its speed grows. Conservative advancement (Mirtich, "Impulse-based
// dynamic simulation of rigid body systems", 1996) advances to the first contact in the same way.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/sim/islands.h"
#include "asperity/sim/stages.h"

namespace asperity::sim {
namespace {

constexpr double kStride = 0.25;  // of the thickness: length of a stride
constexpr double kMinAllowedDepth =
    0.1;  // of the thickness: permitted depth, and displacement below which flat ground is not checked
constexpr int kMostStrides = 400;   // bound of the cost: reached at a displacement of 100 thicknesses
constexpr int kHalvings = 6;        // bisections of the last stride
constexpr double kPushedOut = 0.2;  // of the depth, in a step

bool is_flat(const geometry::Shape& shape) { return std::holds_alternative<geometry::HalfSpace>(shape); }

bool is_ground(const geometry::Shape& shape) {
    const auto* mesh = std::get_if<geometry::Mesh>(&shape);
    return is_flat(shape) || (mesh && mesh->triangles->ground());
}

/// How deep a collider is in the ground [m], and the direction out of it there.
struct Depth {
    double value = 0;
    Vec3 out;
};

/// The deepest place of the moving collider in the ground with its body at `pose`.
Depth depth(const Model& model, const State& state, size_t ground, size_t moving, const Pose& pose,
            geometry::ContactList& list) {
    const rigid::Collider &below = model.bodies.colliders[ground], &above = model.bodies.colliders[moving];
    const Pose ground_pose = state.bodies.pose[static_cast<size_t>(model.bodies.collider_body[ground])] * below.local;
    if (is_flat(below.shape)) {
        const Vec3 up = rotate(ground_pose.orientation, {0, 0, 1});
        const Pose at = pose * above.local;
        const Vec3 lowest =
            at.position + rotate(at.orientation, geometry::support(above.shape, rotate_inverse(at.orientation, -up)));
        return {larger(0.0, dot(up, ground_pose.position - lowest)), up};
    }
    geometry::collide_mesh(below.shape, ground_pose, above.shape, pose * above.local, 0, {}, list);
    Depth deepest;
    for (int i = 0; i < list.count; ++i)
        if (const double value = -list.items[i].point.gap; value > deepest.value) deepest = {value, list.items[i].normal};
    return deepest;
}

/// The fraction of the displacement that the body may move, and how fast it is pushed out of the ground meanwhile [m/s].
struct Freedom {
    double share = 1;
    Vec3 push;
};
Freedom freedom(const Model& model, const State& state, const PairSearch& search, const solvers::Twist& motion, double dt,
                size_t ground, size_t moving) {
    const auto body = static_cast<size_t>(model.bodies.collider_body[moving]);
    if (!is_free(model, state, body)) return {};
    const double way = dt * (length(motion.linear) + length(motion.angular) * search.collider_motion[moving].reach);
    if (!(way > model.settings.contact_margin)) return {};
    const geometry::Aabb box = geometry::bounds(model.bodies.colliders[moving].shape, {});
    const Vec3 size = box.high - box.low;
    const double thickness = std::fmin(size.x, std::fmin(size.y, size.z));
    const bool flat = is_flat(model.bodies.colliders[ground].shape);
    // contacts stop slower bodies; flat ground is cheap to test
    if (!(way > (flat ? kMinAllowedDepth : 1) * thickness)) return {};

    const auto pose_at = [&](double share) {
        const Pose& pose = state.bodies.pose[body];
        return Pose{pose.position + share * dt * motion.linear, rotation(share * dt * motion.angular) * pose.orientation};
    };
    geometry::ContactList list;
    const auto depth_at = [&](double share) { return depth(model, state, ground, moving, pose_at(share), list); };
    const Depth start = depth_at(0);
    const double allowed = std::fmax(start.value, kMinAllowedDepth * thickness);
    if (flat && depth_at(1).value <= allowed) return {};  // flat ground: the end is the deepest
    const auto strides = static_cast<int>(std::fmin(std::ceil(way / (kStride * thickness)), kMostStrides));
    for (int k = 1; k <= strides; ++k) {
        double good = static_cast<double>(k - 1) / strides, bad = static_cast<double>(k) / strides;
        if (depth_at(bad).value <= allowed) continue;
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = 0.5 * (good + bad);
            (depth_at(middle).value <= allowed ? good : bad) = middle;
        }
        // contacts with flat ground hold whatever its depth, and springs there may be compressed that far
        return {good, flat ? Vec3{} : (1 - good) * kPushedOut * start.value / dt * start.out};
    }
    return {};
}

}  // namespace

void stop_at_ground(const Model& model, const State& state, const PairSearch& search, const ContactSet& set, double dt,
                    PositionSolve& positions) {
    for (size_t i = 0; i < search.pairs.size(); ++i) {
        if (!set.may_be_ground[i]) continue;  // most pairs; no access to their shapes
        size_t ground = contact::pair_low(search.pairs[i]), moving = contact::pair_high(search.pairs[i]);
        if (is_ground(model.bodies.colliders[moving].shape)) std::swap(ground, moving);
        if (!is_ground(model.bodies.colliders[ground].shape)) continue;
        solvers::Twist& motion = positions.problem.velocity[static_cast<size_t>(model.bodies.collider_body[moving])];
        const auto [share, push] = freedom(model, state, search, motion, dt, ground, moving);
        if (share != 1) motion = {share * motion.linear + push, share * motion.angular};
    }
}

}  // namespace asperity::sim
