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
    return {app, [work = args] { return lab_hertz(*work); }};
}

std::pair<CLI::App*, std::function<int()>> add_surface(CLI::App& lab) {
    auto [app, args] = add<LabSurfaceArgs>(lab, "surface", "Make or read a rough surface; measure, draw and save it");
    app->add_option("file", args->file, "A measured surface: .png, .txt, .csv, .npy, .x3p or .sdf; none: make one");
    app->add_option("--kind", args->kind, "Spectrum: uniform, pink, selfaffine or gabor")->capture_default_str();
    app->add_option("--seed", args->seed, "Equal seeds give equal surfaces")->capture_default_str();
    app->add_flag("--profile", args->profile, "A profile instead of a height map");
    app->add_option("--size", args->size, "Width and height [pixels]; default 256 256, for a profile 4096")->expected(1, 2);
    app->add_option("--pixel", args->pixel, "Distance of neighbours [unit]; default 1; text, arrays and pictures need it");
    app->add_option("--unit", args->unit, "Unit of lengths: m, mm, um, nm or unit; text, arrays and pictures need it");
    app->add_option("--height-range", args->height_range, "For pictures: height of white over black [unit]");
    app->add_option("--sq", args->sq, "Root mean square height [unit]; default 1, for a profile 5");
    app->add_option("--sdq", args->sdq, "Root mean square slope, instead of --sq");
    app->add_option("--f-min", args->f_min, "Lowest frequency [cycles/unit]; default one wave, for a profile 1/1500");
    app->add_option("--f-max", args->f_max, "Highest frequency [cycles/unit]; default 1/(8 pixel)");
    app->add_option("--exponent", args->exponent, "pink: power falls as f^-exponent; default 1");
    app->add_option("--hurst", args->hurst, "selfaffine: Hurst exponent; default 0.8");
    app->add_option("--roll-off", args->roll_off, "selfaffine: power is flat below this frequency [cycles/unit]");
    app->add_option("--frequency", args->frequency, "gabor: [cycles/unit]; default 0.4 f-max");
    app->add_option("--bandwidth", args->bandwidth, "gabor: [cycles/unit]; default 0.2 f-max");
    app->add_option("--direction", args->direction_deg, "gabor: direction of the waves [degrees from x]");
    app->add_flag("--fill", args->fill, "Fill missing heights from their neighbours");
    app->add_option("--detrend", args->detrend, "Remove the mean, plane or quadratic form; default plane for a file")
        ->check(CLI::IsMember({"none", "mean", "plane", "quadratic"}));
    app->add_option("--low-pass", args->low_pass, "Keep waves longer than this [unit] (ISO 16610 Gaussian)");
    app->add_option("--high-pass", args->high_pass, "Keep waves shorter than this [unit]");
    app->add_option("--out", args->out, "File to save the surface in: .png, .txt, .npy, .x3p, .sdf or .asc.sdf");
    app->add_option("--plot", args->plot, "SVG of the spectrum, the autocorrelation and the slope over scale");
    app->add_option("--picture", args->picture, "PNG of the heights, from the lowest (dark) to the highest");
    app->add_option("--subsample", args->subsample, "Text file of points x y height at random, 1/(2 f_max) apart at least");
    app->add_option("--subsample-f-max", args->subsample_f_max, "Highest frequency that the points keep [cycles/unit]");
    app->add_flag("--json", args->json, "Print only JSON on stdout");
    return {app, [work = args] { return lab_surface(*work); }};
}

std::pair<CLI::App*, std::function<int()>> add_run(CLI::App& lab) {
    auto [app, args] =
        add<LabRunArgs>(lab, "run", "Press two rough blocks together, drag one over the other, measure friction");
    app->add_option("file", args->file, "The run's TOML file, such as lab/table41.toml")->required();
    app->add_option("--set", args->set, "Override any value by its path: --set params.young=1e6")
        ->take_all()
        ->allow_extra_args(false);
    app->add_option("--out", args->out, "Folder for result.json, curve.csv, mu.svg, stress.svg");
    app->add_flag("--film", args->film, "Also film.mp4 in that folder: both blocks, coloured by stress (needs ffmpeg)");
    app->add_option("--threads", args->threads, "Threads; 0: one per core (results do not depend on the number)")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    app->add_flag("--json", args->json, "Print only JSON on stdout");
    app->add_flag("--quiet", args->quiet, "No progress bar");
    return {app, [work = args] { return lab_run(*work); }};
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
    return {app, [work = args] { return lab_study(*work); }};
}

std::pair<CLI::App*, std::function<int()>> add_bem(CLI::App& lab) {
    auto [app, args] = add<LabBemArgs>(
        lab, "bem", "Press a rough surface on an elastic half-space: contact area, gap, stiffness (boundary elements)");
    app->add_option("file", args->file, "A surface: .png, .txt, .csv, .npy, .x3p or .sdf; one row is a line in plane strain")
        ->required();
    app->add_option("--pressure", args->pressure, "Mean pressure: force over the area of the map, in the unit of --modulus")
        ->required();
    app->add_option("--modulus", args->modulus, "Contact modulus E*; 1 measures pressures in parts of it")
        ->capture_default_str();
    app->add_option("--hardness", args->hardness, "Largest pressure; points that reach it flow");
    app->add_flag("--free", args->free, "A single bump on an infinite half-space; default: the map repeats itself");
    app->add_option("--pixel", args->pixel, "Distance of neighbours [unit]; text, arrays and pictures need it");
    app->add_option("--unit", args->unit, "m, mm, um, nm or unit; text, arrays and pictures need it");
    app->add_option("--height-range", args->height_range, "For pictures: height of white over black [unit]");
    app->add_flag("--fill", args->fill, "Fill missing heights from their neighbours");
    app->add_option("--detrend", args->detrend, "Remove the mean, plane or quadratic form")
        ->check(CLI::IsMember({"none", "mean", "plane", "quadratic"}))
        ->capture_default_str();
    app->add_option("--tolerance", args->tolerance, "Relative change of the pressures at which to stop")
        ->capture_default_str();
    app->add_option("--max-iterations", args->max_iterations)->check(CLI::Range(1, 1'000'000))->capture_default_str();
    app->add_option("--threads", args->threads, "Threads; 0: one per core (same bits for any number)")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    app->add_option("--out", args->out, "File for the pressures, as a surface: .npy or .txt");
    app->add_option("--picture", args->picture, "PNG of the pressures: black no contact, white the largest");
    app->add_flag("--json", args->json, "Print only JSON on stdout");
    return {app, [work = args] { return lab_bem(*work); }};
}

std::pair<CLI::App*, std::function<int()>> add_predict(CLI::App& lab) {
    auto [app, args] = add<LabPredictArgs>(
        lab, "predict", "Predict a coefficient of friction, with the error of predictions that are left out");
    app->add_option("--a", args->a, "A material: steel, glass, ... or E,nu,rho [Pa, -, kg/m^3]");
    app->add_option("--b", args->b, "The material it slides on");
    app->add_option("--young", args->young, "Instead of materials: a setting of the 2D lab, in its units");
    app->add_option("--poisson", args->poisson, "Poisson's ratio of the setting");
    app->add_option("--damping", args->damping, "Rayleigh's beta of the setting");
    app->add_option("--density", args->density, "Density of the setting");
    app->add_option("--runs", args->runs, "CSV of further runs: columns young, poisson, damping, density and the target");
    app->add_option("--target", args->target, "Column of --runs to learn")->capture_default_str();
    app->add_flag("--json", args->json, "Print only JSON on stdout");
    return {app, [work = args] { return lab_predict(*work); }};
}

}  // namespace

LabCommands::LabCommands(CLI::App& app) {
    lab_ = app.add_subcommand("lab", "The friction lab: rough surfaces, contact mechanics, predictions of friction");
    lab_->require_subcommand(1);
    for (const auto& declare : {add_surface, add_bem, add_hertz, add_predict, add_run, add_study}) {
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
