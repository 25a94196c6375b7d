// asperity run SCENE
#include <fmt/format.h>
#include <algorithm>
#include <csignal>

#include "asperity/commands.h"
#include "asperity/core/deadline.h"
#include "asperity/core/stop.h"
#include "asperity/progress.h"
#include "asperity/scene.h"
#include "asperity/scene/start_picture.h"
#include "asperity/slow_note.h"
#include "asperity/tell.h"
#include "render/render.h"

namespace asperity::app {
namespace {

/// The first signal ends the run after the last whole step; a second one ends the program at once.
void on_interrupt(int signal) {
    request_stop();
    std::signal(signal, SIG_DFL);
}

void print_summary(const scene::Scene& scene, const scene::RunResult& result, const RunArgs& args) {
    fmt::print("{}: {} steps of {:g} s in {:.2f} s, {} bodies, {} contacts at most\n",
               scene.title.empty() ? scene.file.stem().string() : scene.title, result.steps, scene.dt, result.wall_s,
               scene.world.model.bodies.count(), result.contacts_max);
    fmt::print("  residual {:.1e} m/s, penetration {:.1e} m, sweeps {} at most, {} steps above the tolerance, hash {}\n",
               result.residual_max, result.penetration_max, result.sweeps_max, result.unconverged_steps, result.state_hash);
    for (const scene::ExpectResult& e : result.expect)
        fmt::print("  {} {}: {:.6g} {}\n", e.ok ? "ok  " : "FAIL", e.name, e.value, e.bound);
    if (!result.trouble.empty()) fmt::print("  FAIL {}\n", result.trouble);
    if (result.status == scene::RunStatus::Interrupted)
        fmt::print("  interrupted at t = {:g} s{}\n", result.sim_time,
                   args.out.empty() ? "" : "; --resume continues from here");
    if (!args.out.empty()) fmt::print("  written to {}\n", args.out);
}

/// Loads the scene. If its bodies overlap at the start, --out gets a picture of the place.
scene::Scene load_scene(const RunArgs& args, const std::vector<scene::Override>& overrides) {
    try {
        return scene::load(find_scene(args.scene), overrides, args.seed);
    } catch (const scene::OverlapError& error) {
        if (args.out.empty()) throw InputError(fmt::format("{}; --out FOLDER draws the place", error.what()));
        const std::filesystem::path file = std::filesystem::path(args.out) / "overlap.png";
        std::string drawn = fmt::format("picture: {}", file.string());
        try {
            std::error_code ignored;
            std::filesystem::create_directories(args.out, ignored);
            render::Options options;
            options.width = 960;
            options.height = 600;
            options.samples = 32;
            set_thread_count(args.threads);
            const record::Footage footage(error.picture);
            render::save_png(render::Renderer(footage, options).frame(0), file);
        } catch (const InputError& why) { drawn = fmt::format("no picture: {}", why.what()); }
        throw InputError(fmt::format("{}; {}", error.what(), drawn));
    }
}

}  // namespace

scene::Override override_of(const std::string& text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw InputError(fmt::format("--set {}: must be key=value, such as --set params.mu=0.3", text));
    return {text.substr(0, equals), text.substr(equals + 1)};
}

int run_command(const RunArgs& args) {
    std::vector<scene::Override> overrides;
    for (const std::string& text : args.set) overrides.push_back(override_of(text));
    if (!args.duration.empty()) overrides.push_back({"step.duration", args.duration});
    if (!args.dt.empty()) overrides.push_back({"step.dt", args.dt});
    if (!args.solver.empty()) overrides.push_back({"step.solver", "\"" + args.solver + "\""});
    if (args.check) overrides.push_back({"step.check", "true"});
    if (args.mend) overrides.push_back({"step.mend", "true"});
    scene::Scene scene = load_scene(args, overrides);
    set_thread_count(args.threads);
    check_dump_steps(args.dump_steps, scene);
    if (!args.quiet && !args.json)
        for (const std::string& note : scene.notes) tell("note: {}\n", note);

    if (args.resume && (args.out.empty() || !std::filesystem::exists(std::filesystem::path(args.out) / "checkpoint")))
        tell("asperity: no checkpoint{}; starting at t = 0\n", args.out.empty() ? " (--out is missing)" : " in " + args.out);

    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    Progress progress(scene.file.stem().string(), args.quiet || args.json);
    scene::RunOptions options;
    if (!args.out.empty()) options.out = args.out;
    options.record_hz = args.record_hz;
    options.contacts = args.contacts;
    options.resume = args.resume;
    options.force = args.force;
    options.checkpoint_s = args.checkpoint_every;
    SlowNote slow;
    size_t printed = scene.notes.size();
    const Deadline clock(0);
    const auto note = [&](const std::string& text) {
        if (!text.empty() && !args.quiet && !args.json) tell("{}note: {}\n", progress.line_start(), text);
    };
    options.progress = [&](const sim::StepReport& report) {
        for (; printed < scene.notes.size(); ++printed) note(scene.notes[printed]);
        note(slow.after_step(report, scene.world.model.settings, clock.elapsed()));
        progress.update(std::min(1.0, report.time / scene.duration));
        if (std::find(args.dump_steps.begin(), args.dump_steps.end(), report.step) == args.dump_steps.end()) return;
        const std::string file = dump_problem(scene, report.step, args.out);
        if (!args.quiet && !args.json) tell("\ncontact problem of step {}: {}\n", report.step, file);
    };
    options.stop = stop_requested;
    const scene::RunResult result = scene::run(scene, options);
    progress.done();

    if (args.json)
        fmt::print("{}", scene::summary_json(scene, result));
    else
        print_summary(scene, result, args);
    switch (result.status) {
        case scene::RunStatus::Running:
        case scene::RunStatus::Ok: return kGood;
        case scene::RunStatus::ExpectFailed: return kExpectFailed;
        case scene::RunStatus::NumericalFailure: return kNumericalFailure;
        case scene::RunStatus::Interrupted: return kInterrupted;
    }
    return kGood;
}

}  // namespace asperity::app
