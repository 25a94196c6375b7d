// Two meshes, exactly, by the shadows of overlap_shadows.cpp: B's triangles cast along u and A's cast along -u. A point lies
// in both bodies if its signed counts in both kinds of shadow are one. So the shared volume is a signed sum, over pairs of a
// triangle S of A above a triangle T of B, of the prism between them. Few pairs count if u points from A to B: then only the
// part of A beyond B's surface is above that surface.
//
//                 S  ___________  A ends here
//       u  ^         \::::::::/
//          |          \::::::/    ::: in both bodies
//                      \_T__/  B begins here
//
// The skin shifts A along u by twice its thickness, as if its upper side were offset.
//
// Surfaces that do not come near each other anywhere share nothing. If they come near each other in one small region only,
// the search is limited to that region.
#include <cmath>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shared_volume/detail/shadow_sums.h"

namespace asperity::geometry::detail {
namespace {

constexpr int kGroup = 16;        // triangles of B, neighbours in its tree, that query A's tree together
constexpr int kChunk = 4;         // groups per chunk
constexpr double kEdgeOn = 1e-9;  // |cosine| between normal and u below which a triangle is seen edge-on and casts no shadow
// [-] Length of a prism over the greatest depth: when clusters are computed separately, a prism longer than this is cut off.
constexpr double kLongestPrism = 4;

// The near region is small if its area across u is at most this part of the smaller body's. It is widened by half on each
// side, because the shared volume may bulge beyond it.
constexpr double kSmallRegion = 0.25, kWiden = 0.5;

/// Bounds in the axes across and along u.
struct Reach {
    Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    void add(const Vec3& p) {
        low = min(low, p);
        high = max(high, p);
    }
};

/// All in the axes of A.
struct Task {
    const TriangleSet &a, &b;
    Pose b_in_a;
    Mat3 turn_b;  // of b_in_a
    Mat3 across;  // rows: two directions across u, and u
    double grow;  // how far A is shifted along u
    Vec3 origin;
    Aabb near_box;  // box where the surfaces come near each other
    Reach reach_a;  // bounds of A, or only of the columns over `near_box` if cut_off
    bool cut_off = false;
    // if set, sum only triangles of B whose direction belongs to cluster `wanted`
    const DirectionClusters* clusters = nullptr;
    int wanted = 0;
    double longest = 1e300;  // longest prism; longer ones are cut off

    const Vec3& u() const { return across.r[2]; }
    void look_along(const Vec3& direction) {
        const Vec3 e = any_tangent(direction);
        across = {{e, cross(direction, e), direction}};
        reach_a = reach_of(a.box, {}, across);
        const Reach reach_b = reach_of(b.box, across * b_in_a.position, across * turn_b);
        Reach place = reach_of(near_box, {}, across);
        const auto footprint = [](const Reach& r) { return (r.high.x - r.low.x) * (r.high.y - r.low.y); };
        cut_off = footprint(place) < kSmallRegion * smaller(footprint(reach_a), footprint(reach_b));
        if (!cut_off) return;
        for (int k = 0; k < 2; ++k) {
            const double more = kWiden * larger(place.high.x - place.low.x, place.high.y - place.low.y);
            reach_a.low[k] = larger(reach_a.low[k], place.low[k] - more);
            reach_a.high[k] = smaller(reach_a.high[k], place.high[k] + more);
        }
    }
    static Reach reach_of(const Aabb& box, const Vec3& shift, const Mat3& axes) {
        const Vec3 middle = shift + axes * (0.5 * (box.low + box.high)), half = 0.5 * (box.high - box.low);
        const Vec3 r{dot(abs(axes.r[0]), half), dot(abs(axes.r[1]), half), dot(abs(axes.r[2]), half)};
        return {middle - r, middle + r};
    }
    /// Whether a box may reach into the column over the base of `reach`, above its lower end.
    static bool in_column(const Mat3& axes, const Vec3& shift, const Aabb& box, const Reach& reach, double grow) {
        const Vec3 middle = shift + axes * (0.5 * (box.low + box.high)), half = 0.5 * (box.high - box.low);
        for (int k = 0; k < 2; ++k) {
            const double r = dot(abs(axes.r[k]), half);
            if (middle[k] - r > reach.high[k] || middle[k] + r < reach.low[k]) return false;
        }
        return middle.z + dot(abs(axes.r[2]), half) + grow >= reach.low.z;
    }

    /// A triangle of A, shifted by `grow`: its height above a point and the sides of its shadow.
    struct Roof {
        Height above, sides[3];
        double sign;  // 1 where the ray leaves A
    };
    /// The triangles of A above a group. Bounds are stored together, because they reject most triangles.
    struct Roofs {
        std::vector<Roof> items;
        std::vector<Reach> reach;
    };
    bool roof(int triangle, Roof& out, Reach& reach) const {
        const Vec3& n = a.face_normals[static_cast<size_t>(triangle)];
        const double along = dot(n, u());
        if (std::fabs(along) < kEdgeOn) return false;
        out.sign = along > 0 ? 1 : -1;
        const Vec3 p[3] = {a.corner(triangle, 0), a.corner(triangle, 1), a.corner(triangle, 2)};
        out.above = {-n / along, dot(n, p[0]) / along + grow};
        reach = {};
        for (int i = 0; i < 3; ++i) {
            const Vec3 inward = out.sign * cross(u(), p[(i + 1) % 3] - p[i]);
            out.sides[i] = {inward, -dot(inward, p[i])};
            reach.add(across * p[i]);
        }
        return true;
    }
    bool over(const Reach& r, const Reach& reach) const {
        return r.high.x >= reach.low.x && r.low.x <= reach.high.x && r.high.y >= reach.low.y && r.low.y <= reach.high.y &&
               r.high.z + grow >= reach.low.z;
    }

    /// Whether a point is inside A, and its distance to the lowest roof above.
    bool inside(const std::vector<Roof>& roofs, const Vec3& p, double& depth) const {
        double winding = 0;
        depth = 1e300;
        for (const Roof& roof : roofs) {
            const double height = roof.above(p);
            if (height < 0 || roof.sides[0](p) < 0 || roof.sides[1](p) < 0 || roof.sides[2](p) < 0) continue;
            winding += roof.sign;
            depth = smaller(depth, height);
        }
        return winding > 0;
    }

    struct Caster {
        Vec3 corners[3], normal;
        Reach reach;
    };
    void add_group(const int* triangles, int count, Roofs& roofs, ShadowSums& out) const {
        Caster casters[kGroup];
        int caster_count = 0;
        Reach reach;
        for (int i = 0; i < count; ++i) {
            Caster& c = casters[caster_count];
            c.normal = turn_b * b.face_normals[static_cast<size_t>(triangles[i])];
            if (clusters && clusters->nearest(c.normal) != wanted) continue;
            c.reach = {};
            for (int k = 0; k < 3; ++k) {
                c.corners[k] = b_in_a.position + turn_b * b.corner(triangles[i], k);
                c.reach.add(across * c.corners[k]);
            }
            if (c.reach.low.z > reach_a.high.z + grow || c.reach.low.x > reach_a.high.x || c.reach.high.x < reach_a.low.x ||
                c.reach.low.y > reach_a.high.y || c.reach.high.y < reach_a.low.y)
                continue;
            reach.add(c.reach.low);
            reach.add(c.reach.high);
            ++caster_count;
        }
        if (caster_count == 0) return;
        roofs.items.clear();
        roofs.reach.clear();
        bool mixed = false;
        a.tree.query_if([&](const Aabb& box) { return in_column(across, {}, box, reach, grow); },
                        [&](int s) {
                            Roof r;
                            Reach bounds;
                            if (!roof(s, r, bounds) || (clusters && r.sign < 0) || !over(bounds, reach)) return;
                            roofs.items.push_back(r);
                            roofs.reach.push_back(bounds);
                            mixed |= r.sign < 0;
                        });
        for (int i = 0; i < caster_count; ++i) add_caster(casters[i], roofs, mixed, out);
    }

    /// Whether all vertices lie below the triangle's plane or outside one side of its shadow. This rejects most pairs with
    /// overlapping bounds.
    static bool misses(const Roof& r, const ShadowPolygon& polygon) {
        const auto beyond = [&](const Height& f) {
            for (const Vec3& p : polygon)
                if (f(p) > 0) return false;
            return true;
        };
        return beyond(r.sides[0]) || beyond(r.sides[1]) || beyond(r.sides[2]) || beyond(r.above);
    }

    void add_caster(const Caster& caster, const Roofs& roofs, bool mixed, ShadowSums& out) const {
        ShadowPolygon whole, piece;
        for (const Vec3& c : caster.corners) whole.push(c);
        for (int k = 0; k < 2 && cut_off; ++k) {
            if (caster.reach.low[k] < reach_a.low[k] && !keep_positive({across.r[k], -reach_a.low[k]}, whole)) return;
            if (caster.reach.high[k] > reach_a.high[k] && !keep_positive({-across.r[k], reach_a.high[k]}, whole)) return;
        }
        for (size_t i = 0; i < roofs.items.size(); ++i) {
            const Roof& r = roofs.items[i];
            if (!over(roofs.reach[i], caster.reach) || misses(r, whole)) continue;
            copy(whole, piece);
            if (!keep_positive(r.above, piece)) continue;
            if (clusters && !keep_positive({-r.above.slope, longest - r.above.at_origin}, piece)) continue;
            if (!keep_positive(r.sides[0], piece) || !keep_positive(r.sides[1], piece) || !keep_positive(r.sides[2], piece))
                continue;
            add_piece(piece, r, caster.normal, mixed ? &roofs.items : nullptr, out);
        }
    }

    void add_piece(const ShadowPolygon& piece, const Roof& r, const Vec3& normal, const std::vector<Roof>* roofs,
                   ShadowSums& out) const {
        Moments volume;
        AreaMoments area;
        add_prism(piece, nullptr, r.above, u(), origin, volume);
        for (int i = 2; i < piece.size(); ++i)
            area.add_triangle(piece[0] - origin, piece[i - 1] - origin, piece[i] - origin);
        if (r.sign < 0) {
            volume = {-volume.volume, -volume.first, -volume.squares, -volume.products};
            area = {-area.area, -area.turning};
        }
        out.volume.add(volume);
        out.surface.add(area);
        out.faces.add(normal, r.sign * length(area.area));
        if (r.sign < 0) return;
        Vec3 middle = piece[0];
        for (int i = 1; i < piece.size(); ++i) middle += piece[i];
        middle = middle / piece.size();
        for (const Vec3& p : piece) {
            double depth = r.above(p);
            // Moved slightly inwards, because all vertices lie on the border of some shadow.
            if (roofs && !inside(*roofs, p + 1e-6 * (middle - p), depth)) continue;
            out.deepest = larger(out.deepest, depth);
            out.points.add(p);
        }
    }
};

/// Scratch memory of the calling thread. Buffers belong to chunks, not to the threads that process them, so that each grows
/// only once.
struct Scratch {
    std::vector<int> triangles;
    std::vector<ShadowSums> chunks;
    std::vector<Task::Roofs> roofs;  // per chunk
};
Scratch& scratch() {
    thread_local Scratch s;
    return s;
}

}  // namespace

void overlap_meshes(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b, double skin, Overlap& out) {
    const TriangleSet &ta = *a.triangles, &tb = *b.triangles;
    out.open = ta.report.boundary_edges > 0 || tb.report.boundary_edges > 0;
    if (!ta.solid() || !tb.solid()) return;  // a sheet has no inside
    Scratch& s = scratch();
    const Pose b_in_a{pose_a.to_local(pose_b.position), conjugate(pose_a.orientation) * pose_b.orientation};
    Vec3 u;
    if (!least_overlap(a, b, b_in_a, skin, u)) return;
    Task task{ta, tb, b_in_a, matrix(b_in_a.orientation), {}, 2 * skin, {}, {}, {}};
    if (!near_surface_box(ta, tb, b_in_a, task.grow, task.near_box)) return;
    task.origin = b_in_a * support(Shape{b}, rotate_inverse(b_in_a.orientation, -u));
    const auto sum = [&] {
        // Triangles of B that lie below some of A.
        const Mat3 axes = task.across * task.turn_b;
        const Vec3 shift = task.across * b_in_a.position;
        s.triangles.clear();
        Reach below = task.reach_a;
        below.low.z = -1e300;
        tb.tree.query_if(
            [&](const Aabb& box) {
                if (!Task::in_column(axes, shift, box, below, 0)) return false;
                const double low =
                    shift.z + dot(axes.r[2], 0.5 * (box.low + box.high)) - dot(abs(axes.r[2]), 0.5 * (box.high - box.low));
                return low <= task.reach_a.high.z + task.grow;
            },
            [&](int triangle) { s.triangles.push_back(triangle); });
        const std::vector<int>& triangles = s.triangles;
        const int count = static_cast<int>(triangles.size()), groups = (count + kGroup - 1) / kGroup;
        const auto chunks = static_cast<size_t>((groups + kChunk - 1) / kChunk);
        if (s.roofs.size() < chunks) s.roofs.resize(chunks);
        return sum_in_chunks(groups, kChunk, ShadowSums::across(task.u(), b_in_a * (0.5 * (tb.box.low + tb.box.high))),
                             s.chunks, [&](int i, int c, ShadowSums& sums) {
                                 task.add_group(triangles.data() + kGroup * i, std::min(kGroup, count - kGroup * i),
                                                s.roofs[static_cast<size_t>(c)], sums);
                             });
    };
    task.look_along(u);
    ShadowSums sums = sum();
    const Vec3 size_a = ta.box.high - ta.box.low, size_b = tb.box.high - tb.box.low;
    const double scale = smaller(size_a.x * size_a.y * size_a.z, size_b.x * size_b.y * size_b.z);
    if (!counts(sums.volume.volume, sums.surface.area, scale)) return;
    out.method = Overlap::Method::Shadows;
    out.grown_a = 2 * skin;
    set_totals(sums.volume, sums.surface, pose_a, task.origin, out);
    const DirectionClusters clusters(sums.faces);
    task.clusters = &clusters;
    task.longest = kLongestPrism * sums.deepest;
    for (task.wanted = 0; clusters.count() > 1 && task.wanted < clusters.count(); ++task.wanted) {
        task.look_along(-clusters[task.wanted]);
        ShadowSums part = sum();
        if (counts(part.volume.volume, part.surface.area, scale))
            set_part(part, pose_a, task.origin, 1, false, out.parts[static_cast<size_t>(out.part_count++)]);
    }
    OverlapPart whole_part;
    set_part(sums, pose_a, task.origin, 1, false, whole_part);
    choose_parts(whole_part, out);
}

}  // namespace asperity::geometry::detail
