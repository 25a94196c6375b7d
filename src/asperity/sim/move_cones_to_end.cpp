// Limit surfaces of the end of the step (Settings::implicit_passes). They depend on the solution, so this is a
// fixed-point iteration over the solves:
//     cones(q_k, v_k, l_k)  ->  problem  ->  v_{k+1}, l_{k+1},   q_{k+1} = q_n + dt (v_n + v_{k+1})/2,   until v converges
// A fixed point satisfies the friction law with grain, slip and load of the end. Source: Erleben, Macklin, Andrews,
// Kry, "The Matchstick Model for Anisotropic Friction Cones", CGF 2020, which does this inside its Newton iteration.
// Without it, laws use the start of the step. Contacts of rotating bodies act at the middle of the step in both cases
// (move_contacts_to_middle.cpp).
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/sim/collide_again.h"

namespace asperity::sim {
namespace {

/// Poses and velocities at the end of the step according to the solution.
void find_end(const Model& model, const State& state, const FreeMotion& motion, const solvers::ContactProblem& problem,
              double dt, rigid::BodyStates& end) {
    end.pose = state.bodies.pose;
    end.velocity = state.bodies.velocity;
    end.angular_velocity = state.bodies.angular_velocity;
    for (size_t i = 0; i < model.bodies.motion.size(); ++i) {
        const rigid::Motion kind = model.bodies.motion[i];
        if (kind == rigid::Motion::Fixed) continue;
        const solvers::Twist &old = motion.old_velocity[i], &now = problem.velocity[i];
        end.velocity[i] = now.linear;
        end.angular_velocity[i] = now.angular;
        end.pose[i].position += 0.5 * dt * (old.linear + now.linear);
        end.pose[i].orientation = normalized(rotation(0.5 * dt * (old.angular + now.angular)) * end.pose[i].orientation);
        if (kind == rigid::Motion::Kinematic && model.bodies.path[i]) end.pose[i] = model.bodies.path[i](state.time + dt);
    }
}

/// The contacts at these poses, with the impulses of the solution. A contact whose features no longer touch keeps its
/// data.
void find_end_contacts(const Model& model, const State& state, const ContactSet& set, const solvers::ContactProblem& problem,
                       double dt, EndOfStep& end) {
    end.contacts = set;
    for (size_t i = 0; i < set.contacts.size(); ++i)
        // laws read the normal force only
        end.contacts.contacts[i].impulse = problem.contact_impulse[i][0] * set.contacts[i].normal;
    parallel_for(
        static_cast<int>(set.pair_memory.size()),
        [&](int k) {
            const auto pair = static_cast<size_t>(k);
            if (set.pair_memory[pair].count == 0) return;
            collide_again(model, state.bodies, set, dt, pair, end.bodies.pose,
                          [&](size_t i, const Vec3& normal, const geometry::ManifoldPoint& point) {
                              contact::Contact& c = end.contacts.contacts[i];
                              const auto a = static_cast<size_t>(c.body_a), b = static_cast<size_t>(c.body_b);
                              c.point = 0.5 * (point.on_a + point.on_b);
                              c.local_a = end.bodies.pose[a].to_local(point.on_a) + model.bodies.center[a];
                              c.local_b = end.bodies.pose[b].to_local(point.on_b) + model.bodies.center[b];
                              c.impulse = length(c.impulse) * normal;
                              c.normal = normal;
                          });
        },
        64);
}

/// The largest change of a velocity since the last pass; infinite in the first pass.
double change(const std::vector<solvers::Twist>& last, const std::vector<solvers::Twist>& now) {
    if (last.size() != now.size()) return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (size_t i = 0; i < now.size(); ++i)
        largest = larger(largest, larger(length(now[i].linear - last[i].linear), length(now[i].angular - last[i].angular)));
    return largest;
}

}  // namespace

bool move_cones_to_end(const Model& model, const State& state, const Derived& derived, const PairSearch& search,
                       const ContactSet& set, const FreeMotion& motion, const Solution& solution,
                       const solvers::ContactProblem& problem, std::span<const Vec3> free_slip, double dt, EndOfStep& end,
                       LimitSurfaces& cones) {
    if (solution.worst.status == solvers::SolveStatus::NotFinite) return false;
    if (cones.circles || set.contacts.empty()) return false;
    if (change(end.last_velocity, problem.velocity) <= model.settings.solve.tolerance) return false;
    end.last_velocity = problem.velocity;
    find_end(model, state, motion, problem, dt, end.bodies);
    find_end_contacts(model, state, set, problem, dt, end);
    generate_cones(model, derived, end.bodies, search, end.contacts, free_slip, dt, cones);
    // tangents of the end, projected onto the tangent plane of the problem
    for (size_t i = 0; i < cones.cones.size(); ++i) {
        friction::LimitSurface& cone = cones.cones[i];
        const Vec3& n = set.entry(i).normal;
        cone.t = normalize_or(cone.t - dot(cone.t, n) * n, any_tangent(n));
        cone.b = cross(n, cone.t);
    }
    return true;
}

}  // namespace asperity::sim
