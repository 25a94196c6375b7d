// Fully implicit stepping, as an option: limit surfaces and their frames belong to the end of the step, which they help to
// decide.
//     cones(q_k, v_k, l_k)  ->  problem  ->  v_{k+1}, l_{k+1},   q_{k+1} = q_n + dt (v_n + v_{k+1})/2,   until v stands
//     still
// A fixed point of this loop obeys the law of where it arrives: grain, slip and load of the end. (Source: Erleben, Macklin,
// Andrews, Kry, "The Matchstick Model for Anisotropic Friction Cones", CGF 2020, which does this inside its Newton
// iteration.) Without it, laws read the start of the step. Rows of turning contacts act halfway through the step either way
// (turn_contacts.cpp).
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/sim/collide_again.h"

namespace asperity::sim {
namespace {

/// Poses and velocities of the end of the step, as the solution has it.
void find_end(const World& world, StepData& d) {
    const rigid::Bodies& bodies = world.bodies;
    d.end_pose = bodies.pose;
    d.end_velocity = bodies.velocity;
    d.end_angular_velocity = bodies.angular_velocity;
    for (size_t i = 0; i < bodies.motion.size(); ++i) {
        if (bodies.motion[i] == rigid::Motion::Fixed) continue;
        const solvers::Twist &old = d.old_velocity[i], &now = d.problem.velocity[i];
        d.end_velocity[i] = now.linear;
        d.end_angular_velocity[i] = now.angular;
        d.end_pose[i].position += 0.5 * d.dt * (old.linear + now.linear);
        d.end_pose[i].orientation =
            normalized(rotation(0.5 * d.dt * (old.angular + now.angular)) * d.end_pose[i].orientation);
        if (bodies.motion[i] == rigid::Motion::Kinematic && bodies.path[i])
            d.end_pose[i] = bodies.path[i](world.time + d.dt);
    }
}

/// The contacts there, with the impulses that the solution gives them. One whose features no longer touch stays where it is.
void find_end_contacts(const World& world, StepData& d) {
    d.end_contacts = d.contacts;
    for (size_t i = 0; i < d.contacts.size(); ++i)
        // laws read the normal force alone
        d.end_contacts[i].impulse = d.problem.contact_impulse[i][0] * d.contacts[i].normal;
    parallel_for(
        static_cast<int>(d.pairs.size()),
        [&](int k) {
            const auto pair = static_cast<size_t>(k);
            if (d.pair_memory[pair].count == 0) return;
            collide_again(world, d, pair, d.end_pose,
                          [&](size_t i, const Vec3& normal, const geometry::ManifoldPoint& point) {
                              contact::Contact& c = d.end_contacts[i];
                              const auto a = static_cast<size_t>(c.body_a), b = static_cast<size_t>(c.body_b);
                              c.point = 0.5 * (point.on_a + point.on_b);
                              c.local_a = d.end_pose[a].to_local(point.on_a) + world.bodies.center[a];
                              c.local_b = d.end_pose[b].to_local(point.on_b) + world.bodies.center[b];
                              c.impulse = length(c.impulse) * normal;
                              c.normal = normal;
                          });
        },
        64);
}

/// The largest change of a velocity since the last pass; infinite in the first.
double change(const StepData& d) {
    if (d.pass_velocity.size() != d.problem.velocity.size()) return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (size_t i = 0; i < d.pass_velocity.size(); ++i) {
        const solvers::Twist &v = d.problem.velocity[i], &last = d.pass_velocity[i];
        largest = larger(largest, larger(length(v.linear - last.linear), length(v.angular - last.angular)));
    }
    return largest;
}

}  // namespace

bool cones_move(World& world, StepData& d) {
    if (!d.report.finite || d.circles || d.contacts.empty() || change(d) <= world.settings.solve.tolerance) return false;
    d.pass_velocity = d.problem.velocity;
    find_end(world, d);
    find_end_contacts(world, d);

    rigid::Bodies& bodies = world.bodies;  // laws look at the world as it will be
    const auto swap_end = [&] {
        bodies.pose.swap(d.end_pose);
        bodies.velocity.swap(d.end_velocity);
        bodies.angular_velocity.swap(d.end_angular_velocity);
        d.contacts.swap(d.end_contacts);
    };
    swap_end();
    generate_cones(world, d);
    swap_end();
    for (size_t i = 0; i < d.cones.size(); ++i) {  // tangents of the end, in the tangent plane that the problem has
        friction::LimitSurface& cone = d.cones[i];
        const Vec3& n = d.place(i).normal;
        cone.t = normalize_or(cone.t - dot(cone.t, n) * n, any_tangent(n));
        cone.b = cross(n, cone.t);
    }
    return true;
}

}  // namespace asperity::sim
