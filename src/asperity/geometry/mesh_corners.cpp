// Normals, texture coordinates and tangents of the corners, where the file gives none.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "asperity/geometry/detail/mesh_topology.h"

namespace asperity::geometry::detail {
namespace {

// What is unit already stays as it is, to the bit: a mesh that is read again is the same mesh.
bool is_unit(const Vec3& v) { return std::fabs(length_squared(v) - 1) < 1e-12; }

Vec3 in_plane(const Vec3& v, const Vec3& n) { return normalize_or(v - dot(v, n) * n, any_tangent(n)); }

/// The direction of growing u on every triangle, unit; zero where its texture coordinates span no area.
///     q - p = du_1 P_u + dv_1 P_v,  r - p = du_2 P_u + dv_2 P_v,  solved for P_u up to a positive factor
std::vector<Vec3> directions_of_u(const TriangleSet& mesh, std::vector<char>& mirrored) {
    std::vector<Vec3> along(mesh.triangles.size());
    mirrored.assign(mesh.triangles.size(), 0);
    for (size_t t = 0; t < along.size(); ++t) {
        const int i = static_cast<int>(t);
        const Vec3 e1 = mesh.corner(i, 1) - mesh.corner(i, 0), e2 = mesh.corner(i, 2) - mesh.corner(i, 0);
        const Vec2 d1 = mesh.uvs[3 * t + 1] - mesh.uvs[3 * t], d2 = mesh.uvs[3 * t + 2] - mesh.uvs[3 * t];
        const double det = cross(d1, d2);
        mirrored[t] = det < 0;
        if (det != 0) along[t] = normalize_or((det > 0 ? 1 : -1) * (d2.y * e1 - d1.y * e2), {});
    }
    return along;
}

/// Corners that agree in vertex, normal, texture coordinates and handedness share the mean of their triangles' directions, each laid into
/// the plane of the normal and weighted by the triangle's angle there: the rule of Mikkelsen, "Simulation of wrinkled surfaces revisited",
/// 2008, which normal maps are baked with. So the frame is continuous across edges that are smooth in shape and texture.
void average_tangents(TriangleSet& mesh) {
    std::vector<char> mirrored;
    const std::vector<Vec3> along = directions_of_u(mesh, mirrored);
    const size_t corners = 3 * mesh.triangles.size();
    const auto key = [&](size_t c) {
        const Vec3& n = mesh.normals[c];
        return std::tuple(mesh.triangles[c / 3][c % 3], mirrored[c / 3], n.x, n.y, n.z, mesh.uvs[c].x, mesh.uvs[c].y);
    };
    std::vector<size_t> order(corners);
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        const auto ka = key(a), kb = key(b);
        return ka < kb || (ka == kb && a < b);
    });
    mesh.tangents.resize(corners);
    for (size_t first = 0; first < corners;) {
        size_t last = first;
        Vec3 sum;
        for (; last < corners && key(order[last]) == key(order[first]); ++last) {
            const size_t c = order[last], t = c / 3;
            const Vec3& n = mesh.normals[c];
            const int i = static_cast<int>(c % 3), triangle = static_cast<int>(t);
            const Vec3 p = mesh.corner(triangle, i), to = mesh.corner(triangle, (i + 1) % 3) - p, back = mesh.corner(triangle, (i + 2) % 3) - p;
            const double angle = std::atan2(length(cross(to, back)), dot(to, back));
            sum += angle * normalize_or(along[t] - dot(along[t], n) * n, {});
        }
        for (; first < last; ++first) mesh.tangents[order[first]] = in_plane(sum, mesh.normals[order[first]]);
    }
    for (const Vec3& direction : along) mesh.report.flat_uvs += direction == Vec3{};
}

}  // namespace

void complete_corners(TriangleSet& mesh) {
    constexpr double smooth = 0.77;  // cosine of 40 degrees: neighbours that bend more keep their own normals
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
        // seen along the axis each triangle faces most, scaled to the box
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
    if (mesh.tangents.empty()) return average_tangents(mesh);
    for (size_t c = 0; c < corners; ++c) {
        const Vec3 &wanted = mesh.tangents[c], &n = mesh.normals[c];
        if (!is_unit(wanted) || std::fabs(dot(wanted, n)) >= 1e-12) mesh.tangents[c] = is_finite(wanted) ? in_plane(wanted, n) : any_tangent(n);
    }
}

}  // namespace asperity::geometry::detail
