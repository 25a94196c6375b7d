// The friction lab's two-dimensional run: processor time, iterations, shares of the parts; and the thesis' explicit scheme
// beside it on a small pair, extrapolated to the same run. docs/lab.md has the table and explains it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "asperity/core/error.h"
#include "asperity/core/threads.h"
#include "asperity/lab/faithful/explicit_pair.h"
#include "asperity/lab/tribometer/experiment.h"
#include "bench/bench.h"

namespace {

using namespace asperity;

int option(int argc, char** argv, std::string_view key, int fallback, int low, int high) {
    for (int i = 1; i + 1 < argc; i += 2)
        if (argv[i] == key) {
            char* end = nullptr;
            const long value = std::strtol(argv[i + 1], &end, 10);
            if (*end != '\0' || value < low || value > high)
                throw InputError(
                    fmt::format("{} = '{}': must be a whole number from {} to {}", key, argv[i + 1], low, high));
            return static_cast<int>(value);
        }
    return fallback;
}

void check_options(int argc, char** argv) {
    for (int i = 1; i < argc; i += 2) {
        const std::string_view key = argv[i];
        if ((key != "--seeds" && key != "--slide") || i + 1 == argc)
            throw InputError(fmt::format("'{}' is unknown or lacks its value; known: --seeds N, --slide N", key));
    }
}

}  // namespace

namespace asperity::bench {

int lab(int argc, char** argv) {
    check_options(argc, argv);
    const int seeds = option(argc, argv, "--seeds", 3, 1, 100), slide = option(argc, argv, "--slide", 30, 1, 200);
    set_thread_count(1);
    fmt::print("one thread; ms are wall times per Newton iteration, cpu processor time of the whole run\n");
    fmt::print("{:>8} {:>5} {:>9} {:>6} {:>6} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8}\n", "young", "seed", "triangles",
               "steps", "iter", "mu_30", "N/W", "ms", "assem%", "factor%", "search%", "cpu s");
    std::vector<double> all;
    double simulated = 0;
    for (const double young : {5e4, 1e5, 1e6})
        for (int seed = 1; seed <= seeds; ++seed) {
            lab::Experiment e;
            e.face.profile.seed = static_cast<std::uint64_t>(seed);
            e.lower.solid.young = e.upper.solid.young = young;
            e.drive.slide = slide;
            std::array<double, implicit::kPartCount> ms{};
            const lab::ExperimentResult r = lab::run(e, [&](const lab::Tribometer& t, const lab::Sample&) {
                ms = t.part_ms();
                return true;
            });
            double total = 0;
            for (const double part : ms) total += part;
            const auto share = [&](implicit::Part part) { return 100 * ms[static_cast<std::size_t>(part)] / total; };
            fmt::print("{:>8g} {:>5} {:>9} {:>6} {:>6} {:>7.3f} {:>7.4f} {:>7.2f} {:>7.1f} {:>7.1f} {:>7.1f} {:>8.2f}\n",
                       young, seed, r.triangles, r.steps, r.newton_iterations, r.mu_30, r.normal_over_weight,
                       total / r.newton_iterations, share(implicit::Part::assembly), share(implicit::Part::factor),
                       share(implicit::Part::line_search), r.cpu_s);
            all.push_back(r.cpu_s);
            if (young == 1e5) simulated = std::max(simulated, r.curve.back().time);
        }
    std::sort(all.begin(), all.end());
    fmt::print("median {:.2f} s, slowest {:.2f} s of processor time\n\n", all[all.size() / 2], all.back());

    lab::Experiment e;  // teeth in teeth
    e.face.kind = lab::FaceDesc::Kind::Sawtooth;
    e.face.period = 12;
    e.face.slope_up = e.face.slope_down = 0.25;
    e.lower = {60, 8, 0, 0, {}};
    e.upper = {24, 6, 18, 0, {}};
    e.lower.solid = e.upper.solid = {3e4, 0.25, 0.5, 2e-3};
    e.gap = 0.2;
    e.dhat = 0.1;
    e.drive.slide = 3;
    const lab::ExperimentResult ours = lab::run(e);
    lab::FaithfulSettings settings;
    settings.rest_gap = 0.02;
    settings.ramp = e.drive.rate;
    const lab::FaithfulResult theirs = lab::run_faithful(lab::describe(e), settings, 1);
    const double step_us = 1e6 * theirs.cpu_s / static_cast<double>(theirs.steps) / theirs.triangles;
    fmt::print("small pair of teeth, {} triangles\n", theirs.triangles);
    fmt::print("  implicit: N/W {:.4f}, first slip {:.4f}, {} steps, {:.3f} s\n", ours.normal_over_weight,
               lab::mu_at(ours.curve, 1, false), ours.steps, ours.cpu_s);
    fmt::print(
        "  explicit: N/W {:.4f}, first slip {:.4f}, {} steps of {:.2g} s, {:.2f} s, {:.3f} us per step and triangle\n",
        theirs.normal_over_weight, theirs.first_slip, theirs.steps, theirs.dt, theirs.cpu_s, step_us);
    // The whole run by the explicit scheme: its stable step with the stiffness damping of Table 4.1
    lab::Experiment full;
    lab::FaithfulSettings none;
    none.settle_time = 0;
    none.most_push = 1e-12;  // one step
    const lab::FaithfulResult one = lab::run_faithful(lab::describe(full), none, 1e9);
    const double steps = simulated / one.dt;
    fmt::print(
        "  the run of {} triangles and {:.0f} s of ramp by the explicit scheme: {:.2g} steps of {:.2g} s, {:.3g} hours of "
        "one core\n",
        one.triangles, simulated, steps, one.dt, steps * one.triangles * step_us * 1e-6 / 3600);
    return 0;
}

}  // namespace asperity::bench
