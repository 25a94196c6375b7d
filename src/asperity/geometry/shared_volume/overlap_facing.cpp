// Two meshes with small penetration, from pairs of triangles that face each other: S of A above T of B along u, by at most
// `deep`. The shared volume is the sum of the prisms between them, as in overlap_meshes.cpp. But the search covers only the
// region of contact, neither the far side of a body nor the far wall of the bowl it lies in.
//
//                 S  ___________  A ends here, shifted by the skin
//       u  ^         \::::::::/
//          |          \::::::/    ::: in both bodies
//                      \_T__/  B begins here
//
// Each pair uses the direction halfway between its normals. facing_groups.h groups the pairs into parts; the prisms of a
// part use the part's mean direction. If a body folds over itself within `deep`, a column may be counted twice. In that
// case, and for greater depths, use overlap_meshes.cpp.
#include <cmath>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shared_volume/detail/facing_columns.h"
#include "asperity/geometry/shared_volume/detail/facing_groups.h"
#include "asperity/geometry/shared_volume/detail/shadow_sums.h"

namespace asperity::geometry::detail {
namespace {

constexpr int kChunk = 256;         // pairs per chunk
constexpr double kDepthGrowth = 4;  // factor by which the depth limit grows from one attempt to the next
// [-] Largest depth limit over the smaller extent. Thinner pairs of walls would seem to overlap through each other.
constexpr double kDepthLimit = 0.03;
// sum of directions| / area of a region with a single direction; two halves 50 degrees apart have 0.906
constexpr double kOneDirection = 0.9;
// added depth per distance outwards in the choice of spots: prefers outer points at equal depth
constexpr double kOutwardWeight = 0.05;

struct Moved {  // a triangle of B in the axes of A
    Vec3 corners[3], normal;
};
using Pair = FacingPair;
struct Sums {
    ShadowSums shadow;
    struct DeepPoint {
        double score = -1e300, above = 0;
        Vec3 at;
    } spots[OverlapPart::kDeepPoints];

    void add(const Sums& o) {
        shadow.add(o.shadow);
        for (size_t i = 0; i < OverlapPart::kDeepPoints; ++i)
            if (o.spots[i].score > spots[i].score) spots[i] = o.spots[i];
    }
};

struct Scratch {
    std::vector<Moved> moved;
    std::vector<int> triangle;  // triangle of B, per entry of `moved`
    std::vector<Pair> pairs;
    std::vector<Sums> chunks;
    FacingGroups groups;
};
Scratch& scratch() {
    thread_local Scratch s;
    return s;
}

struct Task {
    const TriangleSet &a, &b;
    const Pose b_in_a;
    const Mat3 turn, turn_size;
    const double grow;  // how far A is shifted towards B
    double deep;
    Scratch& scratch;
    // Depth of triangles that cross without facing each other. The side of a box that is pressed into a face crosses it at
    // right angles.
    double crossing = 0;

    bool boxes_apart(const Aabb& in_a, const Aabb& in_b) const {
        const Vec3 half_a = 0.5 * (in_a.high - in_a.low), half_b = 0.5 * (in_b.high - in_b.low), reach{deep, deep, deep};
        const Vec3 between = b_in_a.position + turn * (0.5 * (in_b.low + in_b.high)) - 0.5 * (in_a.low + in_a.high);
        const auto beyond = [](const Vec3& d, const Vec3& r) { return d.x > r.x || d.y > r.y || d.z > r.z; };
        return beyond(abs(between), half_a + turn_size * half_b + reach) ||
               beyond(abs(transposed(turn) * between), half_b + transposed(turn_size) * half_a + reach);
    }
    /// Whether triangle q lies wholly in front of p by more than the skin, or behind it by more than `deep`.
    bool apart(const Vec3 p[3], const Vec3& n, const Vec3 q[3]) const {
        const double x = dot(n, q[0] - p[0]), y = dot(n, q[1] - p[0]), z = dot(n, q[2] - p[0]);
        return smaller(smaller(x, y), z) > grow || larger(larger(x, y), z) < -deep;
    }
    /// How far q reaches behind the plane of p if it crosses that plane, else 0.
    static double depth_of_crossing(const Vec3 p[3], const Vec3& n, const Vec3 q[3]) {
        const double x = dot(n, q[0] - p[0]), y = dot(n, q[1] - p[0]), z = dot(n, q[2] - p[0]);
        const double low = smaller(smaller(x, y), z);
        return larger(larger(x, y), z) > 0 && low < 0 ? -low : 0;
    }
    void leaves(const MeshTree::Node& na, const MeshTree::Node& nb) {
        for (int k = 0; k < nb.count; ++k) {
            const int t = b.tree.order()[static_cast<size_t>(nb.first + k)];
            const Moved m{{b_in_a.position + turn * b.corner(t, 0), b_in_a.position + turn * b.corner(t, 1),
                           b_in_a.position + turn * b.corner(t, 2)},
                          turn * b.face_normals[static_cast<size_t>(t)]};
            const Aabb box =
                Aabb{min(m.corners[0], min(m.corners[1], m.corners[2])), max(m.corners[0], max(m.corners[1], m.corners[2]))}
                    .grown(deep);
            bool kept = false;
            for (int i = 0; i < na.count; ++i) {
                const int s = a.tree.order()[static_cast<size_t>(na.first + i)];
                const Vec3& n = a.face_normals[static_cast<size_t>(s)];
                const Vec3 p[3] = {a.corner(s, 0), a.corner(s, 1), a.corner(s, 2)};
                if (dot(n, m.normal) >= 0) {
                    crossing = larger(
                        crossing, smaller(depth_of_crossing(p, n, m.corners), depth_of_crossing(m.corners, m.normal, p)));
                    continue;
                }
                if (!box.overlaps({min(p[0], min(p[1], p[2])), max(p[0], max(p[1], p[2]))})) continue;
                if (apart(p, n, m.corners) || apart(m.corners, m.normal, p)) continue;
                if (!kept) {
                    scratch.moved.push_back(m);
                    scratch.triangle.push_back(t);
                }
                kept = true;
                scratch.pairs.push_back({static_cast<int>(scratch.moved.size()) - 1, s, normalized(n - m.normal), 0, 0});
            }
        }
    }
    /// Collects all pairs that face each other and may share volume.
    void find_pairs() {
        struct Two {
            int a, b;
        };
        constexpr int room = 4 * MeshTree::kMaxDepth;
        Two stack[room];
        int top = 0;
        const auto &nodes_a = a.tree.nodes(), &nodes_b = b.tree.nodes();
        crossing = 0;
        scratch.moved.clear();
        scratch.triangle.clear();
        scratch.pairs.clear();
        stack[top++] = {0, 0};
        while (top > 0) {
            const Two at = stack[--top];
            const MeshTree::Node &na = nodes_a[static_cast<size_t>(at.a)], &nb = nodes_b[static_cast<size_t>(at.b)];
            if (boxes_apart(na.box, nb.box)) continue;
            if (na.count > 0 && nb.count > 0) {
                leaves(na, nb);
                continue;
            }
            const bool split_a = nb.count > 0 || (na.count == 0 && max_component(na.box.high - na.box.low) >=
                                                                       max_component(nb.box.high - nb.box.low));
            for (int i = 1; i >= 0 && top < room; --i)
                stack[top++] = split_a ? Two{na.first + i, at.b} : Two{at.a, nb.first + i};
        }
    }

    bool columns(const Pair& pair, const ColumnAxes& axes, ColumnPolygon& out) const {
        const Vec3 s[3] = {a.corner(pair.s, 0), a.corner(pair.s, 1), a.corner(pair.s, 2)};
        return out.make(scratch.moved[static_cast<size_t>(pair.t)].corners, s, axes, grow, 0, deep);
    }
    /// Keeps the pairs that share volume, seen along their own direction.
    void measure_pairs() const {
        std::vector<Pair>& pairs = scratch.pairs;
        const auto measure = [&](int i) {
            Pair& pair = pairs[static_cast<size_t>(i)];
            ColumnPolygon polygon;
            pair.area = columns(pair, ColumnAxes(pair.direction), polygon) ? polygon.area() : 0;
        };
        tbb::this_task_arena::isolate([&] { parallel_for(static_cast<int>(pairs.size()), measure, kChunk); });
        std::erase_if(pairs, [](const Pair& pair) { return !(pair.area > 0); });
    }
    /// Sums the prisms along u of the pairs of one part.
    Sums prisms(const Vec3& u, int part, const Vec3& origin) const {
        const ColumnAxes axes(u);
        Sums nothing;
        nothing.shadow = ShadowSums::across(u, origin);
        return sum_in_chunks(static_cast<int>(scratch.pairs.size()), kChunk, nothing, scratch.chunks,
                             [&](int i, int, Sums& sums) {
                                 const Pair& pair = scratch.pairs[static_cast<size_t>(i)];
                                 ColumnPolygon polygon;
                                 if (pair.spot == part && columns(pair, axes, polygon))
                                     add_prism(polygon, axes, origin, sums);
                             });
    }
    /// Splits regions whose directions form several clusters, if each cluster is a sheet.
    void split_components(const Vec3& origin) const {
        std::vector<FacingComponent>& spots = scratch.groups.spots();
        const auto count = static_cast<int>(spots.size());
        for (int k = 0; k < count; ++k) {
            if (length(spots[static_cast<size_t>(k)].sum) >= kOneDirection * spots[static_cast<size_t>(k)].area) continue;
            DirectionBins bins;
            for (const Pair& pair : scratch.pairs)
                if (pair.spot == k) bins.add(pair.direction, pair.area);
            const DirectionClusters clusters(bins);
            if (clusters.count() < 2) continue;
            const auto first = static_cast<int>(spots.size());
            spots.resize(spots.size() + static_cast<size_t>(clusters.count()));
            for (Pair& pair : scratch.pairs) {
                if (pair.spot != k) continue;
                pair.spot = first + clusters.nearest(pair.direction);
                spots[static_cast<size_t>(pair.spot)].sum += pair.area * pair.direction;
                spots[static_cast<size_t>(pair.spot)].area += pair.area;
            }
            if (are_sheets(first, clusters, origin)) {
                spots[static_cast<size_t>(k)] = {};
                continue;
            }
            for (Pair& pair : scratch.pairs)  // not sheets but the tip of a spike
                if (pair.spot >= first) pair.spot = k;
            spots.resize(static_cast<size_t>(first));
        }
    }
    /// As keep_sheets(), for the clusters from index `first` on.
    bool are_sheets(int first, const DirectionClusters& clusters, const Vec3& origin) const {
        Overlap parts;
        for (int k = 0; k < clusters.count(); ++k) {
            Sums sums = prisms(clusters[k], first + k, origin);
            if (sums.shadow.volume.volume > 0)
                set_part(sums.shadow, {}, origin, 1, false, parts.parts[static_cast<size_t>(parts.part_count++)]);
        }
        return keep_sheets(parts);
    }
    static void add_prism(const ColumnPolygon& polygon, const ColumnAxes& axes, const Vec3& origin, Sums& out) {
        Vec3 low[ColumnPolygon::kRoom], high[ColumnPolygon::kRoom];
        for (int i = 0; i < polygon.size(); ++i) {
            const ColumnCorner& c = polygon[i];
            const Vec3 at = axes.place(c.x, c.y, c.low);
            low[i] = at - origin;
            high[i] = low[i] + c.above * axes.u;
            out.shadow.points.add(at);
            out.shadow.deepest = larger(out.shadow.deepest, c.above);
            const double outward[OverlapPart::kDeepPoints] = {c.x, c.y, -c.x, -c.y};
            for (size_t k = 0; k < OverlapPart::kDeepPoints; ++k)
                if (const double score = c.above + kOutwardWeight * outward[k]; score > out.spots[k].score)
                    out.spots[k] = {score, c.above, at};
        }
        for (int i = 2; i < polygon.size(); ++i) {
            out.shadow.surface.add_triangle(low[0], low[i - 1], low[i]);
            out.shadow.volume.add_tetrahedron(low[0], low[i], low[i - 1], high[i - 1]);
            out.shadow.volume.add_tetrahedron(low[0], low[i], high[i - 1], high[i]);
            out.shadow.volume.add_tetrahedron(low[0], high[i], high[i - 1], high[0]);
        }
    }
};

void set_part(Sums& sums, const Pose& frame, const Vec3& origin, OverlapPart& part) {
    set_part(sums.shadow, frame, origin, 1, false, part);
    part.deep_point_count = 0;
    for (const Sums::DeepPoint& spot : sums.spots) {
        bool again = false;
        const Vec3 at = frame * spot.at;
        for (int i = 0; i < part.deep_point_count; ++i) again |= part.spots[static_cast<size_t>(i)].at == at;
        if (!again) part.spots[static_cast<size_t>(part.deep_point_count++)] = {at, spot.above};
    }
}

}  // namespace

bool overlap_facing(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, double skin, double deep,
                    Overlap& out) {
    const TriangleSet &ta = *a.triangles, &tb = *b.triangles;
    out.clear();
    if (!ta.solid() || !tb.solid()) return true;
    const Pose b_in_a{pose_a.to_local(pose_b.position), conjugate(pose_a.orientation) * pose_b.orientation};
    const Mat3 turn = matrix(b_in_a.orientation);
    Task task{
        ta,       tb, b_in_a, turn, {{abs(turn.r[0]), abs(turn.r[1]), abs(turn.r[2])}}, 2 * skin, larger(deep, 3 * skin),
        scratch()};
    const double deepest = kDepthLimit * smaller(ta.extent, tb.extent);
    const Vec3 size_a = ta.box.high - ta.box.low, size_b = tb.box.high - tb.box.low;
    const double scale = smaller(size_a.x * size_a.y * size_a.z, size_b.x * size_b.y * size_b.z);
    for (;; task.deep *= kDepthGrowth) {
        if (task.deep > deepest) return false;
        task.find_pairs();
        if (task.crossing > task.deep) {
            task.deep = larger(task.deep, 2 * (task.crossing + task.grow) / kDepthGrowth);
            continue;
        }
        task.measure_pairs();
        std::vector<Pair>& pairs = task.scratch.pairs;
        if (pairs.empty()) return true;
        const Vec3 origin = task.scratch.moved[static_cast<size_t>(pairs[0].t)].corners[0];
        FacingGroups& groups = task.scratch.groups;
        groups.find_components(tb, task.scratch.triangle, pairs);
        task.split_components(origin);
        const int count = groups.join(Overlap::kParts, pairs);
        out.part_count = 0;
        double farthest = 0;
        for (int k = 0; k < count && farthest < task.deep; ++k) {
            Sums sums = task.prisms(groups.direction(k), k, origin);
            farthest = larger(farthest, sums.shadow.deepest);
            if (counts(sums.shadow.volume.volume, sums.shadow.surface.area, scale))
                set_part(sums, pose_a, origin, out.parts[static_cast<size_t>(out.part_count++)]);
        }
        if (farthest >= task.deep * (1 - 1e-9)) continue;
        if (out.part_count == 0) return true;
        out.method = Overlap::Method::Facing;
        out.grown_a = 2 * skin;
        sort_parts(out);
        return true;
    }
}

}  // namespace asperity::geometry::detail
