// Triangle meshes of shapes for pictures and export. Curved parts share smooth normals; flat faces have their own vertices.
// The texture coordinates are those of surface_coordinates().
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shape/detail/face_coordinates.h"

namespace asperity::geometry {
namespace {

constexpr double kPi = std::numbers::pi;

/// A point of the half profile in the (rho, z) plane, to be revolved about z.
struct ProfilePoint {
    double rho, z;
    double normal_rho, normal_z;
};

/// cos and sin of part/count of a full turn; exact at quarters, so that poles and axes are hit exactly.
Vec2 on_circle(int part, int count) {
    const int quarter = 4 * part / count;
    if (4 * part == quarter * count) {
        const Vec2 axes[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
        return axes[quarter % 4];
    }
    const double angle = 2 * kPi * part / count;
    return {std::cos(angle), std::sin(angle)};
}

struct Triangulate {
    const Shape& shape;
    const int segments;
    const double half_space_extent;
    TriangleMesh mesh{};

    std::uint32_t add(const Vec3& position, const Vec3& normal, const Vec2& uv) {
        mesh.positions.push_back(position);
        mesh.normals.push_back(normal);
        mesh.uvs.push_back(uv);
        return static_cast<std::uint32_t>(mesh.positions.size() - 1);
    }
    std::uint32_t add(int face, const Vec3& position, const Vec3& normal) {
        const SurfaceCoordinates at = detail::face_coordinates(shape, face, position);
        return add(position, normal, {at.u, at.v});
    }
    void triangle(int face, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        mesh.triangles.insert(mesh.triangles.end(), {a, b, c});
        mesh.faces.push_back(face);
    }

    /// Revolves a profile (bottom to top) about z. The seam has two columns, u = 0 and u = 1, at identical positions. A pole
    /// (rho = 0) has one vertex per segment, with u in the segment's middle, so that no triangle has zero area.
    void revolve(const std::vector<ProfilePoint>& profile) {
        std::vector<std::uint32_t> row;  // first vertex of each row
        for (const ProfilePoint& q : profile) {
            row.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
            const bool pole = q.rho == 0;
            for (int i = 0; i <= segments - pole; ++i) {
                const Vec2 dir = on_circle(i % segments, segments);
                const Vec3 position{q.rho * dir.x, q.rho * dir.y, q.z};
                const Vec3 normal{q.normal_rho * dir.x, q.normal_rho * dir.y, q.normal_z};
                const double v = detail::face_coordinates(shape, 0, position).v;
                add(position, normal, {(pole ? i + 0.5 : i) / segments, v});
            }
        }
        for (size_t k = 0; k + 1 < profile.size(); ++k) {
            for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(segments); ++i) {
                const std::uint32_t low = row[k] + i, high = row[k + 1] + i;
                if (profile[k].rho > 0) triangle(0, low, low + 1, profile[k + 1].rho > 0 ? high + 1 : high);
                if (profile[k + 1].rho > 0) triangle(0, low, high + 1, high);
            }
        }
    }
    /// A quarter circle of the profile, from latitude -90 to 0 degrees or from 0 to 90.
    void append_quarter(std::vector<ProfilePoint>& profile, bool upper, double radius, double z) const {
        const int steps = std::max(1, (segments + 2) / 4);
        for (int i = 0; i <= steps; ++i) {
            const Vec2 dir = on_circle(upper ? i : 3 * steps + i, 4 * steps);
            profile.push_back({radius * dir.x, z + radius * dir.y, dir.x, dir.y});
        }
    }
    void disc(int face, double radius, double z) {
        const Vec3 normal{0, 0, z > 0 ? 1.0 : -1.0};
        const std::uint32_t center = add(face, {0, 0, z}, normal);
        const auto n = static_cast<std::uint32_t>(segments);
        for (int i = 0; i < segments; ++i) {
            const Vec2 dir = on_circle(i, segments);
            add(face, {radius * dir.x, radius * dir.y, z}, normal);
        }
        for (std::uint32_t i = 0; i < n; ++i) {
            const std::uint32_t a = center + 1 + i, b = center + 1 + (i + 1) % n;
            z > 0 ? triangle(face, center, a, b) : triangle(face, center, b, a);
        }
    }
    void polygon(int face, const Vec3& normal, const std::vector<Vec3>& corners) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (const Vec3& corner : corners) add(face, corner, normal);
        for (std::uint32_t i = 1; i + 1 < corners.size(); ++i) triangle(face, first, first + i, first + i + 1);
    }

    void operator()(const Sphere& s) {
        std::vector<ProfilePoint> profile;
        append_quarter(profile, false, s.radius, 0);
        profile.pop_back();  // the equator comes with the upper half
        append_quarter(profile, true, s.radius, 0);
        revolve(profile);
    }
    void operator()(const Capsule& c) {
        std::vector<ProfilePoint> profile;
        append_quarter(profile, false, c.radius, -c.half_length);
        if (c.half_length == 0) profile.pop_back();
        append_quarter(profile, true, c.radius, c.half_length);
        revolve(profile);
    }
    void operator()(const Cylinder& c) {
        revolve({{c.radius, -c.half_height, 1, 0}, {c.radius, c.half_height, 1, 0}});
        disc(1, c.radius, c.half_height);
        disc(2, c.radius, -c.half_height);
    }
    void operator()(const Box& b) {
        for (int face = 0; face < 6; ++face) {
            const detail::FaceFrame frame = detail::box_face_frame(face);
            const auto corner = [&](double u, double v) { return scaled(b.half, frame.n + u * frame.u + v * frame.v); };
            polygon(face, frame.n, {corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)});
        }
    }
    void operator()(const HalfSpace&) {
        const double h = 0.5 * half_space_extent;
        polygon(0, {0, 0, 1}, {{-h, -h, 0}, {h, -h, 0}, {h, h, 0}, {-h, h, 0}});
    }
    void operator()(const Mesh& m) {
        const TriangleSet& set = *m.triangles;
        for (size_t t = 0; t < set.triangles.size(); ++t) {
            std::uint32_t index[3];
            for (size_t i = 0; i < 3; ++i)
                index[i] =
                    add(set.positions[static_cast<size_t>(set.triangles[t][i])], set.normals[3 * t + i], set.uvs[3 * t + i]);
            triangle(static_cast<int>(t), index[0], index[1], index[2]);
        }
    }
    void operator()(const Hull& hull) {
        const Polyhedron& p = *hull.polyhedron;
        for (size_t f = 0; f < p.faces.size(); ++f) {
            const Polyhedron::Face& face = p.faces[f];
            std::vector<Vec3> corners;
            for (int i = 0; i < face.count; ++i) corners.push_back(p.vertices[p.loop[face.first + i]]);
            polygon(static_cast<int>(f), face.normal, corners);
        }
    }
};

}  // namespace

TriangleMesh triangulate(const Shape& shape, int segments, double half_space_extent) {
    if (segments < 3)
        throw InputError(fmt::format("triangulate: segments = {}; a circle needs 3 or more, 48 looks round", segments));
    Triangulate build{shape, segments, half_space_extent};
    std::visit(build, shape);
    return std::move(build.mesh);
}

}  // namespace asperity::geometry
