// One step of the implicit world, top to bottom: predict, minimise, finish; halves what fails.
#include "asperity/implicit/step.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/parallel.h"
#include "asperity/core/stop.h"
#include "asperity/implicit/contacts.h"
#include "asperity/implicit/explicit_step.h"
#include "asperity/implicit/hold.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/loads.h"
#include "asperity/implicit/mass.h"
#include "asperity/implicit/newton.h"
#include "asperity/implicit/potential.h"
#include "asperity/implicit/trouble.h"
#include "asperity/implicit/velocity.h"

namespace asperity::implicit {
namespace {

/// Halvings of a step after which friction forces that still do not settle are accepted and counted as misses.
constexpr int kFrictionHalvings = 3;

/// Compensated (Kahan) summation: after a thousand steps of 0.01 s the time is 10 s, not 9.99999999999983 s.
template <int Dim>
void advance_time(State<Dim>& state, double h) {
    const double step = h - state.time_carry, sum = state.time + step;
    state.time_carry = (sum - state.time) - step;
    state.time = sum;
}

/// Everything that one attempt takes as given: prediction, prescribed motion, loads and damping.
template <int Dim>
void begin_attempt(const Model<Dim>& model, const State<Dim>& state, double h, StepData<Dim>& d) {
    Attempt<Dim>& a = d.attempt;
    a.h = h;
    a.time = state.time + h;
    if (!model.settings.keep_patterns || !d.begun) {
        d.assembly.begin();
        d.cholesky.begin(d.assembly.base());
        // guides need a factor: conjugate gradients would have to solve once more for each
        d.factorises = d.cholesky.flops() <= model.settings.most_factor_flops || !model.guides.empty();
        d.begun = true;
    }
    predict(model.settings.integrator, state.nodes, state.earlier, h, a.prediction);
    a.start = state.nodes.x;
    const Settings& settings = model.settings;
    a.friction_share = settings.integrator == Integrator::Newmark && settings.friction == FrictionMethod::Hold ? 2 : 1;
    a.moves_something = find_targets(model, state.time, a);
    find_loads(model, a);
    const bool damped =
        std::any_of(model.bodies.begin(), model.bodies.end(), [](const Body<Dim>& b) { return b.damping_stiffness > 0; });
    if (damped)
        d.assembly.stiffness(model, std::span<const Vector<Dim>>(a.start), a.damping);
    else
        a.damping.clear();
}

/// Without inertia, free bodies have no unique equilibrium on the way there: each estimate is drawn to the one before, ever
/// more weakly (a proximal point method), until it moves no further.
template <int Dim>
Failure minimise_without_inertia(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d, StepReport& report) {
    d.attempt.proximal = 1 / (d.attempt.h * d.attempt.h);
    const std::vector<Vector<Dim>> start = d.attempt.start;
    Failure failure = Failure::None;
    constexpr int kMost = 60;
    for (int pass = 0; pass < kMost; ++pass) {
        failure = minimise_with_friction(model, state, d, report);
        if (failure != Failure::None) break;
        double moved = 0;
        for (std::size_t i = 0; i < d.now.x.size(); ++i) moved = std::max(moved, (d.now.x[i] - d.attempt.start[i]).norm());
        d.attempt.start = d.attempt.prediction.x_tilde = d.now.x;
        d.attempt.obstacle_from = d.attempt.obstacle_to;
        d.attempt.attached_from = d.attempt.attached_to;
        d.attempt.plane_from = d.attempt.plane_to;
        d.attempt.moves_something = false;
        if (moved <= model.settings.tolerance * d.attempt.h) break;
        d.attempt.proximal *= 0.25;
        if (pass + 1 == kMost) failure = Failure::Iterations;
    }
    d.attempt.start = start;
    return failure;
}

/// Takes the friction forces out of the accelerations with which the next step begins: with Newmark's rule they have acted
/// in this step as a whole (Attempt::friction_share).
template <int Dim>
void leave_out_friction(World<Dim>& world) {
    const Model<Dim>& model = world.model;
    std::vector<Vector<Dim>>& share = world.data().damping_motion;
    const bool coupled = has_coupled_mass(model);
    if (coupled) share.assign(world.state.nodes.a.size(), Vector<Dim>::Zero());
    for (const FrictionContact& c : world.data().friction.contacts) {
        const Vector<Dim> force = world.data().attempt.friction_share * from_vec3<Dim>(in_world(c, c.force));
        for (std::size_t k = 0; k < static_cast<std::size_t>(c.count); ++k) {
            const Carrier<Dim>& carrier = model.carriers[static_cast<std::size_t>(c.vertices[k])];
            for (int j = 0; j < carrier.count; ++j) {
                const auto node = static_cast<std::size_t>(carrier.node + j);
                const double weight = c.weights[k] * carrier.weight(j);
                if (coupled)
                    share[node] += weight * force;
                else
                    world.state.nodes.a[node] -= (weight / model.node_mass[node]) * force;
            }
        }
    }
    if (!coupled) return;
    std::vector<Vector<Dim>> part(share.size());
    solve_mass<Dim>(model, share, part);
    for (std::size_t i = 0; i < part.size(); ++i) world.state.nodes.a[i] -= part[i];
}

template <int Dim>
void finish_attempt(World<Dim>& world, double h) {
    State<Dim>& state = world.state;
    state.earlier.x = state.nodes.x;
    state.earlier.v = state.nodes.v;
    state.earlier.dt = h;
    finish<Dim>(world.data().attempt.prediction, world.data().now.x, h, state.nodes);
    if (world.data().attempt.friction_share > 1) leave_out_friction(world);
    state.friction = world.data().friction.memory;
    state.last_dt = h;
    advance_time(state, h);
}

template <int Dim>
Failure find_end(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d, StepReport& report) {
    if (model.settings.friction == FrictionMethod::Velocity) return solve_velocities(model, state, d, report);
    if (model.settings.integrator == Integrator::QuasiStatic) return minimise_without_inertia(model, state, d, report);
    return minimise_with_friction(model, state, d, report);
}

template <int Dim>
Failure attempt(World<Dim>& world, double h, int depth, StepReport& report) {
    StepData<Dim>& d = world.data();
    begin_attempt(world.model, world.state, h, d);
    d.attempt.accepts_misses = depth >= std::min(kFrictionHalvings, world.model.settings.max_halvings);
    if (world.model.settings.integrator == Integrator::SymplecticEuler) {
        const State<Dim> before = world.state;
        const Failure failure = explicit_step(world.model, d, world.state);
        if (failure != Failure::None) {
            world.state = before;
            return failure;
        }
        world.state.last_dt = h;
        advance_time(world.state, h);
        return failure;
    }
    const Failure failure = find_end(world.model, world.state, d, report);
    if (failure == Failure::None) finish_attempt(world, h);
    return failure;
}

/// Tries a part of length h; if it fails, both halves.
template <int Dim>
bool advance(World<Dim>& world, double h, int depth, StepReport& report) {
    const Failure failure = attempt(world, h, depth, report);
    if (failure == Failure::None) return true;
    const bool final = failure == Failure::Stopped || failure == Failure::Unstable || failure == Failure::Intersection;
    if (final || depth == world.model.settings.max_halvings) {
        report.failure = failure;
        report.trouble = describe(world, failure);
        return false;
    }
    ++report.halvings;
    return advance(world, h / 2, depth + 1, report) && advance(world, h / 2, depth + 1, report);
}

/// Accelerations at the first positions, which Newmark's rule needs: of loads and elements, without contacts.
template <int Dim>
void start_motion(World<Dim>& world, double dt) {
    StepData<Dim>& d = world.data();
    begin_attempt(world.model, world.state, dt, d);
    initial_acceleration(world.model, d, world.state);
    world.state.started = true;
}

template <int Dim>
void fill_report(const World<Dim>& world, StepReport& report) {
    const StepData<Dim>& d = world.data();
    report.step = world.state.steps_done;
    report.time = world.state.time;
    report.contacts = static_cast<int>(world.model.settings.friction == FrictionMethod::Velocity
                                           ? d.friction.contacts.size()
                                           : d.now.collisions.size() + d.now.plane_contacts.size());
    report.gap_min = smallest_gap(world.model, d);
    report.kinetic_energy = world.kinetic_energy();
    report.gravity_energy = gravity_energy(world.model, std::span<const Vector<Dim>>(world.state.nodes.x));
    report.elastic_energy = d.now.elastic;
    report.barrier_energy = d.now.barrier;
}

}  // namespace

template <int Dim>
StepReport step(World<Dim>& world, double dt) {
    world.prepare();
    StepReport report;
    const State<Dim> before = world.state;
    Team::run([&](Team&) {
        if (!world.state.started) start_motion(world, dt);
        report.done = advance(world, dt, 0, report);
    });
    if (report.failure == Failure::Stopped) {
        world.state = before;
        return report;
    }
    if (report.done) ++world.state.steps_done;
    fill_report(world, report);
    return report;
}

template <int Dim>
StepReport measure(World<Dim>& world) {
    world.prepare();
    StepData<Dim>& d = world.data();
    begin_attempt(world.model, world.state, 1, d);
    d.attempt.obstacle_to = d.attempt.obstacle_from;
    d.attempt.attached_to = d.attempt.attached_from;
    d.attempt.plane_to = d.attempt.plane_from;
    d.now.x = world.state.nodes.x;
    d.now.progress = 0;
    d.direction.assign(d.now.x.size(), Vector<Dim>::Zero());
    vertex_positions<Dim>(world.model, d.now.x, d.attempt.obstacle_from, d.attempt.obstacle_from, 0, d.now.vertices);
    find_vertex_direction(world.model, d, 0);
    find_candidates(world.model, d);
    StepReport report;
    d.friction.contacts.clear();
    evaluate(world.model, d, d.now);
    if (world.model.settings.friction == FrictionMethod::Velocity) {
        d.now.barrier = 0;
        d.velocity.kept_gap = kept_gap(d.barrier);
        d.friction.memory = world.state.friction;
        find_velocity_contacts(world.model, world.state, d);
        for (FrictionContact& c : d.friction.contacts) c.force = c.start;
    } else if (world.model.frictional) {
        d.friction.memory = world.state.friction;
        freeze_friction(world.model, world.state, d);
        for (FrictionContact& c : d.friction.contacts) c.force = c.start;
    }
    fill_report(world, report);
    return report;
}

template StepReport measure<2>(World<2>&);
template StepReport measure<3>(World<3>&);
template StepReport step<2>(World<2>&, double);
template StepReport step<3>(World<3>&, double);

}  // namespace asperity::implicit
