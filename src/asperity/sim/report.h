// The report that every step returns.
#pragma once
#include <array>
#include <string_view>

#include "asperity/solvers/problem/solver.h"

namespace asperity::sim {

/// The passes of a step, in the order of sim/step.cpp, which calls one function of the same name for each.
enum class Stage {
    find_pairs,
    find_contacts,
    make_patches,
    wake_touched,
    generate_cones,
    follow_paths,
    predict_velocities,
    assemble_problem,
    move_contacts_to_middle,
    align_frames,
    solve_contacts,
    bounce,
    predict_spins_again,
    move_cones_to_end,
    apply_impulses,
    solve_positions,
    limit_energy,
    stop_at_ground,
    stop_fast_bodies,
    integrate_poses,
    rest_islands,
    count
};
constexpr int kStageCount = static_cast<int>(Stage::count);
constexpr std::array<std::string_view, kStageCount> kStageNames = {
    "find_pairs",          "find_contacts",     "make_patches",
    "wake_touched",        "generate_cones",    "follow_paths",
    "predict_velocities",  "assemble_problem",  "move_contacts_to_middle",
    "align_frames",        "solve_contacts",    "bounce",
    "predict_spins_again", "move_cones_to_end", "apply_impulses",
    "solve_positions",     "limit_energy",      "stop_at_ground",
    "stop_fast_bodies",    "integrate_poses",   "rest_islands"};

struct StepReport {
    double time = 0;  ///< at the end of the step [s]
    int step = 0;     ///< counted from 1
    int pairs = 0, contacts = 0, joints = 0;
    solvers::SolveStatus status = solvers::SolveStatus::Converged;
    int sweeps = 0;                                   ///< of the velocity solves, summed over substeps
    double residual = 0;                              ///< natural map, largest over substeps [m/s]
    int worst_contact = -1;                           ///< index of the contact with that residual, or -1
    int position_sweeps = 0;                          ///< of solve_positions, summed over substeps
    double penetration = 0;                           ///< deepest overlap at the start of the step [m], >= 0
    double kinetic_energy = 0, potential_energy = 0;  ///< at the end of the step [J]
    std::array<double, kStageCount> stage_ms{};       ///< wall time of each pass, summed over substeps
    double sampling_ms = 0;                           ///< of sample_footprints: part of generate_cones and move_cones_to_end
    bool finite = true;                               ///< false: a velocity or residual is not finite
    Stage nan_stage = Stage::count;                   ///< the pass that produced it
    bool stopped = false;  ///< true: a stop was requested, and the step was not done (core/stop.h)
};

}  // namespace asperity::sim
