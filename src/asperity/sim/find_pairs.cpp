// Broad phase: the pairs of colliders that may touch within the step. Reads poses, velocities and the model; writes
// PairSearch.
#include <algorithm>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/sim/islands.h"
#include "asperity/sim/stages.h"
#include "asperity/surface/sample.h"

namespace asperity::sim {
namespace {

// of the contact margin: tolerance of the boxes of meshes, which saves visits to vertices
constexpr double kBoxSlack = 1e-3;

/// Starts path lengths with a new lever. Lengths with another lever are not comparable, so World::prepare() discards
/// them when bodies are added.
void begin_paths(const Model& model, const State& state, PairSearch& search) {
    search.path.assign(model.bodies.motion.size(), 0);
    search.path_end.assign(state.bodies.pose.begin(), state.bodies.pose.end());
    double longest = 0;
    for (size_t i = 0; i < model.bodies.colliders.size(); ++i)
        if (model.is_dynamic(model.bodies.collider_body[i])) longest = larger(longest, search.collider_motion[i].reach);
    search.lever = 4 * longest;  // the factor is derived at can_reuse_by_paths() in find_contacts.cpp
}

/// Extends the path lengths of all bodies. The sum of the path lengths of two bodies bounds their relative
/// displacement, and find_contacts.cpp compares it cheaply. Measured from pose to pose, so it includes bodies that a
/// user has moved.
void extend_paths(const Model& model, const State& state, PairSearch& search) {
    if (search.path.size() != model.bodies.motion.size()) begin_paths(model, state, search);
    parallel_for(
        model.bodies.count(),
        [&](int k) {
            const auto i = static_cast<size_t>(k);
            const Pose &from = search.path_end[i], &to = state.bodies.pose[i];
            const Quat turn = conjugate(from.orientation) * to.orientation;
            const double sine = length(Vec3{turn.x, turn.y, turn.z});  // of half the angle
            search.path[i] += length(to.position - from.position) + search.lever * (sine < 0.1 ? 2.01 * sine : 3.15);
            search.path_end[i] = to;
        },
        256);
    for (size_t i = 0; i < model.bodies.colliders.size(); ++i)
        search.collider_motion[i].path = search.path[static_cast<size_t>(model.bodies.collider_body[i])];
}

}  // namespace

void find_pairs(const Model& model, const State& state, double dt, PairSearch& search) {
    const rigid::Bodies& bodies = model.bodies;
    const rigid::BodyStates& states = state.bodies;
    const int count = static_cast<int>(bodies.colliders.size());
    search.boxes.resize(static_cast<size_t>(count));
    search.collider_motion.resize(static_cast<size_t>(count));
    search.collider_pose.resize(static_cast<size_t>(count));
    parallel_for(count, [&](int k) {
        const auto i = static_cast<size_t>(k);
        const rigid::Collider& collider = bodies.colliders[i];
        const auto body = static_cast<size_t>(bodies.collider_body[i]);
        if (bodies.removed[body]) {
            search.collider_motion[i] = {};
            return;
        }
        const Vec3& center = states.pose[body].position;  // centre of rotation; a part of a compound may be far from it
        search.collider_pose[i] = states.pose[body] * collider.local;
        geometry::Aabb box =
            geometry::bounds(collider.shape, search.collider_pose[i], kBoxSlack * model.settings.contact_margin)
                .grown(0.5 * model.settings.contact_margin);
        const bool endless = std::holds_alternative<geometry::HalfSpace>(collider.shape);
        const double reach = endless ? 0 : length(max(box.high - center, center - box.low));
        const double turn = length(states.angular_velocity[body]);
        const bool directed =
            surface::has_direction(model.materials[static_cast<size_t>(collider.material.index)], model.grain_of(k));
        search.collider_motion[i] = {.reach = reach,
                                     .swing = turn * reach,
                                     .ahead = dt * (length(states.velocity[body]) + turn * reach),
                                     .path = 0,
                                     .material = collider.material.index,
                                     .endless = endless,
                                     .mesh = std::holds_alternative<geometry::Mesh>(collider.shape),
                                     .directed = directed};
        // extend the box so that it contains the collider at both ends of the step
        const Vec3 motion = dt * states.velocity[body];
        box.low += min(motion, {0, 0, 0});
        box.high += max(motion, {0, 0, 0});
        search.boxes[i] = box.grown(smaller(dt * turn, 1.0) * reach);
    });
    search.any_directed = search.any_mesh = false;
    for (const PairSearch::ColliderMotion& m : search.collider_motion) {
        search.any_directed |= m.directed;
        search.any_mesh |= m.mesh;
    }
    if (model.settings.contact_reuse > 0) extend_paths(model, state, search);
    search.broad_phase.find_pairs(search.boxes, search.pairs);
    if (model.settings.sleep_speed > 0) {
        const auto active = [&](size_t collider) { return is_active(model, state, bodies.collider_body[collider]); };
        std::erase_if(search.pairs, [&](std::uint64_t pair) {
            return !active(contact::pair_low(pair)) && !active(contact::pair_high(pair));
        });
    }
}

}  // namespace asperity::sim
