// Normals and texture coordinates of the corners, where the file has none.
#include <algorithm>
#include <cmath>

#include "asperity/geometry/mesh/detail/mesh_topology.h"

namespace asperity::geometry::detail {
namespace {

// A unit vector keeps every bit, so that a mesh that is written and read again stays the same.
bool is_unit(const Vec3& v) { return std::fabs(length_squared(v) - 1) < 1e-12; }

Vec3 in_plane(const Vec3& v, const Vec3& n) { return normalize_or(v - dot(v, n) * n, any_tangent(n)); }

/// Normal of a corner without one: that of the vertex, except where the face is tilted against it by more than 40 degrees.
Vec3 made_normal(const TriangleSet& mesh, size_t corner) {
    constexpr double smooth = 0.77;  // [-] cosine of 40 degrees
    const Vec3 &n = mesh.face_normals[corner / 3],
               &v = mesh.vertex_normals[static_cast<size_t>(mesh.triangles[corner / 3][corner % 3])];
    return dot(n, v) > smooth ? v : n;
}

/// Texture coordinates of a corner without any: its position seen along the axis nearest to the triangle's normal, scaled to
/// the box.
Vec2 made_uv(const TriangleSet& mesh, size_t corner) {
    const Vec3 n = mesh.face_normals[corner / 3], m = abs(n);
    const Vec3 p =
        (mesh.positions[static_cast<size_t>(mesh.triangles[corner / 3][corner % 3])] - mesh.box.low) / mesh.extent;
    return m.z >= m.x && m.z >= m.y ? Vec2{n.z > 0 ? p.x : 1 - p.x, p.y}
           : m.x >= m.y             ? Vec2{n.x > 0 ? p.y : 1 - p.y, p.z}
                                    : Vec2{n.y > 0 ? 1 - p.x : p.x, p.z};
}

/// Sets uv_sizes: the square root of the area on the surface over the area in u and v. Where all coordinates of a part are
/// made up it is their scale.
void measure_uvs(TriangleSet& mesh, const std::vector<char>& made) {
    struct Areas {
        double surface = 0, uv = 0;
        bool from_file = false;
    };
    std::vector<Areas> parts(1);
    for (size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto part = static_cast<size_t>(mesh.part_of(static_cast<int>(t)));
        if (parts.size() <= part) parts.resize(part + 1);
        const int i = static_cast<int>(t);
        const Vec3 &a = mesh.corner(i, 0), &b = mesh.corner(i, 1), &c = mesh.corner(i, 2);
        const Vec2* uv = &mesh.uvs[3 * t];
        parts[part].surface += length(cross(b - a, c - a));
        parts[part].uv += std::fabs(cross(uv[1] - uv[0], uv[2] - uv[0]));
        parts[part].from_file |= !made[t];
    }
    for (const Areas& a : parts) {
        const double mean = std::sqrt(a.surface / a.uv), size = a.from_file && a.uv > 0 ? mean : mesh.extent;
        mesh.uv_sizes.push_back({size, size});
    }
}

}  // namespace

void complete_corners(TriangleSet& mesh) {
    const size_t corners = 3 * mesh.triangles.size();
    if (mesh.normals.empty()) {
        mesh.normals.resize(corners);
        for (size_t c = 0; c < corners; ++c) mesh.normals[c] = made_normal(mesh, c);
    }
    for (size_t c = 0; c < corners; ++c)
        if (!is_unit(mesh.normals[c]))
            mesh.normals[c] =
                is_finite(mesh.normals[c]) ? normalize_or(mesh.normals[c], mesh.face_normals[c / 3]) : made_normal(mesh, c);
    std::vector<char> made(mesh.triangles.size(), mesh.uvs.empty());
    mesh.uvs.resize(corners, Vec2{std::nan(""), 0});
    for (size_t t = 0; t < made.size(); ++t) {
        const auto missing = [&](size_t i) { return !std::isfinite(mesh.uvs[3 * t + i].x + mesh.uvs[3 * t + i].y); };
        made[t] = missing(0) && missing(1) && missing(2);
        for (size_t i = 0; i < 3; ++i)
            if (made[t] || missing(i)) mesh.uvs[3 * t + i] = made[t] ? made_uv(mesh, 3 * t + i) : Vec2{};
        mesh.report.made_up_uvs |= made[t] != 0;
    }
    if (mesh.uv_sizes.empty()) measure_uvs(mesh, made);
    std::vector<Vec3> wanted;  // tangents of the file
    std::swap(wanted, mesh.tangents);
    const auto given = [](const Vec3& tangent) { return !(tangent == Vec3{}) && is_finite(tangent); };
    if (wanted.empty() || !std::ranges::all_of(wanted, given)) {
        make_tangents(mesh);
        if (std::ranges::none_of(wanted, given)) return;
    }
    mesh.tangents.resize(corners);
    for (size_t c = 0; c < corners; ++c) {
        const Vec3& n = mesh.normals[c];
        if (!given(wanted[c])) continue;
        mesh.tangents[c] = is_unit(wanted[c]) && std::fabs(dot(wanted[c], n)) < 1e-12 ? wanted[c] : in_plane(wanted[c], n);
    }
}

}  // namespace asperity::geometry::detail
