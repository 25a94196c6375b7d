// Two meshes: descends both trees at once for pairs of near triangles, then tests their vertices, faces and edges.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/common/fixed_buffer.h"
#include "asperity/geometry/mesh_contact/mesh_pairs.h"

namespace asperity::geometry {
namespace {

/// Two meshes: `m` in its own axes; `pose` maps the axes of `o` to those of `m`.
struct TwoMeshes {
    const MeshSide &m, &o;
    const Pose pose;
    const Mat3 rotation, absolute;  ///< from o's axes to m's; its absolute values
    const double wide;              ///< [m] boxes farther apart than this in o's axes hold no contact, at any depth
    MeshCandidates& out;
    const bool sweeps;  ///< the search covers the sweep of both bodies, not a margin all around
    double depth_of_edges = 0;

    /// Displacement bound of the points of a box within the step, per axis; the interval contains zero.
    struct SweepBound {
        Vec3 low, high;
        double along(const Vec3& n) const {
            return larger(n.x * low.x, n.x * high.x) + larger(n.y * low.y, n.y * high.y) + larger(n.z * low.z, n.z * high.z);
        }
        Aabb swept(const Aabb& box) const { return {box.low + low, box.high + high}; }
    };
    static SweepBound sweep_bound_of(const StepMotion& motion, const Aabb& box) {
        const Vec3 half = 0.5 * (box.high - box.low), t = abs(motion.turn), middle = motion.of(box.low + half);
        const Vec3 swing{t.y * half.z + t.z * half.y, t.z * half.x + t.x * half.z, t.x * half.y + t.y * half.x};
        return {min(middle - swing, Vec3{}), max(middle + swing, Vec3{})};
    }

    Vec3 to_m(const Vec3& p) const { return pose.position + rotation * p; }
    Vec3 to_o(const Vec3& p) const { return transposed(rotation) * (p - pose.position); }

    Aabb box_in_m(const Aabb& box) const {
        const Vec3 center = to_m(0.5 * (box.low + box.high)), reach = absolute * (0.5 * (box.high - box.low));
        return {center - reach, center + reach};
    }
    Aabb box_in_o(const Aabb& box) const {
        const Vec3 center = to_o(0.5 * (box.low + box.high)), reach = transposed(absolute) * (0.5 * (box.high - box.low));
        return {center - reach, center + reach};
    }
    double near_margin() const { return sweeps ? out.near : m.margin; }
    /// Query box for a part of m; for ground, extended downwards by `depth`.
    Aabb reach_of_m(const Aabb& box) const {
        Aabb reach = box.grown(near_margin());
        if (m.mesh.ground()) reach.low.z -= m.depth;
        return reach;
    }
    /// Whether triangle q lies beyond the margin in front of triangle p with normal n, or deeper than `depth` behind it.
    /// `closing` [m]: bound on how far the two approach within the step.
    bool apart(const Vec3 p[3], const Vec3& n, const Vec3 q[3], double closing) const {
        const double a = dot(n, q[0] - p[0]), b = dot(n, q[1] - p[0]), c = dot(n, q[2] - p[0]);
        return smaller(smaller(a, b), c) > near_margin() + closing || larger(larger(a, b), c) < -m.depth;
    }
    /// A triangle of o in the axes of m.
    struct Moved {
        int triangle;
        Vec3 corners[3], normal;
        Aabb box;
    };
    Moved moved(int to) const {
        Moved t{to,
                {to_m(o.mesh.corner(to, 0)), to_m(o.mesh.corner(to, 1)), to_m(o.mesh.corner(to, 2))},
                rotation * (o.side(to) * o.mesh.face_normals[static_cast<size_t>(to)]),
                {}};
        t.box = {min(t.corners[0], min(t.corners[1], t.corners[2])), max(t.corners[0], max(t.corners[1], t.corners[2]))};
        return t;
    }
    bool near(int tm, const Moved& q, const SweepBound& way_m, const SweepBound& way_o) const {
        const Vec3 p[3] = {m.mesh.corner(tm, 0), m.mesh.corner(tm, 1), m.mesh.corner(tm, 2)};
        const Aabb box = {min(p[0], min(p[1], p[2])), max(p[0], max(p[1], p[2]))};
        if (!reach_of_m(way_m.swept(box)).overlaps(way_o.swept(q.box))) return false;
        const Vec3 n = m.side(tm) * m.mesh.face_normals[static_cast<size_t>(tm)];
        return !apart(p, n, q.corners, way_m.along(n) + way_o.along(-n)) &&
               !apart(q.corners, q.normal, p, way_o.along(q.normal) + way_m.along(-q.normal));
    }
    void vertices_of(int tm, const Moved& q) const {
        const TriangleSet &mesh_m = m.mesh, &mesh_o = o.mesh;
        for (size_t i = 0; i < 3; ++i) {
            const int vo = mesh_o.triangles[static_cast<size_t>(q.triangle)][i],
                      vm = mesh_m.triangles[static_cast<size_t>(tm)][i];
            if (mesh_o.sharp[static_cast<size_t>(vo)] && mesh_o.vertex_owner[static_cast<size_t>(vo)] == q.triangle)
                vertex_of_o(tm, vo, q.corners[i]);
            if (mesh_m.sharp[static_cast<size_t>(vm)] && mesh_m.vertex_owner[static_cast<size_t>(vm)] == tm)
                vertex_of_m(q.triangle, vm, mesh_m.positions[static_cast<size_t>(vm)]);
        }
    }
    /// The edges that a triangle of o owns (it is their left one), in the axes of m.
    struct MovedEdges {
        int triangle = -1, count = 0;
        int edges[3];
        Vec3 from[3], to[3];
    };
    void move_edges(int triangle, MovedEdges& moved) const {
        moved.triangle = triangle;
        moved.count = 0;
        for (const int edge : o.mesh.edge_of[static_cast<size_t>(triangle)]) {
            const TriangleSet::Edge& e = o.mesh.edges[static_cast<size_t>(edge)];
            if (e.left != triangle || !may_touch(o.mesh, e)) continue;
            moved.from[moved.count] = to_m(o.mesh.positions[static_cast<size_t>(e.from)]);
            moved.to[moved.count] = to_m(o.mesh.positions[static_cast<size_t>(e.to)]);
            moved.edges[moved.count++] = edge;
        }
    }
    /// `moved` caches the edges of the last triangle of o, since a triangle of o comes with several of m.
    void edges_of(int tm, int to, MovedEdges& moved) const {
        const TriangleSet& mesh_m = m.mesh;
        const auto at_m = [&](int v) -> const Vec3& { return mesh_m.positions[static_cast<size_t>(v)]; };
        if (moved.triangle != to) move_edges(to, moved);
        if (moved.count == 0) return;
        const double reach = larger(m.margin, depth_of_edges);
        for (const int edge : mesh_m.edge_of[static_cast<size_t>(tm)]) {
            const TriangleSet::Edge& e = mesh_m.edges[static_cast<size_t>(edge)];
            if (e.left != tm || !may_touch(mesh_m, e)) continue;
            for (int k = 0; k < moved.count; ++k) {
                if (!segments_pass(at_m(e.from), at_m(e.to), moved.from[k], moved.to[k], reach)) continue;
                EdgeForm a, b;
                if (!edge_form(m, edge, a) || !edge_form(o, moved.edges[k], b)) continue;
                EdgeContact meeting;
                if (!find_edge_contact(a, {moved.from[k], moved.to[k], rotation * b.t1, rotation * b.t2, rotation * b.mean},
                                       m.margin, depth_of_edges, meeting))
                    continue;
                if (meeting.gap < 0 && !plausible_overlap(m, meeting.on_b, -meeting.gap, kMinEdgeDistanceRatio)) continue;
                out.add({meeting.on_a, meeting.on_b, meeting.normal, meeting.gap,
                         feature_pair_id(FeaturePair::EdgeEdge, edge, moved.edges[k])});
            }
        }
    }
    void vertex_of_o(int tm, int vertex, const Vec3& p) const {
        point_against_triangle(m, tm, p, 0, FeaturePair::VertexFace, vertex, out);
        if (m.side(tm) * dot(m.mesh.face_normals[static_cast<size_t>(tm)], p - m.mesh.corner(tm, 0)) > m.snap())
            point_against_rims(m, tm, p, 0, vertex, out);
    }
    void vertex_of_m(int to, int vertex, const Vec3& p) const {
        const Vec3 local = to_o(p);
        MeshCandidates found;
        point_against_triangle(o, to, local, 0, FeaturePair::FaceVertex, vertex, found);
        if (o.side(to) * dot(o.mesh.face_normals[static_cast<size_t>(to)], local - o.mesh.corner(to, 0)) > o.snap())
            point_against_rims(o, to, local, 0, vertex ^ 0x40000000, found);
        for (const MeshCandidate& c : found.items) out.add({p, to_m(c.on_mesh), -(rotation * c.outward), c.gap, c.feature});
    }
    /// A node of either tree, prepared for the overlap test.
    struct NodeOfM {
        int node;
        Aabb reach, in_o;  ///< swept box grown by the margin, axes of m; own box grown by `wide`, axes of o
        SweepBound way;
    };
    struct NodeOfO {
        int node;
        Aabb swept;  ///< swept box, axes of m
        SweepBound way;
    };
    NodeOfM seen_m(int node) const {
        const Aabb& box = m.mesh.tree.nodes()[static_cast<size_t>(node)].box;
        const SweepBound way = sweeps ? sweep_bound_of(out.mesh, box) : SweepBound{};
        return {node, reach_of_m(way.swept(box)), box_in_o(box).grown(wide), way};
    }
    NodeOfO seen_o(int node) const {
        const Aabb box = box_in_m(o.mesh.tree.nodes()[static_cast<size_t>(node)].box);
        const SweepBound way = sweeps ? sweep_bound_of(out.other, box) : SweepBound{};
        return {node, way.swept(box), way};
    }
    /// Whether two nodes may hold a contact. Tested in the axes of both: a tilted box fits loosely into the other's axes.
    bool near(const NodeOfM& a, const NodeOfO& b) const {
        return a.reach.overlaps(b.swept) &&
               (m.mesh.ground() || a.in_o.overlaps(o.mesh.tree.nodes()[static_cast<size_t>(b.node)].box));
    }
    /// Calls visit(triangle of m, triangle of o) for all near pairs.
    template <class Visit>
    void descend(const Visit& visit) const {
        struct Two {
            NodeOfM m;
            NodeOfO o;
        };
        constexpr int room = 4 * MeshTree::kMaxDepth;
        FixedBuffer<Two, room> stack;
        const auto push = [&](const NodeOfM& a, const NodeOfO& b) {
            if (!stack.full() && near(a, b)) stack.push({a, b});
        };
        const auto &nodes_m = m.mesh.tree.nodes(), &nodes_o = o.mesh.tree.nodes();
        const auto &order_m = m.mesh.tree.order(), &order_o = o.mesh.tree.order();
        push(seen_m(0), seen_o(0));
        while (!stack.empty()) {
            const Two at = stack[stack.size() - 1];
            stack.resize_down(stack.size() - 1);
            const MeshTree::Node &a = nodes_m[static_cast<size_t>(at.m.node)], &b = nodes_o[static_cast<size_t>(at.o.node)];
            if (a.count > 0 && b.count > 0) {
                for (int k = 0; k < b.count; ++k) {
                    const Moved q = moved(order_o[static_cast<size_t>(b.first + k)]);
                    if (!at.m.reach.overlaps(at.o.way.swept(q.box))) continue;
                    for (int i = 0; i < a.count; ++i)
                        if (const int tm = order_m[static_cast<size_t>(a.first + i)]; near(tm, q, at.m.way, at.o.way))
                            visit(tm, q);
                }
                continue;
            }
            const bool split_a = b.count > 0 || (a.count == 0 && max_component(a.box.high - a.box.low) >=
                                                                     max_component(b.box.high - b.box.low));
            for (int i = 1; i >= 0; --i)
                if (split_a)
                    push(seen_m(a.first + i), at.o);
                else
                    push(at.m, seen_o(b.first + i));
        }
    }
};

Mat3 absolute_of(const Mat3& m) { return {{abs(m.r[0]), abs(m.r[1]), abs(m.r[2])}}; }

}  // namespace

void mesh_against_mesh(const MeshSide& side, const MeshSide& other, const Pose& pose, MeshCandidates& out) {
    const Mat3 rotation = matrix(pose.orientation);
    // Behind a concave edge, a point is up to 2.3 times as far from a face as it is deep.
    TwoMeshes two{side,
                  other,
                  pose,
                  rotation,
                  absolute_of(rotation),
                  larger(side.margin, 2.5 * side.edge_depth),
                  out,
                  out.near < side.margin};
    // Edges come after vertices, because the depth of the vertices bounds that of the edges. The pairs are kept; if they are
    // too many, the trees are descended again.
    struct Pair {
        int m, o;
    };
    FixedBuffer<Pair, 2048> pairs;
    bool all = true;
    two.descend([&](int tm, const TwoMeshes::Moved& q) {
        two.vertices_of(tm, q);
        pairs.full() ? void(all = false) : pairs.push({tm, q.triangle});
    });
    two.depth_of_edges = edge_depth(side, out);
    TwoMeshes::MovedEdges edges;
    if (all)
        for (const Pair& pair : pairs) two.edges_of(pair.m, pair.o, edges);
    else
        two.descend([&](int tm, const TwoMeshes::Moved& q) { two.edges_of(tm, q.triangle, edges); });
}

}  // namespace asperity::geometry
