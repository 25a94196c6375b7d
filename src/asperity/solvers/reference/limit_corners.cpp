#include "asperity/solvers/reference/limit_corners.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace asperity::solvers {

double radius_of(std::span<const Vec3> corners) {
    double radius = 0;
    for (const Vec3& c : corners) radius = std::max(radius, length(c));
    return radius;
}

std::vector<Vec3> ellipsoid_corners(int facets, const Vec3& axes) {
    std::vector<Vec3> out = {{0, 0, axes.z}, {0, 0, -axes.z}};
    const int rings = facets / 2 - 1;
    for (int ring = 1; ring <= rings; ++ring)
        for (int k = 0; k < facets; ++k) {
            const double height = std::numbers::pi * ring / (rings + 1), turn = 2 * std::numbers::pi * k / facets;
            const double wide = std::sin(height);
            out.push_back({axes.x * wide * std::cos(turn), axes.y * wide * std::sin(turn), axes.z * std::cos(height)});
        }
    return out;
}

std::vector<Vec3> corners_of(const Block& block, int count) {
    std::vector<Vec3> out;
    if (const auto* e = std::get_if<friction::Ellipsoid>(&block.set); e && block.rows > 3) {
        out = ellipsoid_corners(count, {e->t, e->b, e->drill});
    } else {
        const auto* polygon = std::get_if<friction::Polygon>(&block.set);
        // a rectangle has 4 vertices
        std::vector<Vec2> plane(std::max<size_t>(polygon ? polygon->corners.size() : static_cast<size_t>(count), 4));
        if (std::holds_alternative<friction::Ellipse>(block.set)) plane.resize(static_cast<size_t>(count));
        plane.resize(static_cast<size_t>(friction::facets(block.set, count, friction::Fit::Inscribed, plane)));
        for (const Vec2& c : plane) out.push_back({c.x, c.y, 0});
    }
    const double radius = radius_of(out);
    std::erase_if(out, [&](const Vec3& c) { return length(c) <= 1e-12 * radius; });  // the set contains the origin anyway
    return out;
}

}  // namespace asperity::solvers
