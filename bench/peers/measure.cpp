// From poses to numbers: one function per scene.
#include "measure.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/geometry/collide.h"

namespace asperity::peers {
namespace {

constexpr double kMu = 0.5, kGravity = 9.81;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Runs scenes and keeps the account of steps and CPU time.
struct Runner {
    std::string_view config;
    double cpu_limit;
    double cpu_seconds = 0;
    int steps = 0;

    Motion operator()(Scene scene) {
        scene.cpu_limit = cpu_limit;
        Motion motion = run(scene, config);
        cpu_seconds += motion.cpu_seconds;
        steps += motion.steps();
        return motion;
    }
    Result finish(std::vector<Quantity> quantities) const {
        return {1e3 * cpu_seconds / std::max(1, steps), steps, std::move(quantities)};
    }
};

/// Travel down the slope after k steps [m].
std::vector<double> travel(const Motion& motion, double angle) {
    const Vec3 downhill{std::cos(angle), 0, -std::sin(angle)};
    std::vector<double> s;
    for (const auto& poses : motion.poses) s.push_back(dot(downhill, poses[1].position - motion.poses[0][1].position));
    return s;
}

/// Sliding gains speed, creep does not: under a constant force the second half of the way is three times the first.
bool slides(const std::vector<double>& s) {
    const std::size_t half = s.size() / 2;
    const double first = s[half], second = s.back() - s[half];
    return second > 1e-3 && second > 1.5 * first;
}

/// Slope of the least-squares line through the velocities (s_k - s_{k-1}) / dt from a quarter of the run on [m/s^2].
/// A two-point difference would follow every hop of a soft contact instead.
double acceleration(const std::vector<double>& s, double dt) {
    double n = 0, t = 0, tt = 0, v = 0, tv = 0;
    for (std::size_t k = s.size() / 4; k + 1 < s.size(); ++k) {
        const double time = static_cast<double>(k) * dt, speed = (s[k + 1] - s[k]) / dt;
        n += 1, t += time, tt += time * time, v += speed, tv += time * speed;
    }
    return (n * tv - t * v) / (n * tt - t * t);
}

Result measure_slope(Runner runner) {
    const auto run_at = [&](double angle) { return travel(runner(slope(angle, kMu)), angle); };
    double sticks = radians(10), slips = radians(45);
    // Each half is one run; assumes that an engine sticks below one angle and slides above it.
    while (slips - sticks > radians(0.005)) {
        const double middle = 0.5 * (sticks + slips);
        (slides(run_at(middle)) ? slips : sticks) = middle;
    }
    const double dt = slope(0, kMu).dt;
    const std::vector<double> s = run_at(std::atan(kMu) - radians(0.5));
    const int window = 50;  // the last half second
    const double creep = (s.back() - s[s.size() - 1 - window]) / (window * dt);
    const double steep = radians(35);
    const double exact = kGravity * (std::sin(steep) - kMu * std::cos(steep));
    const double error = acceleration(run_at(steep), dt) / exact - 1;
    return runner.finish({{"critical angle", "deg", degrees(0.5 * (sticks + slips))},
                          {"its error", "deg", degrees(0.5 * (sticks + slips) - std::atan(kMu))},
                          {"creep 0.5 deg below", "mm/s", 1e3 * creep},
                          {"acceleration error at 35 deg", "%", 100 * error}});
}

Result measure_fan(Runner runner) {
    const double speed = 2;
    const Scene scene = fan(speed, kMu);
    const Motion motion = runner(scene);
    double low = 1e30, high = 0, sum = 0, deviation = 0, yaw = 0;
    const std::size_t count = scene.bodies.size();
    for (std::size_t i = 1; i < count; ++i) {
        const Vec3 way = motion.poses.back()[i].position - scene.bodies[i].pose.position;
        const Vec3& v = scene.bodies[i].velocity;
        const double distance = std::hypot(way.x, way.y);
        low = std::min(low, distance), high = std::max(high, distance), sum += distance;
        deviation = std::max(deviation, std::abs(std::atan2(v.x * way.y - v.y * way.x, v.x * way.x + v.y * way.y)));
        yaw = std::max(yaw, length(rotation_vector(motion.poses.back()[i].orientation)));
    }
    const double mean = sum / static_cast<double>(count - 1);
    const double exact = speed * speed / (2 * kMu * kGravity);
    return runner.finish({{"distance spread", "%", 100 * (high - low) / mean},
                          {"worst heading deviation", "deg", degrees(deviation)},
                          {"mean distance error", "%", 100 * (mean / exact - 1)},
                          {"worst turn", "deg", degrees(yaw)}});
}

/// Largest distance of a body from its start, over all bodies and steps up to `last` [m].
double max_displacement(const Motion& motion, int last) {
    double largest = 0;
    for (int k = 0; k <= last; ++k) {
        for (std::size_t i = 0; i < motion.poses[k].size(); ++i) {
            const double d = length(motion.poses[k][i].position - motion.poses[0][i].position);
            largest = std::isfinite(d) ? std::max(largest, d) : std::numeric_limits<double>::infinity();
        }
    }
    return largest;
}

/// The first step at which some body is farther than `limit` from its start.
std::optional<int> first_beyond(const Motion& motion, double limit) {
    for (int k = 0; k <= motion.steps(); ++k) {
        for (std::size_t i = 0; i < motion.poses[k].size(); ++i) {
            if (!(length(motion.poses[k][i].position - motion.poses[0][i].position) <= limit)) return k;
        }
    }
    return std::nullopt;
}

/// Closer than this counts as touching [m]: an accurate engine leaves gaps of rounding size, and those pairs touch as well.
constexpr double kTouch = 1e-4;

struct Overlaps {
    int pairs = 0;     ///< that touch, one of them at least free to move
    double worst = 0;  ///< [m]
    double mean = 0;   ///< over the touching pairs, gaps counted as 0 [m]
};

/// Overlaps of the poses by our own manifolds, whatever the engine believes: all pairs whose boxes overlap, swept along x.
Overlaps overlaps(const Scene& scene, const std::vector<Pose>& poses) {
    struct Item {
        geometry::Shape shape;
        geometry::Aabb box;
        int body;
    };
    std::vector<Item> items;
    for (int i = 0; i < static_cast<int>(poses.size()); ++i) {
        const geometry::Shape shape = std::visit(
            [](const auto& s) -> geometry::Shape {
                if constexpr (std::is_same_v<std::decay_t<decltype(s)>, ConvexHull>) {
                    return geometry::convex_hull(s.vertices);
                } else {
                    return s;
                }
            },
            scene.bodies[i].shape);
        items.push_back({shape, geometry::bounds(shape, poses[i]).grown(kTouch), i});
    }
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.box.low.x < b.box.low.x; });
    Overlaps result;
    for (std::size_t i = 0; i < items.size(); ++i) {
        for (std::size_t j = i + 1; j < items.size() && items[j].box.low.x <= items[i].box.high.x; ++j) {
            const Item &a = items[i], &b = items[j];
            if (!a.box.overlaps(b.box) || (scene.bodies[a.body].fixed && scene.bodies[b.body].fixed)) continue;
            geometry::Manifold manifold;
            if (!geometry::collide(a.shape, poses[a.body], b.shape, poses[b.body], kTouch, {}, manifold)) continue;
            double depth = 0;
            for (int k = 0; k < manifold.count; ++k) depth = std::max(depth, -manifold.points[k].gap);
            ++result.pairs;
            result.worst = std::max(result.worst, depth);
            result.mean += depth;
        }
    }
    if (result.pairs > 0) result.mean /= result.pairs;
    return result;
}

Result measure_stack(Runner runner, StackMasses masses) {
    const Scene scene = stack10(masses);
    const Motion motion = runner(scene);
    const std::size_t top = scene.bodies.size() - 1;
    // Fallen: the top box is half a box lower. Squashing and swaying are not falling, and are reported as what they are.
    double fall = kNone, sway = 0;
    const Vec3 start = motion.poses[0][top].position;
    for (int k = 0; k <= motion.steps() && std::isnan(fall); ++k) {
        const Vec3 d = motion.poses[k][top].position - start;
        if (!(d.z > -0.1)) fall = k * scene.dt;
        sway = std::max(sway, std::hypot(d.x, d.y));
    }
    const bool stands = std::isnan(fall);
    const double sink = start.z - motion.poses.back()[top].position.z;
    return runner.finish({{"falls at", "s", fall},
                          {"sway", "mm", stands ? 1e3 * sway : kNone},
                          {"overlap", "mm", stands ? 1e3 * overlaps(scene, motion.poses.back()).worst : kNone},
                          {"sink", "mm", stands ? 1e3 * sink : kNone}});
}

/// Structures that must not move: fallen when some stone is farther than `limit` from its place.
Result measure_structure(Runner runner, const Scene& scene, double limit) {
    const Motion motion = runner(scene);
    const std::optional<int> fall = first_beyond(motion, limit);
    return runner.finish({{"falls at", "s", fall ? *fall * scene.dt : kNone},
                          {"largest displacement", "mm", fall ? kNone : 1e3 * max_displacement(motion, motion.steps())},
                          {"overlap", "mm", fall ? kNone : 1e3 * overlaps(scene, motion.poses.back()).worst}});
}

Result measure_pile(Runner runner, int count, PileShape shape) {
    const Scene scene = pile(count, shape);
    const Motion motion = runner(scene);
    const std::vector<Pose>& last = motion.poses.back();
    // Inside: above the ground and within the walls' middle planes. The first wall stands at -x; all are equally far out.
    const double wall = std::abs(scene.bodies[1].pose.position.x);
    double speed = 0;
    int lost = 0, moving = 0;
    for (std::size_t i = 0; i < last.size(); ++i) {
        if (scene.bodies[i].fixed) continue;
        const Vec3& p = last[i].position;
        ++moving;
        lost += std::abs(p.x) < wall && std::abs(p.y) < wall && p.z > 0 ? 0 : 1;
        if (motion.steps() > 0) speed += length(p - motion.poses[motion.steps() - 1][i].position) / scene.dt;
    }
    const Overlaps overlap = overlaps(scene, last);
    return runner.finish({{"worst overlap", "mm", 1e3 * overlap.worst},
                          {"mean overlap", "mm", 1e3 * overlap.mean},
                          {"touching pairs", "", static_cast<double>(overlap.pairs)},
                          {"mean speed", "mm/s", 1e3 * speed / moving},
                          {"lost", "", static_cast<double>(lost)}});
}

/// The N of "box_pile:N".
int pile_count(std::string_view name) {
    const std::string_view digits = name.substr(std::min(name.size(), name.find(':') + 1));
    int count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || end != digits.data() + digits.size() || count < 1 || count > 100000) {
        throw InputError(
            fmt::format("scene '{}': a pile needs a number of bodies from 1 to 100000, such as box_pile:1000", name));
    }
    return count;
}

}  // namespace

Result measure(std::string_view scene_name, std::string_view config, double cpu_limit) {
    const Runner runner{config, cpu_limit};
    if (scene_name == "slope") return measure_slope(runner);
    if (scene_name == "fan") return measure_fan(runner);
    if (scene_name == "stack10") return measure_stack(runner, StackMasses::Equal);
    if (scene_name == "stack10_top20") return measure_stack(runner, StackMasses::HeavyTop);
    if (scene_name == "stack10_1to20") return measure_stack(runner, StackMasses::Alternating);
    if (scene_name == "arch") return measure_structure(runner, arch(), 0.1);
    if (scene_name == "card_house") return measure_structure(runner, card_house(), 0.02);
    if (scene_name.starts_with("box_pile:")) return measure_pile(runner, pile_count(scene_name), PileShape::Cubes);
    if (scene_name.starts_with("capsule_pile:")) return measure_pile(runner, pile_count(scene_name), PileShape::Capsules);
    throw InputError(
        fmt::format("unknown scene '{}'; known are slope, fan, stack10, stack10_top20, stack10_1to20, arch, "
                    "card_house, box_pile:N, capsule_pile:N",
                    scene_name));
}

}  // namespace asperity::peers
