// The neutral scenes that every engine runs: bodies, one coefficient of friction, one time step. An adapter translates a
// Scene into objects of its engine and returns a Motion. It does not know what is measured afterwards.
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

/// A convex polyhedron with its centre of mass at the origin and its principal axes along x, y, z. All engines accept it in
/// this form without rotating it.
struct ConvexHull {
    std::vector<Vec3> vertices;
    std::vector<std::vector<int>> faces;  ///< vertex loops, counter-clockwise seen from outside
};
using BodyShape = std::variant<geometry::Box, geometry::Capsule, geometry::HalfSpace, ConvexHull>;

struct Body {
    BodyShape shape;
    Pose pose;        ///< pose of the centre of mass
    double mass = 0;  ///< [kg]; 0 for fixed bodies
    Vec3 inertia;     ///< principal moments about the centre [kg m^2]; given, because engines estimate them differently
    Vec3 velocity;    ///< at t = 0 [m/s]
    bool fixed = false;
};

/// A plane that bodies must not cross: a body whose centre violates dot(normal, x) > offset is lost.
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
    double cpu_limit = std::numeric_limits<double>::infinity();  ///< stop after this much CPU time [s]
};

/// The motion of a scene computed by an engine.
struct Motion {
    std::vector<std::vector<Pose>> poses;  ///< poses[k][i]: body i after k steps; poses[0] is the start
    std::vector<double> cpu;               ///< cpu[k]: CPU time of step k + 1, only of the engine's step function [s]
    double cpu_seconds = 0;                ///< sum of `cpu`
    double wall_seconds = 0;               ///< wall time of the same steps
    struct Law {
        int step;
        LawSums sums;
    };
    std::vector<Law> law;  ///< for every kWatchEvery-th step
    int steps() const { return static_cast<int>(poses.size()) - 1; }
};

/// Builders. Lengths in m, angles in radians.
Body box(const Vec3& half, double density, const Pose& pose);
Body capsule(double radius, double half_length, double density, const Pose& pose);
Body fixed(BodyShape shape, const Pose& pose);

/// A block of 0.2 x 0.2 x 0.1 at rest on a plane that descends along +x by `angle`.
Scene slope(double angle, double mu);
/// 32 such blocks on a horizontal plane, all axis-aligned, launched at `speed` in 32 directions, too far apart to touch.
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

/// CPU time of all threads of this process [s]; other work of the machine is not included. Reading it costs about 0.5 us.
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

/// The friction law is judged in every kWatchEvery-th step: often enough for a mean, and rarely enough for a negligible
/// cost in engines that must be told before the step to report forces (ODE).
constexpr int kWatchEvery = 10;

/// The time loop of all adapters. Only step() is timed.
///   step(watched)   advances the engine by scene.dt; `watched`: points() will be called after it
///   pose(i)         of body i; only called for moving bodies
///   twist(i)        likewise
///   points()        std::vector<PeerContact> of the last step
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

/// Each program has one engine; its adapter defines these functions. `config` is one of engine_configs(): first the engine's
/// defaults, then "high" (more iterations). Later ones only run on request.
std::string engine_name();
std::vector<std::string> engine_configs();
/// Whether run() uses more than one thread.
bool engine_has_threads();
Motion run(const Scene& scene, std::string_view config, int threads);

}  // namespace asperity::peers
