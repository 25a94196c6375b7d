// The position pass: velocities w that move the poses. Poses move with the mean of the old and the new velocity, which
// is second order in time: a sliding block stops at the correct position even with large steps. If this mean would move
// a body into another one (an impact within the step), or if there is an overlap or a joint error, impulses p correct
// the motion:
//     w = (v_old + v_new)/2 + M^-1 J^T p,   p >= 0 perp  gap + dt J w >= 0     contacts; overlaps shrink by a fifth a step
//                                                        C + dt J w = 0        joints
//                                                        V + dt grad V w <= V_t   shared volumes of pairs with
//                                                                                 patch_overlap = "volume"; also by a fifth
// The velocities do not contain p, so the correction adds no kinetic energy.
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/sim/patch_parts.h"
#include "asperity/sim/position_pass.h"

namespace asperity::sim {
namespace {

constexpr double kJointShare = 1.0;  // of a joint error: removed at once; unlike an overlap it cannot burst apart

using solvers::BlockKind;

/// Rows that remove the joint errors by the end of the step.
void add_joints(const Model& model, const Assembly& assembly, double dt, PositionSolve& out) {
    solvers::ContactProblem& positions = out.problem;
    for (size_t i = 0; i < model.joints.size(); ++i) {
        const rigid::Joint& joint = model.joints[i];
        const int a = joint.a.is_world() ? model.bodies.count() : joint.a.index;
        const int b = joint.b.is_world() ? model.bodies.count() : joint.b.index;
        for (size_t k = 0; k < static_cast<size_t>(assembly.joint_block_count[i]); ++k) {
            const rigid::JointBlock& from = assembly.joints[i][k];
            if (!from.holds_position) continue;
            const bool one_sided = std::isfinite(from.low) || std::isfinite(from.high);
            solvers::Block& block =
                positions.add_block(one_sided ? BlockKind::Interval : BlockKind::Bilateral, from.rows, a, b);
            block.low = from.low;
            block.high = from.high;
            for (int r = 0; r < block.rows; ++r) {
                const auto row = static_cast<size_t>(block.first_row + r);
                positions.jacobian[row] = {from.row[r].linear, -from.row[r].angular_a, from.row[r].angular_b};
                positions.bias[row] = kJointShare * from.row[r].error / dt;
            }
        }
    }
}

/// Rows that reduce the shared volumes by the end of the step.
void add_volumes(const ContactSet& set, PositionSolve& out) {
    solvers::ContactProblem& positions = out.problem;
    for (size_t i = 0; i < out.volume_rows.size(); ++i) {
        const PositionSolve::VolumeRow& from = out.volume_rows[i];
        if (!from.acts) continue;
        const contact::Contact& any = set.contacts[static_cast<size_t>(set.pair_memory[i].first)];
        solvers::Block& block = positions.add_block(BlockKind::Interval, 1, any.body_a, any.body_b);
        block.low = 0;
        positions.jacobian[static_cast<size_t>(block.first_row)] = from.row;
        positions.bias[static_cast<size_t>(block.first_row)] = from.rate;
    }
}

}  // namespace

int solve_positions(const Model& model, const State& state, const Derived& derived, const PairSearch& search,
                    const ContactSet& set, const FreeMotion& motion, const Assembly& assembly, double dt,
                    PositionSolve& out) {
    const int count = model.bodies.count();
    solvers::ContactProblem& positions = out.problem;
    positions.reset(count + 1);
    parallel_for(
        count + 1,
        [&](int k) {  // the last is the world
            const auto i = static_cast<size_t>(k);
            positions.inverse_mass[i] = assembly.problem.inverse_mass[i];
            positions.inverse_inertia[i] = assembly.problem.inverse_inertia[i];
            const solvers::Twist now =
                k < count ? solvers::Twist{state.bodies.velocity[i], state.bodies.angular_velocity[i]} : solvers::Twist{};
            positions.velocity[i] = {0.5 * (motion.old_velocity[i].linear + now.linear),
                                     0.5 * (motion.old_velocity[i].angular + now.angular)};
        },
        1024);
    add_joints(model, assembly, dt, out);
    out.gap_rate.resize(set.gap.size());
    parallel_for(
        static_cast<int>(set.gap.size()),
        [&](int i) { out.gap_rate[static_cast<size_t>(i)] = gap_rate(set.gap[static_cast<size_t>(i)], dt); }, 512);
    if (derived.any_volumes) {
        correct_volumes(model, state, search, set, assembly.problem, dt, out);
        add_volumes(set, out);
    }
    const solvers::SolveOptions options{std::fmax(kAllowedError / dt, model.settings.solve.tolerance),
                                        model.settings.position_sweeps};
    return derived.position_solver->correct(assembly.problem, out.gap_rate, positions, options).sweeps;
}

}  // namespace asperity::sim
