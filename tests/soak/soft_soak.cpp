// The soak of the implicit world: random scenes, checked after every step (soft_checks.h).
//   soft_soak --seeds 1-300          runs all of them; prints a line for each failure, with the command that repeats it,
//                                    and a table of what they cost
//   soft_soak --seed 17 [--trace]    runs one and prints what it is; --trace adds a line per step
//   soft_soak --friction ...         the same scenes with a random friction law, and how often its forces did not settle
// Exit code 1: a check failed, or a step stopped for no reason that its scene gives.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <string_view>

#include "asperity/core/error.h"
#include "asperity/implicit/step_data.h"
#include "options.h"
#include "soft_checks.h"
#include "soft_scene.h"

namespace {

using namespace asperity;
using namespace asperity::soak;
using implicit::Failure;

struct Options {
    std::uint64_t first = 0, last = 0;
    bool trace = false, about = false, friction = false;
};

/// Cost and outcomes of the scenes of one kind.
struct Row {
    int scenes = 0, steps = 0, halved = 0, explained = 0, failed = 0, missed = 0;
    long iterations = 0;
    double ms = 0;  ///< processor time of the steps
    void add(const Row& other) {
        scenes += other.scenes, steps += other.steps, halved += other.halved, explained += other.explained;
        failed += other.failed, missed += other.missed, iterations += other.iterations, ms += other.ms;
    }
};
using Table = std::map<std::string, Row>;

Options parse(int argc, char** argv) {
    constexpr const char* kUsage = "usage: soft_soak --seed N [--trace] | --seeds A-B; before them --friction";
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view key = argv[i];
        if (key == "--trace" || key == "--friction") {
            (key == "--trace" ? options.trace : options.friction) = true;
            continue;
        }
        if (i + 1 == argc) throw InputError(fmt::format("'{}' is unknown or lacks its value; {}", key, kUsage));
        const std::string value = argv[++i];
        const std::size_t dash = value.find('-');
        if (key == "--seed") {
            options.first = options.last = seed_number(value);
            options.about = true;
        } else if (key == "--seeds" && dash != std::string::npos) {
            options.first = seed_number(value.substr(0, dash));
            options.last = seed_number(value.substr(dash + 1));
        } else {
            throw InputError(fmt::format("unknown option '{} {}'; {}", key, value, kUsage));
        }
    }
    if (argc == 1 || options.last < options.first) throw InputError(kUsage);
    return options;
}

std::string_view failure_name(Failure failure) {
    switch (failure) {
        case Failure::Iterations: return "no convergence";
        case Failure::Blocked: return "blocked";
        case Failure::LineSearch: return "line search";
        case Failure::Singular: return "singular";
        case Failure::NotFinite: return "not finite";
        case Failure::Intersection: return "intersection";
        case Failure::Unstable: return "unstable";
        case Failure::Friction: return "friction";
        default: return "stopped";
    }
}

/// Whether a step that failed has a reason in its scene. The message must name a body and a remedy. The reason is a
/// prescribed motion that leaves no room, or an explicit step that is too long for a contact. All else is a defect.
template <int Dim>
bool is_explained(const implicit::World<Dim>& world, const implicit::StepReport& report) {
    const bool named = std::any_of(world.model.bodies.begin(), world.model.bodies.end(), [&](const auto& body) {
        return report.trouble.find(fmt::format("'{}'", body.name)) != std::string::npos;
    });
    bool moved = false;
    for (const auto& body : world.model.bodies) moved = moved || body.path;
    for (const auto& region : world.model.regions) moved = moved || region.position;
    const bool is_explicit = world.model.settings.integrator == implicit::Integrator::SymplecticEuler;
    return named && ((moved && report.failure == Failure::Blocked) || (is_explicit && report.failure == Failure::Unstable));
}

/// Runs one scene to its end or to its first failure. `stops` counts steps that failed, by cause.
template <int Dim>
Row soak_one(std::uint64_t seed, const Options& options, std::map<std::string, int>& stops) {
    SoftScene<Dim> scene = soft_scene<Dim>(seed);
    Row row{.scenes = 1};
    if (options.friction) add_friction(scene, seed);
    if (options.about) fmt::print("seed {}: {}\n", seed, scene.about);
    std::string failure;
    try {
        SoftChecks<Dim> checks(scene.world);
        for (int k = 0; k < scene.steps && failure.empty(); ++k) {
            const std::clock_t start = std::clock();
            const implicit::StepReport report = implicit::step(scene.world, scene.dt);
            row.ms += 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
            ++row.steps;
            row.iterations += report.iterations;
            row.halved += report.halvings > 0;
            row.missed += report.friction_misses > 0;
            if (!report.done) {
                ++stops[std::string(failure_name(report.failure))];
                if (is_explained(scene.world, report)) {
                    ++row.explained;
                    break;
                }
                failure = report.trouble.empty() ? "stopped without a word" : report.trouble;
            } else {
                failure = checks.after_step(scene.world, report, scene.dt);
            }
            if (options.trace) fmt::print("{}\n", checks.trace());
        }
    } catch (const InputError& error) { failure = fmt::format("refused: {}", error.what()); }
    if (!failure.empty()) {
        row.failed = 1;
        fmt::print("seed {} FAILED at step {}: {}\n    {}\n", seed, row.steps, failure, scene.about);
    }
    std::fflush(stdout);
    return row;
}

void print_row(const std::string& name, const Row& row) {
    fmt::print("{:<13} {:>6} {:>6} {:>12.1f} {:>8.2f} {:>9} {:>11} {:>8.2f}\n", name, row.scenes, row.steps,
               static_cast<double>(row.iterations) / std::max(row.steps, 1), 100.0 * row.halved / std::max(row.steps, 1),
               row.explained, row.failed, row.ms / std::max(row.steps, 1));
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Options options = parse(argc, argv);
        Table table;
        std::map<std::string, int> stops;
        Row all;
        for (std::uint64_t seed = options.first; seed <= options.last; ++seed) {
            const bool plane = soft_dimension(seed) == 2;
            const Row row = plane ? soak_one<2>(seed, options, stops) : soak_one<3>(seed, options, stops);
            const auto kind = static_cast<std::size_t>(soft_kind(seed));
            table[fmt::format("{} {}D", kSoftKindNames[kind], plane ? 2 : 3)].add(row);
            all.add(row);
        }
        fmt::print("kind          scenes  steps  Newton/step  halved%  explained  unexplained  ms/step\n");
        for (const auto& [name, row] : table) print_row(name, row);
        print_row("all", all);
        if (options.friction)
            fmt::print("friction did not settle in {} steps of {}: {:.2e}\n", all.missed, all.steps,
                       static_cast<double>(all.missed) / std::max(all.steps, 1));
        for (const auto& [name, count] : stops) fmt::print("stops, {}: {}\n", name, count);
        fmt::print("soft_soak: {} of {} scenes failed\n", all.failed, all.scenes);
        return all.failed > 0 ? 1 : 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "soft_soak: {}\n", error.what());
        return 2;
    }
}
