// Part of stage 8: a solve that was cut short must not have put energy in.
//
// With what contacts and joints take, E = kinetic + gravity of an island that nobody drives falls or stays; converged solves keep that to second
// order in dt. A solve that ran out of sweeps is wrong somewhere: joints give way, and the position pass lifts for nothing what sank. Of all wrong
// answers those in which E rises are the ones that grow from step to step. So each such island gives its rise X back: its velocities are
// scaled to the kinetic energy K - X, about the motion of its centre of mass where nothing fixed holds it, so that its momentum stays.
// Directions, and with them which contacts part, stay as they are. Work of motors, drives and springs is granted; islands on
// conveyors and on bodies that move by a path are left alone.
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/sim/islands.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {
namespace {

using solvers::Block;
using solvers::Twist;

/// Of a body that is turned by q.
double kinetic(const rigid::Bodies& bodies, size_t i, const Quat& q, const Twist& v) {
    const Vec3 spin = bodies.isotropic[i] ? v.angular : rotate_inverse(q, v.angular);
    return 0.5 * (bodies.mass[i] * dot(v.linear, v.linear) + dot(spin, bodies.inertia[i] * spin));
}

bool is_driven(const rigid::JointBlock& block) {
    if (!block.holds_position || block.compliance > 0) return true;
    for (int i = 0; i < block.rows; ++i)
        if (block.row[i].target_rate != 0) return true;
    return false;
}

/// Of a joint's block, with the mean velocity of the step.
double work_of(const StepData& d, const Block& block) {
    double work = 0;
    for (auto r = static_cast<size_t>(block.first_row); r < static_cast<size_t>(block.first_row + block.rows); ++r) {
        const auto rate = [&](const std::vector<Twist>& v) {
            return d.problem.jacobian[r].rate(v[static_cast<size_t>(block.a)], v[static_cast<size_t>(block.b)]);
        };
        work += 0.5 * d.problem.impulse[r] * (rate(d.old_velocity) + rate(d.problem.velocity));
    }
    return work;
}

/// What the island of a contact or joint is held by, and what is done to it from outside.
void gather_outside(const World& world, StepData& d) {
    const auto moves = [&](int i) { return i < world.bodies.count() && world.bodies.motion[static_cast<size_t>(i)] == rigid::Motion::Dynamic; };
    const auto carried = [&](int i) { return i < world.bodies.count() && world.bodies.motion[static_cast<size_t>(i)] == rigid::Motion::Kinematic; };
    const auto add = [&](int a, int b, double work, bool conveyor) {
        if (!moves(a) && !moves(b)) return;
        StepData::Brake& island = d.brakes[static_cast<size_t>(island_of(d.island_parent, moves(a) ? a : b))];
        island.rise -= larger(work, 0.0);
        island.held |= !moves(a) || !moves(b);
        island.driven |= conveyor || carried(a) || carried(b);
    };
    for (const contact::PairMemory& pair : world.pair_memory) {
        if (pair.count == 0) continue;
        const auto [a, b] = bodies_of(world, pair.pair);
        if (!d.any_directed && moves(a) && moves(b)) continue;   // nothing from outside
        const auto first = static_cast<size_t>(pair.first), last = first + static_cast<size_t>(pair.count);
        bool conveyor = false;
        for (size_t i = first; i < last; ++i) conveyor |= !(d.surface_motion(i) == Vec3{});
        add(a, b, 0, conveyor);
    }
    for (size_t i = 0; i < world.joints.size(); ++i)
        for (int k = 0; k < d.joint_block_count[i]; ++k) {
            const Block& block = d.problem.blocks[static_cast<size_t>(d.joint_block[i] + k)];
            add(block.a, block.b, is_driven(d.joints[i][static_cast<size_t>(k)]) ? work_of(d, block) : 0, false);
        }
}

}  // namespace

void brake(World& world, StepData& d) {
    rigid::Bodies& bodies = world.bodies;
    make_islands(world, world.pair_memory, d.island_parent);
    d.brakes.assign(bodies.motion.size(), {});
    gather_outside(world, d);
    d.body_energy.resize(bodies.motion.size());
    parallel_for(bodies.count(), [&](int i) {
        const auto k = static_cast<size_t>(i);
        if (d.problem.inverse_mass[k] == 0) return;
        const Twist v{bodies.velocity[k], bodies.angular_velocity[k]}, &way = d.position_problem.velocity[k];
        const Quat &before = bodies.pose[k].orientation, after = bodies.isotropic[k] ? before : rotation(d.dt * way.angular) * before;
        const double now = kinetic(bodies, k, after, v);
        d.body_energy[k] = {now, now - kinetic(bodies, k, before, d.old_velocity[k]) - d.dt * bodies.mass[k] * dot(world.settings.gravity, way.linear)};
    }, 256);
    for (int i = 0; i < bodies.count(); ++i) {
        const auto k = static_cast<size_t>(i);
        if (d.problem.inverse_mass[k] == 0) continue;
        StepData::Brake& island = d.brakes[static_cast<size_t>(island_of(d.island_parent, i))];
        island.kinetic += d.body_energy[k].now;
        island.rise += d.body_energy[k].rise;
        island.mass += bodies.mass[k];
        island.momentum += bodies.mass[k] * bodies.velocity[k];
    }
    for (int i = 0; i < bodies.count(); ++i) {
        const auto k = static_cast<size_t>(i);
        const StepData::Brake& island = d.brakes[static_cast<size_t>(island_of(d.island_parent, i))];
        if (d.problem.inverse_mass[k] == 0 || island.driven || !(island.rise > 0)) continue;
        const Vec3 mean = island.held ? Vec3{} : island.momentum / island.mass;
        const double own = island.kinetic - 0.5 * island.mass * dot(mean, mean);
        const double scale = own > island.rise ? std::sqrt(1 - island.rise / own) : 0;
        const Vec3 less = (1 - scale) * (bodies.velocity[k] - mean), less_spin = (1 - scale) * bodies.angular_velocity[k];
        bodies.velocity[k] -= less;
        bodies.angular_velocity[k] -= less_spin;
        Twist& way = d.position_problem.velocity[k];   // poses go on moving with the mean of old and new
        way = {way.linear - 0.5 * less, way.angular - 0.5 * less_spin};
    }
}

}  // namespace asperity::sim
