// Part of stage 8: overlaps of patches taken out along the gradient of the volume that the two bodies share.
//
// A body that moves by dx and turns by dt about the volume's centre c changes the volume by grad V.dx + T.dt, T = int (r -
// c) x n dS over its boundary within the other body. The position pass is asked for
//     V + dt (grad V.(w_B - w_A)(c) + T.(w_B - w_A)) <= V - s (V - V_t),    s = kOverlapShare
// divided by |grad V|, so that the row is in metres as all others are. Of one pair alone its answer is the Newton step s
// M^-1 G^T (V_t - V)/(G M^-1 G^T) (Bouchard and others, "6D Frictional Contact for Rigid Bodies", 2015, Section 4.4); of
// several, the nearest motion in the metric of the masses that obeys all rows, so that no two corrections fight. Points that
// do not overlap keep their own rows: a volume says nothing about what has not met yet.
#include "asperity/core/parallel.h"
#include "asperity/geometry/shared_volume/overlap.h"
#include "asperity/sim/patch_parts.h"
#include "asperity/sim/position_pass.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {
namespace {

/// Nothing where the two share too little to tell how it changes, or face each other in several directions, as in a groove,
/// where one volume cannot say which wall is too near: then their points go on.
bool make_row(const World& world, const StepData& d, const contact::Contact& c, double target, StepData::VolumeRow& out) {
    const auto a = static_cast<size_t>(c.collider_a), b = static_cast<size_t>(c.collider_b);
    geometry::Overlap shared;
    geometry::overlap(world.bodies.colliders[a].shape, d.collider_pose[a], world.bodies.colliders[b].shape,
                      d.collider_pose[b], {}, shared);
    const double area = length(shared.gradient);
    if (shared.part_count != 1 || !(area > 0)) return false;
    const Vec3 arm_a = shared.centre - world.bodies.pose[static_cast<size_t>(c.body_a)].position;
    const Vec3 arm_b = shared.centre - world.bodies.pose[static_cast<size_t>(c.body_b)].position;
    out.row = {-shared.gradient / area, (cross(arm_a, shared.gradient) + shared.turning) / area,
               -(cross(arm_b, shared.gradient) + shared.turning) / area};
    out.rate = gap_rate((target - shared.volume) / area, d.dt);
    return true;
}

void correct_pair(const World& world, StepData& d, size_t index) {
    StepData::VolumeRow& out = d.volume_rows[index];
    out.acts = false;
    const contact::PairMemory& memory = world.pair_memory[index];
    if (memory.count == 0) return;
    const auto first = static_cast<size_t>(memory.first), last = first + static_cast<size_t>(memory.count);
    const contact::Contact& any = world.contacts[first];
    const surface::Pair& pair = world.pairs.pair(any.material_a, any.material_b);
    if (!makes_patches(world, pair)) return;
    const surface::Stabilisation how = stabilisation_of(world, pair);
    if (*how.compliance > 0 || *how.overlap != surface::OverlapBy::Volume) return;
    double deepest = 0;
    for (size_t i = first; i < last; ++i) deepest = smaller(deepest, d.gap[i]);
    if (deepest > -kAllowedError) return;
    out.acts = make_row(world, d, any, *how.target_volume, out);
    if (!out.acts) return;
    for (size_t i = first; i < last; ++i)
        if (d.gap[i] < 0) d.gap_rate[i] = kFreeRate;
}

/// A patch that gives way is no stop for the poses: its springs hold them. Where it presses they have counted on the gap at
/// the end of the step, gap + dt J v_new, so the poses move at least that far; with the mean velocity a stiff bed would
/// throw half of an impact's speed back. What is deeper than its springs were pressed in goes as all overlaps do.
void follow_springs(const World& world, StepData& d, size_t index) {
    const solvers::PatchContact& patch = d.problem.patches[index];
    if (!(patch.compliance[0] > 0)) return;
    const contact::PatchContact& p = world.patches[index];
    const double depth =
        spring_depth(*stabilisation_of(world, world.pairs.pair(p.at.material_a, p.at.material_b)).compliance, p, d.dt);
    const rigid::Bodies& bodies = world.bodies;
    const auto velocity = [&](int body, const Vec3& arm) {
        return bodies.velocity[static_cast<size_t>(body)] + cross(bodies.angular_velocity[static_cast<size_t>(body)], arm);
    };
    double mean = 0;
    for (auto i = static_cast<size_t>(p.first); i < static_cast<size_t>(p.first + p.count); ++i) mean += d.gap[i] / p.count;
    for (auto i = static_cast<size_t>(p.first); i < static_cast<size_t>(p.first + p.count); ++i) {
        const solvers::PointContact& c = d.problem.contacts[i];
        const double excess = smaller(mean + depth, d.gap[i] + kEdgeDepth * depth);  // negative where it is too deep
        if (patch.impulse[0] > 0)
            d.gap_rate[i] =
                smaller(gap_rate(excess, d.dt), 0.0) - dot(c.normal, velocity(c.b, c.arm_b) - velocity(c.a, c.arm_a));
        else if (d.gap[i] < 0 && excess >= 0)
            d.gap_rate[i] = kFreeRate;
    }
}

}  // namespace

surface::Stabilisation stabilisation_of(const World& world, const surface::Pair& pair) {
    return pair.stabilisation.or_else(world.settings.stabilisation).or_else({surface::OverlapBy::Points, 0.0, 0.0});
}

void correct_volumes(const World& world, StepData& d) {
    d.volume_rows.resize(world.pair_memory.size());
    parallel_for(
        static_cast<int>(world.pair_memory.size()), [&](int i) { correct_pair(world, d, static_cast<size_t>(i)); }, 16);
    for (size_t i = 0; i < world.patches.size(); ++i) follow_springs(world, d, i);
}

}  // namespace asperity::sim
