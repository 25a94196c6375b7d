// The neutral scenes that every engine runs: bodies, one coefficient of friction, one time step. An adapter translates a
// Scene into its engine's own objects and hands back a Motion; it sees nothing of what is measured afterwards.
#pragma once
#include <ctime>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "asperity/geometry/shape/shape.h"
#include "friction_law.h"

namespace asperity::peers {

/// A convex polyhedron with its centre of mass in the origin and its principal axes along x, y, z, which is what all engines
/// can take without turning it again.
struct ConvexHull {
    std::vector<Vec3> vertices;
    std::vector<std::vector<int>> faces;  ///< vertex loops, counter-clockwise seen from outside
};
using BodyShape = std::variant<geometry::Box, geometry::Capsule, geometry::HalfSpace, ConvexHull>;

struct Body {
    BodyShape shape;
    Pose pose;        ///< of the centre of mass
    double mass = 0;  ///< [kg]; 0 for fixed bodies
    Vec3 inertia;     ///< principal moments about the centre [kg m^2]: given, for engines estimate them differently
    Vec3 velocity;    ///< at t = 0 [m/s]
    bool fixed = false;
};

/// What a body must not be behind: its centre stays where dot(normal, x) > offset, or it is lost.
struct Boundary {
    Vec3 normal;
    double offset;
};

struct Scene {
    std::string name;
    std::vector<Body> bodies;
    std::vector<Boundary> inside;
    double mu = 0.5;   ///< between all bodies
    double dt = 0.01;  ///< [s]
    int steps = 200;
    double gravity = 9.81;                                       ///< along -z [m/s^2]
    double cpu_limit = std::numeric_limits<double>::infinity();  ///< stop stepping after this much CPU time [s]
};

/// What an engine did with a scene.
struct Motion {
    std::vector<std::vector<Pose>> poses;  ///< poses[k][i]: body i after k steps; poses[0] is the start
    std::vector<double> cpu;               ///< cpu[k]: CPU time of step k + 1, in the engine's step function alone [s]
    double cpu_seconds = 0;                ///< their sum
    double wall_seconds = 0;               ///< of the same steps, by the clock on the wall
    struct Law {
        int step;
        LawSums sums;
    };
    std::vector<Law> law;  ///< of every kWatchEvery-th step
    int steps() const { return static_cast<int>(poses.size()) - 1; }
};

/// The builders. Lengths in m, angles in radians.
Body box(const Vec3& half, double density, const Pose& pose);
Body capsule(double radius, double half_length, double density, const Pose& pose);
Body fixed(BodyShape shape, const Pose& pose);

/// A block of 0.2 x 0.2 x 0.1 at rest on a plane that falls along +x by `angle`.
Scene slope(double angle, double mu);
/// 32 such blocks on the flat, all axis-aligned, launched at `speed` in 32 directions, too far apart to meet.
Scene fan(double speed, double mu);
/// Ten cubes of 0.2 m; the density is 1000 kg/m^3 times the factor of each box.
enum class StackMasses { Equal, HeavyTop, Alternating };
Scene stack10(StackMasses masses);
/// A semicircle of 15 voussoirs between the radii 1 and 1.25, its feet on the ground.
Scene arch();
/// Two leaning pairs of cards, one card across, one leaning pair on top.
Scene card_house();
/// `count` bodies with random orientations in a column, dropped into a pit of four walls.
enum class PileShape { Cubes, Capsules };
Scene pile(int count, PileShape shape, unsigned seed = 1);
/// `count` capsules with random orientations dropped into a funnel: four plates at 45 degrees round a floor of 0.8 x 0.8 m.
Scene hopper(int count, unsigned seed = 1);

/// CPU time of this process [s]: all its threads, and nothing of what else the machine does. Reading it costs about 0.5 us.
inline double process_cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double wall_seconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The friction law is judged in every kWatchEvery-th step: often enough for a mean, and seldom enough that engines which
/// must be asked for their forces before the step (ODE) lose no time worth mentioning.
constexpr int kWatchEvery = 10;

/// The loop every adapter shares. Only step() is timed.
///   step(watched)   advances the engine by scene.dt; `watched`: its contact points will be asked for
///   pose(i)         of body i; only for bodies that move, as the next one
///   twist(i)
///   points()        std::vector<TouchPoint> of the last step
template <class Step, class ReadPose, class ReadTwist, class ReadPoints>
Motion record(const Scene& scene, Step&& step, ReadPose&& pose, ReadTwist&& twist, ReadPoints&& points) {
    Motion motion;
    const int count = static_cast<int>(scene.bodies.size());
    const auto poses = [&] {
        std::vector<Pose> all(scene.bodies.size());
        for (int i = 0; i < count; ++i) all[i] = scene.bodies[i].fixed ? scene.bodies[i].pose : pose(i);
        return all;
    };
    const auto twists = [&] {
        std::vector<Twist> all(scene.bodies.size());
        for (int i = 0; i < count; ++i) all[i] = scene.bodies[i].fixed ? Twist{} : twist(i);
        return all;
    };
    motion.poses.push_back(poses());
    for (int k = 1; k <= scene.steps && motion.cpu_seconds < scene.cpu_limit; ++k) {
        const bool watched = k % kWatchEvery == 0;
        WatchedStep seen;
        if (watched) seen.before = twists();
        const double cpu = process_cpu_seconds(), wall = wall_seconds();
        step(watched);
        motion.cpu.push_back(process_cpu_seconds() - cpu);
        motion.wall_seconds += wall_seconds() - wall;
        motion.cpu_seconds += motion.cpu.back();
        if (watched) {
            seen.poses = motion.poses.back();
            seen.after = twists();
            seen.points = points();
            motion.law.push_back({k, judge(scene, seen)});
        }
        motion.poses.push_back(poses());
    }
    return motion;
}

/// One engine per program; its adapter defines these. `config` is one of engine_configs(): first the engine's defaults, then
/// "high" (more iterations). Those after the second are left out unless they are asked for.
std::string engine_name();
std::vector<std::string> engine_configs();
/// Whether run() makes use of more than one thread.
bool engine_has_threads();
Motion run(const Scene& scene, std::string_view config, int threads);

}  // namespace asperity::peers
