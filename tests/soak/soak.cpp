// The soak: random scenes of ten seconds, checked after every step (checks.h).
//   soak --seeds 1-200               runs all of them; prints a line for each failure, with the command that repeats it
//   soak --seeds 1-200 --no-bounce   the same without restitution
//   soak --seed 17 [--out FILE] [--set KEY=VALUE] [--trace]   runs one scene and prints its figures. FILE gets the scene,
//                                    for `asperity run` and `asperity render`. --set first overrides a key, as in
//                                    `asperity run`; --trace prints a line per step
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/scene/scene.h"
#include "asperity/sim/step.h"
#include "checks.h"
#include "options.h"
#include "random_scene.h"

namespace {

using namespace asperity;
using namespace asperity::soak;

struct Options {
    std::uint64_t first = 0, last = 0;
    std::string out;
    std::vector<scene::Override> changes;
    bool figures = false, trace = false, bounce = true;
};

Options parse(int argc, char** argv) {
    constexpr const char* kUsage =
        "usage: soak --seed N [--out FILE] [--set KEY=VALUE] [--trace] | --seeds A-B [--figures]; both: [--no-bounce]";
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view key = argv[i];
        if (key == "--trace") options.trace = true;
        if (key == "--figures") options.figures = true;
        if (key == "--no-bounce") options.bounce = false;
        if (key == "--trace" || key == "--figures" || key == "--no-bounce") continue;
        if (i + 1 == argc) throw InputError(fmt::format("'{}' is unknown or lacks its value; {}", key, kUsage));
        const std::string value = argv[++i];
        if (key == "--seed") {
            options.first = options.last = seed_number(value);
            options.figures = true;
        } else if (key == "--seeds") {
            const std::size_t dash = value.find('-');
            if (dash == std::string::npos)
                throw InputError(fmt::format("--seeds takes a range such as 1-200, not '{}'", value));
            options.first = seed_number(value.substr(0, dash));
            options.last = seed_number(value.substr(dash + 1));
        } else if (key == "--out") {
            options.out = value;
        } else if (key == "--set") {
            const std::size_t equals = value.find('=');
            if (equals == std::string::npos) throw InputError(fmt::format("--set takes key=value, not '{}'", value));
            options.changes.push_back({value.substr(0, equals), value.substr(equals + 1)});
        } else {
            throw InputError(fmt::format("unknown option '{}'; {}", key, kUsage));
        }
    }
    if (argc == 1 || options.last < options.first) throw InputError(kUsage);
    return options;
}

/// Runs one scene to its end or to its first failure.
bool soak_one(std::uint64_t seed, const Options& options, const char* program) {
    const std::string text = random_scene(seed, ASPERITY_SOAK_MESHES, options.bounce);
    if (!options.out.empty()) write_file(options.out, text);
    scene::Scene scene = scene::parse(text, fmt::format("soak-{}.toml", seed), options.changes);
    Checks checks(scene.world, scene.dt, {kRoomHalf, kRoomHeight});
    const long steps = std::lround(scene.duration / scene.dt);
    std::string failure;
    for (long k = 0; k < steps && failure.empty(); ++k) {
        failure = checks.after_step(scene.world, sim::step(scene.world, scene.dt));
        if (options.trace) fmt::print("{}\n", checks.trace());
    }
    if (options.figures) fmt::print("seed {}: {}\n", seed, checks.figures());
    if (!failure.empty()) {
        fmt::print("seed {} FAILED at {:.4f} s, step {}: {}\n    again: {} --seed {}{} --out seed{}.toml\n", seed,
                   scene.world.state.time, scene.world.state.steps_done, failure, program, seed,
                   options.bounce ? "" : " --no-bounce", seed);
    }
    std::fflush(stdout);
    return failure.empty();
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Options options = parse(argc, argv);
        int failed = 0, done = 0;
        for (std::uint64_t seed = options.first; seed <= options.last; ++seed, ++done)
            failed += !soak_one(seed, options, argv[0]);
        fmt::print("soak: {} of {} scenes failed\n", failed, done);
        return failed > 0 ? 1 : 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "soak: {}\n", error.what());
        return 2;
    }
}
