// Normals and texture coordinates of the corners, where the file has none.
#include <cmath>

#include "asperity/geometry/mesh/detail/mesh_topology.h"

namespace asperity::geometry::detail {
namespace {

// A unit vector keeps every bit, so that a mesh that is written and read again stays the same.
bool is_unit(const Vec3& v) { return std::fabs(length_squared(v) - 1) < 1e-12; }

Vec3 in_plane(const Vec3& v, const Vec3& n) { return normalize_or(v - dot(v, n) * n, any_tangent(n)); }

}  // namespace

void complete_corners(TriangleSet& mesh) {
    constexpr double smooth =
        0.77;  // [-] cosine of 40 degrees: a face tilted more against the vertex normal keeps its own normal
    const size_t corners = 3 * mesh.triangles.size();
    if (mesh.normals.empty()) {
        mesh.normals.resize(corners);
        for (size_t t = 0; t < mesh.triangles.size(); ++t)
            for (size_t i = 0; i < 3; ++i) {
                const Vec3 &n = mesh.face_normals[t], &v = mesh.vertex_normals[static_cast<size_t>(mesh.triangles[t][i])];
                mesh.normals[3 * t + i] = dot(n, v) > smooth ? v : n;
            }
    }
    for (size_t c = 0; c < corners; ++c)
        if (!is_unit(mesh.normals[c]))
            mesh.normals[c] = is_finite(mesh.normals[c]) ? normalize_or(mesh.normals[c], mesh.face_normals[c / 3])
                                                         : mesh.face_normals[c / 3];
    mesh.report.made_up_uvs = mesh.uvs.empty();
    if (mesh.uvs.empty()) {
        // Projected along the axis nearest to the triangle's normal, scaled to the box.
        mesh.uvs.resize(corners);
        for (size_t c = 0; c < corners; ++c) {
            const Vec3 n = mesh.face_normals[c / 3], m = abs(n);
            const Vec3 p = (mesh.positions[static_cast<size_t>(mesh.triangles[c / 3][c % 3])] - mesh.box.low) / mesh.extent;
            mesh.uvs[c] = m.z >= m.x && m.z >= m.y ? Vec2{n.z > 0 ? p.x : 1 - p.x, p.y}
                          : m.x >= m.y             ? Vec2{n.x > 0 ? p.y : 1 - p.y, p.z}
                                                   : Vec2{n.y > 0 ? 1 - p.x : p.x, p.z};
        }
    }
    for (Vec2& uv : mesh.uvs)
        if (!std::isfinite(uv.x) || !std::isfinite(uv.y)) uv = {};
    if (mesh.tangents.empty()) return make_tangents(mesh);
    for (size_t c = 0; c < corners; ++c) {
        const Vec3 &wanted = mesh.tangents[c], &n = mesh.normals[c];
        if (!is_unit(wanted) || std::fabs(dot(wanted, n)) >= 1e-12)
            mesh.tangents[c] = is_finite(wanted) ? in_plane(wanted, n) : any_tangent(n);
    }
}

}  // namespace asperity::geometry::detail
