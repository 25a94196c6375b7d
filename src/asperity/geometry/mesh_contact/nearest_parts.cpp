#include "asperity/geometry/mesh_contact/nearest_parts.h"

#include <cmath>

#include "asperity/geometry/mesh/mesh_closest.h"

namespace asperity::geometry {
namespace {

// [-] Largest size of a part of B's surface, as a fraction of B's extent. A part yields one pair of nearest points.
constexpr double kMaxPartSize = 0.4;
// [-] Square of 0.8: the first search skips points that would be nearer by less than a fifth; refine() finds them.
constexpr double kWorse = 0.64;

/// Nearest points of two segments of non-zero length: Ericson, Real-Time Collision Detection, 5.1.9.
void nearest_of_segments(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1, TriangleGap& out) {
    const Vec3 u = p1 - p0, v = q1 - q0, r = p0 - q0;
    const double a = dot(u, u), e = dot(v, v), f = dot(v, r), c = dot(u, r), b = dot(u, v), denominator = a * e - b * b;
    double s = denominator > 1e-12 * a * e ? clamp((b * f - c * e) / denominator, 0, 1) : 0;
    double t = (b * s + f) / e;
    if (t < 0) t = 0, s = clamp(-c / a, 0, 1);
    if (t > 1) t = 1, s = clamp((b - c) / a, 0, 1);
    const Vec3 on_p = p0 + s * u, on_q = q0 + t * v;
    const double d2 = length_squared(on_q - on_p);
    if (d2 < out.distance_squared) out = {on_p, on_q, d2};
}

/// Whether q lies on one side of the plane of p, all of it farther away than sqrt(reach2).
bool beyond_plane(const Vec3 p[3], const Vec3 q[3], double reach2) {
    const Vec3 n = cross(p[1] - p[0], p[2] - p[0]);
    const double x = dot(n, q[0] - p[0]), y = dot(n, q[1] - p[0]), z = dot(n, q[2] - p[0]);
    const double low = smaller(smaller(x, y), z), high = larger(larger(x, y), z),
                 nearest = low > 0    ? low
                           : high < 0 ? high
                                      : 0;
    return nearest * nearest > reach2 * length_squared(n);
}

struct Search {
    const TriangleSet &a, &b;
    const Vec3 shift;
    const Mat3 turn, turn_size;
    const double touching2, worse;

    Search(const TriangleSet& in_a, const TriangleSet& in_b, const Pose& b_in_a, double touching, double how_much_worse)
        : a(in_a),
          b(in_b),
          shift(b_in_a.position),
          turn(matrix(b_in_a.orientation)),
          turn_size{{abs(turn.r[0]), abs(turn.r[1]), abs(turn.r[2])}},
          touching2(touching * touching),
          worse(how_much_worse) {}

    /// Square of a lower bound on the distance between two boxes, from the axes of both; from those of A alone where that
    /// reaches `enough`.
    double box_gap(const Aabb& in_a, const Aabb& in_b, double enough) const {
        const Vec3 half_a = 0.5 * (in_a.high - in_a.low), half_b = 0.5 * (in_b.high - in_b.low);
        const Vec3 between = shift + turn * (0.5 * (in_b.low + in_b.high)) - 0.5 * (in_a.low + in_a.high);
        const Vec3 in_axes_of_a = max(abs(between) - half_a - turn_size * half_b, {0, 0, 0});
        const double gap = length_squared(in_axes_of_a);
        if (gap >= enough) return gap;
        const Vec3 in_axes_of_b = max(abs(transposed(turn) * between) - half_b - transposed(turn_size) * half_a, {0, 0, 0});
        return larger(gap, length_squared(in_axes_of_b));
    }

    void leaves(const MeshTree::Node& na, const MeshTree::Node& nb, TriangleGap& best) const {
        for (int k = 0; k < nb.count; ++k) {
            const int t = b.tree.order()[static_cast<size_t>(nb.first + k)];
            const Vec3 q[3] = {shift + turn * b.corner(t, 0), shift + turn * b.corner(t, 1), shift + turn * b.corner(t, 2)};
            const Vec3 low = min(q[0], min(q[1], q[2])), high = max(q[0], max(q[1], q[2]));
            for (int i = 0; i < na.count; ++i) {
                const int s = a.tree.order()[static_cast<size_t>(na.first + i)];
                const Vec3 p[3] = {a.corner(s, 0), a.corner(s, 1), a.corner(s, 2)};
                const Vec3 apart = max(max(low - max(p[0], max(p[1], p[2])), min(p[0], min(p[1], p[2])) - high), {0, 0, 0});
                if (length_squared(apart) >= worse * best.distance_squared) continue;
                if (!beyond_plane(p, q, worse * best.distance_squared) && !beyond_plane(q, p, worse * best.distance_squared))
                    nearest_points(p, q, best);
            }
        }
    }

    /// Descends into the nearer half first, so that most of the rest is skipped.
    void piece(int node, TriangleGap& best) const {
        struct Two {
            int a, b;
            double gap;
        };
        constexpr int room = 4 * MeshTree::kMaxDepth;
        Two stack[room];
        int top = 0;
        const auto &nodes_a = a.tree.nodes(), &nodes_b = b.tree.nodes();
        stack[top++] = {0, node, 0};
        while (top > 0 && best.distance_squared > touching2) {
            const Two at = stack[--top];
            if (at.gap >= worse * best.distance_squared) continue;
            const MeshTree::Node &na = nodes_a[static_cast<size_t>(at.a)], &nb = nodes_b[static_cast<size_t>(at.b)];
            if (na.count > 0 && nb.count > 0) {
                leaves(na, nb, best);
                continue;
            }
            const bool split_a = nb.count > 0 || (na.count == 0 && max_component(na.box.high - na.box.low) >=
                                                                       max_component(nb.box.high - nb.box.low));
            Two half[2];
            for (int i = 0; i < 2; ++i) {
                half[i] = split_a ? Two{na.first + i, at.b, 0} : Two{at.a, nb.first + i, 0};
                half[i].gap = box_gap(nodes_a[static_cast<size_t>(half[i].a)].box,
                                      nodes_b[static_cast<size_t>(half[i].b)].box, worse * best.distance_squared);
            }
            const int nearer = half[1].gap < half[0].gap ? 1 : 0;
            for (const int i : {1 - nearer, nearer})
                if (half[i].gap < worse * best.distance_squared && top < room) stack[top++] = half[i];
        }
    }
};

}  // namespace

void nearest_points(const Vec3 p[3], const Vec3 q[3], TriangleGap& out) {
    for (int i = 0; i < 3; ++i) {
        const TrianglePoint on_q = closest_on_triangle(q[0], q[1], q[2], p[i]),
                            on_p = closest_on_triangle(p[0], p[1], p[2], q[i]);
        if (on_q.distance_squared < out.distance_squared) out = {p[i], on_q.point, on_q.distance_squared};
        if (on_p.distance_squared < out.distance_squared) out = {on_p.point, q[i], on_p.distance_squared};
    }
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) nearest_of_segments(p[i], p[(i + 1) % 3], q[k], q[(k + 1) % 3], out);
}

void near_places(const TriangleSet& a, const TriangleSet& b, const Pose& b_in_a, double reach, double touching,
                 NearestParts& out) {
    const Search search(a, b, b_in_a, touching, kWorse);
    const double largest = kMaxPartSize * b.extent, reach2 = reach * reach;
    const auto& nodes = b.tree.nodes();
    int stack[MeshTree::kMaxDepth];
    int top = 0;
    stack[top++] = 0;
    out.clear();
    while (top > 0 && !out.full()) {
        const int at = stack[--top];
        const MeshTree::Node& node = nodes[static_cast<size_t>(at)];
        if (search.box_gap(a.box, node.box, reach2) >= reach2) continue;
        if (node.count == 0 && max_component(node.box.high - node.box.low) > largest) {
            stack[top++] = node.first + 1;
            stack[top++] = node.first;
            continue;
        }
        TriangleGap best{{}, {}, reach2};
        search.piece(at, best);
        if (best.distance_squared < reach2) out.push({best.on_p, best.on_q, std::sqrt(best.distance_squared), at});
    }
}

void refine(const TriangleSet& a, const TriangleSet& b, const Pose& b_in_a, NearestPart& place) {
    TriangleGap best{place.on_a, place.on_b, place.gap * place.gap};
    Search(a, b, b_in_a, 0, 1).piece(place.piece, best);
    place = {best.on_p, best.on_q, std::sqrt(best.distance_squared), place.piece};
}

}  // namespace asperity::geometry
