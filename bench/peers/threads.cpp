// Speed-up by threads on a pile of boxes. Two copies of the world, one stepped with one thread and one with several, take
// turns of a few steps, so that other work of the machine affects both. Prints the median of the turns' time ratios and the
// ratio of total times.
//   threads [BOXES] [STEPS] [THREADS]      10,000 boxes, 200 steps, 2 threads
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <vector>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/parallel.h"
#include "asperity/sim/step.h"
#include "asperity_world.h"

namespace {

using namespace asperity;

constexpr int kStepsPerTurn = 5;  // steps per turn; the first step of a turn finds the caches filled by the other world

int whole_number(const char* text, const char* name) {
    char* end = nullptr;
    const long value = std::strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value < 1 || value > 1000000)
        throw InputError(fmt::format("{} must be a whole number from 1 to 1,000,000, not '{}'", name, text));
    return static_cast<int>(value);
}

/// Time of the next steps of a world [ms].
double turn(sim::World& world, double dt, int threads, int steps) {
    set_thread_count(threads);
    const double start = peers::wall_seconds();
    for (int i = 0; i < steps; ++i) sim::step(world, dt);
    return 1e3 * (peers::wall_seconds() - start);
}

double middle(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc > 4) throw InputError("usage: threads [BOXES] [STEPS] [THREADS]");
        const int boxes = argc > 1 ? whole_number(argv[1], "BOXES") : 10000,
                  steps = argc > 2 ? whole_number(argv[2], "STEPS") : 200;
        const int threads = argc > 3 ? whole_number(argv[3], "THREADS") : 2;
        const peers::Scene scene = peers::pile(boxes, peers::PileShape::Cubes);
        sim::World one = peers::asperity_world(scene, "fast"), many = peers::asperity_world(scene, "fast");
        std::vector<double> ratio;
        double one_ms = 0, many_ms = 0;
        for (int done = 0; done < steps;) {
            const int now = std::min(kStepsPerTurn, steps - done);
            const double alone = turn(one, scene.dt, 1, now), together = turn(many, scene.dt, threads, now);
            one_ms += alone;
            many_ms += together;
            ratio.push_back(alone / together);
            done += now;
        }
        const bool same = one.state_hash() == many.state_hash();
        fmt::print(
            "{} boxes, {} steps: {:.2f} ms a step on 1 thread, {:.2f} on {}: {:.2f} times as fast ({:.2f} in the middle of "
            "{} turns); same bits: {}\n",
            boxes, steps, one_ms / steps, many_ms / steps, threads, one_ms / many_ms, middle(ratio), ratio.size(),
            same ? "yes" : "NO");
        return same ? 0 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "threads: {}\n", error.what());
        return 2;
    }
}
