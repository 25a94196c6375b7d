// Runs a scene from start to end: steps, recording, expectations, and the output folder. Output files are never left
// partial.
#pragma once
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "asperity/implicit/report.h"
#include "asperity/record/recording.h"
#include "asperity/scene/scene.h"
#include "asperity/scene/watch.h"

namespace asperity::scene {

struct RunOptions {
    std::optional<std::filesystem::path> out;  ///< output folder; none: no files are written
    double record_hz = 60;                     ///< frames per simulated second; at most one per step
    bool contacts = false;                     ///< record contacts (contacts.csv, pairs.csv, force arrows)
    bool resume = false;                       ///< continue from the checkpoint in `out`, with bit-identical results
    bool force = false;                        ///< write to `out` even if it has files and none of a run
    double checkpoint_s = 60;                  ///< wall time between checkpoints [s]
    /// Hold all frames in RunResult::recording, so that memory grows with the run. `out` gets them in any case.
    bool keep_frames = false;
    std::function<void(const sim::StepReport&)> progress;  ///< called after every step
    std::function<bool()> stop;                            ///< called before every step; true ends the run cleanly
};

// Running: status in the summary written with a checkpoint.
enum class RunStatus { Running, Ok, ExpectFailed, NumericalFailure, Interrupted };
std::string_view name(RunStatus status);

struct RunResult {
    RunStatus status = RunStatus::Ok;
    int steps = 0;
    double sim_time = 0, wall_s = 0;
    std::string state_hash;
    double residual_max = 0, penetration_max = 0;
    int contacts_max = 0, sweeps_max = 0, unconverged_steps = 0;
    std::array<double, sim::kStageCount> stage_ms{};  ///< summed over the run
    int newton_iterations = 0, halved_steps = 0;      ///< of the implicit world: summed; steps of which a part was halved
    int friction_misses = 0;                          ///< parts of its steps whose friction forces did not settle
    double gap_min = std::numeric_limits<double>::infinity();  ///< of the implicit world: the smallest gap of the run [m]
    std::array<double, implicit::kPartCount> part_ms{};        ///< of the implicit world: summed over the run
    std::string trouble;                                       ///< description of a numerical failure, with step and stage
    std::vector<ExpectResult> expect;
    record::Recording recording;     ///< its frames only with RunOptions::keep_frames
    std::vector<std::string> files;  ///< those in the output folder, apart from summary.json and checkpoint
};

/// Runs the scene for its duration. Throws InputError for an output folder that cannot be written or is not for runs, and
/// for a checkpoint that is damaged or does not match; then the folder is as it was.
RunResult run(Scene& scene, const RunOptions& options = {});

/// summary.json; docs/output.md describes every name.
std::string summary_json(const Scene& scene, const RunResult& result);

/// Recording of a world without frames; record_frame() adds its present state. The recording has the bodies that the world
/// has now: those that are removed later stay where they were, and record_frame() throws InputError after others are added.
record::Recording start_recording(const Scene& scene);
void record_frame(record::Recording& recording, const sim::World& world, bool contacts);
/// The frame of the present state. `earlier`: poses of the frame before, where removed bodies stay; may be empty.
record::Frame frame_of(const sim::World& world, bool contacts, const std::vector<Pose>& earlier);
/// The same for a scene of either world: in the implicit one with the shapes of soft bodies and the forces between bodies.
record::Frame frame_of(const Scene& scene, bool contacts, const std::vector<Pose>& earlier);

}  // namespace asperity::scene
