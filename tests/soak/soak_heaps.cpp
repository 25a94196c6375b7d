// The heaps of patch_heaps.h one by one, for those who look for what is wrong with one of them.
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include <fmt/format.h>

#include "asperity/sim/step.h"
#include "checks.h"
#include "patch_heaps.h"

namespace {

using namespace asperity;
using namespace asperity::soak;

struct Options {
    int first = 0, last = -1;
    std::string solver;   // in place of the heap's own
    bool trace = false, unsolved = false;
};

struct Tally {
    int heaps = 0, failed = 0, steps = 0, unsolved = 0;
    double worst = 0;
};

bool run(int seed, const Options& options, std::map<std::string, Tally>& tallies) {
    Heap heap = random_heap(static_cast<std::uint64_t>(seed));
    if (!options.solver.empty()) heap.world.settings.solver = options.solver;
    Tally& tally = tallies[heap.world.settings.solver];
    Checks checks(heap.world, heap.dt, kOpen);
    std::string failure;
    int unsolved = 0;
    double worst = 0;
    for (int i = 0; i < heap.steps && failure.empty(); ++i) {
        const sim::StepReport report = sim::step(heap.world, heap.dt);
        failure = checks.after_step(heap.world, report);
        if (options.trace) fmt::print("{}\n", checks.trace());
        const bool solved = report.status == solvers::SolveStatus::Converged || report.status == solvers::SolveStatus::Stalled;
        if (!solved && options.unsolved)
            fmt::print("seed {} step {} unsolved: {}, residual {:.2e} m/s in {}\n", seed, heap.world.steps_done, solvers::name(report.status), report.residual,
                       report.sweeps);
        unsolved += !solved;
        if (!solved) worst = std::max(worst, report.residual);
        ++tally.steps;
    }
    ++tally.heaps;
    tally.unsolved += unsolved;
    tally.worst = std::max(tally.worst, worst);
    tally.failed += !failure.empty();
    if (!failure.empty())
        fmt::print("{}, step {} FAILED ({} steps unsolved, worst {:.2e} m/s): {}\n    {}\n", heap.what, heap.world.steps_done, unsolved, worst, failure, checks.figures());
    else if (options.first == options.last)
        fmt::print("{}; {}\n", heap.what, checks.figures());
    std::fflush(stdout);
    return failure.empty();
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string key = argv[i];
        if (key == "--trace") options.trace = true;
        else if (key == "--unsolved") options.unsolved = true;
        else if (key == "--solver" && i + 1 < argc) options.solver = argv[++i];
        else if (key == "--seed" && i + 1 < argc) options.first = options.last = std::atoi(argv[++i]);
        else if (key == "--seeds" && i + 1 < argc && std::strchr(argv[i + 1], '-')) {
            options.first = std::atoi(argv[++i]);
            options.last = std::atoi(std::strchr(argv[i], '-') + 1);
        } else options.last = -1;
    }
    if (options.last < options.first) {
        fmt::print(stderr, "usage: soak_heaps --seed N | --seeds A-B  [--trace] [--unsolved] [--solver NAME]\n");
        return 2;
    }
    std::map<std::string, Tally> tallies;
    for (int seed = options.first; seed <= options.last; ++seed) run(seed, options, tallies);
    int failed = 0;
    for (const auto& [solver, t] : tallies) {
        fmt::print("{:>14}: {} of {} heaps failed; {} of {} steps unsolved, worst {:.2e} m/s\n", solver, t.failed, t.heaps, t.unsolved, t.steps, t.worst);
        failed += t.failed;
    }
    return failed > 0 ? 1 : 0;
}
