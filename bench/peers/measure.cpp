// Computes the measured quantities from poses: one function per scene.
#include "measure.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "overlap.h"

namespace asperity::peers {
namespace {

constexpr double kMu = 0.5, kGravity = 9.81;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Runs scenes and records steps and CPU time.
struct Runner {
    std::string_view config;
    Limits limits;
    double wall_seconds = 0;
    std::vector<double> cpu = {};  ///< of every step, over all runs [s]
    std::vector<Motion::Law> law = {};

    Motion operator()(Scene scene) {
        scene.cpu_limit = limits.cpu_seconds;
        scene.steps = std::min(scene.steps, limits.steps);
        Motion motion = run(scene, config, limits.threads);
        wall_seconds += motion.wall_seconds;
        cpu.insert(cpu.end(), motion.cpu.begin(), motion.cpu.end());
        law.insert(law.end(), motion.law.begin(), motion.law.end());
        return motion;
    }
    /// Adds the friction law results, from step `law_from` on.
    Result finish(std::vector<Quantity> quantities, int law_from = 0) const {
        LawSums sums;
        for (const Motion::Law& watched : law) {
            if (watched.step > law_from) sums.add(watched.sums);
        }
        const auto rms = [](double sum, double count) { return count > 0 ? std::sqrt(sum / count) : kNone; };
        quantities.push_back({"friction residual", "mm/s", 1e3 * rms(sums.friction, sums.loaded)});
        quantities.push_back({"approach", "mm/s", 1e3 * rms(sums.approach, sums.loaded)});
        quantities.push_back({"slip angle", "deg", degrees(rms(sums.angle, sums.sliding_load))});
        quantities.push_back({"impulses off", "%", 100 * rms(sums.unexplained, sums.bodies)});
        return {1e3 * wall_seconds / std::max<double>(1, static_cast<double>(cpu.size())), cpu, std::move(quantities)};
    }
};

/// Travel down the slope after k steps [m].
std::vector<double> travel(const Motion& motion, double angle) {
    const Vec3 downhill{std::cos(angle), 0, -std::sin(angle)};
    std::vector<double> s;
    for (const auto& poses : motion.poses) s.push_back(dot(downhill, poses[1].position - motion.poses[0][1].position));
    return s;
}

/// Distinguishes sliding from creep. Under constant acceleration the second half of the run covers three times the distance
/// of the first half.
bool slides(const std::vector<double>& s) {
    const std::size_t half = s.size() / 2;
    const double first = s[half], second = s.back() - s[half];
    return second > 1e-3 && second > 1.5 * first;
}

/// Slope of the least-squares line through the velocities (s_k - s_{k-1}) / dt, from a quarter of the run on [m/s^2].
/// A two-point difference would follow every hop of a soft contact.
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
    // Bisection with one run per step; assumes that an engine sticks below one angle and slides above it.
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

/// The first step at which a body is farther than `limit` from its start.
std::optional<int> first_beyond(const Motion& motion, double limit) {
    for (int k = 0; k <= motion.steps(); ++k) {
        for (std::size_t i = 0; i < motion.poses[k].size(); ++i) {
            if (!(length(motion.poses[k][i].position - motion.poses[0][i].position) <= limit)) return k;
        }
    }
    return std::nullopt;
}

Result measure_stack(Runner runner, StackMasses masses) {
    const Scene scene = stack10(masses);
    const Motion motion = runner(scene);
    const std::size_t top = scene.bodies.size() - 1;
    // Fallen: the top box is half a box lower. Compression and sway do not count as falling and are reported separately.
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

/// Structures that must not move. Fallen: a stone is farther than `limit` from its start.
Result measure_structure(Runner runner, const Scene& scene, double limit) {
    const Motion motion = runner(scene);
    const std::optional<int> fall = first_beyond(motion, limit);
    return runner.finish({{"falls at", "s", fall ? *fall * scene.dt : kNone},
                          {"largest displacement", "mm", fall ? kNone : 1e3 * max_displacement(motion, motion.steps())},
                          {"overlap", "mm", fall ? kNone : 1e3 * overlaps(scene, motion.poses.back()).worst}});
}

Result measure_pile(Runner runner, const Scene& scene) {
    const Motion motion = runner(scene);
    const std::vector<Pose>& last = motion.poses.back();
    double speed = 0;
    int lost = 0, moving = 0;
    for (std::size_t i = 0; i < last.size(); ++i) {
        if (scene.bodies[i].fixed) continue;
        const Vec3& p = last[i].position;
        ++moving;
        lost += std::any_of(scene.inside.begin(), scene.inside.end(),
                            [&](const Boundary& b) { return !(dot(b.normal, p) > b.offset); });
        if (motion.steps() > 0) speed += length(p - motion.poses[motion.steps() - 1][i].position) / scene.dt;
    }
    // Settled: only the last second. Landing: all steps, because bodies overlap most while they fall on each other.
    constexpr int kLookEvery = 5;
    const int window = static_cast<int>(std::lround(1 / scene.dt));
    double worst = 0, mean = 0, ever = 0, looks = 0;
    Overlaps overlap;
    for (int k = motion.steps(); k > 0; k -= kLookEvery) {
        const Overlaps now = overlaps(scene, motion.poses[k]);
        ever = std::max(ever, now.worst);
        if (k == motion.steps()) overlap = now;
        if (k <= motion.steps() - window) continue;
        worst = std::max(worst, now.worst);
        mean += now.mean;
        ++looks;
    }
    return runner.finish({{"mean overlap", "mm", 1e3 * mean / std::max(1.0, looks)},
                          {"worst", "mm", 1e3 * worst},
                          {"worst ever", "mm", 1e3 * ever},
                          {"touching", "pairs", static_cast<double>(overlap.pairs)},
                          {"mean speed", "mm/s", 1e3 * speed / moving},
                          {"lost", "", static_cast<double>(lost)}},
                         motion.steps() - window);
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

Scene pile_scene(std::string_view name) {
    if (name.starts_with("box_pile:")) return pile(pile_count(name), PileShape::Cubes);
    if (name.starts_with("capsule_pile:")) return pile(pile_count(name), PileShape::Capsules);
    if (name.starts_with("hopper:")) return hopper(pile_count(name));
    throw InputError(
        fmt::format("unknown scene '{}'; known are slope, fan, stack10, stack10_top20, stack10_1to20, arch, "
                    "card_house, box_pile:N, capsule_pile:N, hopper:N",
                    name));
}

}  // namespace

Result measure(std::string_view scene_name, std::string_view config, const Limits& limits) {
    const Runner runner{config, limits};
    if (scene_name == "slope") return measure_slope(runner);
    if (scene_name == "fan") return measure_fan(runner);
    if (scene_name == "stack10") return measure_stack(runner, StackMasses::Equal);
    if (scene_name == "stack10_top20") return measure_stack(runner, StackMasses::HeavyTop);
    if (scene_name == "stack10_1to20") return measure_stack(runner, StackMasses::Alternating);
    if (scene_name == "arch") return measure_structure(runner, arch(), 0.1);
    if (scene_name == "card_house") return measure_structure(runner, card_house(), 0.02);
    return measure_pile(runner, pile_scene(scene_name));
}

Timing time_pile(std::string_view scene_name, std::string_view config, const Limits& limits) {
    Runner runner{config, limits};
    const Motion motion = runner(pile_scene(scene_name));
    return {1e3 * motion.wall_seconds / std::max(1, motion.steps()), motion.steps()};
}

}  // namespace asperity::peers
