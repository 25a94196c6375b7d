// Six grids of cells, welded along their edges by make_mesh().
#include "asperity/geometry/mesh/bumpy_box.h"

#include <fmt/format.h>
#include <cmath>
#include <numbers>

#include "asperity/core/error.h"

namespace asperity::geometry {

Mesh make_bumpy_box(const BumpyBox& box) {
    const double shortest = 2 * smaller(smaller(box.half.x, box.half.y), box.half.z);
    if (!(shortest > 0) || !is_finite(box.half)) throw InputError("bumpy box: all edges must be positive");
    if (!(box.height >= 0 && box.height <= 0.25 * shortest))
        throw InputError(
            fmt::format("bumpy box: bumps of {} m on a box whose shortest edge is {} m; from 0 to a quarter of it are taken",
                        box.height, shortest));
    if (box.bumps < 1 || box.cells < 2 * box.bumps || 12.0 * box.cells * box.cells > kMaxMeshTriangles)
        throw InputError(
            fmt::format("bumpy box: {} bumps and {} cells along an edge; a bump needs 2 cells, and {} triangles are the "
                        "most (12 cells^2)",
                        box.bumps, box.cells, kMaxMeshTriangles));
    const Vec3 inner = box.half - Vec3{box.height, box.height, box.height};
    const auto wave = [&](int i) {
        const double s = std::sin(std::numbers::pi * box.bumps * i / box.cells);
        return s * s;
    };
    MeshData data;
    const auto n = static_cast<std::uint32_t>(box.cells);
    for (int face = 0; face < 6; ++face) {
        const int k = face / 2, a = (k + 1) % 3, b = (k + 2) % 3;
        const double sign = face % 2 ? -1 : 1;
        const auto first = static_cast<std::uint32_t>(data.positions.size());
        for (int j = 0; j <= box.cells; ++j)
            for (int i = 0; i <= box.cells; ++i) {
                const bool rim = i == 0 || j == 0 || i == box.cells || j == box.cells;
                Vec3 p;
                p[a] = inner[a] * (2.0 * i / box.cells - 1);
                p[b] = inner[b] * (2.0 * j / box.cells - 1);
                p[k] = sign * (inner[k] + (rim ? 0 : box.height * wave(i) * wave(j)));
                data.positions.push_back(p);
            }
        for (std::uint32_t j = 0; j < n; ++j)
            for (std::uint32_t i = 0; i < n; ++i) {
                const std::uint32_t p = first + j * (n + 1) + i, q = p + 1, r = q + n + 1, s = p + n + 1;
                if (sign > 0)
                    data.triangles.insert(data.triangles.end(), {p, q, r, p, r, s});
                else
                    data.triangles.insert(data.triangles.end(), {p, r, q, p, s, r});
            }
    }
    return make_mesh(data, 1, "bumpy box");
}

}  // namespace asperity::geometry
