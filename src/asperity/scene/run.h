// Runs a scene from start to end: steps, recording, expectations, and the output folder. Output files are never left
// partial.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "asperity/record/recording.h"
#include "asperity/scene/scene.h"
#include "asperity/scene/watch.h"

namespace asperity::scene {

struct RunOptions {
    std::optional<std::filesystem::path> out;  ///< output folder; none: no files are written
    double record_hz = 60;                     ///< frames per simulated second; at most one per step
    bool contacts = false;                     ///< record contacts (contacts.csv, pairs.csv, force arrows)
    bool resume = false;                       ///< continue from the checkpoint in `out`, with bit-identical results
    double checkpoint_s = 60;                  ///< wall seconds between checkpoints [s]
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
    std::string trouble;                              ///< description of a numerical failure, with step and stage
    std::vector<ExpectResult> expect;
    record::Recording recording;
};

/// Runs the scene for its duration. Throws InputError for an output folder that cannot be written and for a checkpoint that
/// does not match.
RunResult run(Scene& scene, const RunOptions& options = {});

/// summary.json; docs/output.md describes every name.
std::string summary_json(const Scene& scene, const RunResult& result);

/// Recording of a world without frames; record_frame() adds its present state. The recording has the bodies that the world
/// has now: those that are removed later stay where they were, and record_frame() throws InputError after others are added.
record::Recording start_recording(const Scene& scene);
void record_frame(record::Recording& recording, const sim::World& world, bool contacts);

}  // namespace asperity::scene
