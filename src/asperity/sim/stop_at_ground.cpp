// Part of stage 8: a body that moves farther in a step than it is thick, or over flat ground than a tenth of that, does not
// end up under the ground.
//
// Contacts are planes at points, found at the start of the step. Hills between here and the end of the way are not in them,
// and neither are the corners that a body swings down when it is hit: a chip that is set whirling turns by a radian within
// the step, and was left with its centre under a flat floor; a can on its rim that is struck comes down on the other side of
// it. So the way of fast bodies over a height field or a half-space is walked once more, in steps of a quarter of the body,
// and ends where the body would get deeper into the ground than it was and than a tenth of its thickness. Velocities stay:
// the contact that is there in the next step takes them up. What is lost is the rest of the step's time, and only by bodies
// that would have passed through something (conservative advancement: Mirtich, "Impulse-based dynamic simulation of rigid
// body systems", 1996, walks to the first touch in the same way).
#include <algorithm>
#include <cmath>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/sim/islands.h"
#include "asperity/sim/stages.h"

namespace asperity::sim {
namespace {

constexpr double kStride = 0.25;   // of the thickness
constexpr double kDeeper = 0.1;    // likewise
constexpr int kMostStrides = 400;  // a body that moves a hundred times its thickness in a step
constexpr int kHalvings = 6;       // of the last stride

bool is_flat(const geometry::Shape& shape) { return std::holds_alternative<geometry::HalfSpace>(shape); }

bool is_ground(const geometry::Shape& shape) {
    const auto* mesh = std::get_if<geometry::Mesh>(&shape);
    return is_flat(shape) || (mesh && mesh->triangles->ground());
}

/// How deep the moving collider is in the ground with its body at `pose` [m].
double depth(const Model& model, const State& state, size_t ground, size_t moving, const Pose& pose,
             geometry::ContactList& list) {
    const rigid::Collider &below = model.bodies.colliders[ground], &above = model.bodies.colliders[moving];
    const Pose ground_pose = state.bodies.pose[static_cast<size_t>(model.bodies.collider_body[ground])] * below.local;
    if (is_flat(below.shape)) {
        const Vec3 up = rotate(ground_pose.orientation, {0, 0, 1});
        const Pose at = pose * above.local;
        const Vec3 lowest =
            at.position + rotate(at.orientation, geometry::support(above.shape, rotate_inverse(at.orientation, -up)));
        return larger(0.0, dot(up, ground_pose.position - lowest));
    }
    geometry::collide_mesh(below.shape, ground_pose, above.shape, pose * above.local, 0, {}, list);
    double deepest = 0;
    for (int i = 0; i < list.count; ++i) deepest = std::fmax(deepest, -list.items[i].point.gap);
    return deepest;
}

/// The share of the way that the body may go.
double free_share(const Model& model, const State& state, const PairSearch& search, const solvers::Twist& motion, double dt,
                  size_t ground, size_t moving) {
    const auto body = static_cast<size_t>(model.bodies.collider_body[moving]);
    if (!is_free(model, state, body)) return 1;
    const double way = dt * (length(motion.linear) + length(motion.angular) * search.collider_motion[moving].reach);
    if (!(way > model.settings.contact_margin)) return 1;
    const geometry::Aabb box = geometry::bounds(model.bodies.colliders[moving].shape, {});
    const Vec3 size = box.high - box.low;
    const double thickness = std::fmin(size.x, std::fmin(size.y, size.z));
    const bool flat = is_flat(model.bodies.colliders[ground].shape);
    // what is slower is held by its contacts; flat ground is cheap to ask
    if (!(way > (flat ? kDeeper : 1) * thickness)) return 1;

    const auto pose_at = [&](double share) {
        const Pose& pose = state.bodies.pose[body];
        return Pose{pose.position + share * dt * motion.linear, rotation(share * dt * motion.angular) * pose.orientation};
    };
    geometry::ContactList list;
    const double allowed = std::fmax(depth(model, state, ground, moving, pose_at(0), list), kDeeper * thickness);
    if (flat && depth(model, state, ground, moving, pose_at(1), list) <= allowed) return 1;  // nothing rises on the way
    const auto strides = static_cast<int>(std::fmin(std::ceil(way / (kStride * thickness)), kMostStrides));
    for (int k = 1; k <= strides; ++k) {
        double good = static_cast<double>(k - 1) / strides, bad = static_cast<double>(k) / strides;
        if (depth(model, state, ground, moving, pose_at(bad), list) <= allowed) continue;
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = 0.5 * (good + bad);
            (depth(model, state, ground, moving, pose_at(middle), list) <= allowed ? good : bad) = middle;
        }
        return good;
    }
    return 1;
}

}  // namespace

void stop_at_ground(const Model& model, const State& state, const PairSearch& search, const ContactSet& set, double dt,
                    PositionSolve& positions) {
    for (size_t i = 0; i < search.pairs.size(); ++i) {
        if (!set.may_be_ground[i]) continue;  // nearly all, and told without a look at their shapes
        size_t ground = contact::pair_low(search.pairs[i]), moving = contact::pair_high(search.pairs[i]);
        if (is_ground(model.bodies.colliders[moving].shape)) std::swap(ground, moving);
        if (!is_ground(model.bodies.colliders[ground].shape)) continue;
        solvers::Twist& motion = positions.problem.velocity[static_cast<size_t>(model.bodies.collider_body[moving])];
        const double share = free_share(model, state, search, motion, dt, ground, moving);
        if (share != 1) motion = {share * motion.linear, share * motion.angular};
    }
}

}  // namespace asperity::sim
