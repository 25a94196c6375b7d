// Removes energy that an unconverged solve, raised inertia or the joints of an impact have added.
//
// Contacts and joints take energy, so E = kinetic + gravitational energy of an island that is not driven falls or
// stays; converged solves satisfy this to second order in dt. If a solve reaches its sweep limit, joints may yield, and
// the position pass lifts bodies that sank, without work. Errors that raise E can grow from step to step. So each such
// island returns its rise X: its velocities are scaled to the kinetic energy K - X. If no fixed body touches the
// island, they are scaled relative to the motion of its centre of mass, which keeps its momentum. Directions of motion,
// and so which contacts separate, do not change. Work of motors, drives and springs does not count as a rise. Islands
// on conveyors and on bodies that follow a path are not changed.
//
// Impulses act on links of taut chains with more inertia than the links have, I + a (predict_velocities.cpp). The
// angular impulse l = (I + a)(w1 - w) does the work l.(w + w1)/2. The energy w.I w/2 of the body contains all of it but
// a (w1^2 - w^2)/2: a link that is accelerated takes more work than it stores, and one that is stopped returns more. So
// an island whose solve has converged returns the part of its rise that its links have released, the sum of a (w^2 -
// w1^2)/2. It also returns any rise beyond the second-order error S of a step: (W dt)^2 of the energy of each body,
// with W^2 = w^2 + f/(m r) for rotation and swing. In a well-resolved swing, the energy that the links take on the way
// down comes back on the way up, at most (W dt)^3 a step. A tenth of S is permitted for that.
//
// Joints without a drive do no work, but their rows are those of the middle of the step, and the velocity before the
// step satisfies them only up to (W dt)^2 |v|. The work of joint impulses l on this rest r is l.r/2. It is of second order
// while l is the force of the motion. But an arm that turns by a third of a radian a step and hits the ground has an l of
// the impact, and gained twelve times its energy. So an island returns what its joints have added to its energy beyond
// a quarter of it and 3/8 M (g dt)^2, the error of a change of contacts (tests/soak/checks.h).
#include <algorithm>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/sim/islands.h"
#include "asperity/sim/stages.h"

namespace asperity::sim {
namespace {

using solvers::Block;
using solvers::Twist;

constexpr double kPermittedRelease = 0.1;  // of the second-order error of the step: released energy that stays
// of the kinetic energy before the step. Mechanisms whose bodies turn by less than 0.3 rad a step stay below 0.1; at 1 the
// energy would double from step to step.
constexpr double kPermittedJointWork = 0.25;
constexpr double kMostJoints = 8;  // of a body, for the test whether any island may be above it

/// Kinetic energy of body i with orientation q.
double kinetic(const rigid::Bodies& bodies, size_t i, const Quat& q, const Twist& v) {
    const Vec3 spin = bodies.isotropic[i] ? v.angular : rotate_inverse(q, v.angular);
    return 0.5 * (bodies.mass[i] * dot(v.linear, v.linear) + dot(spin, bodies.inertia[i] * spin));
}

bool is_driven(const rigid::JointBlock& block) {
    if (!block.holds_position || block.compliance > 0) return true;
    // a limit or a rope: its target rate is the remaining distance
    if (std::isfinite(block.low) != std::isfinite(block.high)) return false;
    for (int i = 0; i < block.rows; ++i)
        if (block.row[i].target_rate != 0) return true;
    return false;
}

/// Inputs of limit_energy.
struct Input {
    const Model& model;
    const ContactSet& set;
    const LimitSurfaces& cones;
    const FreeMotion& motion;
    const Assembly& assembly;
    std::span<const std::array<Block6, rigid::kMaxJointBlocks>> joint_impulses;
    const Islands& islands;
    double dt;
};

/// Work of a block of a joint, with the mean velocity of the step.
double work_of(const Input& in, const Block& block) {
    double work = 0;
    for (auto r = static_cast<size_t>(block.first_row); r < static_cast<size_t>(block.first_row + block.rows); ++r) {
        const auto rate = [&](const std::vector<Twist>& v) {
            return in.assembly.problem.jacobian[r].rate(v[static_cast<size_t>(block.a)], v[static_cast<size_t>(block.b)]);
        };
        work += 0.5 * in.assembly.problem.impulse[r] * (rate(in.motion.old_velocity) + rate(in.assembly.problem.velocity));
    }
    return work;
}

/// Work of the blocks of joint i that have no drive.
double idle_work(const Input& in, size_t i) {
    double work = 0;
    for (int k = 0; k < in.assembly.joint_block_count[i]; ++k)
        if (!is_driven(in.assembly.joints[i][static_cast<size_t>(k)]))
            work += work_of(in, in.assembly.problem.blocks[static_cast<size_t>(in.assembly.joint_block[i] + k)]);
    return work;
}

/// Kinetic energy of body i before the step, and the error of a change of contacts.
double permitted_work(const Input& in, const rigid::BodyStates& states, size_t i) {
    const double fall = in.dt * length(in.model.settings.gravity);
    return kPermittedJointWork * kinetic(in.model.bodies, i, states.pose[i].orientation, in.motion.old_velocity[i]) +
           3.0 / 8 * in.model.bodies.mass[i] * fall * fall;
}

/// Whether the joints of some island may have worked more than is permitted.
bool joints_push(const Input& in, const rigid::BodyStates& states) {
    for (size_t i = 0; i < in.model.joints.size(); ++i) {
        const double work = idle_work(in, i);
        if (!(work > 0)) continue;
        double permitted = 0;
        for (const rigid::BodyId id : {in.model.joints[i].a, in.model.joints[i].b})
            if (!id.is_world() && in.assembly.problem.inverse_mass[static_cast<size_t>(id.index)] != 0)
                permitted += permitted_work(in, states, static_cast<size_t>(id.index));
        if (work > permitted / kMostJoints) return true;
    }
    return false;
}

/// Marks islands that touch a fixed body or are driven, and subtracts the work of motors, drives and springs from their
/// rise.
void gather_outside(const Input& in, EnergyLimit& out) {
    const auto moves = [&](int i) {
        return i < in.model.bodies.count() && in.model.bodies.motion[static_cast<size_t>(i)] == rigid::Motion::Dynamic;
    };
    const auto carried = [&](int i) {
        return i < in.model.bodies.count() && in.model.bodies.motion[static_cast<size_t>(i)] == rigid::Motion::Kinematic;
    };
    const auto add = [&](int a, int b, double work, bool conveyor) {
        if (!moves(a) && !moves(b)) return;
        EnergyLimit::Island& island = out.islands[static_cast<size_t>(island_of(in.islands.parent, moves(a) ? a : b))];
        island.rise -= larger(work, 0.0);
        island.held |= !moves(a) || !moves(b);
        island.driven |= conveyor || carried(a) || carried(b);
    };
    out.outside.resize(in.set.pair_memory.size());
    parallel_for(
        static_cast<int>(in.set.pair_memory.size()),
        [&](int k) {
            const contact::PairMemory& pair = in.set.pair_memory[static_cast<size_t>(k)];
            out.outside[static_cast<size_t>(k)] = 0;
            if (pair.count == 0) return;
            const auto [a, b] = bodies_of(in.model, pair.pair);
            bool conveyor = false;
            if (!in.cones.surface_velocity.empty())
                for (auto i = static_cast<size_t>(pair.first); i < static_cast<size_t>(pair.first + pair.count); ++i)
                    conveyor |= !(in.cones.surface_motion(i) == Vec3{});
            out.outside[static_cast<size_t>(k)] = conveyor ? 2 : !(moves(a) && moves(b));
        },
        1024);
    for (size_t k = 0; k < out.outside.size(); ++k) {
        if (out.outside[k] == 0) continue;  // most pairs
        const auto [a, b] = bodies_of(in.model, in.set.pair_memory[k].pair);
        add(a, b, 0, out.outside[k] == 2);
    }
    for (size_t i = 0; i < in.model.joints.size(); ++i)
        for (int k = 0; k < in.assembly.joint_block_count[i]; ++k) {
            const Block& block = in.assembly.problem.blocks[static_cast<size_t>(in.assembly.joint_block[i] + k)];
            add(block.a, block.b, is_driven(in.assembly.joints[i][static_cast<size_t>(k)]) ? work_of(in, block) : 0, false);
        }
}

/// Energy released by the added inertia of body i [J].
double released(const Input& in, size_t i) {
    const Vec3 &before = in.motion.free_velocity[i].angular, &after = in.assembly.problem.velocity[i].angular;
    return 0.5 * in.motion.raised[i] * (dot(before, before) - dot(after, after));
}

/// Per island: energy released by raised inertia, and second-order error of the step.
void gather_released(const Input& in, EnergyLimit& out) {
    const auto island = [&](size_t i) -> EnergyLimit::Island& {
        return out.islands[static_cast<size_t>(island_of(in.islands.parent, static_cast<int>(i)))];
    };
    const auto add_error = [&](size_t i, double frequency2) {
        island(i).step_error += in.dt * in.dt * frequency2 * out.bodies[i].now;
    };
    for (size_t i = 0; i < in.motion.raised.size(); ++i) {
        if (in.assembly.problem.inverse_mass[i] == 0) continue;
        if (in.motion.raised[i] > 0) island(i).released += released(in, i);
        island(i).raised |= in.motion.raised[i] > 0;
        add_error(i, length_squared(in.assembly.problem.velocity[i].angular));
    }
    for (size_t i = 0; i < in.model.joints.size(); ++i) {
        const rigid::Joint& joint = in.model.joints[i];
        const double force = rigid::joint_force(joint, in.joint_impulses[i][0], in.dt);
        for (const auto& [id, frame] : {std::pair{joint.a, &joint.frame_a}, std::pair{joint.b, &joint.frame_b}}) {
            const auto k = static_cast<size_t>(id.index);
            if (id.is_world() || in.assembly.problem.inverse_mass[k] == 0) continue;
            if (const double arm = length(frame->position); arm > 0)
                add_error(k, force * in.assembly.problem.inverse_mass[k] / arm);
        }
    }
}

/// Per island: the work of its joints, and what is permitted.
void gather_joint_work(const Input& in, const rigid::BodyStates& states, EnergyLimit& out) {
    const auto moves = [&](size_t i) { return in.assembly.problem.inverse_mass[i] != 0; };
    for (size_t i = 0; i < in.model.joints.size(); ++i)
        for (const rigid::BodyId id : {in.model.joints[i].a, in.model.joints[i].b}) {
            if (id.is_world() || !moves(static_cast<size_t>(id.index))) continue;
            out.islands[static_cast<size_t>(island_of(in.islands.parent, id.index))].joint_work += idle_work(in, i);
            break;
        }
    for (int i = 0; i < in.model.bodies.count(); ++i)
        if (moves(static_cast<size_t>(i)))
            out.islands[static_cast<size_t>(island_of(in.islands.parent, i))].permitted +=
                permitted_work(in, states, static_cast<size_t>(i));
}

double excess_of_raised(const EnergyLimit::Island& island) {
    return larger(smaller(island.rise, island.released - kPermittedRelease * island.step_error),
                  island.rise - island.step_error);
}

/// The part of its rise that an island returns [J].
double excess(bool cut_short, const EnergyLimit::Island& island) {
    if (cut_short) return island.rise;
    const double by_joints = smaller(island.rise, island.joint_work) - island.permitted;
    if (!island.raised) return by_joints;
    return larger(by_joints, excess_of_raised(island));
}

}  // namespace

void limit_energy(const Model& model, const ContactSet& set, const LimitSurfaces& cones, const FreeMotion& motion,
                  const Assembly& assembly, const Solution& solution, double dt, State& state, PositionSolve& positions,
                  Islands& islands, EnergyLimit& out) {
    const bool cut_short = solution.cut_short;
    const Input in{model, set, cones, motion, assembly, state.joint_impulses, islands, dt};
    if (!cut_short && std::none_of(motion.raised.begin(), motion.raised.end(), [](double by) { return by > 0; }) &&
        !joints_push(in, state.bodies))
        return;
    const rigid::Bodies& bodies = model.bodies;
    rigid::BodyStates& states = state.bodies;
    std::vector<Twist>& moves = positions.problem.velocity;
    make_islands(model, set.pair_memory, islands.parent);
    const auto takes_part = [&](size_t i) { return assembly.problem.inverse_mass[i] != 0; };
    out.islands.resize(bodies.motion.size());
    for (int i = 0; i < bodies.count(); ++i)
        if (island_of(islands.parent, i) == i) out.islands[static_cast<size_t>(i)] = {};  // only roots are read
    gather_outside(in, out);
    out.bodies.resize(bodies.motion.size());
    parallel_for(
        bodies.count(),
        [&](int i) {
            const auto k = static_cast<size_t>(i);
            if (!takes_part(k)) return;
            const Twist v{states.velocity[k], states.angular_velocity[k]};
            const Quat &before = states.pose[k].orientation,
                       after = bodies.isotropic[k] ? before : rotation(dt * moves[k].angular) * before;
            const double now = kinetic(bodies, k, after, v);
            out.bodies[k] = {now, now - kinetic(bodies, k, before, motion.old_velocity[k]) -
                                      dt * bodies.mass[k] * dot(model.settings.gravity, moves[k].linear)};
        },
        256);
    for (int i = 0; i < bodies.count(); ++i) {
        const auto k = static_cast<size_t>(i);
        if (!takes_part(k)) continue;
        EnergyLimit::Island& island = out.islands[static_cast<size_t>(island_of(islands.parent, i))];
        island.kinetic += out.bodies[k].now;
        island.rise += out.bodies[k].rise;
        island.mass += bodies.mass[k];
        island.momentum += bodies.mass[k] * states.velocity[k];
    }
    if (!cut_short) {
        gather_released(in, out);
        gather_joint_work(in, states, out);
    }
    parallel_for(
        bodies.count(),
        [&](int i) {
            const auto k = static_cast<size_t>(i);
            const EnergyLimit::Island& island = out.islands[static_cast<size_t>(island_of(islands.parent, i))];
            const double rise = excess(cut_short, island);
            if (!takes_part(k) || island.driven || !(rise > 0)) return;
            const Vec3 mean = island.held ? Vec3{} : island.momentum / island.mass;
            const double own = island.kinetic - 0.5 * island.mass * dot(mean, mean);
            const double scale = own > rise ? std::sqrt(1 - rise / own) : 0;
            const Vec3 less = (1 - scale) * (states.velocity[k] - mean),
                       less_spin = (1 - scale) * states.angular_velocity[k];
            states.velocity[k] -= less;
            states.angular_velocity[k] -= less_spin;
            // poses move with the mean of the old and the new velocity
            moves[k] = {moves[k].linear - 0.5 * less, moves[k].angular - 0.5 * less_spin};
        },
        256);
}

}  // namespace asperity::sim
