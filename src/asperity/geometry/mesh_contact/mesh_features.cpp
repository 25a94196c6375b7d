// The feature tests shared by all pairs with a mesh.
#include <cmath>

#include "asperity/geometry/mesh_contact/mesh_pairs.h"

namespace asperity::geometry {
namespace {

// [rad] A common perpendicular this far beyond a face normal still counts as between the two face normals. Least value; see
// find_edge_contact().
constexpr double kArcTolerance = 1e-3;
// kDeepArc [rad]: upper bound of that tolerance, and its value beyond the depth kDeepEdge [-] of the shorter edge. Without
// it, a deep edge that is tilted is held at one end only.
constexpr double kDeepEdge = 5e-3, kDeepArc = 0.1;
// [-] Sine of the angle between two edges. Below it their perpendicular is unreliable; vertices make the contact.
constexpr double kParallel = 1e-3;
// [-] of the mesh extent: shallower overlaps are contacts, whatever face is near.
constexpr double kShallow = 1e-6;
// [-] of the depth or of the edge depth bound: an edge crossing outside the solid by less than this counts as on it.
constexpr double kOutsideTolerance = 0.1;

/// Whether p lies straight above or below a face, by less than `depth`, that the body is in front of.
bool has_other_exit(const MeshSide& side, const Vec3& p, double depth) {
    const TriangleSet& mesh = side.mesh;
    bool found = false;
    double reach_squared = depth * depth;
    mesh.tree.nearest(p, reach_squared, [&](int t) {
        const Vec3& n = mesh.face_normals[static_cast<size_t>(t)];
        const Vec3& corner = mesh.corner(t, 0);
        const double height = dot(n, p - corner);
        if (found || dot(n, side.viewer - corner) < 0) return;
        const TrianglePoint at = closest_on_triangle(corner, mesh.corner(t, 1), mesh.corner(t, 2), p);
        found = at.distance_squared < reach_squared && at.distance_squared - height * height <= side.snap() * side.snap();
        if (found) reach_squared = 0;
    });
    return found;
}

}  // namespace

EdgeForm edge_form(const Vec3& from, const Vec3& to, const Vec3& left_normal, const Vec3& right_normal) {
    const Vec3 along = normalized(to - from);
    return {from, to, cross(left_normal, along), cross(along, right_normal), left_normal + right_normal};
}

bool edge_form(const MeshSide& side, int edge, EdgeForm& out) {
    const TriangleSet& mesh = side.mesh;
    const TriangleSet::Edge& e = mesh.edges[static_cast<size_t>(edge)];
    using Kind = TriangleSet::EdgeKind;
    if (!may_touch(mesh, e)) return false;
    const Vec3 &from = mesh.positions[static_cast<size_t>(e.from)], &to = mesh.positions[static_cast<size_t>(e.to)];
    const double left = side.side(e.left);
    const Vec3 n1 = left * mesh.face_normals[static_cast<size_t>(e.left)];
    if (e.right < 0) {
        // The second face of a boundary edge is made up: as if the sheet were bent down there by a right angle.
        const Vec3 inward = left * cross(n1, normalized(to - from));
        out = {from, to, inward, -n1, n1 - inward};
        return true;
    }
    const double right = side.side(e.right);
    if (left != right || (e.kind == Kind::Convex) != (left > 0)) return false;
    const Vec3 n2 = right * mesh.face_normals[static_cast<size_t>(e.right)];
    out = edge_form(from, to, n1, n2);
    if (left < 0) out.t1 = -out.t1, out.t2 = -out.t2;
    return true;
}

bool find_edge_contact(const EdgeForm& a, const EdgeForm& b, double margin, double depth, EdgeContact& out) {
    const Vec3 u = a.to - a.from, v = b.to - b.from, w = b.from - a.from, x = cross(u, v);
    const double x2 = length_squared(x);
    if (x2 <= kParallel * kParallel * length_squared(u) * length_squared(v)) return false;
    const double s = dot(cross(w, v), x) / x2, t = dot(cross(w, u), x) / x2;
    constexpr double end = 1e-9;
    if (s < -end || s > 1 + end || t < -end || t > 1 + end) return false;
    Vec3 n = x / std::sqrt(x2);
    if (dot(n, a.mean) < 0) n = -n;
    out.gap = dot(n, w);
    if (out.gap > margin || out.gap < -depth || dot(n, b.mean) >= 0) return false;
    // In a deep overlap, one end of an edge is found as a vertex and the other where the edge leaves the face, at any tilt.
    // With one of them alone the body would rock farther in. An edge that lies nearly on two others rests on one of them;
    // within the step it may tilt onto the other, by what the margin allows.
    const double shorter = smaller(length(u), length(v)),
                 arc = out.gap < -kDeepEdge * shorter ? kDeepArc : clamp(margin / shorter, kArcTolerance, kDeepArc);
    if (dot(n, a.t1) > arc || dot(n, a.t2) > arc || dot(n, b.t1) < -arc || dot(n, b.t2) < -arc) return false;
    out.normal = n;
    out.on_a = a.from + s * u;
    out.on_b = b.from + t * v;
    return true;
}

double edge_depth(const MeshSide& side, const MeshCandidates& found) {
    double deepest = 0;
    for (const MeshCandidate& c : found.items) deepest = larger(deepest, -c.gap);
    if (deepest <= side.snap()) return side.edge_depth;
    const double came = side.max_approach < MeshSide::kUnknownApproach ? side.max_approach : 0;
    return smaller(2 * deepest + 2e-3 * side.mesh.extent + came, side.edge_depth);
}

bool plausible_overlap(const MeshSide& side, const Vec3& p, double depth, double share, bool corner) {
    const TriangleSet& mesh = side.mesh;
    if (depth < kShallow * mesh.extent) return true;
    const MeshNearest nearest =
        nearest_on_mesh(mesh, p, 3 * depth);  // behind a concave edge, the surface is up to 2.3 depths away
    if (nearest.triangle < 0) return false;
    // A nearer face is no exit if the body is mostly behind it: a vertex in the edge of a table stays on top. The exit is
    // then the nearest of the faces that the body is in front of.
    const auto mostly_behind = [&] {
        return mesh.solid() &&
               dot(mesh.face_normals[static_cast<size_t>(nearest.triangle)], side.viewer - nearest.at.point) < 0 &&
               !has_other_exit(side, p, share * depth);
    };
    // Two edges, slightly askew, that cross at the end of the mesh's edge meet slightly outside the mesh.
    if (mesh.solid() && nearest.signed_distance > 0)
        return nearest.signed_distance <= kOutsideTolerance * smaller(depth, side.edge_depth) && mostly_behind();
    if (std::fabs(nearest.signed_distance) >= share * depth) return true;
    return corner && mostly_behind();
}

bool point_over_triangle(const MeshSide& side, int triangle, const Vec3& p, double radius, MeshCandidate& out) {
    const TriangleSet& mesh = side.mesh;
    const auto t = static_cast<size_t>(triangle);
    const double facing = side.side(triangle);
    const Vec3 n = facing * mesh.face_normals[t];
    const double height = dot(n, p - mesh.corner(triangle, 0));
    if (height - radius > side.margin || height < -side.depth) return false;
    double outside = 0;  // [m] how far the point lies beyond the triangle's sides
    for (int i = 0; i < 3; ++i) {
        const Vec3 from = mesh.corner(triangle, i), to = mesh.corner(triangle, (i + 1) % 3);
        const Vec3 inward = cross(mesh.face_normals[t], to - from);
        if (dot(inward, p - from) >= 0) continue;
        const double beyond = -dot(normalized(inward), p - from);
        const TriangleSet::EdgeKind edge = mesh.edges[static_cast<size_t>(mesh.edge_of[t][static_cast<size_t>(i)])].kind;
        // Behind a concave edge, a point lies under both faces and beyond the sides of both.
        const bool concave = edge == (facing > 0 ? TriangleSet::EdgeKind::Concave : TriangleSet::EdgeKind::Convex);
        if (beyond > side.snap() + (concave && height < 0 ? -2 * height : 0)) return false;
        outside = larger(outside, beyond);
    }
    if (height < 0) {
        const bool extended = outside > side.snap();
        if (!plausible_overlap(side, p, -height, extended ? 0.3 : 0.999, radius == 0 && !extended)) return false;
    }
    out = {p - height * n, p - radius * n, n, height - radius, 0};
    return true;
}

bool in_vertex_cone(const TriangleSet& mesh, int vertex, const Vec3& d) {
    const auto v = static_cast<size_t>(vertex);
    for (int k = mesh.first_edge[v]; k < mesh.first_edge[v + 1]; ++k) {
        const TriangleSet::Edge& e = mesh.edges[static_cast<size_t>(mesh.edges_at[static_cast<size_t>(k)])];
        const Vec3 along = mesh.positions[static_cast<size_t>(e.from == vertex ? e.to : e.from)] - mesh.positions[v];
        if (dot(d, along) > kConeTolerance * length(along)) return false;
    }
    return true;
}

void point_against_rims(const MeshSide& side, int triangle, const Vec3& p, double radius, int id, MeshCandidates& out) {
    const TriangleSet& mesh = side.mesh;
    const auto t = static_cast<size_t>(triangle);
    const double reach = radius + side.margin;
    for (size_t i = 0; i < 3; ++i) {
        const int edge = mesh.edge_of[t][i], vertex = mesh.triangles[t][i];
        if (mesh.sharp[static_cast<size_t>(vertex)] && mesh.vertex_owner[static_cast<size_t>(vertex)] == triangle) {
            const Vec3 d = p - mesh.positions[static_cast<size_t>(vertex)];
            const double distance = length(d);
            if (distance <= reach && distance > side.snap() && in_vertex_cone(mesh, vertex, d / distance)) {
                const Vec3 n = d / distance;
                out.add(
                    {p - d, p - radius * n, n, distance - radius, feature_pair_id(FeaturePair::RoundVertex, vertex, id)});
            }
        }
        const TriangleSet::Edge& e = mesh.edges[static_cast<size_t>(edge)];
        if (e.left != triangle || e.kind == TriangleSet::EdgeKind::Flat) continue;
        const Vec3& from = mesh.positions[static_cast<size_t>(e.from)];
        const Vec3 along = mesh.positions[static_cast<size_t>(e.to)] - from;
        const double s = dot(p - from, along) / length_squared(along);
        if (s <= 0 || s >= 1) continue;
        const Vec3 d = p - (from + s * along);
        const double distance = length(d);
        EdgeForm form;
        if (distance > reach || distance <= side.snap() || !edge_form(side, edge, form)) continue;
        const Vec3 n = d / distance;
        if (dot(n, form.t1) > 0 || dot(n, form.t2) > 0) continue;  // the face test covers it
        out.add({p - d, p - radius * n, n, distance - radius, feature_pair_id(FeaturePair::RoundEdge, edge, id)});
    }
}

}  // namespace asperity::geometry
