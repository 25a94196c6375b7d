// How accurately an engine satisfies the requested friction law, computed from its own impulses and velocities by one
// formula for all engines.
#pragma once
#include <vector>

#include "asperity/math/vec.h"

namespace asperity::peers {

struct Scene;

struct Twist {
    Vec3 velocity, spin;  ///< of the centre of mass; world axes [m/s, rad/s]
};

/// A contact point of a step, as reported by the engine.
struct PeerContact {
    int a = -1, b = -1;  ///< indices into Scene::bodies
    /// points of action on A and B at the start poses of the step; equal in most engines
    Vec3 point_a, point_b;
    Vec3 normal;     ///< unit, from A to B
    double gap = 0;  ///< at the start of the step, negative for overlap [m]
    Vec3 impulse;    ///< on B, over the whole step [N s]
};

/// The data of one step from which the law is judged. Fixed bodies have no velocity.
struct WatchedStep {
    std::vector<Pose> poses;           ///< at the start of the step; contact points and arms refer to these
    std::vector<Twist> before, after;  ///< at the start and the end of the step
    std::vector<PeerContact> points;
};

/// Sums over the loaded points of one or several steps; the table shows the roots of their means. Definitions: README.md.
struct LawSums {
    int loaded = 0;           ///< number of points with a normal impulse
    double friction = 0;      ///< sum of the squared natural map of the friction part [m^2/s^2]
    double approach = 0;      ///< sum of the squared approach speed of loaded points [m^2/s^2]
    int sliding = 0;          ///< number of loaded points faster than 1 mm/s
    double sliding_load = 0;  ///< their normal impulses [N s]
    /// sum of load times squared angle between friction and the direction opposite to the slip [N s rad^2]
    double angle = 0;
    int bodies = 0;          ///< number of bodies free to move
    double unexplained = 0;  ///< sum of |m (v - v_old - g dt) - reported impulses|^2 / (m g dt)^2
    void add(const LawSums& other);
};

LawSums judge(const Scene& scene, const WatchedStep& step);

}  // namespace asperity::peers
