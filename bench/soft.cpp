// Cost of steps of the implicit world as soft bodies grow from a thousand to a hundred thousand tetrahedra: Newton
// iterations, milliseconds per iteration, share of each part of the step, gain by a second thread, bytes per tetrahedron.
// docs/performance.md has the tables and explains them.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <numeric>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/parallel.h"
#include "asperity/implicit/step.h"
#include "asperity/record/plot.h"
#include "bench/bench.h"
#include "bench/heap.h"
#include "bench/options.h"
#include "bench/soft_friction.h"
#include "bench/soft_scenes.h"

namespace {

using namespace asperity;
using bench::heap_bytes, bench::whole_number;

constexpr double kDt = 0.01;           // [s]
constexpr double kLargestPart = 25;    // of all parts but the linear solver [%]
constexpr double kLeastSpeedUp = 1.5;  // by a second thread
constexpr const char* kUsage =
    "usage: soft [--cells N,M] [--slope N] [--ball N] [--steps STEPS] [--goes GOES] [--friction N]\n"
    "            [--misses FOLDER] [--csv FILE] [--plot FILE.svg]\n"
    "  --cells  cells along an edge of the cubes on the ground, 1 to 60 (default 6,10,15,26: 1,296 to 105,456 tetrahedra)\n"
    "  --slope  the same of the cube on a slope (default 10; 0: none)\n"
    "  --ball   cells across the soft ball on a soft slab, 4 to 60 (default 12; 0: none)\n"
    "  --steps  steps that are timed, after the first (default 19)\n"
    "  --goes   how often all scenes are timed, in turns; the shortest time of each step counts, for machines with other\n"
    "           work (default 2)\n"
    "  --friction  cells across a block on a slab, with friction of each kind (default 4; 0: none)\n"
    "  --misses    scenes that are run to count the steps whose friction forces did not settle (takes minutes)\n"
    "  --plot   growth of the time per tetrahedron with the cubes on the ground, as a picture\n";

struct Options {
    std::vector<int> cells = {6, 10, 15, 26};
    int slope = 10, ball = 12, steps = 19, goes = 2, friction = 4;
    std::string misses, csv, plot;
};

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; i += 2) {
        const std::string_view key = argv[i];
        if (i + 1 == argc) throw InputError(fmt::format("'{}' is unknown or lacks its value\n{}", key, kUsage));
        const std::string value = argv[i + 1];
        if (key == "--cells") {
            options.cells.clear();
            std::istringstream in(value);
            for (std::string size; std::getline(in, size, ',');) options.cells.push_back(whole_number(key, size, 1, 60));
        } else if (key == "--slope") {
            options.slope = whole_number(key, value, 0, 60);
        } else if (key == "--ball") {
            options.ball = value == "0" ? 0 : whole_number(key, value, 4, 60);
        } else if (key == "--steps") {
            options.steps = whole_number(key, value, 1, 100000);
        } else if (key == "--goes") {
            options.goes = whole_number(key, value, 1, 1000);
        } else if (key == "--friction") {
            options.friction = value == "0" ? 0 : whole_number(key, value, 2, 40);
        } else if (key == "--misses") {
            options.misses = value;
        } else if (key == "--csv") {
            options.csv = value;
        } else if (key == "--plot") {
            options.plot = value;
        } else {
            throw InputError(fmt::format("unknown option '{}'\n{}", key, kUsage));
        }
    }
    return options;
}

double cpu_s() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
double wall_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Scene {
    std::string name;
    std::function<implicit::World<3>()> make;
    double most_ms = 0, most_s = 0;  ///< targets: CPU ms per Newton iteration, CPU s per step after the first; 0: none
    bool grows = false;              ///< counts for the growth of the time per tetrahedron
};

struct Measured {
    int elements = 0, contacts = 0;
    double iterations = 0;                                       ///< of Newton's method per step
    double first = 0;                                            ///< CPU time of the first step [s]
    std::vector<double> cpu, wall;                               ///< per step after the first [s]
    std::vector<std::array<double, implicit::kPartCount>> part;  ///< wall time of the same [ms]
    double bytes = 0;  ///< allocated for the world and by the steps, and still held
    std::string hash;
};

Measured measure(const Scene& scene, int threads, int steps) {
    set_thread_count(threads);
    const double before = heap_bytes();
    implicit::World<3> world = scene.make();
    Measured m{.elements = world.model.elements.count()};
    world.prepare();
    for (int i = 0; i <= steps; ++i) {
        const double cpu = cpu_s(), wall = wall_s();
        const implicit::StepReport report = implicit::step(world, kDt);
        if (!report.done) throw InputError(fmt::format("{}: {}", scene.name, report.trouble));
        if (i == 0) {
            m.first = cpu_s() - cpu;
            continue;
        }
        m.cpu.push_back(cpu_s() - cpu);
        m.wall.push_back(wall_s() - wall);
        m.iterations += static_cast<double>(report.iterations) / steps;
        m.part.push_back(report.part_ms);
        m.contacts = report.contacts;
    }
    m.bytes = heap_bytes() - before;
    m.hash = world.state_hash();
    return m;
}

/// Steps do the same work in every repetition, so the shortest time of each is the one with the least disturbance.
void keep_shorter(Measured& best, const Measured& go) {
    for (std::size_t i = 0; i < best.cpu.size(); ++i) {
        best.cpu[i] = std::min(best.cpu[i], go.cpu[i]);
        best.wall[i] = std::min(best.wall[i], go.wall[i]);
        for (std::size_t k = 0; k < best.part[i].size(); ++k) best.part[i][k] = std::min(best.part[i][k], go.part[i][k]);
    }
    best.first = std::min(best.first, go.first);
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

struct Row {
    const Scene* scene;
    Measured one, two;  ///< with one thread and with two
    double step() const { return mean(one.cpu); }
    double iteration_ms() const { return 1e3 * step() / one.iterations; }
    double speed_up() const { return mean(one.wall) / mean(two.wall); }
    double share(implicit::Part part) const {  // [%]
        double all = 0, own = 0;
        for (const auto& step : one.part) {
            all = std::accumulate(step.begin(), step.end(), all);
            own += step[static_cast<std::size_t>(part)];
        }
        return 100 * own / all;
    }
};

std::vector<Scene> scenes(const Options& options) {
    std::vector<Scene> out;
    if (options.slope > 0)
        out.push_back({fmt::format("cube {}^3 on a slope", options.slope),
                       [n = options.slope] { return bench::soft_cube(n, 0.5); }, options.slope == 10 ? 20.0 : 0.0});
    for (const int n : options.cells)
        out.push_back({fmt::format("cube {}^3", n), [n] { return bench::soft_cube(n, 0); }, n == 10 ? 20.0 : 0.0,
                       n == 15   ? 0.8
                       : n == 26 ? 5.0
                                 : 0.0,
                       true});
    if (options.ball > 0)
        out.push_back(
            {fmt::format("ball of {} on a slab", options.ball), [n = options.ball] { return bench::soft_ball_on_slab(n); }});
    return out;
}

bool same_bits(const Row& row) { return row.one.hash == row.two.hash; }

void print_steps(const std::vector<Row>& rows) {
    fmt::print("{:<20} {:>7} {:>8} {:>10} {:>12} {:>13} {:>11} {:>13} {:>13} {:>9} {:>10}  {}\n", "", "tets", "contacts",
               "iterations", "ms/iteration", "CPU s, step 1", "CPU s/step", "wall s 1 thr.", "wall s 2 thr.", "speed-up",
               "bytes/tet", "same bits");
    for (const Row& row : rows)
        fmt::print("{:<20} {:>7} {:>8} {:>10.2f} {:>12.2f} {:>13.4f} {:>11.4f} {:>13.4f} {:>13.4f} {:>9.2f} {:>10.0f}  {}\n",
                   row.scene->name, row.one.elements, row.one.contacts, row.one.iterations, row.iteration_ms(),
                   row.one.first, row.step(), mean(row.one.wall), mean(row.two.wall), row.speed_up(),
                   row.one.bytes / row.one.elements, same_bits(row) ? "yes" : "NO");
}

void print_parts(const std::vector<Row>& rows) {
    fmt::print("\nparts of a step on one thread, %\n{:<20}", "");
    for (const std::string_view part : implicit::kPartNames) fmt::print(" {:>11}", part);
    fmt::print("\n");
    for (const Row& row : rows) {
        fmt::print("{:<20}", row.scene->name);
        for (int k = 0; k < implicit::kPartCount; ++k) fmt::print(" {:>11.1f}", row.share(static_cast<implicit::Part>(k)));
        fmt::print("\n");
    }
}

void print_targets(const std::vector<Row>& rows) {
    fmt::print("\n{:<52} {:>10} {:>10}\n", "target", "at most", "");
    const auto line = [](const std::string& what, double value, double limit, bool met) {
        fmt::print("{:<52} {:>10.4g} {:>10.4g}  {}\n", what, limit, value, met ? "met" : "MISSED");
    };
    for (const Row& row : rows) {
        const Scene& scene = *row.scene;
        if (scene.most_ms > 0)
            line(scene.name + ": CPU ms per Newton iteration", row.iteration_ms(), scene.most_ms,
                 row.iteration_ms() <= scene.most_ms);
        if (scene.most_s > 0) line(scene.name + ": CPU s per step", row.step(), scene.most_s, row.step() <= scene.most_s);
        double largest = 0;
        int which = 0;
        for (int k = 0; k < implicit::kPartCount; ++k) {
            const auto part = static_cast<implicit::Part>(k);
            if (part == implicit::Part::factor || part == implicit::Part::solve || row.share(part) <= largest) continue;
            largest = row.share(part);
            which = k;
        }
        line(fmt::format("{}: {}, %", scene.name, implicit::kPartNames[static_cast<std::size_t>(which)]), largest,
             kLargestPart, largest <= kLargestPart);
        line(scene.name + ": speed-up, at least", row.speed_up(), kLeastSpeedUp, row.speed_up() >= kLeastSpeedUp);
    }
    const Row *smallest = nullptr, *largest = nullptr;
    for (const Row& row : rows) {
        if (!row.scene->grows) continue;
        if (smallest == nullptr) smallest = &row;
        largest = &row;
    }
    if (largest != nullptr && largest != smallest)
        fmt::print("CPU time per tetrahedron and iteration, {} over {}: {:.2f}\n", largest->scene->name,
                   smallest->scene->name,
                   largest->iteration_ms() / largest->one.elements / (smallest->iteration_ms() / smallest->one.elements));
}

std::string csv(const std::vector<Row>& rows) {
    std::string out =
        "scene,tetrahedra,contacts,iterations,cpu_ms_per_iteration,cpu_s_first_step,cpu_s_per_step,wall_s_1,wall_s_2,"
        "bytes_per_tetrahedron,same_bits";
    for (const std::string_view part : implicit::kPartNames) out += fmt::format(",percent_{}", part);
    out += "\n";
    for (const Row& row : rows) {
        out += fmt::format("{},{},{},{:.3f},{:.4f},{:.5f},{:.5f},{:.5f},{:.5f},{:.0f},{}", row.scene->name, row.one.elements,
                           row.one.contacts, row.one.iterations, row.iteration_ms(), row.one.first, row.step(),
                           mean(row.one.wall), mean(row.two.wall), row.one.bytes / row.one.elements,
                           same_bits(row) ? "yes" : "no");
        for (int k = 0; k < implicit::kPartCount; ++k)
            out += fmt::format(",{:.2f}", row.share(static_cast<implicit::Part>(k)));
        out += "\n";
    }
    return out;
}

/// CPU time per tetrahedron and Newton iteration over the number of tetrahedra, with and without the linear solver.
std::string growth_plot(const std::vector<Row>& rows) {
    record::PlotSeries all{"whole iteration", {}, {}}, rest{"without the solver", {}, {}};
    for (const Row& row : rows) {
        if (!row.scene->grows) continue;
        const double each = 1e3 * row.iteration_ms() / row.one.elements;
        const double solver = row.share(implicit::Part::factor) + row.share(implicit::Part::solve);
        for (record::PlotSeries* series : {&all, &rest}) series->x.push_back(std::log10(row.one.elements));
        all.y.push_back(each);
        rest.y.push_back(each * (1 - solver / 100));
    }
    return record::svg_plot({.title = "Soft cubes on the ground: CPU time on one thread",
                             .x_label = "log10 of the number of tetrahedra",
                             .y_label = "microseconds per tetrahedron and Newton iteration",
                             .series = {all, rest},
                             .log_y = false});
}

}  // namespace

int asperity::bench::soft(int argc, char** argv) {
    try {
        if (argc == 2 && std::string_view(argv[1]) == "--help") {
            fmt::print("{}", kUsage);
            return 0;
        }
        const Options options = parse(argc, argv);
        const std::vector<Scene> all = scenes(options);
        std::vector<Row> rows;
        for (int go = 0; go < options.goes; ++go)
            for (std::size_t i = 0; i < all.size(); ++i) {
                Measured one = measure(all[i], 1, options.steps), two = measure(all[i], 2, options.steps);
                if (go == 0) {
                    rows.push_back({&all[i], std::move(one), std::move(two)});
                } else {
                    keep_shorter(rows[i].one, one);
                    keep_shorter(rows[i].two, two);
                }
            }
        set_thread_count(1);
        print_steps(rows);
        print_parts(rows);
        print_targets(rows);
        if (options.friction > 0) print_friction_cost(options.friction);
        if (!options.misses.empty()) print_friction_misses(options.misses);
        if (!options.csv.empty()) write_file(options.csv, csv(rows));
        if (!options.plot.empty()) write_file(options.plot, growth_plot(rows));
        return std::all_of(rows.begin(), rows.end(), same_bits) ? 0 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "soft: {}\n", error.what());
        return 2;
    }
}
