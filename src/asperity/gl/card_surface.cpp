#include "asperity/gl/card_surface.h"

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shape/surface_point.h"

namespace asperity::gl {
namespace {

using namespace geometry;

std::vector<Corner> corners_of_mesh(const TriangleSet& mesh) {
    std::vector<Corner> corners;
    corners.reserve(3 * mesh.triangles.size());
    for (size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Vec2* uv = &mesh.uvs[3 * i];
        const bool mirrored = cross(uv[1] - uv[0], uv[2] - uv[0]) < 0;
        for (size_t k = 0; k < 3; ++k)
            corners.push_back({mesh.corner(static_cast<int>(i), static_cast<int>(k)), mesh.normals[3 * i + k],
                               mesh.tangents[3 * i + k], mirrored, uv[k], static_cast<int>(i)});
    }
    return corners;
}

}  // namespace

std::vector<Corner> corners_of(const Shape& shape) {
    if (const auto* mesh = std::get_if<Mesh>(&shape)) return corners_of_mesh(*mesh->triangles);
    const TriangleMesh drawn = triangulate(shape, kSegments);
    std::vector<Corner> corners;
    corners.reserve(drawn.triangles.size());
    for (size_t i = 0; i < drawn.triangles.size(); i += 3) {
        Vec3 centre;
        for (size_t k = 0; k < 3; ++k) centre += drawn.positions[drawn.triangles[i + k]] / 3.0;
        for (size_t k = 0; k < 3; ++k) {
            const auto at = static_cast<size_t>(drawn.triangles[i + k]);
            // evaluated slightly inside the triangle, since adjacent faces meet at its corner
            const SurfacePoint point =
                surface_point(shape, drawn.positions[at] + 1e-6 * (centre - drawn.positions[at]), drawn.normals[at]);
            corners.push_back(
                {drawn.positions[at], drawn.normals[at], point.tangent, point.mirrored, drawn.uvs[at], drawn.faces[i / 3]});
        }
    }
    return corners;
}

std::vector<Corner> square(double half) {
    const auto corner = [&](double x, double y) { return Corner{{x, y, 0}, {0, 0, 1}, {1, 0, 0}, false, {x, y}}; };
    return {corner(-half, -half), corner(half, -half), corner(half, half),
            corner(-half, -half), corner(half, half),  corner(-half, half)};
}

}  // namespace asperity::gl
