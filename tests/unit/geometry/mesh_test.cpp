// Mesh construction: repairs, refused inputs, mass, and location of surface points.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/geometry/mesh/mesh_closest.h"
#include "asperity/geometry/shape/shape.h"
#include "tests/unit/geometry/meshes.h"

namespace asperity::geometry {
namespace {

std::string complaint(const MeshData& data, double scale = 1) {
    try {
        make_mesh(data, scale, "thing");
    } catch (const InputError& error) { return error.what(); }
    return "";
}
bool says(const std::string& message, const std::string& words) { return message.find(words) != std::string::npos; }

TEST(Mesh, OfABoxIsClosedAndWeighsAsTheBox) {
    const Vec3 half{0.3, 0.5, 0.2};
    const Mesh mesh = make_mesh(box_data(half));
    const MeshReport& r = mesh.triangles->report;
    EXPECT_TRUE(r.solid);
    EXPECT_EQ(r.boundary_edges, 0);
    EXPECT_EQ(r.flipped, 0);
    EXPECT_EQ(r.vertices, 8);
    const VolumeIntegrals ours = volume_integrals(mesh), exact = volume_integrals(Box{half});
    EXPECT_NEAR(ours.volume, exact.volume, 1e-15);
    EXPECT_LT(length(ours.center), 1e-15);
    for (int i = 0; i < 3; ++i) EXPECT_LT(length(ours.inertia.r[i] - exact.inertia.r[i]), 1e-15);
    // The twelve edges of the cube are convex; the six diagonals are flat.
    int flat = 0, convex = 0;
    for (const auto& e : mesh.triangles->edges) {
        flat += e.kind == TriangleSet::EdgeKind::Flat;
        convex += e.kind == TriangleSet::EdgeKind::Convex;
    }
    EXPECT_EQ(flat, 6);
    EXPECT_EQ(convex, 12);
}

TEST(Mesh, BuiltInsideOutOrWithMixedWindingIsTurned) {
    MeshData data = box_data({1, 1, 1});
    for (size_t t = 0; t < 12; ++t) std::swap(data.triangles[3 * t + 1], data.triangles[3 * t + 2]);
    EXPECT_EQ(make_mesh(data).triangles->report.flipped, 12);
    EXPECT_NEAR(volume_integrals(make_mesh(data)).volume, 8, 1e-14);
    data = box_data({1, 1, 1});
    for (const size_t t : {2U, 7U, 8U}) std::swap(data.triangles[3 * t + 1], data.triangles[3 * t + 2]);
    EXPECT_EQ(make_mesh(data).triangles->report.flipped, 3);
    EXPECT_NEAR(volume_integrals(make_mesh(data)).volume, 8, 1e-14);
}

/// Adds a box to the mesh, beside or within it.
void add_box(MeshData& data, const Vec3& half, const Vec3& at, bool inside_out) {
    MeshData box = box_data(half);
    const auto first = static_cast<std::uint32_t>(data.positions.size());
    for (const Vec3& p : box.positions) data.positions.push_back(p + at);
    for (size_t t = 0; t < 12; ++t) {
        if (inside_out) std::swap(box.triangles[3 * t + 1], box.triangles[3 * t + 2]);
        for (size_t i = 0; i < 3; ++i) data.triangles.push_back(first + box.triangles[3 * t + i]);
    }
}

TEST(Mesh, PiecesWoundAgainstEachOtherAreTurnedUnlessTheyAreCavities) {
    for (const bool large_is_wrong : {false, true}) {
        MeshData two;
        add_box(two, {1, 1, 1}, {}, large_is_wrong);
        add_box(two, {0.9, 0.9, 0.9}, {3, 0, 0}, !large_is_wrong);
        const Mesh mesh = make_mesh(two);
        EXPECT_EQ(mesh.triangles->report.flipped, 12);
        EXPECT_NEAR(volume_integrals(mesh).volume, 8 + 5.832, 1e-13);
        EXPECT_NEAR(volume_integrals(mesh).center.x, 3 * 5.832 / 13.832, 1e-13);
    }
    MeshData hollow;
    add_box(hollow, {1, 1, 1}, {}, false);
    add_box(hollow, {0.5, 0.5, 0.5}, {0.1, 0, 0}, true);
    EXPECT_EQ(make_mesh(hollow).triangles->report.flipped, 0);
    EXPECT_NEAR(volume_integrals(make_mesh(hollow)).volume, 7, 1e-14);
}

TEST(Mesh, ThicknessIsTwiceTheVolumeOverTheArea) {
    EXPECT_NEAR(make_mesh(box_data({1, 1, 1})).triangles->thickness, 2.0 / 3, 1e-14);
    EXPECT_NEAR(make_mesh(box_data({1, 1, 1e-3})).triangles->thickness, 2e-3 / (1 + 2e-3), 1e-14);
}

TEST(Mesh, LosesDuplicatesSliversAndUnusedVerticesAndSaysSo) {
    MeshData data = box_data({1, 1, 1});
    data.positions.push_back({0, 0, 5});                     // unused
    data.positions.push_back(data.positions[0]);             // duplicate position
    data.triangles.insert(data.triangles.end(), {9, 1, 9});  // without area
    data.triangles.insert(data.triangles.end(),
                          {data.triangles[1], data.triangles[2], data.triangles[0]});  // duplicate triangle
    const MeshReport r = make_mesh(data).triangles->report;
    EXPECT_EQ(r.unused, 1);
    EXPECT_EQ(r.welded, 1);
    EXPECT_EQ(r.degenerate, 1);
    EXPECT_EQ(r.duplicates, 1);
    EXPECT_EQ(r.triangles, 12);
    for (const char* words : {"1 vertices welded", "1 unused", "1 triangles without area", "1 duplicate"})
        EXPECT_TRUE(says(report(r), words)) << report(r);
}

TEST(Mesh, WithAHoleIsReportedAndClosedForTheMass) {
    MeshData data = box_data({1, 1, 1});
    // Without one triangle, 1/12 of the area is missing. That is below the bound of 15 %, so the mesh stays a solid.
    data.triangles.resize(data.triangles.size() - 3);
    const Mesh mesh = make_mesh(data);
    EXPECT_EQ(mesh.triangles->report.boundary_edges, 3);
    EXPECT_EQ(mesh.triangles->report.holes, 1);
    EXPECT_TRUE(mesh.triangles->solid());
    EXPECT_NEAR(volume_integrals(mesh).volume, 8, 1e-14);
    EXPECT_TRUE(says(report(mesh.triangles->report), "3 boundary edges in 1 holes"));
    EXPECT_FALSE(make_mesh(flat_data(4, 1)).triangles->solid());
    EXPECT_EQ(volume_integrals(make_mesh(flat_data(4, 1))).volume, 0);
}

TEST(Mesh, MoebiusStripHasNoConsistentWinding) {
    MeshData data;
    const int n = 12;
    for (int i = 0; i < n; ++i) {
        const double a = 2 * std::numbers::pi * i / n;
        for (const double s : {-0.3, 0.3})
            data.positions.push_back(
                {(1 + s * std::cos(a / 2)) * std::cos(a), (1 + s * std::cos(a / 2)) * std::sin(a), s * std::sin(a / 2)});
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        const bool last = i + 1 == n;
        const std::uint32_t a = 2 * i, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
        data.triangles.insert(data.triangles.end(), {a, c, b, b, c, d});
    }
    const MeshReport r = make_mesh(data).triangles->report;
    EXPECT_FALSE(r.orientable);
    EXPECT_FALSE(r.solid);
}

TEST(Mesh, RefusesWhatCannotBeRepaired) {
    MeshData data;
    EXPECT_TRUE(says(complaint(data), "thing: has no triangles"));
    data = box_data({1, 1, 1});
    data.triangles[5] = 99;
    EXPECT_TRUE(says(complaint(data), "triangle 1 names vertex 99, but there are only 8"));
    data = box_data({1, 1, 1});
    data.positions[3].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(says(complaint(data), "vertex 3 is at"));
    data = box_data({1, 1, 1});
    for (Vec3& p : data.positions) p = {1, 2, 3};
    EXPECT_TRUE(says(complaint(data),
                     "all its 12 triangles are without area, their corners in one place or on a line (7 vertices are at"))
        << complaint(data);
    EXPECT_TRUE(says(complaint(box_data({1, 1, 1}), 0), "scale 0"));
    // The smallest size is that of the longest side of the vertices in use, after the scale.
    data = box_data({4e-7, 1e-7, 1e-7});
    EXPECT_TRUE(says(complaint(data), "thing: is 8e-07 m long; 1e-06 m are the least")) << complaint(data);
    EXPECT_EQ(complaint(data, 2), "");
    data.positions.push_back({1, 1, 1});  // used by no triangle
    EXPECT_NE(complaint(data), "");
    data = box_data({1, 1, 1});
    data.triangles.resize(3 * (static_cast<size_t>(kMaxMeshTriangles) + 1), 0);
    EXPECT_TRUE(says(complaint(data), "at most 2000000"));
}

TEST(Mesh, OneTriangleIsASoundSheet) {
    MeshData data;
    data.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    data.triangles = {0, 1, 2};
    const Mesh mesh = make_mesh(data);
    EXPECT_FALSE(mesh.triangles->solid());
    EXPECT_EQ(mesh.triangles->report.boundary_edges, 3);
    EXPECT_LT(length(bounds(mesh, {}).high - Vec3{1, 1, 0}), 1e-15);
}

TEST(Mesh, NearestPointMatchesASearchOverAllTrianglesAndTellsInsideFromOutside) {
    const Mesh mesh = make_mesh(box_data({0.3, 0.5, 0.2}));
    Random random(3);
    for (int i = 0; i < 500; ++i) {
        const Vec3 p{random.uniform(-0.6, 0.6), random.uniform(-0.9, 0.9), random.uniform(-0.5, 0.5)};
        double best = 1e9;
        for (int t = 0; t < 12; ++t)
            best = std::min(best, closest_on_triangle(mesh.triangles->corner(t, 0), mesh.triangles->corner(t, 1),
                                                      mesh.triangles->corner(t, 2), p)
                                      .distance_squared);
        const MeshNearest found = nearest_on_mesh(*mesh.triangles, p, 10);
        EXPECT_NEAR(found.at.distance_squared, best, 1e-15);
        const bool inside = std::fabs(p.x) < 0.3 && std::fabs(p.y) < 0.5 && std::fabs(p.z) < 0.2;
        EXPECT_EQ(found.signed_distance < 0, inside);
    }
}

TEST(Mesh, SurfaceCoordinatesAreTheFilesOwnAndFramesAreRightHanded) {
    MeshData data = flat_data(6, 1);
    for (const std::uint32_t v : data.triangles) data.uvs.push_back({3 * data.positions[v].x + 1, data.positions[v].y * 2});
    const Mesh mesh = make_mesh(data);
    Random random(9);
    for (int i = 0; i < 100; ++i) {
        const Vec3 p{random.uniform(-0.99, 0.99), random.uniform(-0.99, 0.99), 0};
        const SurfaceCoordinates at = surface_coordinates(mesh, p, {0, 0, 1});
        EXPECT_NEAR(at.u, 3 * p.x + 1, 1e-12);  // linear, so interpolation is exact
        EXPECT_NEAR(at.v, 2 * p.y, 1e-12);
        const MeshPoint where = locate(*mesh.triangles, p, {0, 0, 1});
        EXPECT_EQ(where.triangle, at.face);
        EXPECT_NEAR(where.barycentric.x + where.barycentric.y + where.barycentric.z, 1, 1e-12);
        const TangentFrame frame = frame_at(*mesh.triangles, where);
        EXPECT_LT(length(frame.tangent - Vec3{1, 0, 0}), 1e-12);
        EXPECT_LT(length(frame.bitangent - Vec3{0, 1, 0}), 1e-12);
    }
}

TEST(Mesh, BoundsSupportAndDrawingFollowTheVertices) {
    const Mesh mesh = make_mesh(box_data({0.3, 0.5, 0.2}));
    const Pose pose{{1, 2, 3}, rotation({0.3, -0.4, 0.9})};
    const Aabb ours = bounds(mesh, pose), exact = bounds(Box{{0.3, 0.5, 0.2}}, pose);
    EXPECT_LT(length(ours.low - exact.low), 1e-14);
    EXPECT_LT(length(ours.high - exact.high), 1e-14);
    EXPECT_EQ(support(mesh, {1, -2, 0.5}), (Vec3{0.3, -0.5, 0.2}));
    const TriangleMesh drawn = triangulate(mesh);
    EXPECT_EQ(drawn.triangles.size(), 36U);
    EXPECT_EQ(name(mesh), "mesh");
}

}  // namespace
}  // namespace asperity::geometry
