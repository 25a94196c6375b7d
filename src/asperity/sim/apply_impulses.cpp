// Stores the solution: velocities in the bodies, impulses (world axes) in the contacts, for the warm start of the next
// step.
#include <atomic>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/core/prefetch.h"
#include "asperity/sim/cone_parts.h"
#include "asperity/sim/islands.h"

namespace asperity::sim {
namespace {

/// Returns false, and changes nothing, if a velocity is not finite.
bool apply_velocities(const Model& model, const FreeMotion& motion, const solvers::ContactProblem& problem, State& state) {
    std::atomic<bool> finite = true;
    parallel_for(
        model.bodies.count(),
        [&](int k) {
            const auto i = static_cast<size_t>(k);
            const solvers::Twist& v = problem.velocity[i];
            if (is_free(model, state, i) && !(is_finite(v.linear) && is_finite(v.angular)))
                finite.store(false, std::memory_order_relaxed);
        },
        512);
    if (!finite) return false;
    rigid::BodyStates& states = state.bodies;
    parallel_for(
        model.bodies.count(),
        [&](int k) {
            const auto i = static_cast<size_t>(k);
            states.trusted_impulse[i] = motion.trusted_impulse[i];
            if (!is_free(model, state, i)) return;
            const solvers::Twist& v = problem.velocity[i];
            states.velocity[i] = v.linear;
            states.angular_velocity[i] = v.angular;
            // angular impulse of all contacts and joints, which predict_velocities.cpp expects again in the next step
            if (!model.bodies.isotropic[i])
                states.angular_impulse[i] =
                    inverse(problem.inverse_inertia[i]) * (v.angular - motion.free_velocity[i].angular);
        },
        512);
    return true;
}

void store_contact(const Model& model, const LimitSurfaces& cones, const solvers::ContactProblem& problem, size_t i,
                   ContactSet& set) {
    fetch_to_change(&set.contacts[i] + kAheadInList, sizeof(contact::Contact));
    fetch(&(&problem.contacts[i] + kAheadInList)->normal, 2 * sizeof(Vec3));
    contact::Contact& c = set.contacts[i];
    const solvers::PointContact& from = problem.contacts[i];
    const solvers::ContactImpulse& l = problem.contact_impulse[i];
    c.impulse = l[0] * from.normal + (l[1] * from.t + l[2] * cross(from.normal, from.t));
    c.drilling = l[3] == 0 ? 0 : l[3] * from.drilling_length;
    // a different normal means that the contact was moved to the middle of the step
    c.t = from.normal == c.normal ? from.t : cone_at(model, set, cones, i).t;
}

void store_patch(const Model& model, const LimitSurfaces& cones, const solvers::PatchConstraint& from, size_t i,
                 ContactSet& set) {
    contact::PatchContact& p = set.patches[i];
    const Vec3 b = cross(from.normal, from.t), w = cross(from.normal, from.u);
    const double* l = from.impulse;
    p.at.impulse = l[0] * from.normal + l[1] * from.t + l[2] * b;
    p.torque = from.length * (l[3] * from.normal + l[4] * from.u + l[5] * w);
    p.pressure = l[0] > 0 ? Vec2{-l[5], l[4]} * (from.length / l[0]) : Vec2{};
    p.pressed = p.pressure.x * from.u + p.pressure.y * w;
    p.at.t = cone_at(model, set, cones, set.contacts.size() + i).t;
    for (int k = p.first; k < p.first + p.count; ++k) set.contacts[static_cast<size_t>(k)].impulse = p.at.impulse / p.count;
}

}  // namespace

bool apply_impulses(const Model& model, const LimitSurfaces& cones, const FreeMotion& motion, const Solution& solution,
                    const Assembly& assembly, State& state, ContactSet& set, Stage& nan_stage) {
    nan_stage = Stage::solve_contacts;
    if (solution.worst.status == solvers::SolveStatus::NotFinite) return false;
    nan_stage = Stage::apply_impulses;
    const solvers::ContactProblem& problem = assembly.problem;
    if (!apply_velocities(model, motion, problem, state)) return false;
    nan_stage = Stage::count;
    parallel_for(
        static_cast<int>(set.contacts.size()),
        [&](int i) { store_contact(model, cones, problem, static_cast<size_t>(i), set); }, 256);
    for (size_t i = 0; i < set.patches.size(); ++i) store_patch(model, cones, problem.patches[i], i, set);
    for (size_t i = 0; i < model.joints.size(); ++i) {
        const int first = assembly.joint_block[i], last = assembly.joint_block[i + 1];
        for (int k = first; k < last; ++k) {
            const solvers::Block& block = problem.blocks[static_cast<size_t>(k)];
            for (int r = 0; r < block.rows; ++r)
                state.joint_impulses[i][static_cast<size_t>(k - first)][static_cast<size_t>(r)] =
                    problem.impulse[static_cast<size_t>(block.first_row + r)];
        }
    }
    return true;
}

}  // namespace asperity::sim
