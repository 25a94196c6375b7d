// Builds the contact problem: joints, contacts and patches become blocks of rows between groups. Group i is body i; the
// last group is the world. Solvers see groups only.
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/core/prefetch.h"
#include "asperity/sim/cone_parts.h"
#include "asperity/sim/islands.h"
#include "asperity/sim/patch_parts.h"

namespace asperity::sim {
namespace {

/// Inputs of assemble_problem.
struct Input {
    const Model& model;
    const State& state;
    const ContactSet& set;
    const LimitSurfaces& cones;
    const FreeMotion& motion;
    double dt;
};

using solvers::Block;
using solvers::BlockKind;
using solvers::Row;

int group_of(const Model& model, rigid::BodyId id) { return id.is_world() ? model.bodies.count() : id.index; }

/// Bias of the normal row in the first solve, u_n = v_n + bias >= 0, and rebound speed of the contact. The rebound
/// speed is not zero if the contact is hit within the step faster than bounce_threshold. Such a contact first stops,
/// even before its gap has closed; bounce.cpp then solves for the rebound.
struct NormalDemand {
    double bias, rebound;
};
NormalDemand normal_demand(const Input& in, const contact::Contact& c) {
    const double restitution = in.model.pairs.pair(c.material_a, c.material_b).restitution;
    const double may_close = larger(c.gap, 0.0) / in.dt;  // at most the gap
    if (!(restitution > 0)) return {may_close, 0};
    const double approach =
        dot(c.normal, in.state.bodies.velocity_at(c.body_b, c.point) - in.state.bodies.velocity_at(c.body_a, c.point));
    const bool hits = c.gap + in.dt * approach <= 0;
    if (!hits || approach >= -in.model.settings.bounce_threshold) return {may_close, 0};
    return {0, -restitution * approach};  // Newton's rule
}

Row joint_row(const rigid::JointRow& r) { return {r.linear, -r.angular_a, r.angular_b}; }

/// Errors and targets are those of the present poses. Impulses act along the rows J_m at the middle of the step. The
/// velocities must satisfy the joint at the end of the step, where the rows are about J_m + (J_m - J_n), with J_n the
/// rows at the start:
///     J_m v_new + (J_m - J_n) v_old = target
/// This is symmetric in time, so a pendulum keeps its energy to second order. With J_n v_new = target it would lose (dt
/// w)^2/2 of it in every step.
void add_joint(const Input& in, Assembly& out, size_t index) {
    const rigid::Joint& joint = in.model.joints[index];
    auto& blocks = out.joints[index];
    out.joint_block[index] = static_cast<int>(out.problem.blocks.size());
    const auto active = [&](rigid::BodyId id) { return !id.is_world() && is_active(in.model, in.state, id.index); };
    if (!active(joint.a) && !active(joint.b)) {  // asleep
        out.joint_block_count[index] = 0;
        return;
    }
    std::array<rigid::JointBlock, rigid::kMaxJointBlocks> halfway;
    const int count = out.joint_block_count[index] =
        rigid::joint_blocks(joint, in.state.bodies.pose, in.state.time, in.dt, blocks);
    rigid::joint_blocks(joint, in.motion.middle_pose, in.state.time, in.dt, halfway);
    for (int k = 0; k < count; ++k) {
        rigid::JointBlock& from = blocks[static_cast<size_t>(k)];
        const bool bounded = std::isfinite(from.low) || std::isfinite(from.high);
        const BlockKind kind = from.ball_bound             ? BlockKind::Ball
                               : bounded && from.rows == 1 ? BlockKind::Interval
                                                           : BlockKind::Bilateral;
        Block& block = out.problem.add_block(kind, from.rows, group_of(in.model, joint.a), group_of(in.model, joint.b));
        block.low = from.low;
        block.high = from.high;
        const solvers::Twist &old_a = in.motion.old_velocity[static_cast<size_t>(block.a)],
                             &old_b = in.motion.old_velocity[static_cast<size_t>(block.b)];
        for (int i = 0; i < from.rows; ++i) {
            const auto row = static_cast<size_t>(block.first_row + i);
            rigid::JointRow& r = from.row[i];
            const rigid::JointRow& middle = halfway[static_cast<size_t>(k)].row[i];
            const Row now = joint_row(r);
            r.linear = middle.linear;
            r.angular_a = middle.angular_a;
            r.angular_b = middle.angular_b;
            out.problem.jacobian[row] = joint_row(r);
            out.problem.bias[row] = -r.target_rate;
            if (kind == BlockKind::Bilateral && from.holds_position)
                out.problem.bias[row] += out.problem.jacobian[row].rate(old_a, old_b) - now.rate(old_a, old_b);
            out.problem.compliance[row] = from.compliance;
            out.problem.impulse[row] = in.state.joint_impulses[index][static_cast<size_t>(k)][static_cast<size_t>(i)];
        }
    }
}

/// Number of friction rows of a limit set: none if it is a single point.
int friction_rows(const friction::LimitSet& set) {
    if (const auto* ellipse = std::get_if<friction::Ellipse>(&set)) return ellipse->t == 0 && ellipse->b == 0 ? 0 : 2;
    return friction::dimension(set);
}

void fill_contact(const Input& in, Assembly& assembly, size_t i) {
    fetch(&in.set.contacts[i] + kAheadInList, sizeof(contact::Contact));
    fetch_to_change(&assembly.problem.contacts[i] + kAheadInList, sizeof(solvers::PointContact));
    const contact::Contact& c = in.set.contacts[i];
    const friction::LimitSurface cone = cone_at(in.model, in.set, in.cones, i);
    solvers::PointContact& out = assembly.problem.contacts[i];
    out.a = c.body_a;
    out.b = c.body_b;
    out.rows = 1 + friction_rows(cone.set);
    out.normal = c.normal;
    out.t = cone.t;
    out.arm_a = c.point - in.state.bodies.pose[static_cast<size_t>(c.body_a)].position;
    out.arm_b = c.point - in.state.bodies.pose[static_cast<size_t>(c.body_b)].position;
    out.set = cone.set;
    const Vec3 slip = in.cones.surface_motion(i);
    const NormalDemand demand = normal_demand(in, c);
    out.bias[0] = demand.bias;
    assembly.rebound[i] = demand.rebound;
    out.bias[1] = dot(slip, cone.t);
    out.bias[2] = dot(slip, cone.b);
    const bool rubs = out.rows > 1;
    solvers::ContactImpulse& impulse = assembly.problem.contact_impulse[i];
    impulse = {dot(c.impulse, c.normal), rubs ? dot(c.impulse, cone.t) : 0, rubs ? dot(c.impulse, cone.b) : 0, 0};
    out.drilling_length = 1;
    if (c.in_patch) {  // used by the position pass only
        out.rows = 0;
        assembly.rebound[i] = 0;
    }
    if (out.rows < 4) return;

    // Drilling: the row is scaled by a length, so that its velocity is in m/s and its diagonal entry is like those of
    // the tangent rows. Power and law stay the same, because the third axis of the set is divided by the same length.
    const auto a = static_cast<size_t>(out.a), b = static_cast<size_t>(out.b);
    const double spin =
        dot(c.normal, (assembly.problem.inverse_inertia[a] + assembly.problem.inverse_inertia[b]) * c.normal);
    const double slide = assembly.problem.inverse_mass[a] + assembly.problem.inverse_mass[b];
    out.drilling_length = spin > 0 && slide > 0 ? std::sqrt(slide / spin) : 1;
    std::get<friction::Ellipsoid>(out.set).drill /= out.drilling_length;
    impulse[3] = c.drilling / out.drilling_length;
}

/// A patch is a contact over a region. The gap is a plane over the region and may close, but not more, at every point.
/// If the patch is hit fast enough, Newton's rule u + e u_old >= 0 holds at every point.
void fill_patch(const Input& in, Assembly& assembly, size_t i) {
    const contact::PatchContact& p = in.set.patches[i];
    const contact::Contact& c = p.at;
    const size_t place = in.set.contacts.size() + i;
    const friction::LimitSurface cone = cone_at(in.model, in.set, in.cones, place);
    const surface::Pair& pair = in.model.pairs.pair(c.material_a, c.material_b);
    solvers::PatchConstraint& out = assembly.problem.patches[i];
    out.a = c.body_a;
    out.b = c.body_b;
    out.normal = c.normal;
    out.t = cone.t;
    out.u = p.u;
    out.arm_a = c.point - in.state.bodies.pose[static_cast<size_t>(c.body_a)].position;
    out.arm_b = c.point - in.state.bodies.pose[static_cast<size_t>(c.body_b)].position;
    // length that makes the diagonal entries of the angular rows like those of the linear rows
    const auto a = static_cast<size_t>(out.a), b = static_cast<size_t>(out.b);
    const Mat3 turn = assembly.problem.inverse_inertia[a] + assembly.problem.inverse_inertia[b];
    const double spin = (turn.r[0].x + turn.r[1].y + turn.r[2].z) / 3,
                 slide = assembly.problem.inverse_mass[a] + assembly.problem.inverse_mass[b];
    out.length = spin > 0 && slide > 0 ? std::sqrt(slide / spin) : 1;
    const friction::PressureRegion region = pressure_region(p.region, p.rolls);
    const double angle = std::atan2(dot(p.u, cone.b), dot(p.u, cone.t));
    if (pair.spin != friction::SpinModel::Integral)
        out.limits = {region, cone.set, pair.spin, angle, out.length};
    else if (in.cones.cells_of(i).empty())  // a closed form replaces the integral: generate_cells.cpp
        out.limits = {region, cone.set, friction::SpinModel::Contensou, angle, out.length};
    else
        out.limits = {region, cone.set, in.cones.cells_of(i), angle, out.length};

    const Vec3 w = p.w(), moved = in.cones.surface_motion(place);
    const double impulse[] = {dot(c.impulse, c.normal),        dot(c.impulse, cone.t),
                              dot(c.impulse, cone.b),          dot(p.torque, c.normal) / out.length,
                              dot(p.torque, p.u) / out.length, dot(p.torque, w) / out.length};
    const double bias[] = {
        larger(c.gap, 0.0) / in.dt,     dot(moved, cone.t), dot(moved, cone.b), 0, out.length * p.slope.y / in.dt,
        -out.length * p.slope.x / in.dt};
    std::copy_n(impulse, solvers::kPatchRows, out.impulse);
    std::copy_n(bias, solvers::kPatchRows, out.bias);
    set_compliance(in.model, in.set, in.dt, i, out);

    Assembly::PatchRebound& rebound = assembly.patch_rebound[i];
    rebound.bounces = false;
    if (!(pair.restitution > 0)) return;
    for (int k = p.first; k < p.first + p.count && !rebound.bounces; ++k)
        rebound.bounces = normal_demand(in, in.set.contacts[static_cast<size_t>(k)]).rebound > 0;
    if (!rebound.bounces) return;
    std::copy_n(bias, solvers::kPatchRows, rebound.bias);
    for (const int k : {0, 4, 5}) {
        rebound.bias[k] = pair.restitution * out.row(k).rate(in.motion.old_velocity[a], in.motion.old_velocity[b]);
        out.bias[k] = 0;  // first solve: stops, even before the gap has closed, and without compliance
        out.compliance[k] = 0;
    }
}

}  // namespace

void assemble_problem(const Model& model, const State& state, const ContactSet& set, const LimitSurfaces& cones,
                      const FreeMotion& motion, double dt, Assembly& out) {
    const Input in{model, state, set, cones, motion, dt};
    solvers::ContactProblem& problem = out.problem;
    problem.reset(model.bodies.count() + 1, static_cast<int>(set.contacts.size()), static_cast<int>(set.patches.size()));
    parallel_for(
        model.bodies.count() + 1,
        [&](int k) {  // the last is the world
            const auto i = static_cast<size_t>(k);
            problem.velocity[i] = motion.free_velocity[i];
            problem.inverse_inertia[i] = motion.inverse_inertia[i];
            const bool awake = k < model.bodies.count() && state.bodies.island[i] < 0;
            problem.inverse_mass[i] = awake ? model.bodies.inverse_mass[i] : 0;
        },
        1024);

    out.joint_block.resize(model.joints.size() + 1);
    out.joint_block_count.resize(model.joints.size());
    out.joints.resize(model.joints.size());
    for (size_t i = 0; i < model.joints.size(); ++i) add_joint(in, out, i);
    out.joint_block.back() = static_cast<int>(problem.blocks.size());

    out.rebound.resize(set.contacts.size());
    parallel_for(static_cast<int>(set.contacts.size()), [&](int i) { fill_contact(in, out, static_cast<size_t>(i)); });
    out.patch_rebound.resize(set.patches.size());
    parallel_for(static_cast<int>(set.patches.size()), [&](int i) { fill_patch(in, out, static_cast<size_t>(i)); });
}

}  // namespace asperity::sim
