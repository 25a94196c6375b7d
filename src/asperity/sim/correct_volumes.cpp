// Part of solve_positions: removes overlaps of patches along the gradient of the shared volume; gap rates of compliant
// patches.
//
// If a body moves by dx and rotates by dr about the centre c of the volume, the volume changes by grad V.dx + T.dr,
// with T = int (r - c) x n dS over the part of the body's boundary inside the other body. The row in the position pass
// is
//     V + dt (grad V.(w_B - w_A)(c) + T.(w_B - w_A)) <= V - s (V - V_t),    s = kOverlapShare
// divided by |grad V|, so that it is in metres like the others. For a single pair the solution is the Newton step s
// M^-1 G^T (V_t - V)/(G M^-1 G^T) (Bouchard and others, "6D Frictional Contact for Rigid Bodies", 2015, Section 4.4).
// For several pairs it is the nearest motion in the mass metric that satisfies all rows, so corrections do not fight.
// Points that do not overlap keep their rows, because the volume has no information about surfaces that are still
// apart.
#include "asperity/core/parallel.h"
#include "asperity/geometry/shared_volume/overlap.h"
#include "asperity/sim/patch_parts.h"
#include "asperity/sim/position_pass.h"

namespace asperity::sim {
namespace {

struct Input {
    const Model& model;
    const State& state;
    const PairSearch& search;
    const ContactSet& set;
    const solvers::ContactProblem& problem;
    double dt;
};

/// Returns false if the shared volume is too small for a gradient, or if the bodies face each other in several
/// directions, as in a groove: one volume does not show which wall is too near. The points then keep their rows.
bool make_row(const Input& in, const contact::Contact& c, double target, PositionSolve::VolumeRow& out) {
    const auto a = static_cast<size_t>(c.collider_a), b = static_cast<size_t>(c.collider_b);
    geometry::Overlap shared;
    geometry::overlap(in.model.bodies.colliders[a].shape, in.search.collider_pose[a], in.model.bodies.colliders[b].shape,
                      in.search.collider_pose[b], {}, shared);
    const double area = length(shared.gradient);
    if (shared.part_count != 1 || !(area > 0)) return false;
    const Vec3 arm_a = shared.centre - in.state.bodies.pose[static_cast<size_t>(c.body_a)].position;
    const Vec3 arm_b = shared.centre - in.state.bodies.pose[static_cast<size_t>(c.body_b)].position;
    out.row = {-shared.gradient / area, (cross(arm_a, shared.gradient) + shared.turning) / area,
               -(cross(arm_b, shared.gradient) + shared.turning) / area};
    out.rate = gap_rate((target - shared.volume) / area, in.dt);
    return true;
}

void correct_pair(const Input& in, size_t index, PositionSolve& out) {
    PositionSolve::VolumeRow& row = out.volume_rows[index];
    row.acts = false;
    const contact::PairMemory& memory = in.set.pair_memory[index];
    if (memory.count == 0) return;
    const auto first = static_cast<size_t>(memory.first), last = first + static_cast<size_t>(memory.count);
    const contact::Contact& any = in.set.contacts[first];
    const surface::Pair& pair = in.model.pairs.pair(any.material_a, any.material_b);
    if (!makes_patches(in.model.settings, pair)) return;
    const surface::Stabilisation how = stabilisation_of(in.model.settings, pair);
    if (*how.compliance > 0 || *how.overlap != surface::OverlapBy::Volume) return;
    double deepest = 0;
    for (size_t i = first; i < last; ++i) deepest = smaller(deepest, in.set.gap[i]);
    if (deepest > -kAllowedError) return;
    row.acts = make_row(in, any, *how.target_volume, row);
    if (!row.acts) return;
    for (size_t i = first; i < last; ++i)
        if (in.set.gap[i] < 0) out.gap_rate[i] = kFreeRate;
}

/// Gap rates of the points of a compliant patch: its springs keep the bodies apart. Under load they use the gap at the
/// end of the step, gap + dt J v_new, so the poses must move at least that far. With the mean velocity a stiff bed
/// would return half of the speed of an impact. Overlap beyond the depth of the springs is corrected as any other.
void follow_springs(const Input& in, size_t index, PositionSolve& out) {
    const solvers::PatchConstraint& patch = in.problem.patches[index];
    if (!(patch.compliance[0] > 0)) return;
    const contact::PatchContact& p = in.set.patches[index];
    const double depth = spring_depth(
        *stabilisation_of(in.model.settings, in.model.pairs.pair(p.at.material_a, p.at.material_b)).compliance, p, in.dt);
    const rigid::BodyStates& bodies = in.state.bodies;
    const auto velocity = [&](int body, const Vec3& arm) {
        return bodies.velocity[static_cast<size_t>(body)] + cross(bodies.angular_velocity[static_cast<size_t>(body)], arm);
    };
    double mean = 0;
    for (auto i = static_cast<size_t>(p.first); i < static_cast<size_t>(p.first + p.count); ++i)
        mean += in.set.gap[i] / p.count;
    for (auto i = static_cast<size_t>(p.first); i < static_cast<size_t>(p.first + p.count); ++i) {
        const solvers::PointContact& c = in.problem.contacts[i];
        const double excess = smaller(mean + depth, in.set.gap[i] + kEdgeDepth * depth);  // < 0: too deep
        if (patch.impulse[0] > 0)
            out.gap_rate[i] =
                smaller(gap_rate(excess, in.dt), 0.0) - dot(c.normal, velocity(c.b, c.arm_b) - velocity(c.a, c.arm_a));
        else if (in.set.gap[i] < 0 && excess >= 0)
            out.gap_rate[i] = kFreeRate;
    }
}

}  // namespace

surface::Stabilisation stabilisation_of(const Settings& settings, const surface::Pair& pair) {
    return pair.stabilisation.or_else(settings.stabilisation).or_else({surface::OverlapBy::Points, 0.0, 0.0});
}

void correct_volumes(const Model& model, const State& state, const PairSearch& search, const ContactSet& set,
                     const solvers::ContactProblem& problem, double dt, PositionSolve& out) {
    const Input in{model, state, search, set, problem, dt};
    out.volume_rows.resize(set.pair_memory.size());
    parallel_for(
        static_cast<int>(set.pair_memory.size()), [&](int i) { correct_pair(in, static_cast<size_t>(i), out); }, 16);
    for (size_t i = 0; i < set.patches.size(); ++i) follow_springs(in, i, out);
}

}  // namespace asperity::sim
