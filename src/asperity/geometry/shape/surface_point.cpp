#include "asperity/geometry/shape/surface_point.h"

#include <cmath>

#include "asperity/geometry/mesh/mesh_closest.h"
#include "asperity/geometry/shape/detail/face_coordinates.h"

namespace asperity::geometry {
namespace {

/// The direction of growing longitude. At a pole that of longitude 0, which is the u that surface_coordinates() returns
/// there.
Vec3 east(const Vec3& p) { return normalize_or({-p.y, p.x, 0}, {0, 1, 0}); }

/// Normal and tangent of a primitive's face, in closed form.
struct FrameOf {
    int face;
    const Vec3 &p, &normal;
    struct Frame {
        Vec3 normal, tangent;
    };

    Frame operator()(const Sphere&) const { return {normalize_or(p, normal), east(p)}; }
    Frame operator()(const Capsule& c) const {
        return {normalize_or(p - Vec3{0, 0, clamp(p.z, -c.half_length, c.half_length)}, normal), east(p)};
    }
    Frame operator()(const Cylinder&) const {
        if (face > 0) return {{0, 0, face == 1 ? 1.0 : -1.0}, {1, 0, 0}};
        const Vec3 along = east(p);
        return {cross(along, {0, 0, 1}), along};
    }
    Frame operator()(const Box&) const {
        const detail::FaceFrame frame = detail::box_face_frame(face);
        return {frame.n, frame.u};
    }
    Frame operator()(const HalfSpace&) const { return {{0, 0, 1}, {1, 0, 0}}; }
    Frame operator()(const Hull& hull) const {
        const Polyhedron& poly = *hull.polyhedron;
        const Polyhedron::Face& f = poly.faces[static_cast<size_t>(face)];
        const auto first = static_cast<size_t>(f.first);
        const Vec3 along =
            poly.vertices[static_cast<size_t>(poly.loop[first + 1])] - poly.vertices[static_cast<size_t>(poly.loop[first])];
        return {f.normal, normalized(along - dot(along, f.normal) * f.normal)};
    }
    Frame operator()(const Mesh&) const { return {normal, any_tangent(normal)}; }  // never called: meshes interpolate
};

SurfacePoint on_mesh(const TriangleSet& mesh, const Vec3& point, const Vec3& normal, int triangle) {
    const MeshPoint at = triangle < 0
                             ? locate(mesh, point, normal)
                             : MeshPoint{triangle, closest_on_triangle(mesh.corner(triangle, 0), mesh.corner(triangle, 1),
                                                                       mesh.corner(triangle, 2), point)
                                                       .barycentric};
    const TangentFrame frame = frame_at(mesh, at);
    SurfacePoint out{at.triangle, at.triangle, at.barycentric, uv_at(mesh, at), frame.normal, frame.tangent};
    const Vec2* uv = &mesh.uvs[3 * static_cast<size_t>(at.triangle)];
    out.mirrored = cross(uv[1] - uv[0], uv[2] - uv[0]) < 0;
    if (!mesh.solid() && dot(mesh.face_normals[static_cast<size_t>(at.triangle)], normal) < 0) {
        out.normal = -out.normal;
        out.mirrored = !out.mirrored;
    }
    return out;
}

}  // namespace

SurfacePoint surface_point(const Shape& shape, const Vec3& point, const Vec3& normal, int triangle) {
    if (const auto* mesh = std::get_if<Mesh>(&shape)) return on_mesh(*mesh->triangles, point, normal, triangle);
    const SurfaceCoordinates at = surface_coordinates(shape, point, normal);
    const FrameOf::Frame frame = std::visit(FrameOf{at.face, point, normal}, shape);
    return {at.face, -1, {}, {at.u, at.v}, frame.normal, frame.tangent};
}

}  // namespace asperity::geometry
