// Sweeps per step of contact patches and of contact points, on the scenes of the source and on others of ours. 100 steps
// from the start without warm starts, as in the source (Bouchard, Nesme, Tournier, Wang, Faure, Kry, "6D Frictional Contact
// for Rigid Bodies", GI 2015, Table 2). Its point contacts came from sampled meshes, and its sweeps were plain; ours are
// accelerated. Newton iterations on all patches together, which `prox` makes between its sweeps, count as sweeps. The
// second table has one step of the same faces with as many points as the source's meshes gave, also with plain sweeps. The
// third has the time per step of the source's two scenes of large meshes, on all cores, beside its times.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/parallel.h"
#include "asperity/scene/scene.h"
#include "asperity/sim/step.h"
#include "asperity/solvers/iteration/relax.h"
#include "bench/bench.h"
#include "bench/sampled_faces.h"

using namespace asperity;

namespace {

struct Row {
    const char *scene, *solver;
    double tolerance;
    const char* paper;
};
constexpr Row kRows[] = {{"octagon", "prox", 1e-15, "3 against 118"},
                         {"octagon", "pgs", 1e-15, "3 against 118"},
                         {"tapered_stack", "prox", 1e-10, "74 against 3087"},
                         {"tapered_stack", "newton", 1e-10, ""},
                         {"tapered_stack", "pgs", 1e-10, "74 against 3087"},
                         {"sloppy_stack", "prox", 1e-10, ""},
                         {"cubes_on_edge", "prox", 1e-10, ""}};

struct Measured {
    double mean = 0, deviation = 0;
    int most = 0, unsolved = 0;
};

/// Clears the impulses, so that every step starts from zero.
void clear_impulses(sim::World& world) {
    for (contact::Contact& c : world.state.active.contacts) c.impulse = {};
    for (contact::PatchContact& p : world.state.active.patches) {
        p.at.impulse = p.torque = {};
        p.pressure = {};
    }
}

Measured measure(const Row& row, const char* model, int steps) {
    scene::Scene s = scene::load(fmt::format("{}/scenes/sixd/{}.toml", ASPERITY_SOURCE_DIR, row.scene),
                                 {{"step.contact_model", model},
                                  {"step.solver", row.solver},
                                  {"step.tolerance", fmt::format("{}", row.tolerance)},
                                  {"step.max_sweeps", "20000"}});
    Measured m;
    double square = 0;
    for (int i = 0; i < steps; ++i) {
        clear_impulses(s.world);
        const sim::StepReport report = sim::step(s.world, s.dt);
        m.mean += report.sweeps;
        square += static_cast<double>(report.sweeps) * report.sweeps;
        m.most = std::max(m.most, report.sweeps);
        m.unsolved += report.status != solvers::SolveStatus::Converged;
    }
    m.mean /= steps;
    m.deviation = std::sqrt(std::fmax(0.0, square / steps - m.mean * m.mean));
    return m;
}

struct Timed {
    const char* scene;
    double from;  // start of the measurement [simulated s]
    const char* paper;
};
constexpr Timed kTimed[] = {{"bumpy_cube", 0, "129.4 / 1.0 ms"}, {"salad", 0.5, "270.6 / 3.1 ms"}};

/// Wall time per step of collision detection with contact creation, and of solving: median, mean and maximum over the steps
/// with contacts.
void time_scene(const Timed& timed, int steps) {
    scene::Scene s = scene::load(fmt::format("{}/scenes/sixd/{}.toml", ASPERITY_SOURCE_DIR, timed.scene));
    std::vector<double> detect, solve;
    for (int i = 0; i < steps + static_cast<int>(timed.from / s.dt); ++i) {
        const sim::StepReport report = sim::step(s.world, s.dt);
        if (s.world.state.time <= timed.from || report.contacts == 0) continue;
        const auto ms = [&](sim::Stage stage) { return report.stage_ms[static_cast<size_t>(stage)]; };
        detect.push_back(ms(sim::Stage::find_pairs) + ms(sim::Stage::find_contacts) + ms(sim::Stage::make_patches));
        solve.push_back(ms(sim::Stage::solve_contacts));
    }
    if (detect.empty()) return;
    const auto figures = [](std::vector<double>& times) {
        std::sort(times.begin(), times.end());
        double sum = 0;
        for (const double t : times) sum += t;
        return fmt::format("{:>7.2f} {:>7.2f} {:>7.2f}", times[times.size() / 2], sum / static_cast<double>(times.size()),
                           times.back());
    };
    fmt::print("{:<15} {:>6}   {}   {}   {}\n", timed.scene, detect.size(), figures(detect), figures(solve), timed.paper);
}

/// Sweeps of one solve from zero impulses; negative if it did not converge.
int sweeps_of(solvers::ContactProblem problem, const char* solver, double tolerance) {
    problem.prepare();
    std::vector<double> history;
    const solvers::SolveReport report = solvers::make_solver(solver)->solve(problem, {tolerance, 20000}, history);
    return report.status == solvers::SolveStatus::Converged ? report.sweeps : -report.sweeps;
}

/// The same with plain sweeps as in the source: one block after the other in a fixed order, without acceleration and without
/// joint solves of several blocks.
int plain_sweeps_of(solvers::ContactProblem problem, double tolerance, int most) {
    struct InProblem {
        solvers::ContactProblem& problem;
        solvers::Twist load(int group) const { return problem.velocity[static_cast<size_t>(group)]; }
        void store(int group, const solvers::Twist& v) const { problem.velocity[static_cast<size_t>(group)] = v; }
    };
    problem.prepare();
    for (int sweep = 1; sweep <= most; ++sweep) {
        double error = 0;
        for (const solvers::Block& block : problem.blocks)
            error = std::fmax(error, solvers::relax(problem, InProblem{problem}, block, 1.0));
        if (error > tolerance) continue;
        problem.refresh_velocities();
        if (solvers::natural_map_residual(problem).value <= tolerance) return sweep;
    }
    return -most;
}

int sampled_sweeps(const solvers::ContactProblem& problem, const char* solver, double tolerance) {
    return std::strcmp(solver, "plain") == 0 ? plain_sweeps_of(problem, tolerance, 20000)
                                             : sweeps_of(problem, solver, tolerance);
}

void print_sampled() {
    fmt::print("\nOne step, the faces sampled ('-': not solved)\n{:<18} {:<6} {:>8}   {:>7} {:>14} {:>14} {:>8}\n", "",
               "solver", "to [m/s]", "patches", "4 a face", "21 or 25", "ratio");
    const auto count = [](int sweeps) { return sweeps < 0 ? fmt::format("- ({})", -sweeps) : fmt::format("{}", sweeps); };
    for (const char* solver : {"prox", "pgs", "plain"}) {
        const double tolerance = 1e-15;
        const int patches = sampled_sweeps(bench::sliding_octagon(false), solver, tolerance),
                  points = sampled_sweeps(bench::sliding_octagon(true), solver, tolerance);
        fmt::print("{:<18} {:<6} {:>8.0e}   {:>7} {:>14} {:>14} {:>8.3f}\n", "sliding octagon", solver, tolerance,
                   count(patches), "", count(points), static_cast<double>(patches) / std::abs(points));
    }
    for (const char* solver : {"prox", "pgs", "plain"}) {
        const double tolerance = 1e-10;
        const int patches = sampled_sweeps(bench::tapered_stack(0), solver, tolerance),
                  four = sampled_sweeps(bench::tapered_stack(2), solver, tolerance),
                  many = sampled_sweeps(bench::tapered_stack(5), solver, tolerance);
        fmt::print("{:<18} {:<6} {:>8.0e}   {:>7} {:>14} {:>14} {:>8.3f}\n", "stack of five", solver, tolerance,
                   count(patches), count(four), count(many), static_cast<double>(patches) / std::abs(many));
    }
}

}  // namespace

int asperity::bench::sixd(int argc, char** argv) {
    int steps = 100;
    if (argc == 3 && std::strcmp(argv[1], "--steps") == 0) steps = std::max(1, std::atoi(argv[2]));
    fmt::print("{:<15} {:<6} {:>8}   {:>22} {:>26} {:>8}   {}\n", "scene", "solver", "to [m/s]", "patches (most)",
               "points (most)", "ratio", "source");
    try {
        for (const Row& row : kRows) {
            const Measured patches = measure(row, "patches", steps), points = measure(row, "points", steps);
            fmt::print(
                "{:<15} {:<6} {:>8.0e}   {:>8.1f} +- {:>5.1f} ({:>3}) {:>10.1f} +- {:>6.1f} ({:>4}) {:>8.3f}   {}{}\n",
                row.scene, row.solver, row.tolerance, patches.mean, patches.deviation, patches.most, points.mean,
                points.deviation, points.most, patches.mean / points.mean, row.paper,
                points.unsolved + patches.unsolved > 0
                    ? fmt::format("   (not solved: {} steps by patches, {} by points)", patches.unsolved, points.unsolved)
                    : "");
        }
        print_sampled();
        set_thread_count(0);
        fmt::print("\n{:<15} {:>6}   {:>23}   {:>23}   source\n", "scene", "steps",
                   fmt::format("detection [ms], {} threads", thread_count()), "solve [ms]");
        fmt::print("{:<15} {:>6}   {:>7} {:>7} {:>7}   {:>7} {:>7} {:>7}\n", "", "", "median", "mean", "most", "median",
                   "mean", "most");
        for (const Timed& timed : kTimed) time_scene({timed.scene, steps < 100 ? 0 : timed.from, timed.paper}, steps);
    } catch (const InputError& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
    return 0;
}
