// Runs the heaps of patch_heaps.h one by one, to debug a single one.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "patch_heaps.h"

int main(int argc, char** argv) {
    using namespace asperity::soak;
    HeapOptions options;
    int first = 0, last = -1;
    bool understood = true;
    for (int i = 1; i < argc; ++i) {
        const std::string key = argv[i];
        const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
        if (key == "--trace") {
            options.trace = true;
        } else if (key == "--unsolved") {
            options.unsolved = true;
        } else if (key == "--solver" && value) {
            options.solver = argv[++i];
        } else if (key == "--seed" && value) {
            first = last = std::atoi(argv[++i]);
        } else if (key == "--seeds" && value && std::strchr(value, '-')) {
            first = std::atoi(argv[++i]);
            last = std::atoi(std::strchr(value, '-') + 1);
        } else {
            understood = false;
        }
    }
    if (!understood || last < first) {
        fmt::print(stderr, "usage: soak_heaps --seed N | --seeds A-B  [--trace] [--unsolved] [--solver NAME]\n");
        return 2;
    }
    HeapReport report;
    for (int seed = first; seed <= last; ++seed) {
        run_heap(seed, options, report);
        fmt::print("{}", report.failures);
        report.failures.clear();
        std::fflush(stdout);
    }
    int failed = 0;
    for (const auto& [solver, t] : report.by_solver) {
        fmt::print("{:>14}: {} of {} heaps failed; {} of {} steps unsolved, worst {:.2e} m/s\n", solver, t.failed, t.heaps,
                   t.unsolved, t.steps, t.worst);
        failed += t.failed;
    }
    return failed > 0 ? 1 : 0;
}
