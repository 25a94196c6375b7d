#include "asperity/geometry/mesh/height_field.h"

#include <cmath>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/geometry/mesh/detail/mesh_topology.h"

namespace asperity::geometry {
namespace {

void check(const HeightGrid& grid, const std::string& what) {
    if (grid.points_x < 2 || grid.points_y < 2)
        throw InputError(
            fmt::format("{}: {} x {} points; a surface needs 2 x 2 or more", what, grid.points_x, grid.points_y));
    const double triangles = 2.0 * (grid.points_x - 1) * (grid.points_y - 1);
    if (triangles > kMaxMeshTriangles)
        throw InputError(fmt::format("{}: {} x {} points make {:.0f} triangles; at most {} are taken; use fewer cells", what,
                                     grid.points_x, grid.points_y, triangles, kMaxMeshTriangles));
    for (const double edge : {grid.size.x, grid.size.y})
        if (!(edge > 0) || edge > 1e6)
            throw InputError(fmt::format("{}: size {} must be above 0 and at most 1e6 m", what, edge));
    ASPERITY_ASSERT(grid.heights.size() == static_cast<size_t>(grid.points_x) * static_cast<size_t>(grid.points_y));
    for (size_t i = 0; i < grid.heights.size(); ++i)
        if (!(std::fabs(grid.heights[i]) <= 1e6))
            throw InputError(fmt::format("{}: the height of point ({}, {}) is {}; heights must be finite and within 1e6 m",
                                         what, i % static_cast<size_t>(grid.points_x),
                                         i / static_cast<size_t>(grid.points_x), grid.heights[i]));
}

/// Diagonal of a cell: true from its corner (0, 0), false from (1, 0).
bool rising(int x, int y) { return (x + y) % 2 != 0; }

}  // namespace

Mesh make_height_field(const HeightGrid& grid, const std::string& what) {
    check(grid, what);
    auto mesh = std::make_shared<TriangleSet>();
    const int nx = grid.points_x - 1, ny = grid.points_y - 1;
    const Vec2 cell{grid.size.x / nx, grid.size.y / ny};
    mesh->grid = {nx, ny, -0.5 * grid.size, cell};
    for (int y = 0; y <= ny; ++y)
        for (int x = 0; x <= nx; ++x)
            mesh->positions.push_back({(static_cast<double>(x) / nx - 0.5) * grid.size.x,
                                       (static_cast<double>(y) / ny - 0.5) * grid.size.y,
                                       grid.heights[mesh->positions.size()]});
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
            const int a = y * (nx + 1) + x, b = a + 1, d = a + nx + 1, c = d + 1;
            if (rising(x, y))
                mesh->triangles.insert(mesh->triangles.end(), {{a, b, c}, {a, c, d}});
            else
                mesh->triangles.insert(mesh->triangles.end(), {{a, b, d}, {b, c, d}});
        }
    Aabb& box = mesh->box = {mesh->positions[0], mesh->positions[0]};
    for (const Vec3& p : mesh->positions) {
        box.low = min(box.low, p);
        box.high = max(box.high, p);
    }
    mesh->extent = max_component(box.high - box.low);
    std::vector<Aabb> boxes;
    for (int t = 0; t < 2 * nx * ny; ++t) {
        const Vec3 &a = mesh->corner(t, 0), &b = mesh->corner(t, 1), &c = mesh->corner(t, 2);
        boxes.push_back({min(a, min(b, c)), max(a, max(b, c))});
        for (int i = 0; i < 3; ++i) {
            const int v = mesh->triangles[static_cast<size_t>(t)][static_cast<size_t>(i)];
            mesh->uvs.push_back({static_cast<double>(v % (nx + 1)) / nx, static_cast<double>(v / (nx + 1)) / ny});
        }
    }
    MeshReport& report = mesh->report;
    report.vertices = static_cast<int>(mesh->positions.size());
    report.triangles = 2 * nx * ny;
    report.boundary_edges = 2 * (nx + ny);
    report.holes = 1;
    report.solid = true;  // the ground below; the integrals stay zero, for it has no bottom
    detail::connect(*mesh);
    detail::complete_corners(*mesh);
    mesh->uv_sizes = {{nx * mesh->grid.cell.x, ny * mesh->grid.cell.y}};
    mesh->tree.build(boxes);
    return {std::move(mesh)};
}

int triangle_over(const TriangleSet& ground, const Vec3& point) {
    const TriangleSet::Grid& grid = ground.grid;
    const double s = (point.x - grid.low.x) / grid.cell.x, t = (point.y - grid.low.y) / grid.cell.y;
    if (!(s >= 0 && s <= grid.cells_x && t >= 0 && t <= grid.cells_y)) return -1;
    const int x = std::min(static_cast<int>(s), grid.cells_x - 1), y = std::min(static_cast<int>(t), grid.cells_y - 1);
    const double u = s - x, v = t - y;
    const bool second = rising(x, y) ? v > u : u + v > 1;
    return 2 * (y * grid.cells_x + x) + (second ? 1 : 0);
}

}  // namespace asperity::geometry
