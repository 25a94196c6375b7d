// Boxes, hulls, half-spaces and other meshes against meshes: vertices, faces and edges of both.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/mesh_pairs.h"

namespace asperity::geometry {
namespace {

// An edge under another one may lie near a face that joins there, but not on it: then the way out is another one.
constexpr double kEdgeShare = 1e-3;
constexpr int kFacesTried = 12;  // of a polyhedron against a box of the tree: all of a box, enough of a hull

/// Whether the point q (polyhedron axes) lies over the face, up to `snap`.
bool over_face(const PolyhedronView& poly, int face, const Vec3& q, double snap) {
    const Polyhedron::Face& f = poly.faces[face];
    for (int i = 0; i < f.count; ++i) {
        const Vec3& from = poly.vertices[poly.loop[f.first + i]];
        const Vec3& to = poly.vertices[poly.loop[f.first + (i + 1 < f.count ? i + 1 : 0)]];
        const Vec3 inward = cross(f.normal, to - from);
        if (dot(inward, q - from) < -snap * length(inward)) return false;
    }
    return true;
}

/// A vertex of the mesh that lies outside the polyhedron and over no face, against the edges of the face it is highest over.
void vertex_against_edges(const MeshSide& side, int vertex, const Convex& c, int face, const Vec3& q, MeshCandidates& out) {
    const Polyhedron::Face& f = c.poly.faces[face];
    double nearest = 1e300;
    Vec3 best;
    for (int i = 0; i < f.count; ++i) {
        const Vec3& from = c.poly.vertices[c.poly.loop[f.first + i]];
        const Vec3 along = c.poly.vertices[c.poly.loop[f.first + (i + 1 < f.count ? i + 1 : 0)]] - from;
        const Vec3 at = from + clamp(dot(q - from, along) / length_squared(along), 0, 1) * along;
        const double distance = length(q - at);
        if (distance < nearest) nearest = distance, best = at;
    }
    if (nearest > side.margin || nearest <= side.snap()) return;
    const Vec3& p = side.mesh.positions[static_cast<size_t>(vertex)];
    const Vec3 other = c.to_world(best), outward = (other - p) / nearest;
    if (side.mesh.solid() && dot(outward, side.mesh.vertex_normals[static_cast<size_t>(vertex)]) < -0.1) return;
    out.add({p, other, outward, nearest, meeting_id(Meeting::FaceVertex, vertex, -1)});
}

/// A vertex of the mesh against the face of the polyhedron that it is least deep under, or lies over.
void vertex_against_polyhedron(const MeshSide& side, int vertex, const Convex& c, MeshCandidates& out) {
    const auto v = static_cast<size_t>(vertex);
    const Vec3& p = side.mesh.positions[v];
    const Vec3 q = c.direction_to_local(p - c.center);
    int face = 0;
    double height = -1e300;
    for (int f = 0; f < c.poly.face_count; ++f) {
        const double h = dot(c.poly.faces[f].normal, q) - c.poly.faces[f].offset;
        if (h > side.margin) return;
        if (h > height) height = h, face = f;
    }
    if (height > 0 && !over_face(c.poly, face, q, side.snap())) return vertex_against_edges(side, vertex, c, face, q, out);
    const Vec3 outward = -c.face_normal(face);
    if (side.mesh.solid() && dot(outward, side.mesh.vertex_normals[v]) < -0.1) return;  // the far side of something thin
    out.add({p, p + height * outward, outward, height, meeting_id(Meeting::FaceVertex, vertex, face)});
}

EdgeForm moved(const EdgeForm& e, const Convex& to) {
    const auto turn = [&](const Vec3& d) { return to.direction_to_local(d); };
    return {turn(e.from - to.center), turn(e.to - to.center), turn(e.t1), turn(e.t2), turn(e.mean)};
}

/// How deep edges may be under one another: where vertices are inside, about as deep as those; otherwise all that is allowed. In
/// something thin, such as an ear, the edges of the far side would pass for contacts.
double edge_depth(const MeshSide& side, const MeshCandidates& found) {
    double deepest = 0;
    for (const MeshCandidate& c : found.items) deepest = larger(deepest, -c.gap);
    return deepest > side.snap() ? smaller(2 * deepest + 2e-3 * side.mesh.extent, side.edge_depth) : side.edge_depth;
}

void edge_against_polyhedron(const MeshSide& side, int edge, const Convex& c, double depth, MeshCandidates& out) {
    EdgeForm form;
    if (!edge_form(side, edge, form)) return;
    const Vec3 mean = normalized(form.mean);
    if (dot(mean, c.support(-mean) - form.from) > side.margin) return;
    const EdgeForm local = moved(form, c);
    for (int i = 0; i < c.poly.edge_count; ++i) {
        const Polyhedron::Edge& e = c.poly.edges[i];
        const EdgeForm other = edge_form(c.poly.vertices[e.from], c.poly.vertices[e.to], c.poly.faces[e.left].normal,
                                         c.poly.faces[e.right].normal);
        EdgeMeeting m;
        if (!edges_meet(local, other, side.margin, depth, m)) continue;
        const Vec3 on_mesh = c.to_world(m.on_a), on_other = c.to_world(m.on_b);
        if (m.gap < 0 && !plausible_overlap(side, on_other, -m.gap, kEdgeShare)) continue;
        out.add({on_mesh, on_other, c.rotation * m.normal, m.gap, meeting_id(Meeting::EdgeEdge, edge, i)});
    }
}

}  // namespace

void mesh_against_polyhedron(const MeshSide& side, const Convex& c, MeshCandidates& out) {
    const TriangleSet& mesh = side.mesh;
    Aabb box{c.vertex(0), c.vertex(0)};
    for (int i = 1; i < c.poly.vertex_count; ++i) {
        const Vec3 p = c.vertex(i);
        box.low = min(box.low, p);
        box.high = max(box.high, p);
    }
    const Aabb reach = box.grown(side.margin);
    // Boxes beyond a face are too far, which the box around a tilted plate does not show.
    const auto near = [&](const Aabb& node) {
        if (!node.overlaps(reach)) return false;
        const Vec3 center = c.direction_to_local(0.5 * (node.low + node.high) - c.center),
                   half = 0.5 * (node.high - node.low);
        for (int f = 0; f < std::min(c.poly.face_count, kFacesTried); ++f) {
            const Vec3 n = c.poly.faces[f].normal;
            if (dot(n, center) - c.poly.faces[f].offset - dot(abs(c.rotation * n), half) > side.margin) return false;
        }
        return true;
    };
    mesh.tree.query_if(near, [&](int triangle) {
        const auto t = static_cast<size_t>(triangle);
        const Vec3 n = side.side(triangle) * mesh.face_normals[t];
        const Vec3& corner = mesh.corner(triangle, 0);
        if (dot(n, c.support(-n) - corner) > side.margin) return;  // then it is as far from the edges and vertices too
        if (mesh.ground() || dot(n, c.middle - corner) >= 0) {
            for (int i = 0; i < c.poly.vertex_count; ++i)
                point_against_triangle(side, triangle, c.vertex(i), 0, Meeting::VertexFace, i, out);
        }
        for (int i = 0; i < c.poly.vertex_count; ++i) {
            const Vec3 p = c.vertex(i);
            const double height = dot(n, p - corner);
            if (height > side.snap() && height <= side.margin) point_against_rims(side, triangle, p, 0, i, out);
        }
        for (size_t i = 0; i < 3; ++i) {
            const int vertex = mesh.triangles[t][i];
            if (mesh.sharp[static_cast<size_t>(vertex)] && mesh.vertex_owner[static_cast<size_t>(vertex)] == triangle)
                vertex_against_polyhedron(side, vertex, c, out);
        }
    });
    const double depth = edge_depth(side, out);
    mesh.tree.query_if(near, [&](int triangle) {
        for (const int edge : mesh.edge_of[static_cast<size_t>(triangle)])
            if (mesh.edges[static_cast<size_t>(edge)].left == triangle) edge_against_polyhedron(side, edge, c, depth, out);
    });
    if (!out.items.empty() || !mesh.solid()) return;
    // Nothing near, yet inside: out through the nearest face.
    const MeshNearest nearest = nearest_on_mesh(mesh, c.middle, mesh.extent);
    if (nearest.triangle < 0 || nearest.signed_distance >= 0 || nearest.at.part != TrianglePart::Face) return;
    const Vec3 n = mesh.face_normals[static_cast<size_t>(nearest.triangle)];
    const Vec3 deepest = c.support(-n);
    const double gap = dot(n, deepest - nearest.at.point);
    out.add({deepest - gap * n, deepest, n, gap, meeting_id(Meeting::VertexFace, nearest.triangle, -1)});
}

void mesh_against_half_space(const MeshSide& side, const Pose& pose, MeshCandidates& out) {
    const TriangleSet& mesh = side.mesh;
    const Vec3 n = rotate(pose.orientation, {0, 0, 1});
    const auto& nodes = mesh.tree.nodes();
    int stack[MeshTree::kMaxDepth];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const MeshTree::Node& node = nodes[static_cast<size_t>(stack[--top])];
        const Vec3 center = 0.5 * (node.box.low + node.box.high), half = 0.5 * (node.box.high - node.box.low);
        if (dot(n, center - pose.position) - dot(abs(n), half) > side.margin) continue;
        if (node.count == 0) {
            stack[top++] = node.first + 1;
            stack[top++] = node.first;
            continue;
        }
        for (int k = 0; k < node.count; ++k) {
            const int triangle = mesh.tree.order()[static_cast<size_t>(node.first + k)];
            for (const int vertex : mesh.triangles[static_cast<size_t>(triangle)]) {
                const auto v = static_cast<size_t>(vertex);
                if (!mesh.sharp[v] || mesh.vertex_owner[v] != triangle) continue;
                const double gap = dot(n, mesh.positions[v] - pose.position);
                if (gap <= side.margin)
                    out.add({mesh.positions[v], mesh.positions[v] - gap * n, -n, gap,
                             meeting_id(Meeting::FaceVertex, vertex, 0)});
            }
        }
    }
}

namespace {

/// Two meshes: `m` in its own axes, `o` moved by `pose` into them.
struct TwoMeshes {
    const MeshSide &m, &o;
    const Pose pose;
    const Mat3 rotation, absolute;
    MeshCandidates& out;
    double depth_of_edges = 0;

    Vec3 to_m(const Vec3& p) const { return pose.position + rotation * p; }
    Vec3 to_o(const Vec3& p) const { return transposed(rotation) * (p - pose.position); }

    Aabb box_in_m(const Aabb& box) const {
        const Vec3 center = to_m(0.5 * (box.low + box.high)), reach = absolute * (0.5 * (box.high - box.low));
        return {center - reach, center + reach};
    }
    /// What a part of m may meet: ground also what is below it.
    Aabb reach_of_m(const Aabb& box) const {
        Aabb reach = box.grown(m.margin);
        if (m.mesh.ground()) reach.low.z -= m.depth;
        return reach;
    }
    /// Whether triangle q lies beyond the margin in front of triangle p with normal n, or deep behind it.
    bool apart(const Vec3 p[3], const Vec3& n, const Vec3 q[3]) const {
        const double a = dot(n, q[0] - p[0]), b = dot(n, q[1] - p[0]), c = dot(n, q[2] - p[0]);
        return smaller(smaller(a, b), c) > m.margin || larger(larger(a, b), c) < -m.depth;
    }
    void triangles(int tm, int to, bool edges) const {
        const TriangleSet &mesh_m = m.mesh, &mesh_o = o.mesh;
        const Vec3 q[3] = {to_m(mesh_o.corner(to, 0)), to_m(mesh_o.corner(to, 1)), to_m(mesh_o.corner(to, 2))};
        const Vec3 p[3] = {mesh_m.corner(tm, 0), mesh_m.corner(tm, 1), mesh_m.corner(tm, 2)};
        const Aabb box_q = {min(q[0], min(q[1], q[2])), max(q[0], max(q[1], q[2]))};
        const Aabb box_p = {min(p[0], min(p[1], p[2])), max(p[0], max(p[1], p[2]))};
        if (!reach_of_m(box_p).overlaps(box_q)) return;
        const auto im = static_cast<size_t>(tm), io = static_cast<size_t>(to);
        if (apart(p, m.side(tm) * mesh_m.face_normals[im], q) ||
            apart(q, rotation * (o.side(to) * mesh_o.face_normals[io]), p))
            return;
        if (edges) return edges_of(tm, to);
        for (size_t i = 0; i < 3; ++i) {
            const int vo = mesh_o.triangles[io][i], vm = mesh_m.triangles[im][i];
            if (mesh_o.sharp[static_cast<size_t>(vo)] && mesh_o.vertex_owner[static_cast<size_t>(vo)] == to)
                vertex_of_o(tm, vo, q[i]);
            if (mesh_m.sharp[static_cast<size_t>(vm)] && mesh_m.vertex_owner[static_cast<size_t>(vm)] == tm)
                vertex_of_m(to, vm, p[i]);
        }
    }
    void edges_of(int tm, int to) const {
        const TriangleSet &mesh_m = m.mesh, &mesh_o = o.mesh;
        const auto im = static_cast<size_t>(tm), io = static_cast<size_t>(to);
        EdgeForm forms[3];
        int edges[3], count = 0;
        for (const int edge_o : mesh_o.edge_of[io]) {
            if (mesh_o.edges[static_cast<size_t>(edge_o)].left != to || !edge_form(o, edge_o, forms[count])) continue;
            EdgeForm& f = forms[count];
            f = {to_m(f.from), to_m(f.to), rotation * f.t1, rotation * f.t2, rotation * f.mean};
            edges[count++] = edge_o;
        }
        if (count == 0) return;
        for (const int edge_m : mesh_m.edge_of[im]) {
            EdgeForm a;
            if (mesh_m.edges[static_cast<size_t>(edge_m)].left != tm || !edge_form(m, edge_m, a)) continue;
            for (int k = 0; k < count; ++k) {
                const int edge_o = edges[k];
                EdgeMeeting e;
                if (!edges_meet(a, forms[k], m.margin, depth_of_edges, e)) continue;
                if (e.gap < 0 && !plausible_overlap(m, e.on_b, -e.gap, kEdgeShare)) continue;
                out.add({e.on_a, e.on_b, e.normal, e.gap, meeting_id(Meeting::EdgeEdge, edge_m, edge_o)});
            }
        }
    }
    void vertex_of_o(int tm, int vertex, const Vec3& p) const {
        point_against_triangle(m, tm, p, 0, Meeting::VertexFace, vertex, out);
        if (m.side(tm) * dot(m.mesh.face_normals[static_cast<size_t>(tm)], p - m.mesh.corner(tm, 0)) > m.snap())
            point_against_rims(m, tm, p, 0, vertex, out);
    }
    void vertex_of_m(int to, int vertex, const Vec3& p) const {
        const Vec3 local = to_o(p);
        MeshCandidates found;
        point_against_triangle(o, to, local, 0, Meeting::FaceVertex, vertex, found);
        if (o.side(to) * dot(o.mesh.face_normals[static_cast<size_t>(to)], local - o.mesh.corner(to, 0)) > o.snap())
            point_against_rims(o, to, local, 0, vertex ^ 0x40000000, found);
        for (const MeshCandidate& c : found.items) out.add({p, to_m(c.on_mesh), -(rotation * c.outward), c.gap, c.feature});
    }
    void descend(bool edges) const {
        struct Two {
            int m, o;
        };
        constexpr int room = 4 * MeshTree::kMaxDepth;
        Two stack[room];
        int top = 0;
        stack[top++] = {0, 0};
        const auto &nodes_m = m.mesh.tree.nodes(), &nodes_o = o.mesh.tree.nodes();
        while (top > 0) {
            const Two at = stack[--top];
            const MeshTree::Node &a = nodes_m[static_cast<size_t>(at.m)], &b = nodes_o[static_cast<size_t>(at.o)];
            if (!reach_of_m(a.box).overlaps(box_in_m(b.box))) continue;
            if (a.count > 0 && b.count > 0) {
                for (int i = 0; i < a.count; ++i)
                    for (int k = 0; k < b.count; ++k)
                        triangles(m.mesh.tree.order()[static_cast<size_t>(a.first + i)],
                                  o.mesh.tree.order()[static_cast<size_t>(b.first + k)], edges);
                continue;
            }
            const bool split_a = b.count > 0 || (a.count == 0 && max_component(a.box.high - a.box.low) >=
                                                                     max_component(b.box.high - b.box.low));
            for (int i = 1; i >= 0 && top < room; --i)
                stack[top++] = split_a ? Two{a.first + i, at.o} : Two{at.m, b.first + i};
        }
    }
};

Mat3 absolute_of(const Mat3& m) { return {{abs(m.r[0]), abs(m.r[1]), abs(m.r[2])}}; }

}  // namespace

void mesh_against_mesh(const MeshSide& side, const MeshSide& other, const Pose& pose, MeshCandidates& out) {
    const Mat3 rotation = matrix(pose.orientation);
    TwoMeshes two{side, other, pose, rotation, absolute_of(rotation), out};
    two.descend(false);
    two.depth_of_edges = edge_depth(side, out);
    two.descend(true);
}

}  // namespace asperity::geometry
