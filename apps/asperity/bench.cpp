// asperity bench: times our own scenes, one row each. Compare CPU times; wall times show the gain from threads.
#include <ctime>

#include <fmt/format.h>
#include <algorithm>
#include <chrono>

#include "asperity/commands.h"
#include "asperity/core/files.h"
#include "asperity/progress.h"
#include "asperity/scene.h"

namespace asperity::app {
namespace {

double cpu_ms() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}
double wall_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Row {
    double cpu = 0, wall = 0, contacts = 0, sweeps = 0, residual = 0;
    // fractions of the wall time: limit surfaces, and within them the sampling of normal maps
    double cones = 0, sampling = 0;
    std::string hash;
};

Row measure(scene::Scene& scene, int warm_up, int steps) {
    for (int i = 0; i < warm_up; ++i) sim::step(scene.world, scene.dt);
    Row row;
    const double cpu = cpu_ms(), wall = wall_ms();
    for (int i = 0; i < steps; ++i) {
        const sim::StepReport report = sim::step(scene.world, scene.dt);
        row.contacts += report.contacts;
        row.cones += report.stage_ms[static_cast<size_t>(sim::Stage::generate_cones)];
        row.sampling += report.sampling_ms;
        row.sweeps += report.sweeps;
        row.residual = std::max(row.residual, report.residual);
    }
    row.cpu = (cpu_ms() - cpu) / steps;
    row.wall = (wall_ms() - wall) / steps;
    row.cones /= row.wall * steps;
    row.sampling /= row.wall * steps;
    row.contacts /= steps;
    row.sweeps /= steps;
    row.hash = scene.world.state_hash();
    return row;
}

}  // namespace

int bench_command(const BenchArgs& args) {
    if (args.steps < 1) throw InputError(fmt::format("bench: --steps {}: must be at least 1", args.steps));
    std::vector<std::string> scenes = args.scenes;
    if (scenes.empty())
        scenes = {"slope",    "fan",   "stack10",      "arch",     "card_house",
                  "dominoes", "chain", "capsule_pile", "box_pile", "mesoscale/stacks"};
    for (const std::string& name : scenes) find_scene(name);  // report a wrong name before measuring anything
    std::string csv = "scene,solver,threads,cpu_ms,wall_ms,cones_share,sampling_share,contacts,sweeps,residual,hash\n";
    fmt::print("{:<16} {:<6} {:>7} {:>12} {:>12} {:>7} {:>10} {:>9} {:>8} {:>13}  {}\n", "scene", "solver", "threads",
               "CPU ms/step", "wall ms/step", "cones %", "sampling %", "contacts", "sweeps", "residual m/s", "state hash");
    for (const std::string& name : scenes) {
        std::vector<std::string> solvers = args.solvers;
        if (solvers.empty()) solvers = {""};
        for (const std::string& solver : solvers) {
            for (const int threads : args.threads) {
                std::vector<scene::Override> overrides;
                if (!solver.empty()) overrides.push_back({"step.solver", "\"" + solver + "\""});
                scene::Scene scene = scene::load(find_scene(name), overrides);
                set_thread_count(threads);
                const Row row = measure(scene, args.warm_up, args.steps);
                fmt::print("{:<16} {:<6} {:>7} {:>12.4f} {:>12.4f} {:>7.1f} {:>10.1f} {:>9.1f} {:>8.1f} {:>13.1e}  {}\n",
                           name, scene.world.model.settings.solver, threads, row.cpu, row.wall, 100 * row.cones,
                           100 * row.sampling, row.contacts, row.sweeps, row.residual, row.hash);
                std::fflush(stdout);
                csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", name, scene.world.model.settings.solver, threads,
                                   row.cpu, row.wall, row.cones, row.sampling, row.contacts, row.sweeps, row.residual,
                                   row.hash);
            }
        }
    }
    if (!args.csv.empty()) write_file(args.csv, csv);
    return kGood;
}

}  // namespace asperity::app
