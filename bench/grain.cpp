// Two measurements of CPU time, on one thread:
//   cones   the Matchstick law for a texture grain on one side and a constant grain on the other, in batches as in the step:
//           seconds per million cones, the best of several repetitions
//   hopper  scenes/hopper_1000.toml with its isotropic law, and with Matchstick on grained capsules and plates, at equal
//           sweeps. The two runs alternate step by step, so that other work of the machine affects both.
#include <fmt/format.h>
#include <time.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string_view>

#include "asperity/core/parallel.h"
#include "asperity/core/random.h"
#include "asperity/scene/scene.h"
#include "asperity/sim/step.h"
#include "asperity/surface/make_grain.h"
#include "asperity/surface/sample.h"
#include "bench/bench.h"

using namespace asperity;

namespace {

/// CPU time of this thread [s], which excludes other work of the machine.
double now() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Seconds for `count` cones, the best of `goes`. The slope is along no axis, so that no value is zero or one by chance.
double time_cones(int count, int texels, int goes) {
    const surface::Grain painted =
        surface::TextureGrain{std::make_shared<surface::GrainTexture>(surface::grain_from_function(
            texels, texels, [](double u, double v) { return std::sin(2 * std::numbers::pi * u) + 5 * v; }))};
    const geometry::Shape ground = geometry::HalfSpace{}, box = geometry::Box{{0.1, 0.1, 0.1}};
    const surface::Material ice{.name = "ice"}, wood{.name = "wood", .grain = {1, 0, 0}};
    const friction::Law law{friction::Matchstick{0.5, 0.1, 0.9}};
    const Quat slope = rotation({0.3, -0.2, 0.1});
    const Vec3 up{0, 0, 1}, normal = rotate(slope, up);
    Random random(1);
    std::vector<Vec3> points;
    std::vector<Quat> turns;
    for (int i = 0; i < count; ++i) {
        points.push_back({random.uniform(-50, 50), random.uniform(-50, 50), 0});
        turns.push_back(slope * rotation({0, 0, random.uniform(0, 3)}));
    }
    constexpr size_t batch = 64;  // batch size of the step
    std::vector<surface::PrefetchedGrain> on_ground(batch), on_box(batch);
    std::vector<friction::ConeInput> in(batch);
    std::vector<friction::LimitSurface> out(batch);
    double best = 1e300, sum = 0;
    for (int go = 0; go < goes; ++go) {
        const double start = now();
        for (size_t first = 0; first < points.size(); first += batch) {
            const size_t size = std::min(batch, points.size() - first);
            for (size_t k = 0; k < size; ++k) {
                on_ground[k] = surface::ask(ice, &painted, {ground, {}, points[first + k], up});
                on_box[k] = surface::ask(wood, nullptr, {box, {}, {}, -up});
            }
            for (size_t k = 0; k < size; ++k) {
                in[k].normal = normal;
                in[k].grain_a = surface::read(on_ground[k], ice, slope, normal).grain;
                in[k].grain_b = surface::read(on_box[k], wood, turns[first + k], normal).grain;
            }
            friction::generate(law, std::span(in).first(size), std::span(out).first(size));
            sum += std::get<friction::Ellipse>(out[0].set).t;
        }
        best = std::min(best, now() - start);
    }
    if (!std::isfinite(sum)) std::abort();  // uses the result, so that the compiler cannot skip the work
    return best;
}

scene::Scene hopper(bool grained) {
    // A tolerance that is never reached gives equal numbers of sweeps.
    scene::Scene s =
        scene::load(std::string(ASPERITY_SOURCE_DIR) + "/scenes/hopper_1000.toml", {{"step.tolerance", "1e-15"}});
    sim::World& world = s.world;
    friction::Law law{friction::Coulomb{0.3}};
    if (grained) {
        law.base = friction::Matchstick{0.3, 0.25, 0.35};  // close to the isotropic run, so that both piles are similar
        for (size_t m = 0; m < world.model.materials.size(); ++m)
            world.set_grain(MaterialId{static_cast<int>(m)}, surface::AxisGrain{{}, {0, 0, 1}, 0, 0, 1});
    }
    world.model.pairs = {};
    world.model.pairs.set_default({law, 0});
    world.model.pairs.resolve(world.model.materials, {});
    return s;
}

}  // namespace

int asperity::bench::grain(int argc, char** argv) {
    int cones = 1000000, goes = 9, steps = 200, settle = 200;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view key = argv[i];
        const int value = std::atoi(argv[i + 1]);
        if (key == "--cones")
            cones = value;
        else if (key == "--goes")
            goes = value;
        else if (key == "--steps")
            steps = value;
        else if (key == "--settle")
            settle = value;
        else
            return fmt::print(stderr, "asperity bench grain [--cones N] [--goes N] [--steps N] [--settle N]\n"), 2;
    }
    set_thread_count(1);
    for (const int size : {64, 512, 2048}) {
        const double seconds = time_cones(cones, size, goes);
        fmt::print(
            "{} Matchstick cones at random places of a texture of {} x {}: {:.4f} s, {:.0f} ns each (bound: 250 ns)\n",
            cones, size, size, seconds, 1e9 * seconds / cones);
    }

    if (steps == 0) return 0;
    scene::Scene plain = hopper(false), grained = hopper(true);
    for (int i = 0; i < settle; ++i) sim::step(plain.world, plain.dt), sim::step(grained.world, grained.dt);
    double time[2] = {}, contacts[2] = {}, sweeps[2] = {};
    for (int i = 0; i < steps; ++i)
        for (const int which : {0, 1}) {
            scene::Scene& s = which == 0 ? plain : grained;
            const double start = now();
            const sim::StepReport report = sim::step(s.world, s.dt);
            time[which] += now() - start, contacts[which] += report.contacts, sweeps[which] += report.sweeps;
        }
    for (const int which : {0, 1})
        fmt::print("hopper, {:11}: {:.3f} ms a step, {:.0f} contacts, {:.1f} sweeps, {:.0f} ns per contact and sweep\n",
                   which == 0 ? "isotropic" : "anisotropic", 1e3 * time[which] / steps, contacts[which] / steps,
                   sweeps[which] / steps, 1e9 * time[which] / contacts[which] / sweeps[which] * steps);
    fmt::print("ratio {:.3f}, per contact {:.3f} (bound: 1.10)\n", time[1] / time[0],
               time[1] / contacts[1] / (time[0] / contacts[0]));
    return 0;
}
