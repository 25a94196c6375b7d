// Time to compute a shared volume and its patches, per pair and for two scenes of "6D Frictional Contact for Rigid Bodies"
// (2015). Their detection took the authors 129 ms (a bumpy cube of 197k triangles) and 271 ms (twenty bodies of 102k
// triangles) on a graphics processor. The best of several repetitions: CPU time on one thread, wall time on all. For
// profilers: --convex leaves out the meshes, --only "hull of 64, capsule" all other pairs, --depth M all other depths.
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>

#include "asperity/core/parallel.h"
#include "asperity/core/random.h"
#include "asperity/geometry/mesh/bumpy_box.h"
#include "asperity/geometry/shared_volume/make_patch.h"
#include "asperity/importers/load.h"
#include "bench/bench.h"

using namespace asperity;
using namespace asperity::geometry;

namespace {

int goes = 7;
double checksum = 0;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
/// CPU time of this thread, which varies less on a busy machine.
double thread_cpu_s() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Placed {
    Shape shape;
    Pose pose;
};
using Pair = std::pair<Placed, Placed>;

struct Result {
    double seconds = 0;
    int patches = 0;
};
/// The best total time of all pairs.
Result measure(const std::vector<Pair>& pairs, const OverlapOptions& options) {
    Result result{1e300, 0};
    for (int go = 0; go < goes; ++go) {
        const bool alone = thread_count() == 1;
        const double start = alone ? thread_cpu_s() : now();
        result.patches = 0;
        for (const auto& [a, b] : pairs) {
            Overlap o;
            PatchList list;
            overlap(a.shape, a.pose, b.shape, b.pose, options, o);
            make_patches(o, {}, list);
            result.patches += list.count;
            checksum += o.volume;
        }
        result.seconds = std::min(result.seconds, (alone ? thread_cpu_s() : now()) - start);
    }
    return result;
}

void row(const std::string& what, const std::vector<Pair>& pairs, const OverlapOptions& options) {
    const int threads = thread_count();
    set_thread_count(1);
    const Result one = measure(pairs, options);
    set_thread_count(threads);
    const Result all = measure(pairs, options);
    fmt::print("| {} | {} | {} | {:.4g} | {:.4g} | {:.4g} |\n", what, pairs.size(), one.patches,
               1e6 * one.seconds / static_cast<double>(pairs.size()), 1e3 * one.seconds, 1e3 * all.seconds);
    std::fflush(stdout);
}

/// The best of several repetitions for each pose; of these the median and the maximum over all poses [us]. The repetitions
/// loop over the poses, so that a short disturbance does not affect all repetitions of one pose.
struct Spread {
    double median = 0, most = 0;
};
Spread spread(const std::vector<Pair>& pairs, const OverlapOptions& options) {
    constexpr int kCalls = 10;  // reading the clock takes about a microsecond
    std::vector<double> times(pairs.size(), 1e300);
    Overlap o;
    PatchList list;
    for (int go = 0; go < goes; ++go)
        for (size_t i = 0; i < pairs.size(); ++i) {
            const auto& [a, b] = pairs[i];
            const double start = thread_cpu_s();
            for (int call = 0; call < kCalls; ++call) {
                overlap(a.shape, a.pose, b.shape, b.pose, options, o);
                make_patches(o, {}, list);
            }
            times[i] = std::min(times[i], 1e6 * (thread_cpu_s() - start) / kCalls);
            checksum += o.volume;
        }
    std::sort(times.begin(), times.end());
    return {times[times.size() / 2], times.back()};
}

Vec3 random_direction(Random& random) { return normalized(Vec3{random.normal(), random.normal(), random.normal()}); }
Pose random_rotation_pose(Random& random) { return {{}, rotation(random.uniform(0, 3) * random_direction(random))}; }

/// Moves `b` along a random direction until it overlaps `a` by `depth`.
Pair pressed(Random& random, const Shape& a, const Shape& b, double depth) {
    const Pose pose_a = random_rotation_pose(random), turn_b = random_rotation_pose(random);
    if (std::holds_alternative<HalfSpace>(a)) {
        const Vec3 n = rotate(pose_a.orientation, {0, 0, 1});
        const Vec3 low = rotate(turn_b.orientation, support(b, -rotate_inverse(turn_b.orientation, n)));
        return {{a, pose_a}, {b, {-low - depth * n, turn_b.orientation}}};
    }
    const Vec3 d = random_direction(random);
    const Vec3 top = rotate(pose_a.orientation, support(a, rotate_inverse(pose_a.orientation, d)));
    const Vec3 low = rotate(turn_b.orientation, support(b, -rotate_inverse(turn_b.orientation, d)));
    return {{a, pose_a}, {b, {top - low - depth * d, turn_b.orientation}}};
}
std::vector<Pair> many(const Shape& a, const Shape& b, double depth) {
    Random random(1);
    std::vector<Pair> pairs;
    for (int i = 0; i < 100; ++i) pairs.push_back(pressed(random, a, b, depth));
    return pairs;
}

/// Twenty bodies, each against three others as in a pile: two overlap it by `depth`, the third is near.
std::vector<Pair> salad(double depth, int& triangles) {
    Random random(7);
    const Mesh creature = importers::load(std::filesystem::path(ASPERITY_SOURCE_DIR) / "assets" / "creature.obj", 0.5);
    const Mesh box = make_bumpy_box({{0.15, 0.15, 0.15}, 0.01, 6, 26});
    std::vector<Pair> pairs;
    triangles = 0;
    for (int i = 0; i < 20; ++i) {
        const Mesh& mesh = i % 2 ? box : creature;
        triangles += static_cast<int>(mesh.triangles->triangles.size());
        for (int k = 0; k < 3; ++k) pairs.push_back(pressed(random, mesh, k % 2 ? box : creature, k < 2 ? depth : -0.01));
    }
    return pairs;
}

}  // namespace

int asperity::bench::volumes(int argc, char** argv) {
    bool only_convex = false;
    std::string only;
    double only_depth = 0;
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--convex") only_convex = true;
        if (std::string_view(argv[i]) == "--goes" && i + 1 < argc) goes = std::max(1, std::atoi(argv[i + 1]));
        if (std::string_view(argv[i]) == "--only" && i + 1 < argc) only = argv[i + 1];
        if (std::string_view(argv[i]) == "--depth" && i + 1 < argc) only_depth = std::atof(argv[i + 1]);
    }
    set_thread_count(0);
    Random random(3);
    std::vector<Vec3> cloud;
    for (int i = 0; i < 64; ++i) cloud.push_back(0.5 * random_direction(random));
    const Shape box = Box{{0.5, 0.4, 0.3}}, ground = HalfSpace{};
    const OverlapOptions touch{.skin = 1e-5};
    // Every convex kind against every other, overlapping at random poses; the hulls have 8, 16, 32 and 64 vertices.
    const auto hull_of = [&](int points) {
        std::vector<Vec3> few(cloud.begin(), cloud.begin() + points);
        return Shape{convex_hull(few)};
    };
    const std::pair<const char*, Shape> kinds[] = {{"half-space", HalfSpace{}},      {"box", box},
                                                   {"hull of 8", hull_of(8)},        {"hull of 16", hull_of(16)},
                                                   {"hull of 32", hull_of(32)},      {"hull of 64", hull_of(64)},
                                                   {"cylinder", Cylinder{0.5, 0.2}}, {"capsule", Capsule{0.2, 0.3}},
                                                   {"sphere", Sphere{0.5}}};
    const int threads = thread_count();
    set_thread_count(1);
    fmt::print("| pair | pressed in by 2 cm: median, most [us] | by 20 cm: median, most [us] |\n|---|---|---|\n");
    for (size_t i = 0; i < std::size(kinds); ++i)
        for (size_t k = std::max<size_t>(i, 1); k < std::size(kinds); ++k) {
            if (!only.empty() && only != fmt::format("{}, {}", kinds[i].first, kinds[k].first)) continue;
            const auto at = [&](double depth) {
                return only_depth > 0 && depth != only_depth ? Spread{}
                                                             : spread(many(kinds[i].second, kinds[k].second, depth), touch);
            };
            const Spread shallow = at(0.02), deep = at(0.2);
            fmt::print("| {}, {} | {:.1f}, {:.1f} | {:.1f}, {:.1f} |\n", kinds[i].first, kinds[k].first, shallow.median,
                       shallow.most, deep.median, deep.most);
            std::fflush(stdout);
        }
    if (!only.empty()) return std::isfinite(checksum) ? 0 : 1;
    set_thread_count(threads);
    fmt::print(
        "\n| pair | pairs | patches | one thread [us per pair] | all pairs, one thread [ms] | {} threads [ms] "
        "|\n|---|---|---|---|---|---|\n",
        thread_count());
    row("box, box, faces touching",
        std::vector<Pair>(200, {{box, {{0, 0, -0.3}, {}}}, {box, {{0.2, 0.1, 0.3}, rotation({0, 0, 0.3})}}}), touch);
    row("cylinder on its cap, box",
        std::vector<Pair>(200, {{box, {{0, 0, -0.3}, {}}}, {Cylinder{0.2, 0.2}, {{0.1, 0, 0.2}, {}}}}), touch);
    row("cylinder over the edge, box",
        std::vector<Pair>(200, {{box, {{0, 0, -0.3}, {}}}, {Cylinder{0.3, 0.2}, {{0.4, 0, 0.2}, {}}}}), touch);
    row("capsule lying, box",
        std::vector<Pair>(
            200, {{box, {{0, 0, -0.3}, {}}}, {Capsule{0.1, 0.2}, {{0.1, 0, 0.1}, rotation({1.5707963267948966, 0, 0})}}}),
        touch);
    if (only_convex) return std::isfinite(checksum) ? 0 : 1;

    const Mesh bumpy = make_bumpy_box({{0.5, 0.5, 0.5}, 0.01, 16, 128});
    const Shape block = Box{{1, 1, 0.5}};
    const Mesh other = make_bumpy_box({{1, 1, 0.5}, 0.01, 16, 128});
    fmt::print("\nBumpy cube: {} triangles\n", bumpy.triangles->triangles.size());
    for (const double depth : {0.0, 0.002, 0.02}) {
        const Pose on_top{{0.1, 0.2, 0.5 - depth}, rotation({0, 0, 0.4})}, below{{0, 0, -0.5}, {}};
        row(fmt::format("bumpy cube {:.3g} mm into a half-space", 1e3 * depth), {{{ground, {}}, {bumpy, on_top}}}, touch);
        row(fmt::format("bumpy cube {:.3g} mm into a block", 1e3 * depth), {{{block, below}, {bumpy, on_top}}}, touch);
        row(fmt::format("two bumpy boxes, {:.3g} mm", 1e3 * depth), {{{other, below}, {bumpy, on_top}}}, touch);
        row(fmt::format("bumpy cube {:.3g} mm into a block, rays, 128 a side", 1e3 * depth),
            {{{block, below}, {bumpy, on_top}}}, {.skin = 1e-5, .resolution = 128, .only_rays = true});
    }
    int triangles = 0;
    salad(0, triangles);
    fmt::print("\nSalad: 20 meshes, {} triangles\n", triangles);
    for (const double depth : {1e-4, 1e-2}) {
        row(fmt::format("salad, {} mm deep, pairs of triangles", 1e3 * depth), salad(depth, triangles), touch);
        row(fmt::format("salad, {} mm deep, rays, 48 a side", 1e3 * depth), salad(depth, triangles),
            {.skin = 1e-5, .only_rays = true});
    }
    return std::isfinite(checksum) ? 0 : 1;
    return 0;
}
