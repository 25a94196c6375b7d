// Formats the rows as text.
#include "table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace asperity::peers {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kOurs = "asperity";

/// Three digits; "-" for values that do not apply.
std::string cell(double value) { return std::isnan(value) ? "-" : fmt::format("{:.3g}", value); }

double sum_of_first(const std::vector<double>& values, std::size_t count) {
    return std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count), 0.0);
}

std::string heading(const Measured& m) { return m.unit.empty() ? m.name : fmt::format("{} [{}]", m.name, m.unit); }

/// Our own configurations with results, in their order.
std::vector<const Row*> our_rows(const SceneRows& result) {
    std::vector<const Row*> ours;
    for (const Row& row : result.rows) {
        if (row.engine == kOurs && row.trouble.empty()) ours.push_back(&row);
    }
    return ours;
}

void print_row(const std::string& scene, const Row& row, const std::vector<const Row*>& ours) {
    fmt::print("{:<16} {:<9} {:<10}", scene, row.engine, row.config);
    if (!row.trouble.empty()) {
        fmt::print(" failed: {}\n", row.trouble);
        return;
    }
    fmt::print(" {:>11} {:>14} {:>6}", cell(row.cpu_ms_per_step()), cell(row.wall_two_ms), row.cpu_ms.size());
    for (const Row* our : ours) {
        fmt::print("  {:>{}}", cell(row.engine == kOurs ? kNone : cpu_ratio(*our, row)), our->config.size() + 5);
    }
    for (const Measured& m : row.values) fmt::print("  {:>{}}", cell(m.value), heading(m).size());
    fmt::print("\n");
}

struct Target {
    const char* engine;
    double ratio;  ///< our CPU time over theirs
};
constexpr Target kTargets[] = {{"bullet", 0.35}, {"ode", 0.35}, {"mujoco", 0.1}};
constexpr double kMeanOverlap = 1, kWorstOverlap = 10;  ///< targets for our overlaps after settling [mm]

const char* verdict(bool met) { return met ? "met" : "MISSED"; }

}  // namespace

double Row::cpu_ms_per_step() const {
    return cpu_ms.empty() ? kNone : sum_of_first(cpu_ms, cpu_ms.size()) / static_cast<double>(cpu_ms.size());
}

double Row::value(const std::string& name) const {
    const auto found = std::find_if(values.begin(), values.end(), [&](const Measured& m) { return m.name == name; });
    return found == values.end() ? kNone : found->value;
}

double cpu_ratio(const Row& ours, const Row& theirs) {
    const std::size_t common = std::min(ours.cpu_ms.size(), theirs.cpu_ms.size());
    return common == 0 ? kNone : sum_of_first(ours.cpu_ms, common) / sum_of_first(theirs.cpu_ms, common);
}

void print_scene(const SceneRows& result) {
    const std::vector<const Row*> ours = our_rows(result);
    fmt::print("{:<16} {:<9} {:<10} {:>11} {:>14} {:>6}", "scene", "engine", "config", "CPU ms/step", "wall ms 2 thr.",
               "steps");
    for (const Row* our : ours) fmt::print("  {} : it", our->config);
    for (const Row& row : result.rows) {
        if (row.values.empty()) continue;
        for (const Measured& m : row.values) fmt::print("  {}", heading(m));
        break;
    }
    fmt::print("\n");
    for (const Row& row : result.rows) print_row(result.scene, row, ours);
    for (const Row& row : result.rows) {
        for (const Row* our : ours) {
            const double ratio = row.engine == kOurs || !row.trouble.empty() ? kNone : cpu_ratio(*our, row);
            if (ratio > 1)
                fmt::print("{} {} is faster than our {}: {:.2f} of its time\n", row.engine, row.config, our->config,
                           1 / ratio);
        }
    }
    fmt::print("\n");
    std::fflush(stdout);
}

void print_targets(const std::vector<SceneRows>& results) {
    std::string text;
    for (const SceneRows& result : results) {
        const std::vector<const Row*> ours = our_rows(result);
        if (!result.scene.starts_with("box_pile:") && !result.scene.starts_with("hopper:")) continue;
        if (ours.empty()) continue;
        const Row& our = *ours.front();
        for (const Target& target : kTargets) {
            const auto peer = std::find_if(result.rows.begin(), result.rows.end(),
                                           [&](const Row& r) { return r.engine == target.engine; });
            if (peer == result.rows.end()) continue;
            if (!peer->trouble.empty()) {
                text += fmt::format("{:<16} {:<7} cannot run it\n", result.scene, target.engine);
                continue;
            }
            const double ratio = cpu_ratio(our, *peer);
            text +=
                fmt::format("{:<16} {:<7} time {:.3f} of {} {} over {} steps, target {}: {}\n", result.scene, target.engine,
                            ratio, target.engine, peer->config, std::min(our.cpu_ms.size(), peer->cpu_ms.size()),
                            target.ratio, verdict(ratio <= target.ratio));
        }
        const double mean = our.value("mean overlap"), worst = our.value("worst"), ever = our.value("worst ever");
        text += fmt::format(
            "{:<16} overlap: mean {:.3g} mm, target {}: {}; worst {:.3g} mm, target {}: {}; while landing {:.3g} mm",
            result.scene, mean, kMeanOverlap, verdict(mean <= kMeanOverlap), worst, kWorstOverlap,
            verdict(worst <= kWorstOverlap), ever);
        std::string_view last = our.engine;  // use the first configuration of each engine
        for (const Row& row : result.rows) {
            if (row.engine != last && row.trouble.empty())
                text += fmt::format(", {} {:.3g}", row.engine, row.value("worst ever"));
            last = row.engine;
        }
        text += '\n';
    }
    if (text.empty()) return;
    fmt::print("Targets: our first configuration against the first of each peer, CPU time on one thread, same steps.\n{}",
               text);
}

std::string csv(const std::vector<SceneRows>& results) {
    std::string text =
        "scene,engine,config,cpu_ms_per_step,wall_ms_per_step,wall_ms_per_step_2_threads,steps,quantity,unit,value\n";
    for (const SceneRows& result : results) {
        const std::vector<const Row*> ours = our_rows(result);
        for (const Row& row : result.rows) {
            const std::string start = fmt::format("{},{},{},{:.6g},{:.6g},{:.6g},{}", result.scene, row.engine, row.config,
                                                  row.cpu_ms_per_step(), row.wall_ms, row.wall_two_ms, row.cpu_ms.size());
            if (!row.trouble.empty()) {
                text += start + ",failed,,\n";
                continue;
            }
            for (const Measured& m : row.values) text += fmt::format("{},{},{},{:.6g}\n", start, m.name, m.unit, m.value);
            for (const Row* our : ours)
                text += fmt::format("{},our {} over it,,{:.6g}\n", start, our->config, cpu_ratio(*our, row));
        }
    }
    return text;
}

}  // namespace asperity::peers
