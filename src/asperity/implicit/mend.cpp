// One pair after the other is separated along the shortest of a few directions, until a whole pass finds nothing to do.
// Passes of a heap that is pressed into a corner pass the overlap on from pair to pair, as sweeps of Gauss and Seidel do.
#include "asperity/implicit/mend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "asperity/ccd/intersections.h"
#include "asperity/core/error.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {
namespace {

constexpr int kPasses = 100;
/// Pairs of a heap that are pushed apart push others together. Each pass pushes by this share farther than the one before,
/// so that the heap grows until all have room.
constexpr double kFarther = 0.1;
/// Trial shifts along a direction between none and the one that separates the bounding slabs of both bodies: hollow and
/// concave bodies come apart earlier.
constexpr int kTrials = 12;
constexpr int kHalvings = 12;         // of the last trial interval: to 1/4096 of it
constexpr int kMostFound = 4000;      // crossings that a pass looks at
constexpr std::size_t kNormals = 12;  // crossings whose normals are tried as directions

template <int Dim>
class Mender {
  public:
    explicit Mender(World<Dim>& world) : world_(world), model_(world.model) {
        const std::size_t count = model_.bodies.size();
        way_.assign(count, Vector<Dim>::Zero());
        free_.resize(count);
        for (std::size_t b = 0; b < count; ++b) free_[b] = model_.bodies[b].kind != Kind::Obstacle;
        for (const Region<Dim>& region : model_.regions) free_[static_cast<std::size_t>(region.body)] = 0;
        for (const Attachment<Dim>& joint : model_.attachments)
            for (const BodyPoint<Dim>* point : {&joint.a, &joint.b})
                if (point->body >= 0) free_[static_cast<std::size_t>(point->body)] = 0;
        split_surface();
        start_ = world_.surface_positions();
        x_ = start_;
        gap_ = world_.dhat();
    }

    std::vector<Mended> run() {
        bool clean = false;
        for (int pass = 0; pass < kPasses && !clean; ++pass) {
            farther_ = 1 + kFarther * pass;
            clean = !separate_pairs() && !lift_from_planes();
        }
        if (!clean) refuse();
        std::vector<Mended> out;
        for (std::size_t b = 0; b < way_.size(); ++b)
            if (way_[b].norm() > 0) {
                apply(static_cast<int>(b));
                out.push_back({static_cast<int>(b), to_vec3(way_[b])});
            }
        return out;
    }

  private:
    struct Part {
        std::vector<std::array<int, 2>> edges;
        std::vector<std::array<int, 3>> faces;
    };

    void split_surface() {
        parts_.resize(model_.bodies.size());
        const auto part = [&](int vertex) -> Part& {
            return parts_[static_cast<std::size_t>(model_.surface.body[static_cast<std::size_t>(vertex)])];
        };
        for (const auto& edge : model_.surface.edges) part(edge[0]).edges.push_back(edge);
        for (const auto& face : model_.surface.faces) part(face[0]).faces.push_back(face);
    }
    const Body<Dim>& body(int b) const { return model_.bodies[static_cast<std::size_t>(b)]; }
    double free_mass(int b) const { return free_[static_cast<std::size_t>(b)] ? body(b).mass : 0; }
    bool can_move(int a, int b) const { return free_[static_cast<std::size_t>(a)] || free_[static_cast<std::size_t>(b)]; }

    void shift(int b, const Vector<Dim>& by) {
        way_[static_cast<std::size_t>(b)] += by;
        for (int v = body(b).first_vertex; v < body(b).first_vertex + body(b).vertex_count; ++v)
            x_[static_cast<std::size_t>(v)] = start_[static_cast<std::size_t>(v)] + way_[static_cast<std::size_t>(b)];
    }

    /// Whether the two bodies cross, or one contains the other.
    bool overlap(int a, int b) {
        pair_edges_ = parts_[static_cast<std::size_t>(a)].edges;
        pair_faces_ = parts_[static_cast<std::size_t>(a)].faces;
        const Part& other = parts_[static_cast<std::size_t>(b)];
        pair_edges_.insert(pair_edges_.end(), other.edges.begin(), other.edges.end());
        pair_faces_.insert(pair_faces_.end(), other.faces.begin(), other.faces.end());
        const std::size_t n = model_.bodies.size(), i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        collide_.resize(n * n, 0);
        collide_[i * n + j] = collide_[j * n + i] = 1;
        const ccd::SurfaceView<Dim> view{model_.surface.body, pair_edges_, pair_faces_, collide_, static_cast<int>(n)};
        const std::span<const Vector<Dim>> x(x_);
        const bool found = ccd::first_intersection(view, x).found || ccd::first_containment(view, x).found;
        collide_[i * n + j] = collide_[j * n + i] = 0;
        return found;
    }

    std::pair<double, double> extent(int b, const Vector<Dim>& n) const {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (int v = body(b).first_vertex; v < body(b).first_vertex + body(b).vertex_count; ++v) {
            const double at = n.dot(x_[static_cast<std::size_t>(v)]);
            low = std::min(low, at), high = std::max(high, at);
        }
        return {low, high};
    }

    /// Moves both bodies by `s` apart along n, away from a.
    void part_by(int a, int b, const Vector<Dim>& n, double s) {
        const double ma = free_mass(a), mb = free_mass(b), share = ma <= 0 ? 0 : mb <= 0 ? 1 : mb / (ma + mb);
        if (share > 0) shift(a, Vector<Dim>(-share * s * n));
        if (share < 1) shift(b, Vector<Dim>((1 - share) * s * n));
    }

    /// The shift of b against a along n that separates them, not above `limit`; infinite if none is found. It is the first
    /// of some trials without an overlap, also with the gap added.
    double way_out(int a, int b, const Vector<Dim>& n, double limit) {
        const double gap = gap_ + model_.surface.pair_thickness(a, b);
        const double full = extent(a, n).second - extent(b, n).first + gap;
        if (!(full > 0)) return std::numeric_limits<double>::infinity();
        const Vector<Dim> way_a = way_[static_cast<std::size_t>(a)], way_b = way_[static_cast<std::size_t>(b)];
        const auto is_free = [&](double s) {
            part_by(a, b, n, s);
            const bool out = !overlap(a, b);
            put_back(a, way_a), put_back(b, way_b);
            return out;
        };
        double bad = 0;
        for (int k = 1; k <= kTrials; ++k) {
            double good = full * k / kTrials;
            if (bad + gap >= limit) break;
            if (k < kTrials && !(is_free(good) && is_free(good + gap))) {
                bad = good;
                continue;
            }
            if (k == kTrials) good = full - gap;  // slabs apart: free without a test, and bounds from above
            for (int i = 0; i < kHalvings && bad < good; ++i) {
                const double middle = 0.5 * (bad + good);
                (is_free(middle) ? good : bad) = middle;
            }
            return std::min(full, good + gap);
        }
        return std::numeric_limits<double>::infinity();
    }
    void put_back(int b, const Vector<Dim>& way) {
        if (way_[static_cast<std::size_t>(b)] == way) return;
        way_[static_cast<std::size_t>(b)] = way;
        shift(b, Vector<Dim>::Zero());
    }

    /// Axes, the line between the centres, and normals at crossings.
    std::vector<Vector<Dim>> directions(int a, int b, const std::vector<ccd::Intersection>& found) const {
        std::vector<Vector<Dim>> out;
        const auto add = [&](const Vector<Dim>& n) {
            if (!(n.norm() > 0)) return;
            const Vector<Dim> unit = n.normalized();
            for (const Vector<Dim>& other : out)
                if ((other - unit).norm() < 1e-3) return;
            out.push_back(unit);
        };
        for (int k = 0; k < Dim; ++k) add(Vector<Dim>::Unit(k)), add(-Vector<Dim>::Unit(k));
        Vector<Dim> between = Vector<Dim>::Zero();
        for (int k = 0; k < Dim; ++k) {
            const Vector<Dim> axis = Vector<Dim>::Unit(k);
            const auto [low_a, high_a] = extent(a, axis);
            const auto [low_b, high_b] = extent(b, axis);
            between[k] = 0.5 * (low_b + high_b - low_a - high_a);
        }
        add(between), add(-between);
        for (std::size_t i = 0; i < std::min(found.size(), kNormals); ++i) {
            const auto& v = found[i].vertices;
            const auto at = [&](std::size_t k) { return x_[static_cast<std::size_t>(v[k])]; };
            if constexpr (Dim == 3) {
                const Vec3 n = cross(to_vec3(at(3)) - to_vec3(at(2)), to_vec3(at(4)) - to_vec3(at(2)));
                add(from_vec3<Dim>(n)), add(from_vec3<Dim>(-1.0 * n));
            } else {
                const Vector<Dim> along = at(3) - at(2);
                add({along[1], -along[0]}), add({-along[1], along[0]});
            }
        }
        return out;
    }

    /// Returns whether there was anything to do.
    bool separate_pairs() {
        std::map<std::pair<int, int>, std::vector<ccd::Intersection>> pairs;
        const std::span<const Vector<Dim>> x(x_);
        for (const ccd::Intersection& c : ccd::intersections(model_.surface.view(), x, kMostFound)) {
            if (c.body_a == c.body_b) fail(c.body_a, c.body_b, "crosses itself");
            pairs[std::minmax(c.body_a, c.body_b)].push_back(c);
        }
        if (pairs.empty()) {
            const ccd::Containment inside = ccd::first_containment(model_.surface.view(), x);
            if (inside.found) pairs[std::minmax(inside.body, inside.container)];
        }
        for (const auto& [bodies, found] : pairs) {
            const auto [a, b] = bodies;
            left_ = bodies;
            if (!can_move(a, b)) fail(a, b, "neither of which can be moved");
            if (!overlap(a, b)) continue;  // an earlier pair has moved them
            double least = std::numeric_limits<double>::infinity();
            const auto [known, is_new] = direction_.try_emplace(bodies, Vector<Dim>::Unit(Dim - 1));
            Vector<Dim>& best = known->second;
            // a pair that comes together again goes on in its direction: another one would undo the first
            if (!is_new) least = way_out(a, b, best, least);
            if (!std::isfinite(least))
                for (const Vector<Dim>& n : directions(a, b, found)) {
                    const double way = way_out(a, b, n, least);
                    if (way < least) least = way, best = n;
                }
            part_by(a, b, best, farther_ * least);
        }
        return !pairs.empty();
    }

    bool lift_from_planes() {
        bool any = false;
        for (const HalfSpace<Dim>& plane : model_.half_spaces) {
            const Pose pose = obstacle_pose(body(plane.body), world_.state.time);
            const Vector<Dim> normal = from_vec3<Dim>(rotate(pose.orientation, to_vec3(plane.normal)));
            const double offset = normal.dot(from_vec3<Dim>(pose.position));
            for (int b = 0; b < static_cast<int>(model_.bodies.size()); ++b) {
                if (body(b).kind == Kind::Obstacle || !model_.surface.may_touch(b, plane.body)) continue;
                const double thickness = model_.surface.pair_thickness(b, plane.body);
                const double height = extent(b, normal).first - offset - thickness;
                if (height > 0) continue;
                left_ = {b, plane.body};
                if (!free_[static_cast<std::size_t>(b)]) fail(b, plane.body, "neither of which can be moved");
                shift(b, Vector<Dim>((gap_ - height) * normal));
                any = true;
            }
        }
        return any;
    }

    [[noreturn]] void fail(int a, int b, const char* why) const {
        if (a == b)
            throw InputError(
                fmt::format("mend: '{}' {}: moving it does not help; mend its mesh, or switch its "
                            "self-contact off",
                            body(a).name, why));
        throw InputError(
            fmt::format("mend: '{}' and '{}' overlap at the start, {}; place them apart", body(a).name, body(b).name, why));
    }
    [[noreturn]] void refuse() const {
        fail(left_.first, left_.second,
             "and pushing bodies apart did not end: there is too little room for all that can be moved");
    }

    void apply(int b) {
        const Vector<Dim>& way = way_[static_cast<std::size_t>(b)];
        Body<Dim>& moved = model_.bodies[static_cast<std::size_t>(b)];
        for (int k = moved.first_node; k < moved.first_node + moved.node_count; ++k) {
            const auto i = static_cast<std::size_t>(k);
            if (!model_.node_translates[i]) continue;
            world_.state.nodes.x[i] += way;
            world_.data().rest[i] += way;
        }
        for (int v = moved.first_vertex; v < moved.first_vertex + moved.vertex_count; ++v)
            model_.surface.rest[static_cast<std::size_t>(v)] += way;
        moved.start.position += to_vec3(way);
        for (SurfacePart& part : model_.parts)
            if (part.body == b) part.axes.position += to_vec3(way);
    }

    World<Dim>& world_;
    Model<Dim>& model_;
    std::vector<char> free_;
    std::vector<Part> parts_;                               // per body
    std::vector<Vector<Dim>> way_;                          // per body: moved so far
    std::vector<Vector<Dim>> start_, x_;                    // vertices at first and now
    std::map<std::pair<int, int>, Vector<Dim>> direction_;  // in which a pair was separated
    double gap_ = 0, farther_ = 1;
    std::pair<int, int> left_{0, 0};
    std::vector<std::array<int, 2>> pair_edges_;
    std::vector<std::array<int, 3>> pair_faces_;
    std::vector<char> collide_;  // all 0 between two calls
};

}  // namespace

template <int Dim>
std::vector<Mended> mend(World<Dim>& world) {
    world.derive();
    return Mender<Dim>(world).run();
}

template std::vector<Mended> mend<2>(World<2>&);
template std::vector<Mended> mend<3>(World<3>&);

}  // namespace asperity::implicit
