// A mesh and a convex body with flat faces, exactly. Consider the ray from a point x along -u that crosses a closed mesh.
// Count +1 for each triangle through which it leaves, -1 for each through which it enters: x is inside if the sum is one. So
// the shared volume is a signed sum over triangles of the part of each triangle's shadow, cast along u, that lies inside the
// convex body:
//
//                      ________  upper planes of the body
//       u  ^          |:::::|
//          |          |::::/     ::: shadow of the triangle within the body
//                     \:::/
//                      \_/  triangle of the mesh
//
// This part is a prism with parallel edges, cut off by the triangle on one side and by a plane on the other. The result does
// not depend on which of two triangles owns a shared edge, and it is continuous in the poses. Only triangles below the upper
// planes count. In a shallow contact these are few if u is the normal of the face that the mesh stands on.
#include <cmath>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shape/face_plane.h"
#include "asperity/geometry/shared_volume/detail/shadow_sums.h"

namespace asperity::geometry::detail {
namespace {

struct Scratch {
    ShadowPlanes body;
    std::vector<int> triangles;
    std::vector<ShadowSums> chunks;
};
Scratch& scratch() {
    thread_local Scratch s;
    return s;
}

constexpr int kChunk = 256;  // triangles per chunk

/// All in the axes of the mesh.
struct Task {
    const TriangleSet& mesh;
    const ShadowPlanes& body;
    Vec3 origin;
    const DirectionClusters* clusters = nullptr;  // if set, sum only triangles whose direction belongs to cluster `wanted`
    int wanted = 0;

    /// The direction from the mesh into the body, halfway between both surface normals; zero if the surfaces do not face
    /// each other.
    Vec3 facing(const Vec3& normal, const Vec3& at) const {
        const Vec3& face = body.planes[static_cast<size_t>(body.nearest(at))].normal;
        return dot(normal, face) < 0 ? normalize_or(normal - face, {}) : Vec3{};
    }

    void add_triangle(int triangle, ShadowSums& out) const {
        ShadowPolygon whole, below, piece;
        for (int i = 0; i < 3; ++i) whole.push(mesh.corner(triangle, i));
        for (const Height& side : body.sides)
            if (!keep_positive(side, whole)) return;
        const Vec3& normal = mesh.face_normals[static_cast<size_t>(triangle)];
        // The upper plane nearest above the triangle's middle excludes most others at once.
        const Vec3 middle = (whole[0] + whole[1] + whole[2]) / 3;
        size_t first = 0;
        for (size_t i = 1; i < body.uppers.size(); ++i)
            if (body.uppers[i](middle) < body.uppers[first](middle)) first = i;
        for (size_t f = 0; f < body.uppers.size(); ++f) {
            const Height& upper = body.uppers[f];
            copy(whole, below);
            if (!keep_positive(upper, below)) continue;
            if (f != first && !keep_positive(body.uppers[first] - upper, below)) continue;
            bool left = true;
            for (size_t g = 0; g < body.uppers.size() && left; ++g)
                if (g != f && g != first) left = keep_positive(body.uppers[g] - upper, below);
            if (left) add_below(below, upper, normal, piece, out);
        }
    }

    /// Adds the shadow below one upper plane, in two cases: the triangle is inside the body, or it is below one of the lower
    /// planes.
    void add_below(const ShadowPolygon& below, const Height& upper, const Vec3& normal, ShadowPolygon& piece,
                   ShadowSums& out) const {
        copy(below, piece);
        bool inside = true, outside = false;
        for (const Height& lower : body.lowers) {
            for (const Vec3& p : below) outside |= lower(p) > 0;
            if (inside) inside = keep_positive({-lower.slope, -lower.at_origin}, piece);
        }
        if (inside) add_inside(piece, upper, normal, out);
        if (!outside) return;
        for (size_t g = 0; g < body.lowers.size(); ++g) {
            const Height& lower = body.lowers[g];
            copy(below, piece);
            bool left = keep_positive(lower, piece) && keep_positive(upper - lower, piece);
            for (size_t k = 0; k < body.lowers.size() && left; ++k)
                if (k != g) left = keep_positive(lower - body.lowers[k], piece);
            if (left && !clusters) add_prism(piece, &lower, upper, body.u, origin, out.volume);
        }
    }

    void add_inside(const ShadowPolygon& piece, const Height& upper, const Vec3& normal, ShadowSums& out) const {
        AreaMoments area;
        Vec3 middle = piece[0];
        for (int i = 1; i < piece.size(); ++i) middle += piece[i];
        middle = middle / piece.size();
        const Vec3 direction = facing(normal, middle);
        if (clusters && (direction == Vec3{} || clusters->nearest(direction) != wanted)) return;
        for (int i = 2; i < piece.size(); ++i)
            area.add_triangle(piece[0] - origin, piece[i - 1] - origin, piece[i] - origin);
        add_prism(piece, nullptr, upper, body.u, origin, out.volume);
        out.surface.add(area);
        if (!(direction == Vec3{})) out.faces.add(direction, length(area.area));
        for (const Vec3& p : piece) {
            out.deepest = larger(out.deepest, upper(p));
            out.points.add(p);
        }
    }
};

ShadowSums sum_triangles(const Task& task, Scratch& s) {
    const std::vector<int>& triangles = s.triangles;
    const Vec3 about = 0.5 * (task.mesh.box.low + task.mesh.box.high);
    return sum_in_chunks(static_cast<int>(triangles.size()), kChunk, ShadowSums::across(task.body.u, about), s.chunks,
                         [&](int i, int, ShadowSums& out) { task.add_triangle(triangles[static_cast<size_t>(i)], out); });
}

/// Triangles that may lie in the body or cast a shadow into it.
void find_triangles(const TriangleSet& mesh, const ShadowPlanes& body, std::vector<int>& out) {
    out.clear();
    const auto near = [&](const Aabb& box) {
        const Vec3 middle = 0.5 * (box.low + box.high), reach = 0.5 * (box.high - box.low);
        for (const ShadowPlanes::Plane& p : body.planes)
            if (dot(p.normal, body.u) > -1e-9 && p.above(middle) > dot(abs(p.normal), reach)) return false;
        return true;
    };
    mesh.tree.query_if(near, [&](int triangle) { out.push_back(triangle); });
}

/// Chooses the direction of the shadows: the outward normal of the face with the least penetration depth. Returns false if
/// the mesh is entirely beyond one of the planes.
bool choose_direction(const Mesh& mesh, ShadowPlanes& body, Vec3& lowest) {
    const TriangleSet& triangles = *mesh.triangles;
    const Shape shape = mesh;
    double farthest = -1e300;
    Vec3 u;
    for (const ShadowPlanes::Plane& p : body.planes) {
        const Vec3 middle = 0.5 * (triangles.box.low + triangles.box.high),
                   reach = 0.5 * (triangles.box.high - triangles.box.low);
        if (p.above(middle) > dot(abs(p.normal), reach)) return false;
        const Vec3 point = support(shape, -p.normal);
        const double above = p.above(point);
        if (above >= 0) return false;
        if (above > farthest) farthest = above, u = p.normal, lowest = point;
    }
    if (triangles.ground()) u = {0, 0, -1};  // ground has no lower side, so rays must leave it upwards
    body.look_along(u);
    return true;
}

void gather_planes(const Shape& shape, const Pose& pose, const Pose& mesh_pose, double grow,
                   std::vector<ShadowPlanes::Plane>& out) {
    const PlaneMover moved(pose, mesh_pose, grow);
    out.clear();
    for (int f = 0; f < plane_face_count(shape); ++f) {
        const FacePlane plane = moved(face_plane(shape, f));
        out.push_back({plane.normal, plane.offset});
    }
}

}  // namespace

void overlap_shadows(const Shape& a, const Pose& pose_a, const Mesh& mesh, const Pose& pose_b, double skin, Overlap& out) {
    Scratch& s = scratch();
    const TriangleSet& triangles = *mesh.triangles;
    out.open = triangles.report.boundary_edges > 0 && !triangles.ground();
    if (!triangles.solid() && !triangles.ground()) return;  // a sheet has no inside
    gather_planes(a, pose_a, pose_b, 2 * skin, s.body.planes);
    Vec3 lowest;
    if (!choose_direction(mesh, s.body, lowest)) return;
    find_triangles(triangles, s.body, s.triangles);
    Task task{triangles, s.body, lowest};
    ShadowSums sums = sum_triangles(task, s);
    const Vec3 size = triangles.box.high - triangles.box.low;
    if (!counts(sums.volume.volume, sums.surface.area, size.x * size.y * size.z)) return;
    out.method = Overlap::Method::Shadows;
    out.grown_a = 2 * skin;
    set_totals(sums.volume, sums.surface, pose_b, lowest, out);
    const bool half_space = std::holds_alternative<HalfSpace>(a);
    const DirectionClusters clusters(sums.faces);
    // If there are several clusters, each casts shadows along its own direction, into the face opposite.
    task.clusters = &clusters;
    for (task.wanted = 0; !half_space && clusters.count() > 1 && task.wanted < clusters.count(); ++task.wanted) {
        s.body.look_along(-clusters[task.wanted]);
        ShadowSums part = sum_triangles(task, s);
        if (counts(part.volume.volume, part.surface.area, size.x * size.y * size.z))
            set_part(part, pose_b, lowest, 1, false, out.parts[static_cast<size_t>(out.part_count++)]);
    }
    OverlapPart whole_part;
    set_part(sums, pose_b, lowest, 1, half_space, whole_part);
    choose_parts(whole_part, out);
}

}  // namespace asperity::geometry::detail
