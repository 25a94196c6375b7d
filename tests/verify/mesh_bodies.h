// Mesh bodies for the tests of rest and sliding: finely divided boxes, an L, a cup, a monkey.
#pragma once
#include <map>

#include "asperity/core/random.h"
#include "asperity/importers/load.h"
#include "tests/verify/worlds.h"

namespace asperity::verify {

/// The surface of a box with n x n cells per face, two triangles each. Inner vertices are displaced at random within their
/// face, so all faces stay flat.
inline geometry::Mesh fine_box(const Vec3& half, int n, std::uint64_t seed = 3) {
    geometry::MeshData data;
    std::map<std::array<int, 3>, std::uint32_t> known;  // by position in the grid, so that faces share their border vertices
    Random random(seed);
    const auto vertex = [&](const std::array<int, 3>& at) {
        const auto [entry, is_new] = known.try_emplace(at, static_cast<std::uint32_t>(data.positions.size()));
        if (is_new) {
            int on_faces = 0;
            for (const int k : at) on_faces += k == 0 || k == n;
            Vec3 p;
            for (size_t axis = 0; axis < 3; ++axis) {
                const bool inner = at[axis] > 0 && at[axis] < n;
                p[static_cast<int>(axis)] =
                    half[static_cast<int>(axis)] *
                    (2 * (at[axis] + (on_faces == 1 && inner ? random.uniform(-0.3, 0.3) : 0)) / n - 1);
            }
            data.positions.push_back(p);
        }
        return entry->second;
    };
    for (size_t axis = 0; axis < 3; ++axis)
        for (const int side : {0, n})
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    const auto at = [&](int di, int dj) {
                        std::array<int, 3> k{};
                        k[axis] = side;
                        k[(axis + 1) % 3] = i + di;
                        k[(axis + 2) % 3] = j + dj;
                        return vertex(k);
                    };
                    const std::uint32_t corners[4] = {at(0, 0), at(1, 0), at(1, 1), at(0, 1)};
                    const int first[2][3] = {{0, 1, 2}, {0, 2, 3}}, second[2][3] = {{0, 1, 3}, {1, 2, 3}};
                    for (const auto& triangle : (i + j) % 2 ? first : second)
                        for (int k = 0; k < 3; ++k) data.triangles.push_back(corners[triangle[side == n ? k : 2 - k]]);
                }
    return geometry::make_mesh(data);
}

inline geometry::Mesh asset(const std::string& name, double scale) {
    return importers::load(std::filesystem::path(ASPERITY_SOURCE_DIR) / name, scale);
}

}  // namespace asperity::verify
