// The driver: every scene through every engine, one process and one thread at a time, into one table and one CSV file.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "child.h"

namespace {

using namespace asperity;
using namespace asperity::peers;
namespace fs = std::filesystem;

constexpr const char* kUsage =
    "usage: peers [--scenes A,B] [--engines A,B] [--boxes N,M] [--cpu-limit S] [--all-configs] [--csv FILE]\n"
    "  --scenes       slope, fan, stack10, stack10_top20, stack10_1to20, arch, card_house, box_pile:N, capsule_pile:N\n"
    "                 (default: all, the piles with the numbers of --boxes)\n"
    "  --engines      default: all that were built\n"
    "  --boxes        sizes of the piles (default 250,1000)\n"
    "  --cpu-limit    CPU seconds per run (default 120); a run that meets it shows fewer steps\n"
    "  --all-configs  every configuration of an engine, not only its first two\n"
    "  --csv          also write scene,engine,config,cpu_ms_per_step,steps,quantity,unit,value\n";

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
    return parts;
}

struct Options {
    std::vector<std::string> scenes, engines = split(ASPERITY_PEER_ENGINES, ',');
    std::vector<std::string> boxes = {"250", "1000"};
    std::string cpu_limit = "120", csv;
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
        else if (key == "--cpu-limit")
            options.cpu_limit = value;
        else if (key == "--csv")
            options.csv = value;
        else
            throw InputError(fmt::format("unknown option '{}'\n{}", key, kUsage));
    }
    if (options.scenes.empty()) {
        options.scenes = {"slope", "fan", "stack10", "stack10_top20", "stack10_1to20", "arch", "card_house"};
        for (const char* pile : {"box_pile", "capsule_pile"}) {
            for (const std::string& count : options.boxes) options.scenes.push_back(fmt::format("{}:{}", pile, count));
        }
    }
    return options;
}

/// One engine in one configuration on one scene.
struct Row {
    std::string engine, config, cpu_ms, steps, trouble;
    std::vector<std::string> headings, units, names, values;
};

/// Four digits; "-" for what does not apply.
std::string cell(const std::string& number) {
    const double value = std::strtod(number.c_str(), nullptr);
    return std::isnan(value) ? "-" : fmt::format("{:.4g}", value);
}

Row run_row(const std::string& program, const std::string& engine, const std::string& config, const std::string& scene,
            const std::string& cpu_limit) {
    Row row{.engine = engine, .config = config};
    const ChildResult child = run_child({program, scene, config, cpu_limit});
    for (const std::string& line : split(child.output, '\n')) {
        const std::vector<std::string> fields = split(line, ',');
        if (line.starts_with("! ")) {
            row.trouble = line.substr(2);
        } else if (fields.size() == 2) {
            row.cpu_ms = fields[0];
            row.steps = fields[1];
        } else if (fields.size() == 3) {
            row.names.push_back(fields[0]);
            row.units.push_back(fields[1]);
            row.headings.push_back(fields[1].empty() ? fields[0] : fmt::format("{} [{}]", fields[0], fields[1]));
            row.values.push_back(fields[2]);
        }
    }
    if (row.trouble.empty()) row.trouble = child.trouble;
    return row;
}

/// The part of the table that belongs to one scene: its accuracy columns have their names in its first line.
void print_scene(const std::string& scene, const std::vector<Row>& rows) {
    const auto full = std::find_if(rows.begin(), rows.end(), [](const Row& r) { return !r.headings.empty(); });
    fmt::print("{:<18} {:<9} {:<10} {:>11} {:>6}", "scene", "engine", "config", "CPU ms/step", "steps");
    if (full != rows.end()) {
        for (const std::string& heading : full->headings) fmt::print("  {}", heading);
    }
    fmt::print("\n");
    for (const Row& row : rows) {
        fmt::print("{:<18} {:<9} {:<10} ", scene, row.engine, row.config);
        if (!row.trouble.empty()) {
            fmt::print("failed: {}\n", row.trouble);
            continue;
        }
        fmt::print("{:>11} {:>6}", cell(row.cpu_ms), row.steps);
        for (std::size_t k = 0; k < row.values.size(); ++k)
            fmt::print("  {:>{}}", cell(row.values[k]), row.headings[k].size());
        fmt::print("\n");
    }
    fmt::print("\n");
    std::fflush(stdout);
}

std::string csv_lines(const std::string& scene, const std::vector<Row>& rows) {
    std::string text;
    for (const Row& row : rows) {
        const std::string start = fmt::format("{},{},{},{},{}", scene, row.engine, row.config, row.cpu_ms, row.steps);
        if (!row.trouble.empty()) text += fmt::format("{},failed,,\n", start);
        for (std::size_t k = 0; k < row.values.size(); ++k) {
            text += fmt::format("{},{},{},{}\n", start, row.names[k], row.units[k], row.values[k]);
        }
    }
    return text;
}

void run_all(const Options& options) {
    // The engines' programs lie beside this one.
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
    struct Case {
        std::string program, engine, config;
    };
    std::vector<Case> cases;
    for (const std::string& engine : options.engines) {
        const std::string program = folder / ("peer_" + engine);
        if (!fs::exists(program)) {
            fmt::print(stderr, "peers: {} was not built, left out\n", engine);
            continue;
        }
        std::vector<std::string> configs = split(run_child({program, "--configs"}).output, '\n');
        if (!options.all_configs && configs.size() > 2) configs.resize(2);
        for (const std::string& config : configs) cases.push_back({program, engine, config});
    }
    if (cases.empty())
        throw InputError("no engine to run; install libbullet-dev, libode-dev or libmujoco-dev and build again");

    std::string csv = "scene,engine,config,cpu_ms_per_step,steps,quantity,unit,value\n";
    for (const std::string& scene : options.scenes) {
        std::vector<Row> rows;
        for (const Case& c : cases) {
            fmt::print(stderr, "peers: {} {} {}\n", scene, c.engine, c.config);
            rows.push_back(run_row(c.program, c.engine, c.config, scene, options.cpu_limit));
        }
        print_scene(scene, rows);
        csv += csv_lines(scene, rows);
        if (!options.csv.empty()) write_file(options.csv, csv);  // after each scene: an interrupted run keeps what it has
    }
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
