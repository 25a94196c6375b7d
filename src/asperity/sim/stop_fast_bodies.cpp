// Continuous collision detection of fast bodies against each other (against ground: stop_at_ground.cpp).
//
// Contacts are planes at points that are found at the start of the step. They stop the points that they are made for. A rod
// that hits a wall with one end gets a rotation from the impact, and the other end, for which there was no contact, would
// be on the far side of the wall at the end of the step. So a core of the one body (sim/skeleton.h), half of its thickness
// below its surface, must not meet the surface of the other one on the way. If it does, both bodies move only up to that
// time. Velocities do not change; the contacts of the next step change them. The bodies lose the rest of the step's time.
//
// A pair is tested only if it moves by more than the core lies below the surface. Bodies in ordinary contact never sink in
// that far, so nothing changes for them. A core that was stopped touches the surface when the next step begins. If it cannot
// move at all then, only the rotation is left out of the step. Where the core reaches through the surface at the start, a
// smaller one is tried, and then none: that overlap is left to the position pass.
//
// Rotations: the step is divided so that the way of no point bends by more than kBend of the half thickness from the chord
// between two division points, r (1 - cos(angle/2)). The rest is the proven test of simplices with straight ways
// (ccd/time_of_impact.h), with that bend as additional distance.
#include <algorithm>
#include <cmath>

#include "asperity/ccd/time_of_impact.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/sim/islands.h"
#include "asperity/sim/skeleton.h"
#include "asperity/sim/stages.h"

namespace asperity::sim {
namespace {

constexpr double kDepths[] = {0.5, 0.9};  // of the half thickness: of the cores that are tried
constexpr double kBend = 0.05;            // of the half thickness
constexpr int kMostParts = 64;            // of a step: reached by a needle of 1:1000 that turns by two radians
constexpr int kPasses = 4;                // a body that is stopped may be in the way of another one

Vector<3> vector_of(const Vec3& v) { return {v.x, v.y, v.z}; }

/// A skeleton at both ends of a part of the step, in world axes.
struct Moved {
    std::vector<Vector<3>> from, way;
    void place(const Skeleton& skeleton, const Pose& start, const Pose& end) {
        from.clear(), way.clear();
        for (const Vec3& p : skeleton.points) {
            from.push_back(vector_of(start * p));
            way.push_back(vector_of(end * p) - from.back());
        }
    }
};

/// The latest time, 0 to 1, up to which two simplices of `a` and `b` vertices keep the distance, from boxes alone or
/// exactly.
template <std::size_t A, std::size_t B, class Limit>
void shorten(const Moved& a, const std::array<int, A>& of_a, const Moved& b, const std::array<int, B>& of_b, double distance,
             const Limit& limit, double& time) {
    std::array<Vector<3>, A + B> x, d;
    Vector<3> low_a = Vector<3>::Constant(1e300), high_a = -low_a, low_b = low_a, high_b = -low_a;
    for (std::size_t k = 0; k < A + B; ++k) {
        const bool first = k < A;
        const Moved& moved = first ? a : b;
        const auto i = static_cast<size_t>(first ? of_a[k] : of_b[k - A]);
        x[k] = moved.from[i];
        d[k] = moved.way[i];
        Vector<3>&low = first ? low_a : low_b, &high = first ? high_a : high_b;
        low = low.cwiseMin(x[k]).cwiseMin(x[k] + d[k]);
        high = high.cwiseMax(x[k]).cwiseMax(x[k] + d[k]);
    }
    if (((low_a - high_b).array() > distance).any() || ((low_b - high_a).array() > distance).any()) return;
    time = std::fmin(time, limit(x, d));
}

/// The box that a skeleton sweeps.
struct Sweep {
    Vector<3> low = Vector<3>::Constant(1e300), high = Vector<3>::Constant(-1e300);
    void add(const Moved& moved, int point) {
        const auto i = static_cast<size_t>(point);
        const Vector<3> end = moved.from[i] + moved.way[i];
        low = low.cwiseMin(moved.from[i]).cwiseMin(end);
        high = high.cwiseMax(moved.from[i]).cwiseMax(end);
    }
    /// Whether these points may come nearer than `distance` to the box.
    template <std::size_t N>
    bool meets(const Moved& moved, const std::array<int, N>& points, double distance) const {
        Sweep other;
        for (const int point : points) other.add(moved, point);
        return !((low - other.high).array() > distance).any() && !((other.low - high).array() > distance).any();
    }
};

/// The share of the part of a step that the core may move until it meets the surface.
double free_share(const Skeleton& core, const Moved& c, const Skeleton& surface, const Moved& s, double distance) {
    double time = 1;
    const auto point_triangle = [&](const auto& x, const auto& d) {
        return ccd::point_triangle_limit(x, d, distance, 0, time);
    };
    const auto point_edge = [&](const auto& x, const auto& d) { return ccd::point_edge_limit<3>(x, d, distance, 0, time); };
    const auto edges = [&](const auto& x, const auto& d) { return ccd::edge_edge_limit(x, d, distance, 0, time); };
    const auto points = [&](const auto& x, const auto& d) { return ccd::point_point_limit<3>(x, d, distance, 0, time); };
    const int core_count = static_cast<int>(core.points.size()), surface_count = static_cast<int>(surface.points.size());
    Sweep sweep;
    for (int i = 0; i < core_count; ++i) sweep.add(c, i);

    for (const std::array<int, 3>& triangle : surface.triangles) {
        if (!sweep.meets(s, triangle, distance)) continue;
        for (int i = 0; i < core_count; ++i) shorten<1, 3>(c, {i}, s, triangle, distance, point_triangle, time);
    }
    for (const std::array<int, 2>& edge : surface.edges) {
        if (!sweep.meets(s, edge, distance)) continue;
        for (const std::array<int, 2>& other : core.edges) shorten<2, 2>(c, other, s, edge, distance, edges, time);
        for (int i = 0; i < core_count && surface.triangles.empty(); ++i)
            shorten<1, 2>(c, {i}, s, edge, distance, point_edge, time);
    }
    for (int k = 0; k < surface_count; ++k) {
        if (!sweep.meets(s, std::array{k}, distance)) continue;
        for (const std::array<int, 3>& triangle : core.triangles)
            shorten<1, 3>(s, {k}, c, triangle, distance, point_triangle, time);
        for (const std::array<int, 2>& edge : core.edges)
            if (core.triangles.empty()) shorten<1, 2>(s, {k}, c, edge, distance, point_edge, time);
        for (int i = 0; i < core_count && core.edges.empty() && surface.edges.empty(); ++i)
            shorten<1, 1>(c, {i}, s, {k}, distance, points, time);
    }
    return time;
}

/// Of one of the two colliders of a pair.
struct Side {
    const geometry::Shape* shape = nullptr;
    Pose body, local;       // of the body; of the collider in it
    solvers::Twist motion;  // that of the position pass
    double reach = 0;       // of the collider from the body's centre [m]
    double thickness = 0;   // half_thickness() of the shape [m]
    bool is_free = false;

    Pose at(double dt, double share) const {
        return Pose{body.position + share * dt * motion.linear, rotation(share * dt * motion.angular) * body.orientation} *
               local;
    }
    double angle(double dt) const { return dt * length(motion.angular); }
};

/// Kept from step to step, since a settled step allocates nothing.
struct Scratch {
    Skeleton core, surface;
    Moved core_moved, surface_moved;
};

class FastPairs {
  public:
    FastPairs(const Model& model, const State& state, const PairSearch& search, double dt, FastBodies& known,
              Scratch& scratch, PositionSolve& positions)
        : model_(model),
          state_(state),
          search_(search),
          dt_(dt),
          velocity_(positions.problem.velocity),
          thickness_(known.half_thickness),
          core_(scratch.core),
          surface_(scratch.surface),
          core_moved_(scratch.core_moved),
          surface_moved_(scratch.surface_moved) {}

    void run() {
        bool stopped = true;
        for (int pass = 0; pass < kPasses && stopped; ++pass) {
            stopped = false;
            for (const std::uint64_t pair : search_.pairs) stopped |= stop(pair);
        }
    }

  private:
    /// Looked up once; that of a mesh is a search over its triangles.
    double half_thickness_of(size_t collider) {
        if (thickness_.empty()) thickness_.assign(model_.bodies.colliders.size(), -1);
        double& known = thickness_[collider];
        if (known < 0) known = half_thickness(model_.bodies.colliders[collider].shape);
        return known;
    }

    Side side(size_t collider) {
        const rigid::Collider& c = model_.bodies.colliders[collider];
        const auto body = static_cast<size_t>(model_.bodies.collider_body[collider]);
        Side out{&c.shape,
                 state_.bodies.pose[body],
                 c.local,
                 {},
                 search_.collider_motion[collider].reach,
                 half_thickness_of(collider),
                 false};
        out.is_free = is_free(model_, state_, body);
        if (out.is_free)
            out.motion = velocity_[body];
        else if (model_.bodies.motion[body] == rigid::Motion::Kinematic)
            out.motion = {state_.bodies.velocity[body], state_.bodies.angular_velocity[body]};
        return out;
    }

    /// Shortens the motion of the pair's free bodies if a core would meet a surface; returns whether it did.
    bool stop(std::uint64_t pair) {
        const PairSearch::ColliderMotion &a = search_.collider_motion[contact::pair_low(pair)],
                                         &b = search_.collider_motion[contact::pair_high(pair)];
        if (a.endless || b.endless) return false;
        const auto [body_a, body_b] = bodies_of(model_, pair);
        const solvers::Twist &motion_a = velocity_[static_cast<size_t>(body_a)],
                             &motion_b = velocity_[static_cast<size_t>(body_b)];
        // a bound that most pairs do not reach, before shapes and poses are looked at
        const double swing = length(motion_a.angular) * a.reach + length(motion_b.angular) * b.reach;
        if (dt_ * (length(motion_b.linear - motion_a.linear) + swing) <= model_.settings.contact_margin) return false;

        Side first = side(contact::pair_low(pair)), second = side(contact::pair_high(pair));
        if (!first.is_free && !second.is_free) return false;
        for (const Side* one : {&first, &second})
            if (const auto* mesh = std::get_if<geometry::Mesh>(one->shape); mesh && mesh->triangles->ground()) return false;
        const bool swap = rank(second) < rank(first);
        const Side &inner = swap ? second : first, &outer = swap ? first : second;
        const double thickness = inner.thickness;
        if (!(thickness > 0)) return false;
        const double way = dt_ * (length(inner.motion.linear - outer.motion.linear)) + inner.angle(dt_) * inner.reach +
                           outer.angle(dt_) * outer.reach;
        if (!(way > kDepths[0] * thickness)) return false;
        const Freedom free = freedom(inner, outer, thickness);
        if (free.linear >= 1 && free.angular >= 1) return false;
        for (const auto& [one, body] : {std::pair{&first, body_a}, {&second, body_b}})
            if (one->is_free) {
                solvers::Twist& motion = velocity_[static_cast<size_t>(body)];
                motion = {free.linear * motion.linear, free.angular * motion.angular};
            }
        return true;
    }

    /// The core of a convex shape says more than that of a mesh, and that of the smaller body is passed through more easily.
    static double rank(const Side& side) {
        if (!(side.thickness > 0)) return 1e300;
        return (std::holds_alternative<geometry::Mesh>(*side.shape) ? 1e100 : 1) * std::fmax(side.reach, 1e-100);
    }

    /// Shares of the motion that both bodies may make.
    struct Freedom {
        double linear = 1, angular = 1;
    };

    Freedom freedom(const Side& inner, const Side& outer, double thickness) {
        // outer's triangles in the box that the core sweeps, in outer's axes; the core turns within its reach
        make_core(*inner.shape, kDepths[0], core_);
        double reach = 0;
        for (const Vec3& p : core_.points) reach = std::fmax(reach, length(inner.local * p));
        reach += core_.radius;
        const Vec3 centre = inner.body.position, travelled = centre + dt_ * (inner.motion.linear - outer.motion.linear);
        const Pose outer_start = outer.at(dt_, 0);
        geometry::Aabb box{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
        for (const Vec3& corner : {outer_start.to_local(centre), outer_start.to_local(travelled)}) {
            box.low = min(box.low, corner);
            box.high = max(box.high, corner);
        }
        // a point of the world at distance r turns by at most angle * r in the axes of the other body
        const double turn =
            outer.angle(dt_) * (length(centre - outer.body.position) + dt_ * length(inner.motion.linear) + reach);
        make_surface(*outer.shape, box.grown(reach + turn), surface_);
        if (surface_.points.empty()) return {};
        for (const double depth : kDepths) {
            make_core(*inner.shape, depth, core_);
            if (!are_apart(inner, outer)) continue;
            if (const double share = free_share_of_core(inner, outer, thickness); share > 0) return {share, share};
            return {free_share_of_core(without_rotation(inner), without_rotation(outer), thickness), 0};
        }
        return {};  // deep in each other
    }
    /// Only free bodies can be kept from turning.
    static Side without_rotation(Side side) {
        if (side.is_free) side.motion.angular = {};
        return side;
    }
    bool are_apart(const Side& inner, const Side& outer) {
        core_moved_.place(core_, inner.at(dt_, 0), inner.at(dt_, 0));
        surface_moved_.place(surface_, outer.at(dt_, 0), outer.at(dt_, 0));
        return sim::free_share(core_, core_moved_, surface_, surface_moved_, core_.radius + surface_.radius) > 0;
    }

    double free_share_of_core(const Side& inner, const Side& outer, double thickness) {
        const double most = kBend * thickness;
        const auto parts_for = [&](const Side& s) {
            // r (1 - cos(angle/(2 n))) <= r angle^2/(8 n^2)
            return s.angle(dt_) * std::sqrt(s.reach / (8 * 0.5 * most));
        };
        const int parts = static_cast<int>(
            std::clamp(std::ceil(std::fmax(parts_for(inner), parts_for(outer))), 1.0, static_cast<double>(kMostParts)));
        const auto bend = [&](const Side& s) {
            const double angle = s.angle(dt_) / parts;
            return s.reach * angle * angle / 8;
        };
        const double distance = core_.radius + surface_.radius + bend(inner) + bend(outer);
        for (int k = 0; k < parts; ++k) {
            const double from = static_cast<double>(k) / parts, to = static_cast<double>(k + 1) / parts;
            core_moved_.place(core_, inner.at(dt_, from), inner.at(dt_, to));
            surface_moved_.place(surface_, outer.at(dt_, from), outer.at(dt_, to));
            const double share = sim::free_share(core_, core_moved_, surface_, surface_moved_, distance);
            if (share < 1) return from + share / parts;
        }
        return 1;
    }

    const Model& model_;
    const State& state_;
    const PairSearch& search_;
    double dt_;
    std::vector<solvers::Twist>& velocity_;
    std::vector<double>& thickness_;
    Skeleton &core_, &surface_;
    Moved &core_moved_, &surface_moved_;
};

}  // namespace

void stop_fast_bodies(const Model& model, const State& state, const PairSearch& search, double dt, FastBodies& known,
                      PositionSolve& positions) {
    static thread_local Scratch scratch;
    FastPairs(model, state, search, dt, known, scratch, positions).run();
}

}  // namespace asperity::sim
