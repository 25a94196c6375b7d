// Stage 8: poses move with the mean of the old and the new velocity, which is second order in time: a sliding block stops where it
// should even at large steps. Where that mean would carry a body into another (an impact within the step), or where an overlap or a
// joint's error is left over, the motion is corrected by impulses that change poses only:
//     w = (v_old + v_new)/2 + M^-1 J^T p,   p >= 0 perp  gap + dt J w >= 0        (contacts; overlaps shrink by a fifth a step)
//                                                        C + dt J w = 0           (joints)
// Velocities never see p, so the correction adds no kinetic energy.
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {
namespace {

constexpr double kAllowedError = 1e-9;     // [m] or [rad]: below this nothing is corrected; far under any tolerance, above rounding
constexpr double kOverlapShare = 0.2;      // of an overlap is removed in a step: quick, and deep overlaps do not burst apart
constexpr double kJointShare = 1.0;        // joints have no other side to fly to

using solvers::BlockKind;

/// Adds the rows that must hold at the end of the step. Returns whether any of them would be broken without a correction.
bool build_position_problem(const World& world, StepData& d) {
    solvers::ContactProblem& positions = d.position_problem;
    const solvers::ContactProblem& problem = d.problem;
    positions.reset(world.bodies.count() + 1);
    positions.velocity = d.pose_velocity;
    positions.inverse_mass = problem.inverse_mass;
    positions.inverse_inertia = problem.inverse_inertia;
    bool broken = false;

    for (size_t i = 0; i < world.joints.size(); ++i) {
        const rigid::Joint& joint = world.joints[i];
        const auto& blocks = d.joints[i];
        const int a = joint.a.is_world() ? world.bodies.count() : joint.a.index;
        const int b = joint.b.is_world() ? world.bodies.count() : joint.b.index;
        for (size_t k = 0; k < static_cast<size_t>(d.joint_block_count[i]); ++k) {
            if (!blocks[k].holds_position) continue;
            const bool one_sided = std::isfinite(blocks[k].low) || std::isfinite(blocks[k].high);
            solvers::Block& block = positions.add_block(one_sided ? BlockKind::Interval : BlockKind::Bilateral, blocks[k].rows, a, b);
            block.low = blocks[k].low;
            block.high = blocks[k].high;
            for (int r = 0; r < block.rows; ++r) {
                const auto row = static_cast<size_t>(block.first_row + r);
                const rigid::JointRow& from = blocks[k].row[r];
                positions.jacobian[row] = {from.linear, -from.angular_a, from.angular_b};
                positions.bias[row] = kJointShare * from.error / d.dt;
                const double end = d.dt * (positions.jacobian[row].rate(d.pose_velocity[static_cast<size_t>(a)],
                                                                    d.pose_velocity[static_cast<size_t>(b)]) + positions.bias[row]);
                broken |= (!one_sided && std::fabs(end) > kAllowedError) || (block.low == 0 && end < -kAllowedError) ||
                          (block.high == 0 && end > kAllowedError);
            }
        }
    }
    for (size_t i = 0; i < world.contacts.size(); ++i) {
        const contact::Contact& c = world.contacts[i];
        const solvers::Block& from = problem.blocks[static_cast<size_t>(d.first_contact_block) + i];
        solvers::Block& block = positions.add_block(BlockKind::Interval, 1, from.a, from.b);
        block.low = 0;
        const auto row = static_cast<size_t>(block.first_row);
        positions.jacobian[row] = problem.jacobian[static_cast<size_t>(from.first_row)];
        positions.bias[row] = (c.gap >= 0 ? c.gap : kOverlapShare * c.gap) / d.dt;
        const double end = d.dt * (positions.jacobian[row].rate(d.pose_velocity[static_cast<size_t>(from.a)],
                                                            d.pose_velocity[static_cast<size_t>(from.b)]) + positions.bias[row]);
        broken |= end < -kAllowedError;
    }
    return broken;
}

}  // namespace

void integrate_poses(World& world, StepData& d) {
    const StageTimer timer(d.report, Stage::integrate_poses);
    if (!d.report.finite) return;
    rigid::Bodies& bodies = world.bodies;
    d.pose_velocity.assign(d.old_velocity.size(), {});
    for (size_t i = 0; i < bodies.motion.size(); ++i)
        d.pose_velocity[i] = {0.5 * (d.old_velocity[i].linear + bodies.velocity[i]), 0.5 * (d.old_velocity[i].angular + bodies.angular_velocity[i])};

    if (build_position_problem(world, d)) {
        d.position_problem.prepare();
        const solvers::SolveOptions options{kAllowedError / d.dt, world.settings.position_sweeps};
        d.report.position_sweeps += d.position_solver->solve(d.position_problem, options, d.position_history).sweeps;
        d.pose_velocity = d.position_problem.velocity;
    }
    parallel_for(bodies.count(), [&](int k) {
        const auto i = static_cast<size_t>(k);
        if (bodies.motion[i] == rigid::Motion::Fixed) return;
        Pose& pose = bodies.pose[i];
        if (bodies.motion[i] == rigid::Motion::Kinematic && bodies.path[i]) return;
        pose.position += d.dt * d.pose_velocity[i].linear;
        pose.orientation = normalized(rotation(d.dt * d.pose_velocity[i].angular) * pose.orientation);
    });
    for (size_t i = 0; i < bodies.motion.size(); ++i)
        if (bodies.motion[i] == rigid::Motion::Kinematic && bodies.path[i]) bodies.pose[i] = bodies.path[i](world.time + d.dt);
}

}  // namespace asperity::sim
