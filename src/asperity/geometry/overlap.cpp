// Sends each pair to the method that suits it.
#include "asperity/geometry/overlap.h"

#include "asperity/geometry/collide.h"
#include "asperity/geometry/detail/overlap_parts.h"
#include "asperity/geometry/mesh.h"

namespace asperity::geometry {
namespace {

bool has_planes(const Shape& s) { return std::holds_alternative<Box>(s) || std::holds_alternative<Hull>(s) || std::holds_alternative<Cylinder>(s); }
bool is_polyhedron(const Shape& s) { return std::holds_alternative<Box>(s) || std::holds_alternative<Hull>(s); }

bool is_ball_or_capsule(const Shape& s) { return std::holds_alternative<Sphere>(s) || std::holds_alternative<Capsule>(s); }

/// Cylinders and capsules, as b, on a half-space or within one face or cap.
bool with_revolved(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double skin, Overlap& out) {
    if (!std::holds_alternative<Cylinder>(b) && !std::holds_alternative<Capsule>(b)) return false;
    if (std::holds_alternative<HalfSpace>(a)) return detail::overlap_revolved_half_space(pose_a, b, pose_b, skin, out), true;
    return has_planes(a) && detail::overlap_revolved_face(a, pose_a, b, pose_b, skin, out);
}

/// Pairs with a sphere that have a closed form; the sphere is b.
bool with_sphere(const Shape& a, const Pose& pose_a, const Sphere& sphere, const Vec3& at, double skin, Overlap& out) {
    if (std::holds_alternative<HalfSpace>(a)) return detail::overlap_sphere_half_space(pose_a, sphere, at, skin, out), true;
    return is_polyhedron(a) && detail::overlap_sphere_face(Convex(a, pose_a, {}), sphere, at, skin, out);
}

}  // namespace

void overlap(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, const OverlapOptions& options, Overlap& out) {
    out = Overlap{};
    const bool plane_a = std::holds_alternative<HalfSpace>(a), plane_b = std::holds_alternative<HalfSpace>(b);
    if (plane_a && plane_b) return;  // endless: there is no volume to speak of
    if (options.only_rays) return detail::overlap_rays(a, pose_a, b, pose_b, options, out);
    const auto *sphere_a = std::get_if<Sphere>(&a), *sphere_b = std::get_if<Sphere>(&b);
    if (sphere_a && sphere_b) return detail::overlap_spheres(*sphere_a, pose_a.position, *sphere_b, pose_b.position, options.skin, out);
    if (sphere_b && with_sphere(a, pose_a, *sphere_b, pose_b.position, options.skin, out)) return;
    if (sphere_a && with_sphere(b, pose_b, *sphere_a, pose_a.position, options.skin, out)) return detail::exchange(out);
    if (with_revolved(a, pose_a, b, pose_b, options.skin, out)) return;
    if (with_revolved(b, pose_b, a, pose_a, options.skin, out)) return detail::exchange(out);
    const auto *mesh_a = std::get_if<Mesh>(&a), *mesh_b = std::get_if<Mesh>(&b);
    if (mesh_b && (plane_a || is_polyhedron(a))) return detail::overlap_shadows(a, pose_a, *mesh_b, pose_b, options.skin, out);
    if (mesh_a && (plane_b || is_polyhedron(b))) {
        detail::overlap_shadows(b, pose_b, *mesh_a, pose_a, options.skin, out);
        return detail::exchange(out);
    }
    const auto solid = [](const Mesh* m) { return m && !m->triangles->ground(); };
    if (solid(mesh_a) && solid(mesh_b)) {  // the finer one casts the shadows: its triangles find few above them
        const bool finer_b = mesh_b->triangles->triangles.size() >= mesh_a->triangles->triangles.size();
        if (finer_b) return detail::overlap_meshes(*mesh_a, pose_a, *mesh_b, pose_b, options.skin, out);
        detail::overlap_meshes(*mesh_b, pose_b, *mesh_a, pose_a, options.skin, out);
        return detail::exchange(out);
    }
    if ((plane_a || has_planes(a)) && (plane_b || has_planes(b))) return detail::overlap_clipped(a, pose_a, b, pose_b, options.skin, out);
    if (!mesh_a && !mesh_b && (is_ball_or_capsule(a) || is_ball_or_capsule(b)) && detail::overlap_columns(a, pose_a, b, pose_b, options.skin, out)) return;
    detail::overlap_rays(a, pose_a, b, pose_b, options, out);
}

}  // namespace asperity::geometry
