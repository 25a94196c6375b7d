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
    parallel_for(count, [&](int i) {
        const rigid::Collider& collider = bodies.colliders[static_cast<size_t>(i)];
        const auto body = static_cast<size_t>(bodies.collider_body[static_cast<size_t>(i)]);
        geometry::Aabb box = geometry::bounds(collider.shape, bodies.pose[body] * collider.local).grown(0.5 * world.settings.contact_margin);
        // a box that holds the collider at both ends of the step
        const Vec3 motion = d.dt * bodies.velocity[body];
        box.low += min(motion, {0, 0, 0});
        box.high += max(motion, {0, 0, 0});
        const double turn = d.dt * length(bodies.angular_velocity[body]);
        if (turn > 0) {
            const Vec3& center = bodies.pose[body].position;   // what it turns about; a part of a compound may be far from it
            const double swing = std::fmin(turn, 1.0) * length(max(box.high - center, center - box.low));
            box = box.grown(swing);
        }
        d.boxes[static_cast<size_t>(i)] = box;
    });
    d.broad_phase.find_pairs(d.boxes, d.pairs);
    d.report.pairs = static_cast<int>(d.pairs.size());
}

}  // namespace asperity::sim
