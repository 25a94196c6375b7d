// Tiles in metres: on every shape a tile has the edge that was asked for.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shape/surface_point.h"
#include "asperity/surface/tile_size.h"

namespace asperity::surface {
namespace {

using geometry::Shape;

/// Tiles passed per metre along u and along v, by central differences at a point of the surface.
Vec2 tiles_per_metre(const Shape& shape, const TileSize& tile, const Vec3& point, const Vec3& normal) {
    const double h = 1e-5;
    const geometry::SurfacePoint at = geometry::surface_point(shape, point, normal);
    const Vec2 edges = tile.on(shape, at.face);
    const Vec3 up = at.mirrored ? -at.bitangent() : at.bitangent();
    const auto uv = [&](const Vec3& p) { return geometry::surface_point(shape, p, normal, at.triangle).uv; };
    return {(uv(point + h * at.tangent).x - uv(point - h * at.tangent).x) / (2 * h * edges.x),
            (uv(point + h * up).y - uv(point - h * up).y) / (2 * h * edges.y)};
}

void expect_metres(const Shape& shape, const Vec3& point, const Vec3& normal) {
    TileSize tile = TileSize::in_metres(0.04);
    Vec2 found = tiles_per_metre(shape, tile, point, normal);
    // rounding of coordinates of size 1 over the step: 1e-16/1e-5/0.04 = 3e-10; the curve of a circle of 0.1 m over the
    // step: (1e-4)^2/3 = 3e-9 of 25
    EXPECT_NEAR(found.x, 25, 1e-6) << geometry::name(shape);
    EXPECT_NEAR(found.y, 25, 1e-6) << geometry::name(shape);
    tile = tile.of_picture(200, 50);  // four times as wide as high
    found = tiles_per_metre(shape, tile, point, normal);
    EXPECT_NEAR(found.x, 25, 1e-6) << geometry::name(shape);
    EXPECT_NEAR(found.y, 100, 4e-6) << geometry::name(shape);
}

TEST(TileSize, InMetresIsThatOnEveryFaceOfEveryShape) {
    const geometry::Box box{{0.1, 0.25, 0.4}};
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-1.0, 1.0}) {
            Vec3 n, p{0.01, 0.02, 0.03};
            n[axis] = side;
            p[axis] = side * box.half[axis];
            expect_metres(box, p, n);
            expect_metres(geometry::Hull{std::make_shared<geometry::Polyhedron>(geometry::box_polyhedron(box.half))}, p, n);
        }
    const double s = std::sqrt(0.5);
    expect_metres(geometry::Sphere{0.1}, {0.1 * s, 0.1 * s, 0}, {s, s, 0});  // at the equator
    expect_metres(geometry::Capsule{0.1, 0.3}, {0.1 * s, 0.1 * s, 0.2}, {s, s, 0});
    expect_metres(geometry::Cylinder{0.1, 0.3}, {0.1 * s, 0.1 * s, 0.2}, {s, s, 0});
    expect_metres(geometry::Cylinder{0.1, 0.3}, {0.02, 0.03, 0.3}, {0, 0, 1});
    expect_metres(geometry::Cylinder{0.1, 0.3}, {0.02, 0.03, -0.3}, {0, 0, -1});
    expect_metres(geometry::HalfSpace{}, {3, 4, 0}, {0, 0, 1});
    geometry::MeshData sheet;  // 2 m by 0.5 m, the picture four times along u and once along v
    sheet.positions = {{0, 0, 0}, {2, 0, 0}, {2, 0.5, 0}, {0, 0.5, 0}};
    sheet.triangles = {0, 1, 2, 0, 2, 3};
    sheet.uvs = {{0, 0}, {4, 0}, {4, 1}, {0, 0}, {4, 1}, {0, 1}};
    expect_metres(geometry::make_mesh(sheet), {0.7, 0.2, 0}, {0, 0, 1});
    sheet.uvs.clear();  // made up: seen along z
    expect_metres(geometry::make_mesh(sheet), {0.7, 0.2, 0}, {0, 0, 1});
}

TEST(TileSize, PartsOfAMeshHaveTheirOwnScale) {
    geometry::MeshData sheet;  // two triangles of one square metre each, unwrapped at different scales
    sheet.positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {5, 0, 0}, {6, 0, 0}, {5, 2, 0}};
    sheet.triangles = {0, 1, 2, 3, 4, 5};
    sheet.uvs = {{0, 0}, {1, 0}, {0, 2}, {0, 0}, {0.1, 0}, {0, 0.2}};
    sheet.parts = {0, 3};
    const geometry::Mesh mesh = geometry::make_mesh(sheet);
    EXPECT_EQ(mesh.triangles->part_count(), 4);
    expect_metres(mesh, {0.2, 0.2, 0}, {0, 0, 1});
    expect_metres(mesh, {5.2, 0.2, 0}, {0, 0, 1});
}

TEST(TileSize, OfAFaceCountsFaces) {
    const TileSize quarter = 0.25;
    EXPECT_EQ(quarter.on(geometry::Box{{1, 2, 3}}, 0).x, 0.25);
    EXPECT_EQ(quarter.on(geometry::Box{{1, 2, 3}}, 0).y, 0.25);
    EXPECT_EQ(quarter.of_picture(200, 50), quarter);  // a picture fills its part of the face
    EXPECT_EQ(TileSize::in_metres(0.25).on(geometry::HalfSpace{}, 0).x, 0.25);
}

}  // namespace
}  // namespace asperity::surface
