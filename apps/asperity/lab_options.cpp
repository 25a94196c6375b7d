// The options of `asperity lab NAME`.
#include <CLI/CLI.hpp>

#include "asperity/lab.h"

namespace asperity::app {
namespace {

/// A command with its arguments, which live as long as the function that runs it.
template <class Args>
std::pair<CLI::App*, std::shared_ptr<Args>> add(CLI::App& lab, const std::string& name, const std::string& text) {
    return {lab.add_subcommand(name, text), std::make_shared<Args>()};
}

std::pair<CLI::App*, std::function<int()>> add_hertz(CLI::App& lab) {
    auto [app, args] = add<LabHertzArgs>(lab, "hertz", "Two elastic spheres, or parallel cylinders, pressed together");
    app->add_option("--force", args->force, "Normal force [N]; with --line per length [N/m]")->capture_default_str();
    app->add_option("--radius-a", args->radius_a, "[m]; 0: flat")->capture_default_str();
    app->add_option("--radius-b", args->radius_b, "[m]; 0: flat")->capture_default_str();
    app->add_option("--young-a", args->young_a, "Young's modulus [Pa]; 0: rigid")->capture_default_str();
    app->add_option("--young-b", args->young_b, "[Pa]; 0: rigid")->capture_default_str();
    app->add_option("--poisson-a", args->poisson_a, "Poisson's ratio")->capture_default_str();
    app->add_option("--poisson-b", args->poisson_b)->capture_default_str();
    app->add_flag("--line", args->line, "Parallel cylinders instead of spheres");
    app->add_flag("--json", args->json, "Print only JSON on stdout");
    return {app, [args = args] { return lab_hertz(*args); }};
}

std::pair<CLI::App*, std::function<int()>> add_surface(CLI::App& lab) {
    auto [app, args] = add<LabSurfaceArgs>(lab, "surface", "Make, read, measure, draw and save a rough surface");
    app->add_option("--kind", args->kind, "uniform, pink, selfaffine or gabor")->capture_default_str();
    app->add_option("--seed", args->seed, "Equal seeds give equal surfaces")->capture_default_str();
    app->add_flag("--profile", args->profile, "A profile instead of a height map");
    app->add_flag("--json", args->json, "Print only JSON on stdout");
    return {app, [args = args] { return lab_surface(*args); }};
}

std::pair<CLI::App*, std::function<int()>> add_run(CLI::App& lab) {
    auto [app, args] =
        add<LabRunArgs>(lab, "run", "Press two rough blocks together, drag one over the other, measure friction");
    app->add_option("file", args->file, "The run's TOML file, such as lab/table41.toml")->required();
    app->add_option("--set", args->set, "Override any value by its path: --set params.young=1e6")
        ->take_all()
        ->allow_extra_args(false);
    app->add_option("--out", args->out, "Folder for result.json, curve.csv, mu.svg, stress.svg, film.mp4");
    app->add_option("--threads", args->threads, "Threads; 0: one per core (results do not depend on the number)")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    app->add_flag("--json", args->json, "Print only JSON on stdout");
    app->add_flag("--quiet", args->quiet, "No progress bar");
    return {app, [args = args] { return lab_run(*args); }};
}

std::pair<CLI::App*, std::function<int()>> add_study(CLI::App& lab) {
    auto [app, args] = add<LabStudyArgs>(lab, "study", "Many runs: a grid of settings, each on the same surfaces");
    app->add_option("file", args->file, "The study's TOML file, such as lab/table41_study.toml")->required();
    app->add_option("--out", args->out, "Folder for study.sqlite, runs.csv, settings.csv, report.html")->required();
    app->add_option("--jobs", args->jobs, "Runs at a time; 0: one per core")
        ->check(CLI::Range(0, 4096))
        ->capture_default_str();
    app->add_flag("--resume", args->resume, "Go on with the study in --out: do only the runs that it lacks");
    app->add_flag("--json", args->json, "Print only JSON on stdout");
    app->add_flag("--quiet", args->quiet, "No progress bar");
    return {app, [args = args] { return lab_study(*args); }};
}

}  // namespace

LabCommands::LabCommands(CLI::App& app) {
    lab_ = app.add_subcommand("lab", "The friction lab: rough surfaces, contact mechanics, predictions of friction");
    lab_->require_subcommand(1);
    for (const auto& declare : {add_surface, add_hertz, add_run, add_study}) {
        auto [command, run] = declare(*lab_);
        commands_.push_back({command, run});
    }
}

bool LabCommands::chosen() const { return lab_->parsed(); }

int LabCommands::run() const {
    for (const Command& command : commands_)
        if (command.app->parsed()) return command.run();
    return 0;
}

}  // namespace asperity::app
