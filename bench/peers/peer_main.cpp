// The program of one engine: runs one scene in one configuration and prints the measurements for the driver.
//   peer_ENGINE --configs                 one configuration per line, the defaults first
//   peer_ENGINE --threads                 "yes" if it can use several threads
//   peer_ENGINE SCENE CONFIG CPU_LIMIT    "wall MS_PER_STEP", "cpu MS MS MS ..." of every step, then "quantity,unit,value";
//                                         or "! reason"
//   peer_ENGINE SCENE CONFIG CPU_LIMIT THREADS STEPS    for a pile: only "wall MS_PER_STEP"
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "measure.h"

namespace {

using namespace asperity;
using namespace asperity::peers;

/// Ends a process with an endless step, because the CPU limit of a scene is only checked between steps. Uses wall time:
/// with a limit on CPU time (RLIMIT_CPU), Linux advances the process's CPU clock by whole scheduler ticks of 1 to 10 ms.
void limit_process(double wall_seconds) { alarm(static_cast<unsigned>(wall_seconds)); }

void print(const Result& result) {
    fmt::print("wall {:.6g}\ncpu", result.wall_ms_per_step);
    for (const double seconds : result.cpu) fmt::print(" {:.4g}", 1e3 * seconds);
    fmt::print("\n");
    for (const Quantity& q : result.quantities) fmt::print("{},{},{:.6g}\n", q.name, q.unit, q.value);
}

double number(const char* text, const char* name) {
    const double value = std::strtod(text, nullptr);
    if (!(value > 0 && value < 1e6))
        throw InputError(fmt::format("{} must be a number between 0 and 1e6, not '{}'", name, text));
    return value;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const std::vector<std::string> configs = engine_configs();
        if (argc == 2 && std::string_view(argv[1]) == "--configs") {
            for (const std::string& config : configs) fmt::print("{}\n", config);
            return 0;
        }
        if (argc == 2 && std::string_view(argv[1]) == "--threads") {
            fmt::print("{}\n", engine_has_threads() ? "yes" : "no");
            return 0;
        }
        if (argc != 4 && argc != 6) {
            throw InputError("usage: peer_ENGINE --configs | --threads | SCENE CONFIG CPU_LIMIT [THREADS STEPS]");
        }
        if (std::find(configs.begin(), configs.end(), argv[2]) == configs.end()) {
            throw InputError(
                fmt::format("{} has no configuration '{}'; it has {}", engine_name(), argv[2], fmt::join(configs, ", ")));
        }
        Limits limits{.cpu_seconds = number(argv[3], "CPU_LIMIT")};
        limit_process(20 * limits.cpu_seconds + 600);
        if (argc == 4) {
            print(measure(argv[1], argv[2], limits));
        } else {
            limits.threads = static_cast<int>(number(argv[4], "THREADS"));
            limits.steps = static_cast<int>(number(argv[5], "STEPS"));
            fmt::print("wall {:.6g}\n", time_pile(argv[1], argv[2], limits).wall_ms_per_step);
        }
        return 0;
    } catch (const std::exception& error) {
        fmt::print("! {}\n", error.what());
        return 2;
    }
}
