// Cost per contact as piles grow from a thousand to a hundred thousand contacts: milliseconds per step, nanoseconds per
// contact and step, gain by a second thread, bytes per contact. docs/performance.md has a table and explains it.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/parallel.h"
#include "asperity/sim/step.h"
#include "bench/bench.h"
#include "bench/heap.h"
#include "bench/options.h"
#include "bench/pile.h"

namespace {

using namespace asperity;
using bench::heap_bytes, bench::whole_number;

constexpr double kDt = 0.01;  // [s]
constexpr const char* kUsage =
    "usage: scaling [--sizes N,M] [--settle STEPS] [--steps STEPS] [--goes GOES] [--csv FILE]\n"
    "  --sizes   cubes along a side of the pile, 2 to 200 (default 5,9,16,28,46: about 1,000 to 100,000 contacts)\n"
    "  --settle  steps before the clock starts (default 30)\n"
    "  --steps   steps that are timed (default 20)\n"
    "  --goes    how often all piles are timed, in turns; the shortest times count, for machines with other work (default "
    "6)\n";

struct Options {
    std::vector<int> sizes = {5, 9, 16, 28, 46};
    int settle = 30, steps = 20, goes = 6;
    std::string csv;
};

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; i += 2) {
        const std::string_view key = argv[i];
        if (i + 1 == argc) throw InputError(fmt::format("'{}' is unknown or lacks its value\n{}", key, kUsage));
        const std::string value = argv[i + 1];
        if (key == "--sizes") {
            options.sizes.clear();
            std::istringstream in(value);
            for (std::string size; std::getline(in, size, ',');) options.sizes.push_back(whole_number(key, size, 2, 200));
        } else if (key == "--settle") {
            options.settle = whole_number(key, value, 0, 100000);
        } else if (key == "--steps") {
            options.steps = whole_number(key, value, 1, 100000);
        } else if (key == "--goes") {
            options.goes = whole_number(key, value, 1, 1000);
        } else if (key == "--csv") {
            options.csv = value;
        } else {
            throw InputError(fmt::format("unknown option '{}'\n{}", key, kUsage));
        }
    }
    if (options.sizes.empty()) throw InputError("--sizes: needs at least one number");
    return options;
}

double cpu_ms() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}
double wall_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Measured {
    int bodies = 0;
    double contacts = 0, sweeps = 0, position_sweeps = 0, cpu = 0, wall = 0;  ///< means over the timed steps; times in ms
    double bytes = 0;                                                         ///< allocated during the steps and still held
    std::array<double, sim::kStageCount> stage{};                             ///< [ms]
    std::string hash;
};

Measured measure_once(int width, int threads, const Options& options) {
    set_thread_count(threads);
    sim::World world = scaling::brick_pile(width);
    Measured m{.bodies = world.model.bodies.count() - 1};
    const double before = heap_bytes();
    for (int i = 0; i < options.settle; ++i) sim::step(world, kDt);
    const double cpu = cpu_ms(), wall = wall_ms();
    for (int i = 0; i < options.steps; ++i) {
        const sim::StepReport report = sim::step(world, kDt);
        m.contacts += report.contacts;
        m.sweeps += report.sweeps;
        m.position_sweeps += report.position_sweeps;
        for (int k = 0; k < sim::kStageCount; ++k) m.stage[k] += report.stage_ms[k] / options.steps;
    }
    m.cpu = (cpu_ms() - cpu) / options.steps;
    m.wall = (wall_ms() - wall) / options.steps;
    m.contacts /= options.steps;
    m.sweeps /= options.steps;
    m.position_sweeps /= options.steps;
    m.bytes = heap_bytes() - before;
    m.hash = world.state_hash();
    return m;
}

/// Averages as many runs as take about the time of one run of the widest pile, so that disturbances by other work of the
/// machine affect all piles equally.
Measured measure(int width, int threads, const Options& options) {
    const int widest = *std::max_element(options.sizes.begin(), options.sizes.end()),
              runs = std::max(1, widest * widest / (width * width));
    Measured m = measure_once(width, threads, options);
    for (int k = 1; k < runs; ++k) {
        const Measured again = measure_once(width, threads, options);
        m.cpu += again.cpu;
        m.wall += again.wall;
        for (size_t i = 0; i < m.stage.size(); ++i) m.stage[i] += again.stage[i];
    }
    m.cpu /= runs;
    m.wall /= runs;
    for (double& ms : m.stage) ms /= runs;
    return m;
}

/// Keeps the shorter times of two repetitions.
void keep_shorter(Measured& best, const Measured& go) {
    best.cpu = std::min(best.cpu, go.cpu);
    best.wall = std::min(best.wall, go.wall);
    for (size_t k = 0; k < best.stage.size(); ++k) best.stage[k] = std::min(best.stage[k], go.stage[k]);
}

}  // namespace

int asperity::bench::scaling(int argc, char** argv) {
    try {
        if (argc == 2 && std::string_view(argv[1]) == "--help") {
            fmt::print("{}", kUsage);
            return 0;
        }
        const Options options = parse(argc, argv);
        fmt::print("{:>7} {:>9} {:>7} {:>10} {:>12} {:>13} {:>13} {:>15} {:>9} {:>14}  {}\n", "bodies", "contacts", "sweeps",
                   "of poses", "CPU ms/step", "wall ms 1 thr.", "wall ms 2 thr.", "CPU ns/contact", "speed-up",
                   "bytes/contact", "same bits");
        std::string csv =
            "bodies,contacts,sweeps,position_sweeps,cpu_ms,wall_ms_1,wall_ms_2,cpu_ns_per_contact,bytes_per_contact,same_"
            "bits";
        for (const std::string_view stage : sim::kStageNames) csv += fmt::format(",ms_{}", stage);
        csv += "\n";
        std::vector<double> cost;
        bool same_bits = true;
        std::vector<Measured> best[2];  // with one thread and with two, per size
        for (int go = 0; go < options.goes; ++go)
            for (size_t i = 0; i < options.sizes.size(); ++i)
                for (const int threads : {1, 2}) {
                    const Measured measured = measure(options.sizes[i], threads, options);
                    std::vector<Measured>& kept = best[threads - 1];
                    if (go == 0)
                        kept.push_back(measured);
                    else
                        keep_shorter(kept[i], measured);
                }
        for (size_t i = 0; i < options.sizes.size(); ++i) {
            const Measured &one = best[0][i], &two = best[1][i];
            const double ns = 1e6 * one.cpu / std::max(1.0, one.contacts), bytes = one.bytes / std::max(1.0, one.contacts);
            const bool same = one.hash == two.hash;
            cost.push_back(ns);
            same_bits = same_bits && same;
            fmt::print("{:>7} {:>9.0f} {:>7.1f} {:>10.1f} {:>12.3f} {:>14.3f} {:>14.3f} {:>15.0f} {:>9.2f} {:>14.0f}  {}\n",
                       one.bodies, one.contacts, one.sweeps, one.position_sweeps, one.cpu, one.wall, two.wall, ns,
                       one.wall / two.wall, bytes, same ? "yes" : "NO");
            csv += fmt::format("{},{:.0f},{:.1f},{:.1f},{:.4f},{:.4f},{:.4f},{:.1f},{:.0f},{}", one.bodies, one.contacts,
                               one.sweeps, one.position_sweeps, one.cpu, one.wall, two.wall, ns, bytes, same ? "yes" : "no");
            for (const double ms : one.stage) csv += fmt::format(",{:.4f}", ms);
            csv += "\n";
            if (!options.csv.empty()) write_file(options.csv, csv);
        }
        fmt::print("cost per contact, last pile over first: {:.2f}\n", cost.back() / cost.front());
        return same_bits ? 0 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "scaling: {}\n", error.what());
        return 2;
    }
}
