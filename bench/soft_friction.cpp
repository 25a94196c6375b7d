#include "bench/soft_friction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "asperity/core/error.h"
#include "asperity/deform/meshes/generators.h"
#include "asperity/implicit/step.h"
#include "asperity/scene/run.h"

namespace asperity::bench {
namespace {

using implicit::FrictionMethod;
using implicit::World;

constexpr double kMuT = 0.5, kMuB = 0.3, kPsi = 0.5, kDt = 0.01;

/// A soft block on a soft slab whose mesh does not fit, gravity as on a slope.
World<3> block_on_slab(FrictionMethod method, int cells) {
    World<3> world;
    world.model.settings.friction = method;
    if (method != FrictionMethod::Hold) world.model.settings.friction_passes = 1;
    world.model.settings.dhat = 1e-3;
    world.model.materials.resize(1);
    world.model.materials[0].name = "rubber";
    world.model.materials[0].grain = {1, 0, 0};
    surface::Pair pair;
    pair.friction.base = friction::Elliptic{kMuT, kMuB};
    world.model.pairs.set_default(pair);
    const auto add = [&](const char* name, const Vector<3>& size, const std::array<int, 3>& parts, const Vector<3>& place) {
        implicit::SoftDesc<3> desc;
        desc.name = name;
        desc.mesh = deform::box<3>(size, parts);
        for (Vector<3>& p : desc.mesh.points) p += place;
        desc.elasticity = {.model = deform::Hyperelastic::NeoHookean, .young = 1e6, .poisson = 0.4};
        desc.damping_stiffness = 0.02;
        const int body = world.add(desc);
        world.set_self_contact(body, false);
        return body;
    };
    const int slab = add("slab", {0.6, 0.4, 0.1}, {cells * 9 / 4, cells * 7 / 4, 2}, {0.1, 0, -0.05});
    world.prescribe(slab, "base", [](const Vector<3>& x) { return x[2] < -0.0999; });
    add("block", {0.2, 0.2, 0.1}, {cells, cells, cells / 2}, {0.003, 0.002, 0.0505});
    return world;
}

struct Cost {
    int steps = 0, iterations = 0, passes = 0, misses = 0;
};

/// Mean cost of a step at `share` of the limit of the slope, which is reached within 2 s, from 3 s on for a second; above
/// the limit from 2.3 s on for half a second.
Cost measure(FrictionMethod method, int cells, double share) {
    World<3> world = block_on_slab(method, cells);
    const double limit = 1 / std::hypot(std::cos(kPsi) / kMuT, std::sin(kPsi) / kMuB);
    const bool slides = share > 1;
    const double from = slides ? 2.3 : 3, until = slides ? 2.8 : 4;
    Cost cost;
    while (world.state.time < until - 0.5 * kDt) {
        const double slope = std::atan(share * limit) * std::min(1.0, (world.state.time + kDt) / 2);
        world.model.gravity =
            9.81 * Vector<3>(std::sin(slope) * std::cos(kPsi), std::sin(slope) * std::sin(kPsi), -std::cos(slope));
        const bool counts = world.state.time > from - 0.5 * kDt;
        const implicit::StepReport report = implicit::step(world, kDt);
        if (!report.done) throw InputError(fmt::format("block on a slab: {}", report.trouble));
        if (!counts) continue;
        ++cost.steps;
        cost.iterations += report.iterations;
        cost.passes += report.friction_passes;
        cost.misses += report.friction_misses;
    }
    return cost;
}

}  // namespace

void print_friction_cost(int cells) {
    fmt::print("\nfriction: a soft block of {}^2 x {} cells on a soft slab, per step of {} s\n{:<12} {:>24} {:>24} {:>24}\n",
               cells, cells / 2, kDt, "", "hold", "smooth, eps_v 1e-3", "velocity");
    fmt::print("{:<12} {:>15} {:>8} {:>15} {:>8} {:>15} {:>8}   hold / smooth\n", "", "iterations", "passes", "iterations",
               "passes", "iterations", "passes");
    for (const auto& [name, share, most] : {std::tuple{"settled", 0.95, 0.2}, {"sliding", 1.2, 1.5}}) {
        std::array<double, 3> iterations{};
        fmt::print("{:<12}", name);
        for (const FrictionMethod method : {FrictionMethod::Hold, FrictionMethod::Smooth, FrictionMethod::Velocity}) {
            const Cost cost = measure(method, cells, share);
            iterations[static_cast<std::size_t>(method)] = static_cast<double>(cost.iterations) / cost.steps;
            fmt::print(" {:>15.3f} {:>8.3f}", static_cast<double>(cost.iterations) / cost.steps,
                       static_cast<double>(cost.passes) / cost.steps);
        }
        const double ratio = iterations[0] / iterations[1];
        fmt::print("   {:.3f}, at most {}: {}\n", ratio, most, ratio <= most ? "met" : "MISSED");
    }
}

void print_friction_misses(const std::string& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    int steps = 0, misses = 0;
    fmt::print("\n{:<28} {:>8} {:>8}   parts of steps whose friction missed its tolerance\n", folder, "steps", "missed");
    for (const std::filesystem::path& file : files) {
        scene::Scene scene = scene::load(file, {}, {});
        if (!scene.implicit) continue;
        const scene::RunResult result = scene::run(scene, {});
        fmt::print("{:<28} {:>8} {:>8}\n", file.stem().string(), result.steps, result.friction_misses);
        std::fflush(stdout);  // scenes take minutes
        steps += result.steps;
        misses += result.friction_misses;
    }
    const double share = steps > 0 ? static_cast<double>(misses) / steps : 0;
    fmt::print("{:<28} {:>8} {:>8}   share {:.2g}, at most 1e-3: {}\n", "all", steps, misses, share,
               share <= 1e-3 ? "met" : "MISSED");
}

}  // namespace asperity::bench
