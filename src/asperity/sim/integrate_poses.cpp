// Stage 8: poses move with the mean of the old and the new velocity, which is second order in time: a sliding block stops
// where it should even at large steps. Where that mean would carry a body into another (an impact within the step), or where
// an overlap or a joint's error is left over, the motion is corrected by impulses that change poses only:
//     w = (v_old + v_new)/2 + M^-1 J^T p,   p >= 0 perp  gap + dt J w >= 0        (contacts; overlaps shrink by a fifth a
//     step)
//                                                        C + dt J w = 0           (joints)
//                                                        V + dt grad V w <= V_t   (shared volumes, where a pair of patches
//                                                        asks for it; likewise by a fifth)
// Velocities never see p, so the correction adds no kinetic energy.
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/sim/position_pass.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {
namespace {

constexpr double kJointShare = 1.0;  // joints have no other side to fly to

using solvers::BlockKind;

/// Joints as they must be at the end of the step.
void add_joints(const World& world, StepData& d) {
    solvers::ContactProblem& positions = d.position_problem;
    for (size_t i = 0; i < world.joints.size(); ++i) {
        const rigid::Joint& joint = world.joints[i];
        const int a = joint.a.is_world() ? world.bodies.count() : joint.a.index;
        const int b = joint.b.is_world() ? world.bodies.count() : joint.b.index;
        for (size_t k = 0; k < static_cast<size_t>(d.joint_block_count[i]); ++k) {
            const rigid::JointBlock& from = d.joints[i][k];
            if (!from.holds_position) continue;
            const bool one_sided = std::isfinite(from.low) || std::isfinite(from.high);
            solvers::Block& block =
                positions.add_block(one_sided ? BlockKind::Interval : BlockKind::Bilateral, from.rows, a, b);
            block.low = from.low;
            block.high = from.high;
            for (int r = 0; r < block.rows; ++r) {
                const auto row = static_cast<size_t>(block.first_row + r);
                positions.jacobian[row] = {from.row[r].linear, -from.row[r].angular_a, from.row[r].angular_b};
                positions.bias[row] = kJointShare * from.row[r].error / d.dt;
            }
        }
    }
}

/// Shared volumes as they must be at the end of the step.
void add_volumes(const World& world, StepData& d) {
    solvers::ContactProblem& positions = d.position_problem;
    for (size_t i = 0; i < d.volume_rows.size(); ++i) {
        const StepData::VolumeRow& from = d.volume_rows[i];
        if (!from.acts) continue;
        const contact::Contact& any = world.contacts[static_cast<size_t>(world.pair_memory[i].first)];
        solvers::Block& block = positions.add_block(BlockKind::Interval, 1, any.body_a, any.body_b);
        block.low = 0;
        positions.jacobian[static_cast<size_t>(block.first_row)] = from.row;
        positions.bias[static_cast<size_t>(block.first_row)] = from.rate;
    }
}

}  // namespace

void integrate_poses(World& world, StepData& d) {
    const StageTimer timer(d.report, Stage::integrate_poses);
    if (!d.report.finite) return;
    rigid::Bodies& bodies = world.bodies;
    solvers::ContactProblem& positions = d.position_problem;
    positions.reset(bodies.count() + 1);
    parallel_for(
        bodies.count() + 1,
        [&](int k) {  // the last is the world
            const auto i = static_cast<size_t>(k);
            positions.inverse_mass[i] = d.problem.inverse_mass[i];
            positions.inverse_inertia[i] = d.problem.inverse_inertia[i];
            const solvers::Twist now =
                k < bodies.count() ? solvers::Twist{bodies.velocity[i], bodies.angular_velocity[i]} : solvers::Twist{};
            positions.velocity[i] = {0.5 * (d.old_velocity[i].linear + now.linear),
                                     0.5 * (d.old_velocity[i].angular + now.angular)};
        },
        1024);
    add_joints(world, d);
    d.gap_rate.resize(d.gap.size());
    parallel_for(
        static_cast<int>(d.gap.size()),
        [&](int i) { d.gap_rate[static_cast<size_t>(i)] = gap_rate(d.gap[static_cast<size_t>(i)], d.dt); }, 512);
    if (d.any_volumes) {
        correct_volumes(world, d);
        add_volumes(world, d);
    }
    const solvers::SolveOptions options{std::fmax(kAllowedError / d.dt, world.settings.solve.tolerance),
                                        world.settings.position_sweeps};
    d.report.position_sweeps += d.position_solver->correct(d.problem, d.gap_rate, positions, options).sweeps;
    brake(world, d);
    stop_at_ground(world, d);

    parallel_for(bodies.count(), [&](int k) {
        const auto i = static_cast<size_t>(k);
        if (bodies.motion[i] == rigid::Motion::Fixed) return;
        if (bodies.motion[i] == rigid::Motion::Kinematic && bodies.path[i]) return;
        Pose& pose = bodies.pose[i];
        pose.position += d.dt * positions.velocity[i].linear;
        pose.orientation = normalized(rotation(d.dt * positions.velocity[i].angular) * pose.orientation);
    });
    for (size_t i = 0; i < bodies.motion.size(); ++i)
        if (bodies.motion[i] == rigid::Motion::Kinematic && bodies.path[i])
            bodies.pose[i] = bodies.path[i](world.time + d.dt);
}

}  // namespace asperity::sim
