// Surface coordinates against closed forms, and against the meshes that carry them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <tuple>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {
namespace {

constexpr double kPi = std::numbers::pi;

Hull prism(int sides, double radius, double half_height) {
    std::vector<Vec3> points;
    for (int i = 0; i < sides; ++i) {
        for (double z : {-half_height, half_height}) {
            points.push_back({radius * std::cos(2 * kPi * i / sides), radius * std::sin(2 * kPi * i / sides), z});
        }
    }
    return convex_hull(points);
}

std::vector<Shape> solid_shapes() {
    return {Sphere{0.7}, Box{{0.3, 0.5, 0.9}}, Capsule{0.2, 0.6}, Capsule{0.2, 0}, Cylinder{0.4, 0.3}, prism(7, 0.6, 0.4)};
}

void expect_coordinates(const SurfaceCoordinates& got, int face, double u, double v) {
    EXPECT_EQ(got.face, face);
    EXPECT_NEAR(got.u, u, 1e-15);
    EXPECT_NEAR(got.v, v, 1e-15);
}

TEST(SurfaceCoordinates, OfKnownPlaces) {
    expect_coordinates(surface_coordinates(Sphere{2}, {0, 2, 0}, {0, 1, 0}), 0, 0.25, 0.5);
    expect_coordinates(surface_coordinates(Sphere{2}, {0, 0, -2}, {0, 0, -1}), 0, 0, 0);
    expect_coordinates(surface_coordinates(Sphere{2}, {0, -std::sqrt(2), std::sqrt(2)}, normalized(Vec3{0, -1, 1})), 0, 0.75,
                       0.75);
    const Box box{{1, 2, 3}};
    expect_coordinates(surface_coordinates(box, {1, 1, 1.5}, {1, 0, 0}), 0, 0.75, 0.75);
    expect_coordinates(surface_coordinates(box, {-1, 1, 1.5}, {-1, 0, 0}), 1, 0.25, 0.75);
    expect_coordinates(surface_coordinates(box, {0.5, 2, 1.5}, {0, 1, 0}), 2, 0.25, 0.75);
    expect_coordinates(surface_coordinates(box, {0.5, -2, 1.5}, {0, -1, 0}), 3, 0.75, 0.75);
    expect_coordinates(surface_coordinates(box, {0.5, 1, 3}, {0, 0, 1}), 4, 0.75, 0.75);
    expect_coordinates(surface_coordinates(box, {0.5, 1, -3}, {0, 0, -1}), 5, 0.75, 0.25);
    // Profile of length 2 pi + 4 with r = 2: the shoulder lies pi from the bottom pole.
    expect_coordinates(surface_coordinates(Capsule{2, 2}, {-2, 0, -2}, {-1, 0, 0}), 0, 0.5, kPi / (2 * kPi + 4));
    expect_coordinates(surface_coordinates(Capsule{2, 2}, {0, 0, 4}, {0, 0, 1}), 0, 0, 1);
    expect_coordinates(surface_coordinates(Cylinder{2, 3}, {0, 2, 1.5}, {0, 1, 0}), 0, 0.25, 0.75);
    expect_coordinates(surface_coordinates(Cylinder{2, 3}, {1, 1, 3}, {0, 0, 1}), 1, 0.75, 0.75);
    expect_coordinates(surface_coordinates(Cylinder{2, 3}, {1, 1, -3}, {0, 0, -1}), 2, 0.75, 0.25);
    expect_coordinates(surface_coordinates(HalfSpace{}, {12.5, -7, 0}, {0, 0, 1}), 0, 12.5, -7);
}

TEST(SurfaceCoordinates, LongitudeNeverReachesOne) {
    for (double y : {-1e-17, -1e-300, -0.0, 0.0, 1e-17}) {
        const double u = surface_coordinates(Sphere{1}, {1, y, 0}, {1, 0, 0}).u;
        EXPECT_GE(u, 0);
        EXPECT_LT(u, 1);
    }
}

TEST(SurfaceCoordinates, TheNormalDecidesAtEdgesAndOnlyThere) {
    const Box box{{1, 2, 3}};
    const Vec3 edge{1, 0.5, 3}, inside_top{0.9, 0.5, 3};
    EXPECT_EQ(surface_coordinates(box, edge, normalized(Vec3{2, 0, 1})).face, 0);
    EXPECT_EQ(surface_coordinates(box, edge, normalized(Vec3{1, 0, 2})).face, 4);
    EXPECT_EQ(surface_coordinates(box, inside_top, normalized(Vec3{2, 0, 1})).face, 4);
    const Cylinder cylinder{1, 1};
    EXPECT_EQ(surface_coordinates(cylinder, {0, 1, 1}, normalized(Vec3{0, 2, 1})).face, 0);
    EXPECT_EQ(surface_coordinates(cylinder, {0, 1, 1}, normalized(Vec3{0, 1, 2})).face, 1);
    EXPECT_EQ(surface_coordinates(cylinder, {0, 0.9, 1}, normalized(Vec3{0, 2, 1})).face, 1);
    EXPECT_EQ(surface_coordinates(cylinder, {0, 1, -1}, normalized(Vec3{0, 1, -2})).face, 2);
}

TEST(SurfaceCoordinates, OfABoxAndItsPolyhedronAgree) {
    Random random(21);
    const Box box{{0.3, 0.5, 0.9}};
    const Hull hull{std::make_shared<const Polyhedron>(box_polyhedron(box.half))};
    for (int k = 0; k < 600; ++k) {
        Vec3 p = scaled(box.half, {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}), n;
        const int axis = k % 3;
        n[axis] = k % 2 ? 1 : -1;
        p[axis] = n[axis] * box.half[axis];
        const SurfaceCoordinates a = surface_coordinates(box, p, n), b = surface_coordinates(hull, p, n);
        EXPECT_EQ(a.face, b.face);
        EXPECT_NEAR(a.u, b.u, 1e-14);
        EXPECT_NEAR(a.v, b.v, 1e-14);
    }
}

TEST(SurfaceCoordinates, FillTheUnitSquareOfEachHullFace) {
    const Hull hull = prism(7, 0.6, 0.4);
    for (size_t f = 0; f < hull.polyhedron->faces.size(); ++f) {
        const Polyhedron::Face& face = hull.polyhedron->faces[f];
        double low_u = 1, high_u = 0, low_v = 1, high_v = 0;
        for (int i = 0; i < face.count; ++i) {
            const Vec3 corner = hull.polyhedron->vertices[hull.polyhedron->loop[face.first + i]];
            const SurfaceCoordinates at = surface_coordinates(hull, corner, face.normal);
            EXPECT_EQ(at.face, static_cast<int>(f));
            low_u = std::min(low_u, at.u), high_u = std::max(high_u, at.u);
            low_v = std::min(low_v, at.v), high_v = std::max(high_v, at.v);
        }
        EXPECT_NEAR(low_u, 0, 1e-15);
        EXPECT_NEAR(high_u, 1, 1e-15);
        EXPECT_NEAR(low_v, 0, 1e-15);
        EXPECT_NEAR(high_v, 1, 1e-15);
    }
}

// Finite differences: the directions of growing u and v are counter-clockwise as seen from outside. The corners of each mesh
// triangle carry that information.
TEST(Triangulate, TextureTrianglesAreNeverMirrored) {
    for (const Shape& shape : solid_shapes()) {
        const TriangleMesh mesh = triangulate(shape, 24);
        for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
            const Vec2 a = mesh.uvs[mesh.triangles[t]], b = mesh.uvs[mesh.triangles[t + 1]],
                       c = mesh.uvs[mesh.triangles[t + 2]];
            EXPECT_GT(cross(b - a, c - a), 0) << name(shape) << ", triangle " << t / 3;
        }
    }
}

TEST(Triangulate, CarriesTheSurfaceCoordinatesOfItsVertices) {
    for (const Shape& shape : solid_shapes()) {
        const TriangleMesh mesh = triangulate(shape, 24);
        int compared = 0;
        for (size_t i = 0; i < mesh.positions.size(); ++i) {
            const Vec3 p = mesh.positions[i];
            const SurfaceCoordinates at = surface_coordinates(shape, p, mesh.normals[i]);
            EXPECT_NEAR(at.v, mesh.uvs[i].y, 1e-14) << name(shape);
            const bool turned = std::holds_alternative<Sphere>(shape) || std::holds_alternative<Capsule>(shape) ||
                                (std::holds_alternative<Cylinder>(shape) && mesh.normals[i].z == 0);
            if (turned && (mesh.uvs[i].x == 1 || std::hypot(p.x, p.y) == 0))
                continue;  // the seam's second column; the poles
            EXPECT_NEAR(at.u, mesh.uvs[i].x, 1e-14) << name(shape);
            ++compared;
        }
        EXPECT_GE(compared, 24) << name(shape);
    }
}

struct MeshSums {
    double volume = 0;
    bool closed = true;
};
/// Volume by the divergence theorem, and whether each welded edge occurs once in each direction.
MeshSums sums(const TriangleMesh& mesh) {
    MeshSums out;
    std::map<std::tuple<double, double, double>, int> welded;
    std::vector<int> id;
    for (const Vec3& p : mesh.positions)
        id.push_back(welded.try_emplace({p.x, p.y, p.z}, static_cast<int>(welded.size())).first->second);
    std::map<std::pair<int, int>, int> edges;
    for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
        const std::uint32_t* v = &mesh.triangles[t];
        out.volume += dot(mesh.positions[v[0]], cross(mesh.positions[v[1]], mesh.positions[v[2]])) / 6;
        for (int e = 0; e < 3; ++e) ++edges[{id[v[e]], id[v[(e + 1) % 3]]}];
    }
    for (const auto& [edge, count] : edges) {
        const auto back = edges.find({edge.second, edge.first});
        out.closed = out.closed && count == 1 && edge.first != edge.second && back != edges.end() && back->second == 1;
    }
    return out;
}

TEST(Triangulate, MakesClosedMeshesForAnyNumberOfSegments) {
    for (const Shape& shape : solid_shapes()) {
        for (int segments : {3, 4, 5, 7, 16, 48, 50}) {
            const TriangleMesh mesh = triangulate(shape, segments);
            EXPECT_TRUE(sums(mesh).closed) << name(shape) << " with " << segments;
            EXPECT_EQ(mesh.positions.size(), mesh.normals.size());
            EXPECT_EQ(mesh.positions.size(), mesh.uvs.size());
            for (const Vec2& uv : mesh.uvs) EXPECT_TRUE(uv.x >= 0 && uv.x <= 1 && uv.y >= 0 && uv.y <= 1) << name(shape);
        }
    }
}

// A circle of n chords loses (2 pi / n)^2 / 6 of its area; doubling n divides the error by 4. Flat shapes are exact.
TEST(Triangulate, VolumeConvergesWithSecondOrder) {
    for (const Shape& shape : solid_shapes()) {
        const double exact = volume_integrals(shape).volume;
        const double coarse = exact - sums(triangulate(shape, 48)).volume,
                     fine = exact - sums(triangulate(shape, 96)).volume;
        if (std::holds_alternative<Box>(shape) || std::holds_alternative<Hull>(shape)) {
            EXPECT_NEAR(coarse, 0, 1e-15);
            continue;
        }
        EXPECT_GT(coarse, 0) << name(shape);  // inscribed
        EXPECT_NEAR(coarse / fine, 4, 0.05) << name(shape);
    }
}

TEST(Triangulate, NormalsAreUnitAndLookOutwards) {
    for (const Shape& shape : solid_shapes()) {
        const TriangleMesh mesh = triangulate(shape, 24);
        for (const Vec3& n : mesh.normals) EXPECT_NEAR(length(n), 1, 1e-14);
        for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
            const std::uint32_t* v = &mesh.triangles[t];
            const Vec3 flat =
                normalized(cross(mesh.positions[v[1]] - mesh.positions[v[0]], mesh.positions[v[2]] - mesh.positions[v[0]]));
            for (int e = 0; e < 3; ++e) {
                // The farthest normal of a smooth triangle is that of a corner, less than one segment (15 degrees) away in
                // both angles.
                EXPECT_GT(dot(flat, mesh.normals[v[e]]), 0.95) << name(shape);
            }
        }
    }
}

TEST(Triangulate, DrawsAHalfSpaceAsASquareInMetres) {
    const TriangleMesh mesh = triangulate(HalfSpace{}, 48, 10);
    ASSERT_EQ(mesh.triangles.size(), 6u);
    for (size_t i = 0; i < mesh.positions.size(); ++i) {
        EXPECT_EQ(std::abs(mesh.positions[i].x), 5);
        EXPECT_EQ(mesh.uvs[i].x, mesh.positions[i].x);
        EXPECT_EQ(mesh.uvs[i].y, mesh.positions[i].y);
        EXPECT_EQ(mesh.normals[i], (Vec3{0, 0, 1}));
    }
}

TEST(Triangulate, RefusesFewerThanThreeSegments) { EXPECT_THROW(triangulate(Sphere{1}, 2), InputError); }

}  // namespace
}  // namespace asperity::geometry
