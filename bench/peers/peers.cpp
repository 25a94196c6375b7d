// The driver: runs every scene with every engine, one process at a time, and writes one table and one CSV file.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <limits>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "child.h"
#include "table.h"

namespace {

using namespace asperity;
using namespace asperity::peers;
namespace fs = std::filesystem;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

constexpr const char* kUsage =
    "usage: peers [--scenes A,B] [--engines A,B] [--boxes N,M] [--capsules N,M] [--cpu-limit S] [--other-limit S] "
    "[--goes N] [--all-configs] [--csv FILE]\n"
    "  --scenes       slope, fan, stack10, stack10_top20, stack10_1to20, arch, card_house, box_pile:N, capsule_pile:N, "
    "hopper:N\n"
    "                 (default: all but capsule_pile)\n"
    "  --engines      default: all that were built\n"
    "  --boxes        sizes of box_pile (default 250,1000,4000,10000; MuJoCo 2 takes the first only)\n"
    "  --capsules     sizes of hopper (default 250,1000)\n"
    "  --cpu-limit    CPU seconds per run (default 60); a run that meets it shows fewer steps\n"
    "  --other-limit  the same for configurations after an engine's first, in piles (default 20)\n"
    "  --goes         runs of an engine's first configuration in piles of up to 1,000 bodies, in turns with the other "
    "engines; each step counts with "
    "its shortest time (default 3)\n"
    "  --all-configs  every configuration of an engine, not only its first two\n"
    "  --csv          also write everything as a table: scene,engine,config,times,steps,quantity,unit,value\n";

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
    return parts;
}

struct Options {
    std::vector<std::string> scenes, engines = split(ASPERITY_PEER_ENGINES, ',');
    std::vector<std::string> boxes = {"250", "1000", "4000", "10000"}, capsules = {"250", "1000"};
    std::string cpu_limit = "60", other_limit = "20", csv;
    int goes = 3;
    bool all_configs = false;
};

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view key = argv[i];
        if (key == "--all-configs") {
            options.all_configs = true;
            continue;
        }
        if (i + 1 == argc) throw InputError(fmt::format("'{}' is unknown or lacks its value\n{}", key, kUsage));
        const std::string value = argv[++i];
        if (key == "--scenes")
            options.scenes = split(value, ',');
        else if (key == "--engines")
            options.engines = split(value, ',');
        else if (key == "--boxes")
            options.boxes = split(value, ',');
        else if (key == "--capsules")
            options.capsules = split(value, ',');
        else if (key == "--cpu-limit")
            options.cpu_limit = value;
        else if (key == "--other-limit")
            options.other_limit = value;
        else if (key == "--goes")
            options.goes = std::atoi(value.c_str());
        else if (key == "--csv")
            options.csv = value;
        else
            throw InputError(fmt::format("unknown option '{}'\n{}", key, kUsage));
    }
    if (options.goes < 1) throw InputError(fmt::format("--goes {}: at least one is needed", options.goes));
    if (options.scenes.empty()) {
        options.scenes = {"slope", "fan", "stack10", "stack10_top20", "stack10_1to20", "arch", "card_house"};
        for (const std::string& count : options.boxes) options.scenes.push_back("box_pile:" + count);
        for (const std::string& count : options.capsules) options.scenes.push_back("hopper:" + count);
    }
    return options;
}

/// Piles have a size in their name: box_pile:1000.
bool is_pile(const std::string& scene) { return scene.find(':') != std::string::npos; }
/// A run of some seconds, in which other work of the machine can take a fifth of the time. Runs of larger piles are long
/// enough to average it.
bool is_short_pile(const std::string& scene) {
    return is_pile(scene) && std::atoi(scene.substr(scene.find(':') + 1).c_str()) <= 1000;
}

/// One engine in one configuration.
struct Case {
    std::string program, engine, config;
    bool first;    ///< the first of the engine's configurations
    bool threads;  ///< run again on two threads
};

/// The numbers after "wall " or "cpu " of a line.
std::vector<double> numbers(const std::string& line) {
    std::vector<double> values;
    for (const std::string& word : split(line, ' ')) values.push_back(std::strtod(word.c_str(), nullptr));
    return {values.begin() + 1, values.end()};
}

/// Wall time of the same steps on two threads [ms per step].
double time_on_two(const Case& c, const std::string& scene, const std::string& cpu_limit, std::size_t steps) {
    const ChildResult child = run_child({c.program, scene, c.config, cpu_limit, "2", std::to_string(steps)});
    return child.trouble.empty() && child.output.starts_with("wall ") ? numbers(split(child.output, '\n')[0])[0] : kNone;
}

Row run_row(const Case& c, const std::string& scene, const Options& options) {
    const bool pile = is_pile(scene);
    const std::string& cpu_limit = pile && !c.first ? options.other_limit : options.cpu_limit;
    Row row{.engine = c.engine, .config = c.config};
    const ChildResult child = run_child({c.program, scene, c.config, cpu_limit});
    for (const std::string& line : split(child.output, '\n')) {
        const std::vector<std::string> fields = split(line, ',');
        if (line.starts_with("! ")) {
            row.trouble = line.substr(2);
        } else if (line.starts_with("wall ")) {
            row.wall_ms = numbers(line)[0];
        } else if (line.starts_with("cpu")) {
            row.cpu_ms = numbers(line);
        } else if (fields.size() == 3) {
            row.values.push_back({fields[0], fields[1], std::strtod(fields[2].c_str(), nullptr)});
        }
    }
    if (row.trouble.empty()) row.trouble = child.trouble;
    row.wall_two_ms = pile && c.threads && row.trouble.empty() ? time_on_two(c, scene, cpu_limit, row.cpu_ms.size()) : kNone;
    return row;
}

/// Merges a repeated run: the shorter time of each step is less disturbed by other work of the machine.
void take_shorter(Row& row, const Row& again) {
    if (!again.trouble.empty()) return;
    // A run that reached the limit has fewer steps.
    row.cpu_ms.resize(std::max(row.cpu_ms.size(), again.cpu_ms.size()), std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < again.cpu_ms.size(); ++i) row.cpu_ms[i] = std::min(row.cpu_ms[i], again.cpu_ms[i]);
    row.wall_ms = std::fmin(row.wall_ms, again.wall_ms);
    row.wall_two_ms = std::fmin(row.wall_two_ms, again.wall_two_ms);
}

std::vector<Case> find_cases(const Options& options) {
    // The engines' programs are in the folder of this program.
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
    std::vector<Case> cases;
    for (const std::string& engine : options.engines) {
        const std::string program = folder / ("peer_" + engine);
        if (!fs::exists(program)) {
            fmt::print(stderr, "peers: {} was not built, left out\n", engine);
            continue;
        }
        const bool threads = run_child({program, "--threads"}).output.starts_with("yes");
        std::vector<std::string> configs = split(run_child({program, "--configs"}).output, '\n');
        if (!options.all_configs && configs.size() > 2) configs.resize(2);
        for (const std::string& config : configs) {
            const bool first = config == configs.front();
            cases.push_back({program, engine, config, first, first && threads});
        }
    }
    if (cases.empty())
        throw InputError("no engine to run; install libbullet-dev, libode-dev or libmujoco-dev and build again");
    return cases;
}

void run_all(const Options& options) {
    const std::vector<Case> cases = find_cases(options);
    std::vector<SceneRows> results;
    for (const std::string& scene : options.scenes) {
        results.push_back({scene, {}});
        for (const Case& c : cases) {
            fmt::print(stderr, "peers: {} {} {}\n", scene, c.engine, c.config);
            results.back().rows.push_back(run_row(c, scene, options));
        }
        for (int go = 1; is_short_pile(scene) && go < options.goes; ++go)
            for (std::size_t k = 0; k < cases.size(); ++k)
                if (cases[k].first && results.back().rows[k].trouble.empty())
                    take_shorter(results.back().rows[k], run_row(cases[k], scene, options));
        print_scene(results.back());
        if (!options.csv.empty())
            write_file(options.csv, csv(results));  // after each scene, so that an interrupted run keeps its results
    }
    print_targets(results);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 2 && std::string_view(argv[1]) == "--help") {
            fmt::print("{}", kUsage);
            return 0;
        }
        run_all(parse(argc, argv));
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "peers: {}\n", error.what());
        return 2;
    }
}
