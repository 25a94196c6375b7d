// Stage 1: which colliders may touch within this step.
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {

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
        const Vec3& center = bodies.pose[body].position;   // what it turns about; a part of a compound may be far from it
        d.collider_pose[i] = bodies.pose[body] * collider.local;
        geometry::Aabb box = geometry::bounds(collider.shape, d.collider_pose[i]).grown(0.5 * world.settings.contact_margin);
        const bool endless = std::holds_alternative<geometry::HalfSpace>(collider.shape);
        const double reach = endless ? 0 : length(max(box.high - center, center - box.low));
        const double turn = length(bodies.angular_velocity[body]);
        d.collider_motion[i] = {reach, turn * reach, endless, std::holds_alternative<geometry::Mesh>(collider.shape)};
        // a box that holds the collider at both ends of the step
        const Vec3 motion = d.dt * bodies.velocity[body];
        box.low += min(motion, {0, 0, 0});
        box.high += max(motion, {0, 0, 0});
        d.boxes[i] = box.grown(std::fmin(d.dt * turn, 1.0) * reach);
    });
    d.broad_phase.find_pairs(d.boxes, d.pairs);
    if (world.settings.sleep_speed > 0) {
        const auto active = [&](std::uint64_t collider) { return is_active(world, bodies.collider_body[static_cast<size_t>(collider)]); };
        std::erase_if(d.pairs, [&](std::uint64_t pair) { return !active(pair >> 32) && !active(pair & 0xffffffffU); });
    }
    d.report.pairs = static_cast<int>(d.pairs.size());
}

}  // namespace asperity::sim
