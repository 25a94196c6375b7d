// Small meshes that the tests share.
#pragma once
#include "asperity/core/random.h"
#include "asperity/geometry/height_field.h"

namespace asperity::geometry {

/// A box of the given half edges, two triangles a face.
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

/// A sheet over [-size, size]^2 in n x n cells of two triangles; inner vertices are shaken within the plane; z = height(x, y).
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

/// A height field of nx x ny cells, z = height(x, y).
template <class Height>
Mesh height_field(int nx, int ny, const Vec2& size, const Height& height) {
    HeightGrid grid{nx + 1, ny + 1, size, {}};
    for (int y = 0; y <= ny; ++y)
        for (int x = 0; x <= nx; ++x)
            grid.heights.push_back(height((static_cast<double>(x) / nx - 0.5) * size.x, (static_cast<double>(y) / ny - 0.5) * size.y));
    return make_height_field(grid);
}

}  // namespace asperity::geometry
