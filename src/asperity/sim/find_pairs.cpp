// Stage 1: which colliders may touch within this step.
#include <algorithm>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/sim/step_data.h"
#include "asperity/surface/sample.h"

namespace asperity::sim {
namespace {

constexpr double kBoxSlack = 1e-3;  // of the contact margin: by which boxes of meshes may be too large

/// Where there are new bodies, a new lever may be needed, and ways that were counted with the old one mean nothing any more.
void begin_ways(World& world, StepData& d) {
    const rigid::Bodies& bodies = world.bodies;
    d.way.resize(bodies.motion.size(), 0);
    d.way_end.assign(bodies.pose.begin(), bodies.pose.end());
    double longest = 0;
    for (size_t i = 0; i < bodies.colliders.size(); ++i)
        if (bodies.motion[static_cast<size_t>(bodies.collider_body[i])] == rigid::Motion::Dynamic)
            longest = larger(longest, d.collider_motion[i].reach);
    d.lever = 4 * longest;  // surely_stayed() says why
    for (auto* pairs : {&world.pair_memory, &world.dormant_pairs})
        for (contact::PairMemory& memory : *pairs) memory.way = contact::PairMemory{}.way;
}

/// How far bodies have gone: the motion of two of them against each other is at most the sum, which is quickly compared
/// (make_contacts.cpp). Counted from pose to pose, so whoever moves a body is noticed.
void count_ways(World& world, StepData& d) {
    const rigid::Bodies& bodies = world.bodies;
    if (d.way.size() != bodies.motion.size()) begin_ways(world, d);
    parallel_for(
        bodies.count(),
        [&](int k) {
            const auto i = static_cast<size_t>(k);
            const Quat turn = conjugate(d.way_end[i].orientation) * bodies.pose[i].orientation;
            const double sine = length(Vec3{turn.x, turn.y, turn.z});  // of half the angle
            d.way[i] +=
                length(bodies.pose[i].position - d.way_end[i].position) + d.lever * (sine < 0.1 ? 2.01 * sine : 3.15);
            d.way_end[i] = bodies.pose[i];
        },
        256);
    for (size_t i = 0; i < bodies.colliders.size(); ++i)
        d.collider_motion[i].way = d.way[static_cast<size_t>(bodies.collider_body[i])];
}

}  // namespace

void find_pairs(World& world, StepData& d) {
    const StageTimer timer(d.report, Stage::find_pairs);
    const rigid::Bodies& bodies = world.bodies;
    const int count = static_cast<int>(bodies.colliders.size());
    d.boxes.resize(static_cast<size_t>(count));
    d.collider_motion.resize(static_cast<size_t>(count));
    d.collider_pose.resize(static_cast<size_t>(count));
    parallel_for(count, [&](int k) {
        const auto i = static_cast<size_t>(k);
        const rigid::Collider& collider = bodies.colliders[i];
        const auto body = static_cast<size_t>(bodies.collider_body[i]);
        const Vec3& center = bodies.pose[body].position;  // what it turns about; a part of a compound may be far from it
        d.collider_pose[i] = bodies.pose[body] * collider.local;
        geometry::Aabb box = geometry::bounds(collider.shape, d.collider_pose[i], kBoxSlack * world.settings.contact_margin)
                                 .grown(0.5 * world.settings.contact_margin);
        const bool endless = std::holds_alternative<geometry::HalfSpace>(collider.shape);
        const double reach = endless ? 0 : length(max(box.high - center, center - box.low));
        const double turn = length(bodies.angular_velocity[body]);
        const bool directed =
            surface::has_direction(world.materials[static_cast<size_t>(collider.material)], world.grain_of(k));
        d.collider_motion[i] = {.reach = reach,
                                .swing = turn * reach,
                                .ahead = d.dt * (length(bodies.velocity[body]) + turn * reach),
                                .way = 0,
                                .material = collider.material,
                                .endless = endless,
                                .mesh = std::holds_alternative<geometry::Mesh>(collider.shape),
                                .directed = directed};
        // a box that holds the collider at both ends of the step
        const Vec3 motion = d.dt * bodies.velocity[body];
        box.low += min(motion, {0, 0, 0});
        box.high += max(motion, {0, 0, 0});
        d.boxes[i] = box.grown(smaller(d.dt * turn, 1.0) * reach);
    });
    d.any_directed = d.any_mesh = false;
    for (const StepData::Motion& m : d.collider_motion) {
        d.any_directed |= m.directed;
        d.any_mesh |= m.mesh;
    }
    if (world.settings.contact_reuse > 0) count_ways(world, d);
    d.broad_phase.find_pairs(d.boxes, d.pairs);
    if (world.settings.sleep_speed > 0) {
        const auto active = [&](std::uint64_t collider) {
            return is_active(world, bodies.collider_body[static_cast<size_t>(collider)]);
        };
        std::erase_if(d.pairs, [&](std::uint64_t pair) { return !active(pair >> 32) && !active(pair & 0xffffffffU); });
    }
    d.report.pairs = static_cast<int>(d.pairs.size());
}

}  // namespace asperity::sim
