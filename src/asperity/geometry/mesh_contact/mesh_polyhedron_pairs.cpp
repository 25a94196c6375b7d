// Boxes, hulls and half-spaces against meshes: vertices, faces and edges of both.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/mesh_contact/mesh_pairs.h"

namespace asperity::geometry {
namespace {

constexpr int kFacesTried = 12;  // faces of a polyhedron tested for quick rejection: all of a box, enough of a hull

/// Whether the point q (polyhedron axes) lies over the face, to within `snap`.
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

/// A mesh vertex outside the polyhedron and over no face, against the edges of the face that it is highest over.
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
    out.add({p, other, outward, nearest, feature_pair_id(FeaturePair::FaceVertex, vertex, -1)});
}

/// A mesh vertex against the polyhedron's face that it lies over, or is least deep under.
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
    const auto leads_out = [&](int f) {
        return !side.mesh.solid() || dot(c.face_normal(f), side.mesh.vertex_normals[v]) <= 0.1;
    };
    // The face belongs to the far side of something thin, or to an edge wedged between the mesh and a third body. Then the
    // next face may be the exit.
    if (!leads_out(face)) {
        if (height > 0) return;
        height = -side.edge_depth;
        face = -1;
        for (int f = 0; f < c.poly.face_count; ++f) {
            const double h = dot(c.poly.faces[f].normal, q) - c.poly.faces[f].offset;
            if (h > height && leads_out(f)) height = h, face = f;
        }
        if (face < 0) return;
    }
    const Vec3 outward = -c.face_normal(face);
    out.add({p, p + height * outward, outward, height, feature_pair_id(FeaturePair::FaceVertex, vertex, face)});
}

EdgeForm moved(const EdgeForm& e, const Convex& to) {
    const auto turn = [&](const Vec3& d) { return to.direction_to_local(d); };
    return {turn(e.from - to.center), turn(e.to - to.center), turn(e.t1), turn(e.t2), turn(e.mean)};
}

void edge_against_polyhedron(const MeshSide& side, int edge, const Convex& c, double depth, MeshCandidates& out) {
    const TriangleSet& mesh = side.mesh;
    const TriangleSet::Edge& own = mesh.edges[static_cast<size_t>(edge)];
    if (!may_touch(mesh, own)) return;
    const Vec3 from = c.direction_to_local(mesh.positions[static_cast<size_t>(own.from)] - c.center),
               to = c.direction_to_local(mesh.positions[static_cast<size_t>(own.to)] - c.center);
    const double reach = larger(side.margin, depth);
    // An edge out of reach of one face is out of reach of all edges.
    for (int f = 0; f < std::min(c.poly.face_count, kFacesTried); ++f) {
        const Polyhedron::Face& face = c.poly.faces[f];
        if (smaller(dot(face.normal, from), dot(face.normal, to)) - face.offset > (1 + 1e-6) * reach) return;
    }
    EdgeForm local;
    bool ready = false;  // most edges pass none and need no form
    for (int i = 0; i < c.poly.edge_count; ++i) {
        const Polyhedron::Edge& e = c.poly.edges[i];
        const Vec3 &other_from = c.poly.vertices[e.from], &other_to = c.poly.vertices[e.to];
        if (!segments_pass(from, to, other_from, other_to, reach)) continue;
        if (!ready) {
            EdgeForm form;
            if (!edge_form(side, edge, form)) return;
            const Vec3 mean = normalized(form.mean);
            if (dot(mean, c.support(-mean) - form.from) > side.margin) return;
            local = moved(form, c);
            ready = true;
        }
        const EdgeForm other = edge_form(other_from, other_to, c.poly.faces[e.left].normal, c.poly.faces[e.right].normal);
        EdgeContact m;
        if (!find_edge_contact(local, other, side.margin, depth, m)) continue;
        const Vec3 on_mesh = c.to_world(m.on_a), on_other = c.to_world(m.on_b);
        if (m.gap < 0 && !plausible_overlap(side, on_other, -m.gap, kMinEdgeDistanceRatio)) continue;
        out.add({on_mesh, on_other, c.rotation * m.normal, m.gap, feature_pair_id(FeaturePair::EdgeEdge, edge, i)});
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
    // Rejects boxes beyond the plane of a face, which the axis-aligned box around a tilted plate lets through.
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
        if (dot(n, c.support(-n) - corner) > side.margin) return;  // edges and vertices of the triangle are then as far
        const bool faces = mesh.ground() || dot(n, c.middle - corner) >= 0;
        for (int i = 0; i < c.poly.vertex_count; ++i) {
            const Vec3 p = c.vertex(i);
            const double height = dot(n, p - corner);
            if (height > side.margin || height < -side.depth) continue;
            if (faces) point_against_triangle(side, triangle, p, 0, FeaturePair::VertexFace, i, out);
            if (height > side.snap()) point_against_rims(side, triangle, p, 0, i, out);
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
                             feature_pair_id(FeaturePair::FaceVertex, vertex, 0)});
            }
        }
    }
}

}  // namespace asperity::geometry
