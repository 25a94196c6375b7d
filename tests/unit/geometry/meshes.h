// Small meshes shared by the tests.
#pragma once
#include <array>
#include <vector>

#include "asperity/core/random.h"
#include "asperity/geometry/mesh/height_field.h"
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {

/// A box of the given half edges, two triangles per face.
inline MeshData box_data(const Vec3& half) {
    const Polyhedron p = box_polyhedron(half);
    MeshData data;
    data.positions = p.vertices;
    for (const Polyhedron::Face& face : p.faces)
        for (int i = 1; i + 1 < face.count; ++i)
            for (const int k : {0, i, i + 1})
                data.triangles.push_back(static_cast<std::uint32_t>(p.loop[static_cast<size_t>(face.first + k)]));
    return data;
}

/// A sheet over [-size, size]^2 in n x n cells of two triangles, z = height(x, y). Inner vertices are displaced at random
/// within the plane.
template <class Height>
MeshData sheet_data(int n, double size, double shake, const Height& height) {
    MeshData data;
    Random random(5);
    for (int y = 0; y <= n; ++y)
        for (int x = 0; x <= n; ++x) {
            const bool rim = x == 0 || y == 0 || x == n || y == n;
            const double u = (x + (rim ? 0 : shake * random.uniform(-1, 1))) * 2 * size / n - size;
            const double v = (y + (rim ? 0 : shake * random.uniform(-1, 1))) * 2 * size / n - size;
            data.positions.push_back({u, v, height(u, v)});
        }
    const auto row = static_cast<std::uint32_t>(n + 1);
    for (std::uint32_t y = 0; y + 1 < row; ++y)
        for (std::uint32_t x = 0; x + 1 < row; ++x) {
            const std::uint32_t a = y * row + x, b = a + 1, c = b + row, d = a + row;
            if ((x + y) % 2)
                data.triangles.insert(data.triangles.end(), {a, b, c, a, c, d});
            else
                data.triangles.insert(data.triangles.end(), {a, b, d, b, c, d});
        }
    return data;
}
inline MeshData flat_data(int n, double size) {
    return sheet_data(n, size, 0.3, [](double, double) { return 0.0; });
}

/// A prism along y, from -half to half, over a triangulated counter-clockwise outline in x and z.
inline Mesh prism(const std::vector<Vec2>& outline, const std::vector<std::array<int, 3>>& triangles, double half) {
    MeshData data;
    const auto n = static_cast<std::uint32_t>(outline.size());
    for (const double y : {-half, half})
        for (const Vec2& p : outline) data.positions.push_back({p.x, y, p.y});
    for (const auto& t : triangles) {
        const auto a = static_cast<std::uint32_t>(t[0]), b = static_cast<std::uint32_t>(t[1]),
                   c = static_cast<std::uint32_t>(t[2]);
        data.triangles.insert(data.triangles.end(), {a, b, c, n + a, n + c, n + b});
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t k = (i + 1) % n;
        data.triangles.insert(data.triangles.end(), {i, n + i, n + k, i, n + k, k});
    }
    return make_mesh(data);
}

/// A height field of nx x ny cells, z = height(x, y).
template <class Height>
Mesh height_field(int nx, int ny, const Vec2& size, const Height& height) {
    HeightGrid grid{nx + 1, ny + 1, size, {}};
    for (int y = 0; y <= ny; ++y)
        for (int x = 0; x <= nx; ++x)
            grid.heights.push_back(
                height((static_cast<double>(x) / nx - 0.5) * size.x, (static_cast<double>(y) / ny - 0.5) * size.y));
    return make_height_field(grid);
}

}  // namespace asperity::geometry
