// The feature tests that all mesh pairs share.
#include <cmath>

#include "asperity/geometry/mesh_pairs.h"

namespace asperity::geometry {
namespace {

constexpr double kArcTolerance = 1e-3;    // [rad] a perpendicular this far beyond a face's normal still counts as between
constexpr double kParallel = 1e-3;        // sine: nearly parallel edges have no reliable perpendicular; vertices do their work
constexpr double kShallow = 1e-6;         // of the extent: overlaps below are contacts, whatever else is near

}  // namespace

EdgeForm edge_form(const Vec3& from, const Vec3& to, const Vec3& left_normal, const Vec3& right_normal) {
    const Vec3 along = normalized(to - from);
    return {from, to, cross(left_normal, along), cross(along, right_normal), left_normal + right_normal};
}

bool edge_form(const MeshSide& side, int edge, EdgeForm& out) {
    const TriangleSet& mesh = side.mesh;
    const TriangleSet::Edge& e = mesh.edges[static_cast<size_t>(edge)];
    using Kind = TriangleSet::EdgeKind;
    if (e.kind == Kind::Flat) return false;
    const Vec3 &from = mesh.positions[static_cast<size_t>(e.from)], &to = mesh.positions[static_cast<size_t>(e.to)];
    const double left = side.side(e.left);
    const Vec3 n1 = left * mesh.face_normals[static_cast<size_t>(e.left)];
    if (e.right < 0) {
        // from the face round to its own plane: as if the sheet were bent down by a right angle
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

bool edges_meet(const EdgeForm& a, const EdgeForm& b, double margin, double depth, EdgeMeeting& out) {
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
    if (dot(n, a.t1) > kArcTolerance || dot(n, a.t2) > kArcTolerance || dot(n, b.t1) < -kArcTolerance || dot(n, b.t2) < -kArcTolerance)
        return false;
    out.normal = n;
    out.on_a = a.from + s * u;
    out.on_b = b.from + t * v;
    return true;
}

bool plausible_overlap(const TriangleSet& mesh, const Vec3& p, double depth, double share) {
    if (depth < kShallow * mesh.extent) return true;
    const MeshNearest nearest = nearest_on_mesh(mesh, p, depth);
    if (nearest.triangle < 0) return true;
    if (mesh.solid() && nearest.signed_distance > 0) return false;
    return std::fabs(nearest.signed_distance) >= share * depth;
}

bool point_over_triangle(const MeshSide& side, int triangle, const Vec3& p, double radius, MeshCandidate& out) {
    const TriangleSet& mesh = side.mesh;
    const auto t = static_cast<size_t>(triangle);
    const double facing = side.side(triangle);
    const Vec3 n = facing * mesh.face_normals[t];
    const double height = dot(n, p - mesh.corner(triangle, 0));
    if (height - radius > side.margin || height < -side.depth) return false;
    double outside = 0;   // how far beyond the triangle's sides the point lies
    for (int i = 0; i < 3; ++i) {
        const Vec3 from = mesh.corner(triangle, i), to = mesh.corner(triangle, (i + 1) % 3);
        const Vec3 inward = normalized(cross(mesh.face_normals[t], to - from));
        const double beyond = -dot(inward, p - from);
        if (beyond <= 0) continue;
        const TriangleSet::EdgeKind edge = mesh.edges[static_cast<size_t>(mesh.edge_of[t][static_cast<size_t>(i)])].kind;
        // Behind a concave edge a point lies under both faces and beyond both.
        const bool concave = edge == (facing > 0 ? TriangleSet::EdgeKind::Concave : TriangleSet::EdgeKind::Convex);
        if (beyond > side.snap() + (concave && height < 0 ? -2 * height : 0)) return false;
        outside = larger(outside, beyond);
    }
    if (height < 0) {
        const bool extended = outside > side.snap();
        if (!plausible_overlap(mesh, p, -height, extended ? 0.3 : 0.999)) return false;
    }
    out = {p - height * n, p - radius * n, n, height - radius, 0};
    return true;
}

}  // namespace asperity::geometry
