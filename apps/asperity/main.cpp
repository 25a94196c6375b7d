// The command line of Asperity: parses the arguments. Each command has its own file.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <system_error>

#include "asperity/commands.h"
#include "asperity/core/error.h"
#include "asperity/core/one_line.h"
#include "asperity/describe.h"
#include "asperity/tell.h"
#include "asperity/version.h"
#include "bench/bench.h"

using namespace asperity;
using namespace asperity::app;

/// Whether everything printed has reached its place. A full disk often shows only here.
bool flush_output() {
    errno = 0;
    if (std::cout.flush().good() && std::fflush(stdout) == 0 && !std::ferror(stdout)) return true;
    tell("asperity: standard output: cannot write: {}\n",
         errno == ENOSPC || errno == 0 ? "the disk is full" : std::strerror(errno));
    return false;
}

/// `asperity bench NAME ...`: a measurement with options of its own (bench/bench.h).
int run_bench(const bench::Bench& bench, int argc, char** argv) {
    try {
        const int code = bench.run(argc, argv);
        return flush_output() ? code : kWrongInput;
    } catch (const std::exception& error) {
        tell("asperity bench {}: {}\n", bench.name, error.what());
        return 2;
    }
}

std::string list_of_benches() {
    std::string list = "Or one of these, with its own options:\n";
    for (const bench::Bench& bench : bench::benches()) list += fmt::format("  bench {:<12} {}\n", bench.name, bench.what);
    return list;
}

/// The commands and options that the parser knows, for the manual page and the completions.
ProgramText text_of(const CLI::App& app) {
    ProgramText program{app.get_description(), kVersion, {}};
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        CommandText& text = program.commands.emplace_back(CommandText{command->get_name(), command->get_description(), {}});
        for (const CLI::Option* option : command->get_options())
            text.options.push_back({option->get_name(option->get_positional(), !option->get_positional()),
                                    option->get_type_size() == 0 ? "" : option->get_type_name(), option->get_description(),
                                    option->get_positional()});
    }
    return program;
}

int main(int argc, char** argv) {
    if (argc > 2 && std::string_view(argv[1]) == "bench")
        if (const bench::Bench* bench = bench::find(argv[2])) return run_bench(*bench, argc - 2, argv + 2);
    CLI::App app{"Contact and friction: run scenes, draw them, plot them, measure them."};
    app.footer(
        "Exit codes: 0 good, 1 an expectation failed, 2 wrong input, 3 numerical failure, 4 out of memory, 130 "
        "interrupted.");
    app.set_version_flag("--version", kVersion);
    app.require_subcommand(1);

    RunArgs run;
    CLI::App* run_app = app.add_subcommand("run", "Run a scene");
    run_app->add_option("scene", run.scene, "A scene file, or the name of a scene ('asperity scenes' lists them)")
        ->required();
    run_app->add_option("--out", run.out,
                        "Folder for summary.json, steps.csv, bodies.csv, motion.glb, recording.asp, checkpoint");
    run_app->add_option("--set", run.set, "Override any value by its path: --set params.mu=0.3 --set body.block.mass=2")
        ->take_all()
        ->allow_extra_args(false);
    run_app->add_option("--duration", run.duration, "Simulated time [s]");
    run_app->add_option("--dt", run.dt, "Time step [s]");
    run_app->add_option("--solver", run.solver, "Solver, as step.solver in the scene format: prox, pgs, newton, auto, ...");
    run_app->add_option("--threads", run.threads, "Threads; 0: one per core (results do not depend on the number)")
        ->check(CLI::Range(0, 1024));
    run_app->add_option("--seed", run.seed, "Seed of the scene's random numbers")->check([](const std::string& s) {
        return s.starts_with("-") ? std::string("must be a whole number >= 0") : std::string();
    });
    run_app->add_option("--record-hz", run.record_hz, "Recorded frames per simulated second")->capture_default_str();
    run_app
        ->add_option("--dump-problem", run.dump_steps,
                     "Write the contact problems of these steps as FCLIB files, into --out or the working directory")
        ->delimiter(',')
        ->allow_extra_args(false);
    run_app->add_flag(
        "--contacts", run.contacts,
        "Record contacts too: contacts.csv; pairs.csv with the friction wrench of each pair of bodies in contact; "
        "patches.csv with the wrench and centre of pressure of each contact patch");
    run_app->add_flag("--check", run.check,
                      "Deformable bodies: test every iterate for intersections in exact arithmetic, as step.check does");
    run_app->add_flag("--resume", run.resume, "Continue from the checkpoint in --out");
    run_app
        ->add_option("--checkpoint-every", run.checkpoint_every,
                     "Wall time between two checkpoints in --out [s]; a killed run continues from the last")
        ->check(CLI::Range(0.01, 1e9))
        ->capture_default_str();
    run_app->add_flag("--force", run.force, "Write to --out even if it has files and none of a run");
    run_app->add_flag("--json", run.json, "Print only summary.json on stdout");
    run_app->add_flag("--quiet", run.quiet, "No progress bar");

    RenderArgs render;
    CLI::App* render_app = app.add_subcommand("render", "Pictures and films of a run");
    render_app->add_option("input", render.input, "Output folder of a run, a recording, or a scene to run first")
        ->required();
    render_app->add_option("--picture", render.picture, "PNG to write");
    render_app->add_option("--film", render.film, "MP4 to write (needs ffmpeg)");
    render_app->add_option("--strip", render.strip, "PNG to write, with several times of the run side by side");
    render_app->add_option("--time", render.time, "Time of the picture [s]; default the last frame");
    render_app->add_option("--width", render.width)->check(CLI::Range(16, 16384))->capture_default_str();
    render_app
        ->add_option("--height", render.height, "Default 9/16 of the width; for a strip 3/4 of the width of each panel")
        ->check(CLI::Range(16, 16384));
    render_app->add_option("--samples", render.samples, "Largest number of samples per pixel")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    render_app->add_option("--film-width", render.film_width)->check(CLI::Range(16, 8192))->capture_default_str();
    render_app->add_option("--film-height", render.film_height)->check(CLI::Range(16, 8192))->capture_default_str();
    render_app->add_option("--film-samples", render.film_samples)->check(CLI::Range(1, 4096))->capture_default_str();
    render_app->add_option("--strip-count", render.strip_count)->check(CLI::Range(1, 32))->capture_default_str();
    render_app->add_option("--fps", render.fps)->check(CLI::Range(1.0, 240.0))->capture_default_str();
    render_app->add_option("--eye", render.eye, "Camera position: x y z")->expected(3);
    render_app->add_option("--target", render.target, "Point that the camera looks at: x y z")->expected(3);
    render_app->add_flag(
        "--forces", render.forces,
        "Arrows for contact forces; for a patch its outline and the force at its centre of pressure (run with --contacts)");
    render_app->add_flag("--trails", render.trails, "Past paths of the bodies");
    render_app->add_flag("--cones", render.cones, "Limit surfaces at contacts (run with --contacts)");
    render_app->add_option("--color-by", render.color_by, "Colours of deformable bodies, with a colour bar")
        ->check(CLI::IsMember({"displacement", "von_mises", "pressure"}));
    render_app
        ->add_option("--color-range", render.color_range,
                     "Lowest and highest value on the colour bar [m or Pa]; default the 1st to 99th percentile of the run")
        ->expected(2);
    render_app->add_option("--threads", render.threads)->check(CLI::Range(0, 1024));
    render_app->add_option("--set", render.set, "Override a value of the scene, as in run")
        ->take_all()
        ->allow_extra_args(false);
    render_app->add_flag("--quiet", render.quiet);

    PlotArgs plot;
    CLI::App* plot_app = app.add_subcommand("plot", "Plot columns of a run's tables as SVG");
    plot_app->add_option("folder", plot.folder, "Output folder of a run")->required();
    plot_app
        ->add_option("--y", plot.y,
                     "Columns of steps.csv, bodies.csv or forces.csv; also speed, spin, height, force, torque")
        ->required();
    plot_app->add_option("--x", plot.x)->capture_default_str();
    plot_app->add_option("--body", plot.bodies, "Only these bodies, or the pairs with one of them");
    plot_app->add_option("--out", plot.out, "SVG to write; default DIR/<columns>.svg");
    plot_app->add_option("--title", plot.title);
    plot_app->add_flag("--log", plot.log_y, "Logarithmic y");
    plot_app->add_flag("--linear", plot.linear_y, "Linear y");

    ConeArgs cone;
    CLI::App* cone_app =
        app.add_subcommand("cone", "Print, or draw, the limit surface of a pair of materials, or at a contact");
    cone_app->add_option("scene", cone.scene, "A scene file, or the name of a scene; none with --map-a and --map-b");
    cone_app->add_option("--pair", cone.pair, "Two materials of the scene, such as oak-oak");
    cone_app->add_option("--angle", cone.angle_deg, "Angle between their grains [degrees]")->capture_default_str();
    cone_app->add_option("--load", cone.load, "Normal force, for laws that depend on it [N]")->capture_default_str();
    cone_app->add_option("--speed", cone.speed, "Slip speed along the first grain, for laws that depend on it [m/s]")
        ->capture_default_str();
    cone_app->add_option("--contact", cone.contact, "One or two bodies: use their contact with the largest load")
        ->expected(1, 2);
    cone_app->add_option("--patch", cone.patch,
                         "SVG to write, of the points of that ploughing contact that lie on both surfaces");
    cone_app->add_option("--time", cone.time, "Time of the contact [s]; default after the first step");
    cone_app->add_option(
        "--map-a", cone.map_a,
        "A normal map (PNG, or keys as for texture --normal-map): print the coefficients of two maps in contact over "
        "their whole area; a missing map is smooth");
    cone_app->add_option("--map-b", cone.map_b, "The map that slides over map A, face down, with u along u of A");
    cone_app->add_option("--directions", cone.directions, "Number of ploughing directions, for maps")->capture_default_str();
    cone_app->add_option("--mu-0", cone.mu_0, "Coefficient of smooth surfaces, for maps")->capture_default_str();
    cone_app->add_option("--k-a", cone.k_a, "Weight of the slopes of map A")->capture_default_str();
    cone_app->add_option("--k-b", cone.k_b, "Weight of the slopes of map B")->capture_default_str();
    cone_app->add_option("--weight", cone.weight, "Weight of each facet: projected or true_area")->capture_default_str();
    cone_app->add_flag("--json", cone.json, "For maps: print only JSON on stdout");
    cone_app->add_option("--out", cone.out, "SVG to draw the limit surface into");
    cone_app->add_option("--set", cone.set, "Override a value of the scene, as in run")->take_all()->allow_extra_args(false);

    TextureArgs texture;
    CLI::App* texture_app = app.add_subcommand("texture",
                                               "Make a grain texture from a formula, a photograph or strokes, or a normal "
                                               "map from a generator, heights or another map");
    texture_app
        ->add_option("--out", texture.out,
                     "PNG to write; grain: red, green = (direction + 1)/2, alpha = strength; normal map: red, green, "
                     "blue = (normal + 1)/2, green up")
        ->required();
    texture_app->add_option("--formula", texture.formula,
                            "Grain angle from the tangent [degrees]; x and y run from 0 to 1 over the picture");
    texture_app->add_option("--photo", texture.photo, "A picture whose structure is the grain");
    texture_app->add_option("--sigma", texture.sigma, "Length over which the structure of the photo is averaged [pixels]")
        ->check(CLI::Range(0.3, 200.0))
        ->capture_default_str();
    texture_app->add_option("--strokes", texture.strokes, "A text file, one stroke per line: width u,v u,v ...");
    texture_app->add_option("--normal-map", texture.normal_map,
                            "A normal map: a PNG to convert, or keys as in a scene's normal_map = { ... }, such as "
                            "\"sawtooth = [15, 60], period = 32\"");
    texture_app->add_option("--bits", texture.bits, "For a normal map: 8 or 16 bits per channel")
        ->check(CLI::IsMember({8, 16}))
        ->capture_default_str();
    texture_app->add_option("--size", texture.size, "For grain from a formula or strokes: width and height [pixels]")
        ->expected(2)
        ->check(CLI::Range(1, 8192))
        ->capture_default_str();
    texture_app->add_option("--look", texture.look, "For grain: also write a PNG of the look of a surface brushed along it");
    texture_app->add_flag("--gltf", texture.gltf,
                          "For grain: encode as in KHR_materials_anisotropy: direction across the grain, blue = strength");

    bool scenes_json = false, scenes_names = false;
    CLI::App* scenes_app = app.add_subcommand("scenes", "List the scenes and their parameters");
    scenes_app->add_flag("--json", scenes_json);
    scenes_app->add_flag("--names", scenes_names, "Only the names, one per line");

    std::string new_name;
    CLI::App* new_app = app.add_subcommand("new", "Write a first scene to edit");
    new_app->add_option("name", new_name, "Name of the scene: NAME.toml is written, unless it exists")->required();

    BenchArgs bench;
    CLI::App* bench_app = app.add_subcommand("bench", "Time our own scenes");
    bench_app->footer(list_of_benches());
    bench_app->add_option("scenes", bench.scenes, "Scenes; default a standard set");
    bench_app->add_option("--threads", bench.threads)->check(CLI::Range(0, 1024))->delimiter(',')->capture_default_str();
    bench_app->add_option("--solver", bench.solvers)->delimiter(',');
    bench_app->add_option("--steps", bench.steps)->capture_default_str();
    bench_app->add_option("--warm-up", bench.warm_up)->capture_default_str();
    bench_app->add_option("--csv", bench.csv, "CSV file to write the rows to");

    SolveArgs solve;
    CLI::App* solve_app = app.add_subcommand("solve", "Solve contact problems from FCLIB files (HDF5)");
    solve_app->add_option("files", solve.files, "FCLIB files, local or global")->required();
    solve_app->add_option("--solver", solve.solvers, "Solver, or several separated by commas")
        ->delimiter(',')
        ->capture_default_str();
    solve_app->add_option("--tol", solve.tolerance, "Tolerance of the measure")->capture_default_str();
    solve_app->add_option("--time-limit", solve.time_limit, "Time limit of one solve [s]")->capture_default_str();
    solve_app->add_option("--max-iterations", solve.max_iterations, "Iteration limit of one solve")
        ->check(CLI::Range(1, 1'000'000'000))
        ->capture_default_str();
    solve_app->add_option("--measure", solve.measure, "siconos (relative error) or natural (largest natural map, m/s)")
        ->capture_default_str();
    solve_app->add_flag("--warm-start", solve.warm_start,
                        "Start from the first guess in the file, if it has one; otherwise from zero");
    solve_app->add_option("--plot", solve.plot, "SVG of the residual per iteration");
    solve_app->add_flag("--json", solve.json, "Print only JSON on stdout: one object per solve, each on one line");

    app.add_subcommand("doctor", "Check the installation: required programs and files, and a known result");

    CLI::App* man_app = app.add_subcommand("man", "Print the manual page, for man: asperity man | man -l -");
    std::string shell;
    CLI::App* completion_app =
        app.add_subcommand("completion", "Print the completion for a shell: eval \"$(asperity completion bash)\"");
    completion_app->add_option("shell", shell, "bash or zsh")->required();
    if (argc > 1 && argv[1][0] != '-' && argv[1][0] != '\0') {
        std::vector<std::string> commands;
        for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
        if (std::find(commands.begin(), commands.end(), argv[1]) == commands.end()) {
            const std::string near = nearest_name(argv[1], commands);
            tell("asperity: no command '{}'; {}\n", one_line(argv[1], 60),
                 near.empty() ? "asperity --help lists them" : "did you mean '" + near + "'?");
            return kWrongInput;
        }
    }

    // makes a file beyond the size limit (ulimit -f) an error, like a full disk, instead of ending the program
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const bool good = app.exit(error) == 0;  // --help and --version print
        return flush_output() && good ? kGood : kWrongInput;
    }
    const auto command = [&] {
        if (*run_app) return run_command(run);
        if (*render_app) return render_command(render);
        if (*plot_app) return plot_command(plot);
        if (*cone_app) return cone_command(cone);
        if (*texture_app) return texture_command(texture);
        if (*scenes_app) return scenes_command(scenes_json, scenes_names);
        if (*new_app) return new_command(new_name);
        if (*man_app || *completion_app) {
            fmt::print("{}", *man_app ? man_page(text_of(app)) : completion(text_of(app), shell));
            return kGood;
        }
        if (*bench_app) return bench_command(bench);
        if (*solve_app) return solve_command(solve);
        return doctor_command();
    };
    try {
        const int code = command();
        return flush_output() ? code : kWrongInput;
    } catch (const InputError& error) {
        tell("asperity: {}\n", error.what());
        return kWrongInput;
    } catch (const std::system_error& error) {  // such as fmt::print that cannot write
        if (flush_output()) tell("asperity: {}\n", error.what());
        return kWrongInput;
    } catch (const std::bad_alloc&) {
        tell(
            "asperity: out of memory. Memory grows with the contacts: look for bodies that overlap at the start, and for "
            "solvers that write out their matrix whatever its size (all but prox, fast and auto). Files written before are "
            "whole; --resume goes on from the "
            "last checkpoint\n");
        return kOutOfMemory;
    } catch (const std::exception& error) {  // report unexpected errors too, instead of crashing
        tell("asperity: {}\n", error.what());
        return kNumericalFailure;
    }
}
