// How well an engine keeps the friction law it was asked for: from its own impulses and velocities, by one formula for
// everyone.
#pragma once
#include <vector>

#include "asperity/math/vec.h"

namespace asperity::peers {

struct Scene;

struct Twist {
    Vec3 velocity, spin;  ///< of the centre of mass; world axes [m/s, rad/s]
};

/// A contact point of a step, as the engine itself reports it.
struct TouchPoint {
    int a = -1, b = -1;  ///< indices into Scene::bodies
    Vec3 point_a,
        point_b;  ///< where the impulse acts on each, at the poses of the step's start; most engines have one point for both
    Vec3 normal;  ///< unit, from A to B
    double gap = 0;  ///< at the step's start, negative = overlap [m]
    Vec3 impulse;    ///< on B in the whole step [N s]
};

/// Everything about one step that the law is judged by. Fixed bodies have no velocity.
struct WatchedStep {
    std::vector<Pose> poses;           ///< at its start: contact points and arms belong to these
    std::vector<Twist> before, after;  ///< at its start and end
    std::vector<TouchPoint> points;
};

/// Sums over the loaded points of one or several steps; the roots of their means make the table. Definitions in README.md.
struct LawSums {
    int loaded = 0;           ///< points with a normal impulse
    double friction = 0;      ///< of the squared natural map of the friction part [m^2/s^2]
    double approach = 0;      ///< of the squared speed at which loaded points still close in [m^2/s^2]
    int sliding = 0;          ///< of them: faster than 1 mm/s
    double sliding_load = 0;  ///< normal impulse of those [N s]
    double angle = 0;  ///< of load times the squared angle between friction and the direction against the slip [N s rad^2]
    int bodies = 0;    ///< free to move
    double unexplained =
        0;  ///< of the squared part of m (v - v_old - g dt) that the reported impulses leave open, over m g dt
    void add(const LawSums& other);
};

LawSums judge(const Scene& scene, const WatchedStep& step);

}  // namespace asperity::peers
