// Selects the method for each pair of shapes.
#include "asperity/geometry/shared_volume/overlap.h"

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shared_volume/detail/overlap_parts.h"

namespace asperity::geometry {
namespace {

bool is_polyhedron(const Shape& s) { return std::holds_alternative<Box>(s) || std::holds_alternative<Hull>(s); }

bool is_round(const Shape& s) {
    return std::holds_alternative<Sphere>(s) || std::holds_alternative<Capsule>(s) || std::holds_alternative<Cylinder>(s);
}

}  // namespace

void overlap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const OverlapOptions& options,
             Overlap& out) {
    out.clear();
    const bool plane_a = std::holds_alternative<HalfSpace>(a), plane_b = std::holds_alternative<HalfSpace>(b);
    if (plane_a && plane_b) return;  // the shared volume is infinite
    if (options.only_rays) return detail::overlap_rays(a, pose_a, b, pose_b, options, out);
    const auto *sphere_a = std::get_if<Sphere>(&a), *sphere_b = std::get_if<Sphere>(&b);
    if (sphere_a && sphere_b)
        return detail::overlap_spheres(*sphere_a, pose_a.position, *sphere_b, pose_b.position, options.skin, out);
    if (sphere_b && plane_a) return detail::overlap_sphere_half_space(pose_a, *sphere_b, pose_b.position, options.skin, out);
    if (sphere_a && plane_b) {
        detail::overlap_sphere_half_space(pose_b, *sphere_a, pose_a.position, options.skin, out);
        return detail::exchange(out);
    }
    if (is_round(a) && sphere_b)
        return detail::overlap_ball_slices(a, pose_a, *sphere_b, pose_b.position, options.skin, out);
    if (is_round(b) && sphere_a) {
        detail::overlap_ball_slices(b, pose_b, *sphere_a, pose_a.position, options.skin, out);
        return detail::exchange(out);
    }
    if (is_round(a) && is_round(b)) return detail::overlap_slices(a, pose_a, b, pose_b, options.skin, out);
    if (is_round(b) && (plane_a || is_polyhedron(a)))
        return detail::overlap_revolved(a, pose_a, b, pose_b, options.skin, out);
    if (is_round(a) && (plane_b || is_polyhedron(b))) {
        detail::overlap_revolved(b, pose_b, a, pose_a, options.skin, out);
        return detail::exchange(out);
    }
    const auto *mesh_a = std::get_if<Mesh>(&a), *mesh_b = std::get_if<Mesh>(&b);
    if (mesh_b && (plane_a || is_polyhedron(a)))
        return detail::overlap_shadows(a, pose_a, *mesh_b, pose_b, options.skin, out);
    if (mesh_a && (plane_b || is_polyhedron(b))) {
        detail::overlap_shadows(b, pose_b, *mesh_a, pose_a, options.skin, out);
        return detail::exchange(out);
    }
    const auto solid = [](const Mesh* m) { return m && !m->triangles->ground(); };
    // the finer mesh casts the shadows, because its triangles have few triangles above them
    if (solid(mesh_a) && solid(mesh_b)) {
        const bool finer_b = mesh_b->triangles->triangles.size() >= mesh_a->triangles->triangles.size();
        if (finer_b) return detail::overlap_meshes(*mesh_a, pose_a, *mesh_b, pose_b, options.skin, out);
        detail::overlap_meshes(*mesh_b, pose_b, *mesh_a, pose_a, options.skin, out);
        return detail::exchange(out);
    }
    if ((plane_a || is_polyhedron(a)) && (plane_b || is_polyhedron(b)))
        return detail::overlap_clipped(a, pose_a, b, pose_b, options.skin, out);
    detail::overlap_rays(a, pose_a, b, pose_b, options, out);
}

}  // namespace asperity::geometry
