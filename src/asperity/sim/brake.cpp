// Part of stage 8: neither a solve that was cut short nor inertia that was raised may have put energy in.
//
// With what contacts and joints take, E = kinetic + gravity of an island that nobody drives falls or stays; converged solves
// keep that to second order in dt. A solve that ran out of sweeps is wrong somewhere: joints give way, and the position pass
// lifts for nothing what sank. Of all wrong answers those in which E rises are the ones that grow from step to step. So each
// such island gives its rise X back: its velocities are scaled to the kinetic energy K - X, about the motion of its centre
// of mass where nothing fixed holds it, so that its momentum stays. Directions, and with them which contacts part, stay as
// they are. Work of motors, drives and springs is granted; islands on conveyors and on bodies that move by a path are left
// alone.
//
// Links of taut chains meet impulses with more inertia than they have, I + a (predict_velocities.cpp). The angular impulse l
// = (I + a)(w1 - w) does the work l.(w + w1)/2, of which the body's energy w.I w/2 shows all but a (w1^2 - w^2)/2: a link
// that is set turning takes more than it has, and one that is stopped gives more. So an island whose solve has converged
// gives back what its links have released of its rise, the sum of a (w^2 - w1^2)/2, and in any case what is beyond the
// second-order error S of a step, (W dt)^2 of each body's energy with W^2 = w^2 + f/(m r) of its turning and swinging. In a
// swing that is resolved, what the links take on the way down comes back on the way up, by (W dt)^3 a step at most: a tenth
// of S is let through for it.
#include <algorithm>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/sim/islands.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {
namespace {

using solvers::Block;
using solvers::Twist;

constexpr double kLetThrough = 0.1;  // of the second-order error

/// Of a body that is turned by q.
double kinetic(const rigid::Bodies& bodies, size_t i, const Quat& q, const Twist& v) {
    const Vec3 spin = bodies.isotropic[i] ? v.angular : rotate_inverse(q, v.angular);
    return 0.5 * (bodies.mass[i] * dot(v.linear, v.linear) + dot(spin, bodies.inertia[i] * spin));
}

bool is_driven(const rigid::JointBlock& block) {
    if (!block.holds_position || block.compliance > 0) return true;
    // a limit or a rope: its target is the room that is left
    if (std::isfinite(block.low) != std::isfinite(block.high)) return false;
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
    const auto moves = [&](int i) {
        return i < world.bodies.count() && world.bodies.motion[static_cast<size_t>(i)] == rigid::Motion::Dynamic;
    };
    const auto carried = [&](int i) {
        return i < world.bodies.count() && world.bodies.motion[static_cast<size_t>(i)] == rigid::Motion::Kinematic;
    };
    const auto add = [&](int a, int b, double work, bool conveyor) {
        if (!moves(a) && !moves(b)) return;
        StepData::Brake& island = d.brakes[static_cast<size_t>(island_of(d.island_parent, moves(a) ? a : b))];
        island.rise -= larger(work, 0.0);
        island.held |= !moves(a) || !moves(b);
        island.driven |= conveyor || carried(a) || carried(b);
    };
    d.outside.resize(world.pair_memory.size());
    parallel_for(
        static_cast<int>(world.pair_memory.size()),
        [&](int k) {
            const contact::PairMemory& pair = world.pair_memory[static_cast<size_t>(k)];
            d.outside[static_cast<size_t>(k)] = 0;
            if (pair.count == 0) return;
            const auto [a, b] = bodies_of(world, pair.pair);
            bool conveyor = false;
            if (d.any_directed)
                for (auto i = static_cast<size_t>(pair.first); i < static_cast<size_t>(pair.first + pair.count); ++i)
                    conveyor |= !(d.surface_motion(i) == Vec3{});
            d.outside[static_cast<size_t>(k)] = conveyor ? 2 : !(moves(a) && moves(b));
        },
        1024);
    for (size_t k = 0; k < d.outside.size(); ++k) {
        if (d.outside[k] == 0) continue;  // nearly all
        const auto [a, b] = bodies_of(world, world.pair_memory[k].pair);
        add(a, b, 0, d.outside[k] == 2);
    }
    for (size_t i = 0; i < world.joints.size(); ++i)
        for (int k = 0; k < d.joint_block_count[i]; ++k) {
            const Block& block = d.problem.blocks[static_cast<size_t>(d.joint_block[i] + k)];
            add(block.a, block.b, is_driven(d.joints[i][static_cast<size_t>(k)]) ? work_of(d, block) : 0, false);
        }
}

/// By the inertia of body i that is not its own [J].
double released(const StepData& d, size_t i) {
    const Vec3 &before = d.free_velocity[i].angular, &after = d.problem.velocity[i].angular;
    return 0.5 * d.raised[i] * (dot(before, before) - dot(after, after));
}

/// Per island, what raised inertia has released and the second-order error of the step.
void gather_released(const World& world, StepData& d) {
    const auto island = [&](size_t i) -> StepData::Brake& {
        return d.brakes[static_cast<size_t>(island_of(d.island_parent, static_cast<int>(i)))];
    };
    const auto add_error = [&](size_t i, double frequency2) {
        island(i).step_error += d.dt * d.dt * frequency2 * d.body_energy[i].now;
    };
    for (size_t i = 0; i < d.raised.size(); ++i) {
        if (d.problem.inverse_mass[i] == 0) continue;
        if (d.raised[i] > 0) island(i).released += released(d, i);
        island(i).raised |= d.raised[i] > 0;
        add_error(i, length_squared(d.problem.velocity[i].angular));
    }
    for (size_t i = 0; i < world.joints.size(); ++i) {
        const rigid::Joint& joint = world.joints[i];
        const double force = rigid::joint_force(joint, world.joint_impulses[i][0], d.dt);
        for (const auto& [id, frame] : {std::pair{joint.a, &joint.frame_a}, std::pair{joint.b, &joint.frame_b}}) {
            const auto k = static_cast<size_t>(id.index);
            if (id.is_world() || d.problem.inverse_mass[k] == 0) continue;
            if (const double arm = length(frame->position); arm > 0) add_error(k, force * d.problem.inverse_mass[k] / arm);
        }
    }
}

/// What an island gives back of its rise.
double excess(const StepData& d, const StepData::Brake& island) {
    if (d.cut_short) return island.rise;
    if (!island.raised) return 0;
    return larger(smaller(island.rise, island.released - kLetThrough * island.step_error), island.rise - island.step_error);
}

}  // namespace

void brake(World& world, StepData& d) {
    rigid::Bodies& bodies = world.bodies;
    if (!d.cut_short && std::none_of(d.raised.begin(), d.raised.end(), [](double by) { return by > 0; })) return;
    make_islands(world, world.pair_memory, d.island_parent);
    d.brakes.resize(bodies.motion.size());
    for (int i = 0; i < bodies.count(); ++i)
        if (island_of(d.island_parent, i) == i) d.brakes[static_cast<size_t>(i)] = {};  // the others are never read
    gather_outside(world, d);
    d.body_energy.resize(bodies.motion.size());
    parallel_for(
        bodies.count(),
        [&](int i) {
            const auto k = static_cast<size_t>(i);
            if (d.problem.inverse_mass[k] == 0) return;
            const Twist v{bodies.velocity[k], bodies.angular_velocity[k]}, &way = d.position_problem.velocity[k];
            const Quat &before = bodies.pose[k].orientation,
                       after = bodies.isotropic[k] ? before : rotation(d.dt * way.angular) * before;
            const double now = kinetic(bodies, k, after, v);
            d.body_energy[k] = {now, now - kinetic(bodies, k, before, d.old_velocity[k]) -
                                         d.dt * bodies.mass[k] * dot(world.settings.gravity, way.linear)};
        },
        256);
    for (int i = 0; i < bodies.count(); ++i) {
        const auto k = static_cast<size_t>(i);
        if (d.problem.inverse_mass[k] == 0) continue;
        StepData::Brake& island = d.brakes[static_cast<size_t>(island_of(d.island_parent, i))];
        island.kinetic += d.body_energy[k].now;
        island.rise += d.body_energy[k].rise;
        island.mass += bodies.mass[k];
        island.momentum += bodies.mass[k] * bodies.velocity[k];
    }
    if (!d.cut_short) gather_released(world, d);
    parallel_for(
        bodies.count(),
        [&](int i) {
            const auto k = static_cast<size_t>(i);
            const StepData::Brake& island = d.brakes[static_cast<size_t>(island_of(d.island_parent, i))];
            const double rise = excess(d, island);
            if (d.problem.inverse_mass[k] == 0 || island.driven || !(rise > 0)) return;
            const Vec3 mean = island.held ? Vec3{} : island.momentum / island.mass;
            const double own = island.kinetic - 0.5 * island.mass * dot(mean, mean);
            const double scale = own > rise ? std::sqrt(1 - rise / own) : 0;
            const Vec3 less = (1 - scale) * (bodies.velocity[k] - mean),
                       less_spin = (1 - scale) * bodies.angular_velocity[k];
            bodies.velocity[k] -= less;
            bodies.angular_velocity[k] -= less_spin;
            Twist& way = d.position_problem.velocity[k];  // poses go on moving with the mean of old and new
            way = {way.linear - 0.5 * less, way.angular - 0.5 * less_spin};
        },
        256);
}

}  // namespace asperity::sim
