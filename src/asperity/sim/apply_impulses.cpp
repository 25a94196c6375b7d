// Stage 7: the solution becomes the bodies' velocities; impulses are kept, in world axes, for the next step's warm start.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/core/prefetch.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {
namespace {

/// The impulses of the last solve are those that count; of the substeps the worst is reported.
void report_solve(StepData& d) {
    if (d.solved.status > d.report.status) d.report.status = d.solved.status;
    if (d.solved.residual <= d.report.residual) return;
    d.report.residual = d.solved.residual;
    d.report.worst_contact = std::max(-1, d.solved.worst_block - d.problem.first_contact_block());
}

}  // namespace

void apply_impulses(World& world, StepData& d) {
    const StageTimer timer(d.report, Stage::apply_impulses);
    report_solve(d);
    if (!d.report.finite) return;
    const solvers::ContactProblem& problem = d.problem;

    const auto takes_part = [&](size_t i) {
        return world.bodies.motion[i] == rigid::Motion::Dynamic && world.bodies.island[i] < 0;
    };
    std::atomic<bool> finite = true;
    parallel_for(
        world.bodies.count(),
        [&](int k) {
            const auto i = static_cast<size_t>(k);
            const solvers::Twist& v = problem.velocity[i];
            if (takes_part(i) && !(is_finite(v.linear) && is_finite(v.angular)))
                finite.store(false, std::memory_order_relaxed);
        },
        512);
    if (!finite) {
        d.report.finite = false;
        d.report.nan_stage = Stage::apply_impulses;
        return;
    }
    parallel_for(
        world.bodies.count(),
        [&](int k) {
            const auto i = static_cast<size_t>(k);
            if (!takes_part(i)) return;
            const solvers::Twist& v = problem.velocity[i];
            world.bodies.velocity[i] = v.linear;
            world.bodies.angular_velocity[i] = v.angular;
            // what all impulses together did to the spin; balls and cubes never ask
            if (!world.bodies.isotropic[i])
                world.bodies.angular_impulse[i] =
                    inverse(problem.inverse_inertia[i]) * (v.angular - d.free_velocity[i].angular);
        },
        512);

    parallel_for(
        static_cast<int>(d.contacts.size()),
        [&](int k) {
            const auto i = static_cast<size_t>(k);
            fetch_to_change(&d.contacts[i] + kAheadInList, sizeof(contact::Contact));
            fetch(&(&problem.contacts[i] + kAheadInList)->normal, 2 * sizeof(Vec3));
            contact::Contact& c = d.contacts[i];
            const solvers::PointContact& from = problem.contacts[i];
            const solvers::ContactImpulse& l = problem.contact_impulse[i];
            c.impulse = l[0] * from.normal + (l[1] * from.t + l[2] * cross(from.normal, from.t));
            c.drilling = l[3] == 0 ? 0 : l[3] * from.drilling_length;
            c.t = from.normal == c.normal ? from.t : cone_at(world, d, i).t;  // turned to halfway through the step
        },
        256);
    for (size_t i = 0; i < d.patches.size(); ++i) {
        contact::PatchContact& p = d.patches[i];
        const solvers::PatchContact& from = problem.patches[i];
        const Vec3 b = cross(from.normal, from.t), w = cross(from.normal, from.u);
        const double* l = from.impulse;
        p.at.impulse = l[0] * from.normal + l[1] * from.t + l[2] * b;
        p.torque = from.length * (l[3] * from.normal + l[4] * from.u + l[5] * w);
        p.pressure = l[0] > 0 ? Vec2{-l[5], l[4]} * (from.length / l[0]) : Vec2{};
        p.pressed = p.pressure.x * from.u + p.pressure.y * w;
        p.at.t = cone_at(world, d, d.contacts.size() + i).t;
        for (int k = p.first; k < p.first + p.count; ++k)
            d.contacts[static_cast<size_t>(k)].impulse = p.at.impulse / p.count;
    }
    std::swap(world.contacts, d.contacts);
    std::swap(world.patches, d.patches);
    std::swap(world.pair_memory, d.pair_memory);

    for (size_t i = 0; i < world.joints.size(); ++i) {
        const int first = d.joint_block[i];
        const int last = d.joint_block[i + 1];
        for (int k = first; k < last; ++k) {
            const solvers::Block& block = problem.blocks[static_cast<size_t>(k)];
            for (int r = 0; r < block.rows; ++r)
                world.joint_impulses[i][static_cast<size_t>(k - first)][static_cast<size_t>(r)] =
                    problem.impulse[static_cast<size_t>(block.first_row + r)];
        }
    }
}

}  // namespace asperity::sim
