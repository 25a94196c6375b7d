// One time step, pass by pass. The function of a pass is in the file of its name, except for follow_paths and
// predict_spins_again (predict_velocities.cpp) and wake_touched and rest_islands (sleep.cpp).
#include "asperity/sim/step.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "asperity/core/parallel.h"
#include "asperity/core/stop.h"
#include "asperity/sim/stages.h"

namespace asperity::sim {
namespace {

/// Measures the wall time of passes. A call ends the previous pass and starts the one it names.
class PassClock {
  public:
    explicit PassClock(StepReport& report) : report_(report) {}
    ~PassClock() { (*this)(Stage::count); }
    void operator()(Stage next) {
        const auto now = std::chrono::steady_clock::now();
        if (stage_ != Stage::count)
            report_.stage_ms[static_cast<size_t>(stage_)] += std::chrono::duration<double, std::milli>(now - since_).count();
        stage_ = next;
        since_ = now;
    }

  private:
    StepReport& report_;
    Stage stage_ = Stage::count;
    std::chrono::steady_clock::time_point since_;
};

/// Compensated (Kahan) summation: after a thousand steps of 0.01 s the time is 10 s, not 9.99999999999983 s.
void advance_time(State& state, double dt) {
    const double step = dt - state.time_carry, sum = state.time + step;
    state.time_carry = (sum - state.time) - step;
    state.time = sum;
}

/// Counts, status and residual; with several substeps the worst status and residual.
void add_to_report(const StepData& d, StepReport& report) {
    report.pairs = static_cast<int>(d.search.pairs.size());
    report.contacts = static_cast<int>(d.contacts.contacts.size());
    report.joints = static_cast<int>(d.assembly.joints.size());
    report.penetration = std::max(report.penetration, d.contacts.deepest_overlap);
    report.sweeps += d.solution.sweeps;
    if (d.solution.worst.status > report.status) report.status = d.solution.worst.status;
    if (d.solution.worst.residual <= report.residual) return;  // a NaN counts as worse
    report.residual = d.solution.worst.residual;
    report.worst_contact = std::max(-1, d.solution.worst.worst_block - d.assembly.problem.first_contact_block());
}

/// The velocities that follow_paths() replaces.
void keep_path_velocities(const Model& model, const State& state, std::vector<std::pair<size_t, solvers::Twist>>& out) {
    out.clear();
    for (size_t i = 0; i < model.bodies.motion.size(); ++i)
        if (model.bodies.motion[i] == rigid::Motion::Kinematic && model.bodies.path[i])
            out.push_back({i, {state.bodies.velocity[i], state.bodies.angular_velocity[i]}});
}

// Left: the pass whose time is counted from here on. Right: its function; what it writes comes last.
// clang-format off
void substep(const Model& model, State& state, StepData& d, double dt) {
    const Derived& derived = d.derived;
    StepReport& report = d.report;
    PassClock time(report);

    // Contacts; repeated if sleeping islands wake, because the contacts within these islands are then missing.
    do {
        time(Stage::find_pairs);          find_pairs(model, state, dt, d.search);
        time(Stage::find_contacts);       find_contacts(model, state, derived, d.search, dt, d.contacts);
        time(Stage::make_patches);        make_patches(model, state, derived, d.search, dt, d.contacts);
        time(Stage::wake_touched);
    } while (wake_touched(model, d.contacts, dt, state));

    // Limit surfaces, free velocities, and the contact problem.
    const auto generate = [&] {
        time(Stage::generate_cones);
        generate_cones(model, derived, state.bodies, d.search, d.contacts, d.free_slip, dt, d.cones);
    };
    const auto assemble = [&] {
        time(Stage::assemble_problem);    assemble_problem(model, state, d.contacts, d.cones, d.motion, dt, d.assembly);
        time(Stage::move_contacts_to_middle);
        move_contacts_to_middle(model, state, d.contacts, d.motion, dt, d.assembly.problem);
    };
    const auto solve = [&] {
        time(Stage::solve_contacts);      solve_contacts(model, derived, d.assembly, d.solution);
        time(Stage::bounce);
        bounce(model, derived, d.contacts, d.motion, dt, d.assembly, d.solution, d.islands, d.restitution);
    };
    d.free_slip.clear();
    generate();
    time(Stage::follow_paths);            keep_path_velocities(model, state, d.path_velocities);
                                          follow_paths(model, dt, state);
    time(Stage::predict_velocities);      predict_velocities(model, state, dt, d.motion);
    assemble();
    time(Stage::align_frames);  // an option: frames along the slip
    if (align_frames(model, derived, d.contacts, d.cones, d.assembly.problem, d.solution, d.free_slip)) {
        generate();
        assemble();
    }

    // Impulses.
    d.solution.sweeps = 0;
    solve();
    time(Stage::predict_spins_again);  // rarely true: a predicted angular impulse was too wrong
    if (predict_spins_again(model, state, d.solution, dt, d.motion, d.assembly.problem)) solve();
    d.end.last_velocity.clear();
    for (int pass = 0; pass < model.settings.implicit_passes; ++pass) {  // an option: limit surfaces at the end of the step
        time(Stage::move_cones_to_end);
        if (!move_cones_to_end(model, state, derived, d.search, d.contacts, d.motion, d.solution, d.assembly.problem,
                               d.free_slip, dt, d.end, d.cones)) break;
        assemble();
        solve();
    }
    add_to_report(d, report);
    if (stop_requested()) {  // the solvers may have ended early; nothing but this and sleep has changed in the state
        for (const auto& [body, velocity] : d.path_velocities) {
            state.bodies.velocity[body] = velocity.linear;
            state.bodies.angular_velocity[body] = velocity.angular;
        }
        report.stopped = true;
        return;
    }
    const StopShield whole;

    // New velocities and poses. A solution that is not finite leaves the state as it was.
    time(Stage::apply_impulses);
    if (!apply_impulses(model, d.cones, d.motion, d.solution, d.assembly, state, d.contacts, report.nan_stage)) {
        report.finite = false;
        return;
    }
    time(Stage::solve_positions);
    report.position_sweeps +=
        solve_positions(model, state, derived, d.search, d.contacts, d.motion, d.assembly, dt, d.positions);
    time(Stage::limit_energy);
    limit_energy(model, d.contacts, d.cones, d.motion, d.assembly, d.solution, dt, state, d.positions, d.islands, d.energy);
    time(Stage::stop_at_ground);          stop_at_ground(model, state, d.search, d.contacts, dt, d.positions);
    time(Stage::stop_fast_bodies);        stop_fast_bodies(model, state, d.search, dt, d.fast, d.positions);
    time(Stage::integrate_poses);         integrate_poses(model, d.positions, dt, state);
    std::swap(state.active, static_cast<ContactMemory&>(d.contacts));  // the warm start of the next step
    time(Stage::rest_islands);            rest_islands(model, d.search, dt, state, d.islands);
    advance_time(state, dt);
}
// clang-format on

}  // namespace

StepReport step(World& world, double dt) {
    world.prepare();
    StepData& d = world.data();
    d.report = {};
    d.cones.sampling_ms = 0;
    const int substeps = std::max(1, world.model.settings.substeps);
    const double last_dt = std::exchange(world.state.last_dt, dt / substeps);
    if (substeps > 1) d.before = world.state;
    const auto do_substeps = [&] {
        for (int i = 0; i < substeps && d.report.finite && !d.report.stopped; ++i)
            substep(world.model, world.state, d, world.state.last_dt);
    };
    if (d.derived.any_patches)
        do_substeps();  // a single pair of meshes may use all threads, which a Team does not allow
    else
        Team::run([&](Team&) { do_substeps(); });

    if (d.report.stopped) {
        if (substeps > 1) world.state = d.before;
        world.state.last_dt = last_dt;
        return d.report;
    }
    d.report.step = ++world.state.steps_done;
    d.report.time = world.state.time;
    d.report.sampling_ms = d.cones.sampling_ms;
    d.report.kinetic_energy = world.kinetic_energy();
    d.report.potential_energy = world.potential_energy();
    return d.report;
}

}  // namespace asperity::sim
