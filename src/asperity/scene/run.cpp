#include "asperity/scene/run.h"

#include <fmt/format.h>
#include <chrono>
#include <cmath>
#include <optional>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/record/recording_file.h"
#include "asperity/scene/checkpoint.h"
#include "asperity/scene/implicit_run.h"
#include "asperity/scene/run_folder.h"
#include "asperity/scene/start_overlaps.h"
#include "asperity/sim/step.h"

namespace asperity::scene {
namespace fs = std::filesystem;
namespace {

double seconds_now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// A run under way. Only the recording in `result` grows with time, and only if it was asked for.
struct RunState {
    Scene& scene;
    const RunOptions& options;
    Watch watch;
    RunResult result;
    record::Recording head;  // no frames
    std::optional<RunFolder> folder;
    std::vector<Pose> last_poses;                 // of the last frame
    std::optional<record::Frame> restored_frame;  // of the restored state, until the next step
    implicit::StepReport implicit_report;         // of the last step, in the implicit world
    double last_frame_time = 0;                   // of the last regular frame: one that a longer run would have too

    RunState(Scene& s, const RunOptions& o) : scene(s), options(o), watch(s), head(start_recording(s)) {
        result.recording = head;
    }
};

void add_frame(RunState& g, const record::Frame& frame) {
    if (g.folder) g.folder->add_frame(frame);
    if (g.options.keep_frames) g.result.recording.frames.push_back(frame);
    g.last_poses = frame.poses;
}

record::Frame present_frame(const RunState& g) {
    return g.restored_frame ? *g.restored_frame : frame_of(g.scene, g.options.contacts, g.last_poses);
}

Checkpoint checkpoint_of(const RunState& g, std::string files) {
    Checkpoint c;
    c.fingerprint = g.scene.fingerprint;
    c.wall_s = g.result.wall_s;
    c.unconverged = g.result.unconverged_steps;
    c.sweeps_max = g.result.sweeps_max;
    c.stage_ms = g.result.stage_ms;
    c.newton_iterations = g.result.newton_iterations;
    c.halved_steps = g.result.halved_steps;
    c.friction_misses = g.result.friction_misses;
    c.gap_min = g.result.gap_min;
    c.part_ms = g.result.part_ms;
    c.last_frame_time = g.last_frame_time;
    c.watch = g.watch.save();
    c.state = g.scene.implicit ? g.scene.implicit->save_state() : g.scene.world.save_state();
    c.frame = record::frame_bytes(present_frame(g));
    c.files = std::move(files);
    return c;
}

/// Reads what the checkpoint says of the run; its files are left alone.
Checkpoint restore(RunState& g) {
    const fs::path path = *g.options.out / "checkpoint";
    Checkpoint c = read_checkpoint(path);
    if (c.fingerprint != g.scene.fingerprint)
        throw InputError(fmt::format(
            "{}: belongs to another scene, or to other --set values; give the same ones, or start again without --resume",
            path.string()));
    try {
        g.watch.restore(c.watch, g.scene);
        if (g.scene.implicit)
            g.scene.implicit->restore_state(c.state, g.scene.world);
        else
            g.scene.world.restore_state(c.state);
    } catch (const InputError& error) { throw InputError(fmt::format("{}: {}", path.string(), error.what())); }
    g.result.wall_s = c.wall_s;
    g.result.unconverged_steps = c.unconverged;
    g.result.sweeps_max = c.sweeps_max;
    g.result.stage_ms = c.stage_ms;
    g.result.newton_iterations = c.newton_iterations;
    g.result.halved_steps = c.halved_steps;
    g.result.friction_misses = c.friction_misses;
    g.result.gap_min = c.gap_min;
    g.result.part_ms = c.part_ms;
    g.last_frame_time = c.last_frame_time;
    g.restored_frame = record::frame_of_bytes(c.frame, g.head, path.string());
    g.last_poses = g.restored_frame->poses;
    return c;
}

void note_step(RunState& g, const sim::StepReport& report) {
    RunResult& r = g.result;
    g.restored_frame.reset();
    g.watch.after_step(g.scene, report);
    if (g.folder && g.scene.implicit)
        g.folder->add_step(g.implicit_report);
    else if (g.folder)
        g.folder->add_step(report);
    r.sweeps_max = std::max(r.sweeps_max, report.sweeps);
    if (report.status != solvers::SolveStatus::Converged) ++r.unconverged_steps;
    for (size_t i = 0; i < r.stage_ms.size(); ++i) r.stage_ms[i] += report.stage_ms[i];

    // Frame k is recorded after the first step that reaches k / record_hz.
    const auto frame_number = [&](double time) { return std::floor(time * g.options.record_hz + 1e-6); };
    if (frame_number(report.time) > frame_number(report.time - g.scene.dt)) {
        add_frame(g, present_frame(g));
        g.last_frame_time = report.time;
    }
}

/// A step of the implicit world. One that failed for good leaves the reason in `trouble`.
sim::StepReport implicit_step(RunState& g) {
    RunResult& r = g.result;
    const implicit::StepReport& report = g.implicit_report = g.scene.implicit->step(g.scene.world, g.scene.dt);
    if (!report.done && report.failure != implicit::Failure::Stopped) r.trouble = report.trouble;
    r.newton_iterations += report.iterations;
    r.halved_steps += report.halvings > 0;
    r.friction_misses += report.friction_misses;
    r.gap_min = std::min(r.gap_min, report.gap_min);
    for (size_t i = 0; i < r.part_ms.size(); ++i) r.part_ms[i] += report.part_ms[i];
    return to_sim_report(report, g.scene.implicit->potential_energy());
}

/// Computes the figures of the run so far. The caller sets the status.
void summarise(RunState& g, double wall_s) {
    RunResult& r = g.result;
    r.steps = g.scene.world.state.steps_done;
    r.sim_time = g.scene.world.state.time;
    r.wall_s = wall_s;
    r.state_hash = state_hash(g.scene);
    r.residual_max = g.watch.whole().residual_max();
    r.penetration_max = g.watch.whole().penetration_max();
    r.contacts_max = g.watch.whole().contacts_max();
    r.expect = g.watch.check(g.scene);
}

void write_summary(const RunState& g) { write_file(*g.options.out / "summary.json", summary_json(g.scene, g.result)); }

void write_checkpoint(RunState& g) {
    g.folder->commit(to_bytes(checkpoint_of(g, g.folder->save())));
    g.result.files = g.folder->files();
    write_summary(g);
}

/// The checkpoint comes first, so that a run that is killed while its files get their names continues from it.
void finish_folder(RunState& g, const Checkpoint& end) {
    g.folder->commit(to_bytes(end));
    g.result.files = g.folder->files();
    g.folder->finish();
    write_summary(g);
}

}  // namespace

std::string_view name(RunStatus status) {
    switch (status) {
        case RunStatus::Running: return "running";
        case RunStatus::Ok: return "ok";
        case RunStatus::ExpectFailed: return "expect_failed";
        case RunStatus::NumericalFailure: return "numerical_failure";
        case RunStatus::Interrupted: return "interrupted";
    }
    return "";
}

RunResult run(Scene& scene, const RunOptions& options) {
    if (!(options.record_hz > 0)) throw InputError(fmt::format("record_hz = {}: must be positive", options.record_hz));
    if (!(options.checkpoint_s > 0))
        throw InputError(fmt::format("checkpoint_s = {}: must be positive", options.checkpoint_s));
    scene.world.prepare();
    RunState g(scene, options);
    RunResult& r = g.result;
    const auto total = static_cast<int>(std::llround(scene.duration / scene.dt));
    if (options.out) g.folder.emplace(*options.out, options.contacts, options.force, scene.implicit != nullptr);
    const bool resumed = options.resume && options.out && fs::exists(*options.out / "checkpoint");
    bool complete = false;  // the folder holds the whole run already
    if (resumed) {
        const Checkpoint c = restore(g);
        if (scene.world.state.steps_done >= total) r.files = g.folder->complete_files(c.files);
        complete = !r.files.empty();
        if (!complete) g.folder->resume(g.head, c.files);
    } else {
        if (g.folder) g.folder->start(g.head);
        add_frame(g, present_frame(g));
    }

    const double started = seconds_now() - r.wall_s;
    double last_checkpoint = seconds_now();
    r.status = RunStatus::Running;
    while (scene.world.state.steps_done < total && r.status == RunStatus::Running) {
        if (options.stop && options.stop()) {
            r.status = RunStatus::Interrupted;
            break;
        }
        const sim::StepReport report = scene.implicit ? implicit_step(g) : sim::step(scene.world, scene.dt);
        if (report.stopped) {
            r.status = RunStatus::Interrupted;
            break;
        }
        if (!r.trouble.empty()) {
            r.status = RunStatus::NumericalFailure;
            break;
        }
        if (!report.finite) {
            r.status = RunStatus::NumericalFailure;
            r.trouble =
                fmt::format("step {}, t = {:g} s: stage {} gave a value that is not finite; the last good state is kept",
                            report.step, report.time, sim::kStageNames[static_cast<size_t>(report.nan_stage)]);
            break;
        }
        if (report.step == 1 && !scene.implicit)
            if (std::string note = overlap_note(scene); !note.empty()) scene.notes.push_back(std::move(note));
        note_step(g, report);
        if (options.progress) options.progress(report);
        if (options.out && seconds_now() - last_checkpoint > options.checkpoint_s) {
            summarise(g, seconds_now() - started);
            write_checkpoint(g);
            last_checkpoint = seconds_now();
        }
    }

    summarise(g, complete ? r.wall_s : seconds_now() - started);
    std::optional<Checkpoint> end;
    if (g.folder && !complete) end = checkpoint_of(g, g.folder->save());
    // The final state is always recorded. A longer run would not have this frame, so it comes after the checkpoint.
    if (!complete && g.last_frame_time < scene.world.state.time - 1e-9) add_frame(g, present_frame(g));
    if (r.status == RunStatus::Running) {
        r.status = RunStatus::Ok;
        for (const ExpectResult& e : r.expect)
            if (!e.ok) r.status = RunStatus::ExpectFailed;
    }
    if (end)
        finish_folder(g, *end);
    else if (complete)
        write_summary(g);  // the run may have been killed before it wrote its last one
    if (resumed && options.keep_frames) r.recording.frames = record::load(*options.out / "recording.asp").frames;
    return std::move(g.result);
}

}  // namespace asperity::scene
