// The program of one engine: runs one scene in one configuration and prints what was measured, for the driver to read.
//   peer_ENGINE --configs                 one configuration per line, the defaults first
//   peer_ENGINE SCENE CONFIG CPU_LIMIT    "cpu_ms_per_step,steps", then "quantity,unit,value" lines; or "! reason"
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

/// A backstop for one endless step: the CPU limit of a scene is only looked at between steps. Counts wall time, because a
/// limit on CPU time (RLIMIT_CPU) makes Linux advance the process's CPU clock by whole scheduler ticks of 1 to 10 ms.
void limit_process(double wall_seconds) { alarm(static_cast<unsigned>(wall_seconds)); }

void print(const Result& result) {
    fmt::print("{:.6g},{}\n", result.cpu_ms_per_step, result.steps);
    for (const Quantity& q : result.quantities) fmt::print("{},{},{:.6g}\n", q.name, q.unit, q.value);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const std::vector<std::string> configs = engine_configs();
        if (argc == 2 && std::string_view(argv[1]) == "--configs") {
            for (const std::string& config : configs) fmt::print("{}\n", config);
            return 0;
        }
        if (argc != 4) throw InputError("usage: peer_ENGINE --configs | SCENE CONFIG CPU_LIMIT");
        if (std::find(configs.begin(), configs.end(), argv[2]) == configs.end()) {
            throw InputError(
                fmt::format("{} has no configuration '{}'; it has {}", engine_name(), argv[2], fmt::join(configs, ", ")));
        }
        const double cpu_limit = std::strtod(argv[3], nullptr);
        if (!(cpu_limit > 0 && cpu_limit < 1e6)) throw InputError("CPU_LIMIT must be a number of seconds between 0 and 1e6");
        limit_process(20 * cpu_limit + 600);
        print(measure(argv[1], argv[2], cpu_limit));
        return 0;
    } catch (const std::exception& error) {
        fmt::print("! {}\n", error.what());
        return 2;
    }
}
