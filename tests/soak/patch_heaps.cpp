// Random heaps, and their checks.
#include "patch_heaps.h"

#include <algorithm>

#include <fmt/format.h>

#include "asperity/core/random.h"
#include "asperity/geometry/mesh/bumpy_box.h"
#include "asperity/sim/step.h"
#include "asperity/solvers/problem/solver.h"
#include "checks.h"

namespace asperity::soak {
namespace {

using geometry::Box;
using geometry::Capsule;
using geometry::Cylinder;
using geometry::Shape;
using geometry::Sphere;

/// Each draw is a separate statement, because compilers evaluate the arguments of a call in different orders.
struct Draw {
    Random random;
    double between(double low, double high) { return random.uniform(low, high); }
    Vec3 within(double size) {
        const double x = between(-size, size), y = between(-size, size), z = between(-size, size);
        return {x, y, z};
    }
    template <class List>
    auto one_of(const List& list) {
        return list[static_cast<size_t>(random.below(static_cast<int>(list.size())))];
    }
};

Shape random_shape(Draw& draw, double size) {
    const double a = draw.between(0.4, 1) * size, b = draw.between(0.4, 1) * size, c = draw.between(0.3, 1) * size;
    switch (draw.random.below(6)) {
        case 0: return Box{{a, b, c}};
        case 1: return Sphere{a};
        case 2: return Cylinder{a, 0.5 * c};
        case 3: return Capsule{0.5 * a, 0.5 * b};
        case 4: {
            std::vector<Vec3> points;
            for (int i = 0; i < 10; ++i) points.push_back(normalized(draw.within(1) + Vec3{0, 0, 1e-9}));
            for (Vec3& p : points) p = {a * p.x, b * p.y, c * p.z};
            return geometry::convex_hull(points);
        }
        default: return geometry::make_bumpy_box({{a, b, c}, 0.05 * size, 3, 6});
    }
}

}  // namespace

Heap random_heap(std::uint64_t seed) {
    Draw draw{Random(seed)};
    Heap heap;
    sim::World& world = heap.world;
    world.model.settings.solver = draw.one_of(solvers::exact_solver_names());
    world.model.settings.contact_model = surface::ContactModel::Patches;
    world.model.settings.solve = {1e-8, 300};
    const bool volume = draw.random.below(2) == 1, bounces = draw.random.below(3) == 0;
    if (volume) world.model.settings.stabilisation.overlap = surface::OverlapBy::Volume;
    const auto spin = static_cast<friction::SpinModel>(draw.random.below(3));
    const double mu = draw.random.below(5) == 0 ? 0 : draw.between(0.05, 1.2),
                 restitution = bounces ? draw.between(0.1, 0.9) : 0;
    const double radius = draw.random.below(2) == 0 ? 0 : draw.between(0, 0.03);
    heap.dt = draw.one_of(std::vector<double>{0.004, 0.01, 1.0 / 60});
    heap.steps = static_cast<int>(0.8 / heap.dt);
    world.add_material({.name = "stuff"});
    world.model.pairs.set_default(
        {.friction = {.base = friction::Coulomb{mu}}, .restitution = restitution, .spin = spin, .patch_radius = radius});
    world.add_body({.name = "floor", .motion = rigid::Motion::Fixed, .colliders = {{geometry::HalfSpace{}, {}, {}}}});
    const int count = 3 + draw.random.below(4);
    for (int i = 0; i < count; ++i) {
        const double size = draw.between(0.08, 0.25);
        const Shape shape = random_shape(draw, size);
        const Vec3 at = draw.within(0.2), turn = draw.within(2), velocity = draw.within(1), spinning = draw.within(4);
        const auto body = static_cast<size_t>(world
                                                  .add_body({.name = fmt::format("b{}", i),
                                                             .colliders = {{shape, {}, {}}},
                                                             .pose = {{at.x, at.y, 0.45 + 0.5 * i}, rotation(turn)}})
                                                  .index);
        world.state.bodies.velocity[body] = velocity;
        world.state.bodies.angular_velocity[body] = spinning;
    }
    heap.what =
        fmt::format("seed {}: {}, {}, spin model {}, mu {:.3f}, restitution {:.2f}, radius {:.3f}, dt {:.4f}, {} bodies",
                    seed, world.model.settings.solver, volume ? "volume" : "points", static_cast<int>(spin), mu, restitution,
                    radius, heap.dt, count);
    return heap;
}

void run_heap(int seed, const HeapOptions& options, HeapReport& report) {
    Heap heap = random_heap(static_cast<std::uint64_t>(seed));
    if (!options.solver.empty()) heap.world.model.settings.solver = options.solver;
    HeapTally& tally = report.by_solver[heap.world.model.settings.solver];
    Checks checks(heap.world, heap.dt, kOpen);
    std::string failure;
    for (int i = 0; i < heap.steps && failure.empty(); ++i) {
        const sim::StepReport step = sim::step(heap.world, heap.dt);
        failure = checks.after_step(heap.world, step);
        ++tally.steps;
        if (options.trace) fmt::print("{}\n", checks.trace());
        if (step.status == solvers::SolveStatus::Converged || step.status == solvers::SolveStatus::Stalled) continue;
        ++tally.unsolved;
        tally.worst = std::max(tally.worst, step.residual);
        if (options.unsolved)
            fmt::print("seed {} step {}: {}, residual {:.2e} m/s in {}\n", seed, heap.world.state.steps_done,
                       solvers::name(step.status), step.residual, step.sweeps);
    }
    ++tally.heaps;
    if (failure.empty()) return;
    ++tally.failed;
    report.failures +=
        fmt::format("{}, step {}: {}; {}\n", heap.what, heap.world.state.steps_done, failure, checks.figures());
}

HeapReport run_heaps(int first, int last) {
    HeapReport report;
    for (int seed = first; seed <= last; ++seed) run_heap(seed, {}, report);
    return report;
}

}  // namespace asperity::soak
