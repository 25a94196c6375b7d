// Impacts that bounce: two solves, without a gain of energy.
//
//     compression   all contacts stop the approach (e = 0): velocities v0, impulses l0; solve_contacts has done this
//     restitution   the same problem, but each contact that was hit must separate at -e times its approach velocity
//                   (Newton's rule): velocities v1, impulses l1
//
// Newton's rule prescribes a speed whatever the friction impulses are, and both together may add energy (Kane and
// Levinson, "Dynamics: Theory and Applications", 1985; Keller, "Impact with friction", J. Appl. Mech. 53, 1986).
// Stronge ("Rigid body collisions with friction", Proc. R. Soc. A 431, 1990) bounds the energy instead of the speed:
// restitution returns e^2 of the energy that compression has absorbed. Both rules are used: each island takes the
// largest fraction s <= 1 of its restitution,
//     v = v0 + s (v1 - v0),   l = l0 + s (l1 - l0),
// that satisfies, with D_i = -l0_i . (u_i_old + u_i_0)/2 the work that contact i has absorbed in the compression,
//     (1)   K(v) - K(v0) <= sum e_i^2 max(0, D_i)                                over the contacts that bounce
//     (2)   K(v) - K(v0) - dt (v - v0).M g/2 <= max(0, sum D_i)                  over all contacts
// Both hold at s = 0 and the left sides are convex in s, so s is the root of a quadratic.
//
// Why no energy is gained: poses move with the mean of v_old and v, so the impulses of a step do the work l . (u_old +
// u)/2; the rest is the work of gravity. The compression contributes -sum D_i and the restitution the left side of (2),
// so their sum is at most zero, whatever the solver did. The impulses are convex combinations of two in the friction
// cones, the velocities of two that separate, and both sets are convex, so the contact conditions hold. Why e is exact
// in simple cases: a body that hits in one point, or in several at once without friction, has v1 = v0 + e (v0 - v_old)
// along the normals, so K(v1) - K(v0) = e^2 sum D_i, and friction only absorbs. Then s = 1, and the speed is that of
// Newton's rule.
#include <algorithm>
#include <cmath>

#include "asperity/sim/islands.h"
#include "asperity/sim/stages.h"

namespace asperity::sim {
namespace {

using solvers::PointContact;
using solvers::Twist;

/// Inputs and outputs of bounce.
struct Bounce {
    const Model& model;
    const ContactSet& set;
    const FreeMotion& motion;
    double dt;
    Assembly& assembly;
    Islands& islands;
    Restitution& out;
};

/// The dot product of a contact's impulse with its relative velocity.
double power(const PointContact& c, const double* impulse, const std::vector<Twist>& velocity) {
    const Twist &a = velocity[static_cast<size_t>(c.a)], &b = velocity[static_cast<size_t>(c.b)];
    const Vec3 u = b.linear + cross(b.angular, c.arm_b) - a.linear - cross(a.angular, c.arm_a);
    double sum = impulse[0] * dot(u, c.normal);
    if (c.rows >= 3) sum += impulse[1] * dot(u, c.t) + impulse[2] * dot(u, cross(c.normal, c.t));
    if (c.rows >= 4) sum += impulse[3] * c.drilling_length * dot(b.angular - a.angular, c.normal);
    return sum;
}

double power(const solvers::PatchConstraint& c, const double* impulse, const std::vector<Twist>& velocity) {
    double sum = 0;
    for (int k = 0; k < solvers::kPatchRows; ++k)
        sum += impulse[k] * c.row(k).rate(velocity[static_cast<size_t>(c.a)], velocity[static_cast<size_t>(c.b)]);
    return sum;
}

void keep_compression(const Assembly& assembly, Restitution& out) {
    const solvers::ContactProblem& problem = assembly.problem;
    out.velocity = problem.velocity;
    out.contact_impulse = problem.contact_impulse;
    out.patch_impulse.resize(problem.patches.size());
    for (size_t i = 0; i < problem.patches.size(); ++i)
        std::copy_n(problem.patches[i].impulse, solvers::kPatchRows, out.patch_impulse[i].begin());
    const int joint_rows = assembly.joint_block.back() == 0
                               ? 0
                               : problem.blocks[static_cast<size_t>(assembly.joint_block.back() - 1)].first_row +
                                     problem.blocks[static_cast<size_t>(assembly.joint_block.back() - 1)].rows;
    out.joint_impulse.assign(problem.impulse.begin(), problem.impulse.begin() + joint_rows);
}

/// The island of a contact or joint: that of its dynamic body; -1 if there is none.
int island(const Bounce& in, int a, int b) {
    const auto moves = [&](int i) {
        return i < in.model.bodies.count() && in.model.bodies.motion[static_cast<size_t>(i)] == rigid::Motion::Dynamic;
    };
    return moves(a) ? island_of(in.islands.parent, a) : moves(b) ? island_of(in.islands.parent, b) : -1;
}

/// Adds the work of a contact in the compression, and the part of it that may be returned.
template <class AnyContact>
void measure_compression(const Bounce& in, const AnyContact& c, const double* impulse, const contact::Contact& place,
                         bool bounces) {
    const int at = island(in, c.a, c.b);
    if (at < 0) return;
    const double work = -0.5 * (power(c, impulse, in.motion.old_velocity) + power(c, impulse, in.out.velocity));
    Restitution::Island& bounce = in.out.islands[static_cast<size_t>(at)];
    bounce.work += work;
    if (!bounces || work <= 0) return;
    const double e = in.model.pairs.pair(place.material_a, place.material_b).restitution;
    bounce.returned += e * e * work;
}
void measure_compression(const Bounce& in) {
    for (size_t i = 0; i < in.set.contacts.size(); ++i)
        if (in.assembly.problem.contacts[i].rows > 0)
            measure_compression(in, in.assembly.problem.contacts[i], in.out.contact_impulse[i].data(), in.set.contacts[i],
                                in.assembly.rebound[i] != 0);
    for (size_t i = 0; i < in.set.patches.size(); ++i)
        measure_compression(in, in.assembly.problem.patches[i], in.out.patch_impulse[i].data(), in.set.patches[i].at,
                            in.assembly.patch_rebound[i].bounces);
}

/// The largest s <= 1 with slope s + curve s^2 <= most, for curve >= 0 and most >= 0.
double largest_share(double slope, double curve, double most) {
    if (slope + curve <= most) return 1;
    const double root = std::sqrt(slope * slope + 4 * curve * most);
    return slope > 0 ? 2 * most / (slope + root) : (root - slope) / (2 * curve);
}

/// K(v0 + s (v1 - v0)) - K(v0) = slope s + curve s^2.
void choose_shares(const Bounce& in) {
    const solvers::ContactProblem& problem = in.assembly.problem;
    for (int i = 0; i < in.model.bodies.count(); ++i) {
        const auto k = static_cast<size_t>(i);
        if (problem.inverse_mass[k] == 0) continue;
        Restitution::Island& bounce = in.out.islands[static_cast<size_t>(island_of(in.islands.parent, i))];
        const Twist &v0 = in.out.velocity[k], &v1 = problem.velocity[k];
        const Vec3 linear = v1.linear - v0.linear, angular = v1.angular - v0.angular;
        if (linear == Vec3{} && angular == Vec3{}) continue;
        const Vec3 momentum = linear / problem.inverse_mass[k], spin = inverse(problem.inverse_inertia[k]) * angular;
        bounce.slope += dot(v0.linear, momentum) + dot(v0.angular, spin);
        bounce.fall += 0.5 * in.dt * dot(in.model.settings.gravity, momentum);
        bounce.curve += 0.5 * (dot(linear, momentum) + dot(angular, spin));
    }
    for (Restitution::Island& bounce : in.out.islands)
        bounce.share = std::fmin(largest_share(bounce.slope, bounce.curve, bounce.returned),
                                 largest_share(bounce.slope - bounce.fall, bounce.curve, std::fmax(0.0, bounce.work)));
}

double mixed(double from, double to, double share) { return from + share * (to - from); }
Vec3 mixed(const Vec3& from, const Vec3& to, double share) { return from + share * (to - from); }

void apply_shares(const Bounce& in) {
    solvers::ContactProblem& problem = in.assembly.problem;
    const auto share = [&](int at) { return at < 0 ? 1.0 : in.out.islands[static_cast<size_t>(at)].share; };
    for (int i = 0; i < in.model.bodies.count(); ++i) {
        const double s = share(island_of(in.islands.parent, i));
        if (s == 1) continue;
        Twist& v = problem.velocity[static_cast<size_t>(i)];
        const Twist& v0 = in.out.velocity[static_cast<size_t>(i)];
        v = {mixed(v0.linear, v.linear, s), mixed(v0.angular, v.angular, s)};
    }
    for (size_t i = 0; i < in.set.contacts.size(); ++i) {
        const PointContact& c = problem.contacts[i];
        const double s = share(island(in, c.a, c.b));
        if (s == 1) continue;
        for (size_t k = 0; k < static_cast<size_t>(c.rows); ++k)
            problem.contact_impulse[i][k] = mixed(in.out.contact_impulse[i][k], problem.contact_impulse[i][k], s);
    }
    for (size_t i = 0; i < in.set.patches.size(); ++i) {
        solvers::PatchConstraint& c = problem.patches[i];
        const double s = share(island(in, c.a, c.b));
        if (s == 1) continue;
        for (int k = 0; k < solvers::kPatchRows; ++k)
            c.impulse[k] = mixed(in.out.patch_impulse[i][static_cast<size_t>(k)], c.impulse[k], s);
    }
    for (int k = 0; k < in.assembly.joint_block.back(); ++k) {
        const solvers::Block& block = problem.blocks[static_cast<size_t>(k)];
        const double s = share(island(in, block.a, block.b));
        if (s == 1) continue;
        for (auto row = static_cast<size_t>(block.first_row); row < static_cast<size_t>(block.first_row + block.rows); ++row)
            problem.impulse[row] = mixed(in.out.joint_impulse[row], problem.impulse[row], s);
    }
}

}  // namespace

void bounce(const Model& model, const Derived& derived, const ContactSet& set, const FreeMotion& motion, double dt,
            Assembly& assembly, Solution& solution, Islands& islands, Restitution& scratch) {
    const bool any = std::any_of(assembly.rebound.begin(), assembly.rebound.end(), [](double speed) { return speed > 0; }) ||
                     std::any_of(assembly.patch_rebound.begin(), assembly.patch_rebound.end(),
                                 [](const Assembly::PatchRebound& r) { return r.bounces; });
    if (!any || solution.worst.status == solvers::SolveStatus::NotFinite) return;
    const Bounce in{model, set, motion, dt, assembly, islands, scratch};
    solution.bounced = true;
    keep_compression(assembly, scratch);
    make_islands(model, set.pair_memory, islands.parent);
    scratch.islands.assign(model.bodies.motion.size(), {});
    measure_compression(in);

    solvers::ContactProblem& problem = assembly.problem;
    problem.reopen();
    for (size_t i = 0; i < set.contacts.size(); ++i)
        if (assembly.rebound[i] > 0) problem.contacts[i].bias[0] = -assembly.rebound[i];
    for (size_t i = 0; i < set.patches.size(); ++i)
        if (assembly.patch_rebound[i].bounces)
            std::copy_n(assembly.patch_rebound[i].bias, solvers::kPatchRows, problem.patches[i].bias);
    solution.add(problem.resolve(*derived.solver, model.settings.solve, solution.history));
    if (solution.worst.status == solvers::SolveStatus::NotFinite) return;
    choose_shares(in);
    apply_shares(in);
}

}  // namespace asperity::sim
