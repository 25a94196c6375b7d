// One step, top to bottom. Left: the stage, one file each. Right: what it reads -> what it writes.
#include "asperity/sim/step.h"

#include <algorithm>

#include "asperity/core/parallel.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {
namespace {

/// Compensated (Kahan) summation: after a thousand steps of 0.01 s it is 10 s, not 9.99999999999983.
void advance_time(World& world, double dt) {
    const double step = dt - world.time_carry, sum = world.time + step;
    world.time_carry = (sum - world.time) - step;
    world.time = sum;
}

void substep(World& world, StepData& d) {
    do {
        find_pairs(world, d);          // poses, velocities   -> pairs of colliders
        make_contacts(world, d);       // pairs, shapes       -> contacts, with last step's impulses
    } while (wake_touched(world, d));  // once more with the islands that these contacts wake
    d.free_slip.clear();
    generate_cones(world, d);      // contacts, surfaces  -> limit surfaces (fixes each contact frame)
    predict_velocities(world, d);  // forces, dt          -> free velocities, inertia at the end of the step
    assemble_problem(world, d);    // contacts, joints    -> contact problem (no body is known below this line)
    if (align_frames(world, d)) {  // an option: frames along the slip
        generate_cones(world, d);
        assemble_problem(world, d);
    }
    solve_contacts(world, d);  // problem             -> impulses
    // rare: a blow was expected to go on, and the spins are not what they would be without
    if (predict_spins_again(world, d)) solve_contacts(world, d);
    d.pass_velocity.clear();
    // an option: laws of where the step ends
    for (int pass = 0; pass < world.settings.implicit_passes && cones_move(world, d); ++pass) {
        assemble_problem(world, d);
        solve_contacts(world, d);
    }
    apply_impulses(world, d);   // impulses            -> velocities, contacts kept for the next step
    integrate_poses(world, d);  // old and new velocities -> poses, second order, kept apart where bodies touch
    rest_islands(world, d);     // what has not moved for long sleeps
    if (d.report.finite) advance_time(world, d.dt);
}

}  // namespace

StepReport step(World& world, double dt) {
    world.prepare();
    StepData& d = world.data();
    d.report = {};
    d.sampling_ms = 0;
    const int substeps = std::max(1, world.settings.substeps);
    d.dt = world.last_dt = dt / substeps;
    const auto do_substeps = [&] {
        for (int i = 0; i < substeps && d.report.finite; ++i) substep(world, d);
    };
    if (d.any_patches)
        do_substeps();  // a pair of meshes may take all threads, which a team does not know
    else
        Team::run([&](Team&) { do_substeps(); });

    d.report.step = ++world.steps_done;
    d.report.time = world.time;
    d.report.kinetic_energy = world.kinetic_energy();
    d.report.potential_energy = world.potential_energy();
    return d.report;
}

}  // namespace asperity::sim
