// All fields of a surface point against the parametrisation, and those of meshes against the primitives they represent.
#include "asperity/geometry/shape/surface_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/unit/geometry/meshes.h"

namespace asperity::geometry {
namespace {

constexpr double kPi = std::numbers::pi;

/// The triangulated drawing of a shape, which carries its texture coordinates, as a mesh.
MeshData drawn(const Shape& shape, int segments) {
    const TriangleMesh mesh = triangulate(shape, segments);
    MeshData data;
    data.positions = mesh.positions;
    data.triangles = mesh.triangles;
    for (const std::uint32_t v : mesh.triangles) {
        data.normals.push_back(mesh.normals[v]);
        data.uvs.push_back(mesh.uvs[v]);
    }
    return data;
}

Vec3 random_direction(Random& random) { return normalized(Vec3{random.normal(), random.normal(), random.normal()}); }

void expect_orthonormal(const SurfacePoint& at) {
    EXPECT_NEAR(length(at.normal), 1, 1e-14);
    EXPECT_NEAR(length(at.tangent), 1, 1e-14);
    EXPECT_NEAR(dot(at.normal, at.tangent), 0, 1e-14);
    EXPECT_NEAR(dot(cross(at.normal, at.tangent), at.bitangent()), 1, 1e-14);
}

// Moving by h along the tangent changes u in first order and v only in second order; along the bitangent vice versa. The
// second derivatives are below 40 on these shapes (a sphere of 0.3 m near a pole, without the points within 0.1 m of the
// axis).
TEST(SurfacePoint, FramesOfPrimitivesAreTheDerivativesOfTheirCoordinates) {
    const Hull hull =
        convex_hull(std::vector<Vec3>{{0, 0, 0}, {0.5, 0.1, 0}, {0.1, 0.6, 0}, {0.2, 0.2, 0.7}, {-0.3, 0.2, 0.3}});
    Random random(11);
    const double h = 1e-6;
    for (const Shape& shape : {Shape{Sphere{0.3}}, Shape{Box{{0.3, 0.2, 0.1}}}, Shape{Capsule{0.2, 0.3}},
                               Shape{Cylinder{0.3, 0.2}}, Shape{HalfSpace{}}, Shape{hull}}) {
        const TriangleMesh surface = triangulate(shape, 200, 2);
        int tried = 0;
        for (int k = 0; k < 400; ++k) {
            const auto t = 3 * static_cast<size_t>(random.uniform(0, static_cast<double>(surface.triangles.size() / 3)));
            double w[3] = {random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};  // away from the edges
            Vec3 p, n;
            for (size_t i = 0; i < 3; ++i) {
                const double share = w[i] / (w[0] + w[1] + w[2]);
                p += share * surface.positions[surface.triangles[t + i]];
                n += share * surface.normals[surface.triangles[t + i]];
            }
            n = normalized(n);
            const bool round = std::holds_alternative<Sphere>(shape) || std::holds_alternative<Capsule>(shape);
            if (round && std::hypot(p.x, p.y) < 0.1) continue;
            const SurfacePoint at = surface_point(shape, p, n);
            expect_orthonormal(at);
            EXPECT_GT(dot(at.normal, n), 0.999) << name(shape);
            const auto change = [&](const Vec3& d) {
                const SurfaceCoordinates q = surface_coordinates(shape, p + h * d, n);
                return Vec2{std::remainder(q.u - at.uv.x, 1.0) / h, (q.v - at.uv.y) / h};
            };
            const Vec2 along_t = change(at.tangent), along_b = change(at.bitangent());
            EXPECT_GT(along_t.x, 0.1) << name(shape);
            EXPECT_NEAR(along_t.y, 0, 40 * h) << name(shape);
            EXPECT_GT(along_b.y, 0.1) << name(shape);
            EXPECT_NEAR(along_b.x, 0, 40 * h) << name(shape);
            ++tried;
        }
        EXPECT_GT(tried, 100) << name(shape);
    }
}

TEST(SurfacePoint, PolesTakeTheFrameOfLongitudeZero) {
    for (const Shape& shape : {Shape{Sphere{0.5}}, Shape{Capsule{0.5, 0}}}) {
        const SurfacePoint pole = surface_point(shape, {0, 0, 0.5}, {0, 0, 1});
        EXPECT_EQ(pole.normal, (Vec3{0, 0, 1}));
        EXPECT_EQ(pole.tangent, (Vec3{0, 1, 0}));
        EXPECT_EQ(pole.uv.x, 0);
    }
}

TEST(SurfacePoint, BarycentricCoordinatesGiveThePointBack) {
    const Mesh meshes[] = {make_mesh(sheet_data(12, 1, 0.3, [](double x, double y) { return 0.3 * std::sin(3 * x) * y; })),
                           make_mesh(drawn(Sphere{0.7}, 24))};
    Random random(4);
    for (const Mesh& mesh : meshes)
        for (int k = 0; k < 500; ++k) {
            const TriangleSet& set = *mesh.triangles;
            const int t = static_cast<int>(random.uniform(0, set.report.triangles));
            double a = random.uniform(0, 1), b = random.uniform(0, 1);
            if (a + b > 1) a = 1 - a, b = 1 - b;
            if (k % 5 == 0) b = 0;   // on an edge
            if (k % 25 == 0) a = 0;  // in a corner
            const Vec3 p = (1 - a - b) * set.corner(t, 0) + a * set.corner(t, 1) + b * set.corner(t, 2);
            const SurfacePoint at = surface_point(mesh, p, set.face_normals[static_cast<size_t>(t)]);
            EXPECT_EQ(at.face, at.triangle);
            if (k % 5 != 0)
                EXPECT_EQ(at.triangle, t);
            else  // on an edge of coplanar triangles either is right
                EXPECT_GT(dot(set.face_normals[static_cast<size_t>(at.triangle)], set.face_normals[static_cast<size_t>(t)]),
                          1 - 1e-12);
            EXPECT_NEAR(at.barycentric.x + at.barycentric.y + at.barycentric.z, 1, 1e-14);
            const Vec3 back = at.barycentric.x * set.corner(at.triangle, 0) + at.barycentric.y * set.corner(at.triangle, 1) +
                              at.barycentric.z * set.corner(at.triangle, 2);
            EXPECT_LT(length(back - p), 1e-12);
            expect_orthonormal(at);
        }
}

// The drawing of a box is exactly its surface with its coordinates: every field but the triangle must agree.
TEST(SurfacePoint, ABoxAndItsMeshSayTheSame) {
    const Box box{{0.3, 0.5, 0.2}};
    const Mesh mesh = make_mesh(drawn(box, 4));
    Random random(8);
    for (int k = 0; k < 600; ++k) {
        const int axis = k % 3;
        Vec3 p{random.uniform(-0.3, 0.3), random.uniform(-0.5, 0.5), random.uniform(-0.2, 0.2)}, n;
        n[axis] = k % 2 ? 1 : -1;
        p[axis] = n[axis] * box.half[axis];
        if (k % 7 == 0) p[(axis + 1) % 3] = box.half[(axis + 1) % 3];  // on an edge, where the normal decides
        const SurfacePoint ours = surface_point(mesh, p, n), exact = surface_point(box, p, n);
        EXPECT_LT(length(ours.uv - exact.uv), 1e-14);
        EXPECT_LT(length(ours.normal - exact.normal), 1e-14);
        EXPECT_LT(length(ours.tangent - exact.tangent), 1e-14);
        EXPECT_FALSE(ours.mirrored);
    }
}

// Chords of n segments leave the circle by r (1 - cos(pi/n)), and linear coordinates follow the angle to (pi/n)^3 / (9
// sqrt(3)) of it. The frame rotates with the surface by up to pi/n against the chord's. Near the poles longitude itself is
// ill defined.
TEST(SurfacePoint, AFineSphereMeshFollowsTheSphere) {
    const int segments = 96;
    const Mesh mesh = make_mesh(drawn(Sphere{0.5}, segments));
    Random random(2);
    double worst_uv = 0, worst_normal = 0, worst_tangent = 0;
    for (int k = 0; k < 2000; ++k) {
        const Vec3 n = random_direction(random);
        if (std::fabs(n.z) > 0.9) continue;
        const SurfacePoint ours = surface_point(mesh, 0.5 * n, n), exact = surface_point(Sphere{0.5}, 0.5 * n, n);
        worst_uv = std::fmax(worst_uv, std::hypot(std::remainder(ours.uv.x - exact.uv.x, 1.0), ours.uv.y - exact.uv.y));
        worst_normal = std::fmax(worst_normal, length(ours.normal - exact.normal));
        worst_tangent = std::fmax(worst_tangent, length(ours.tangent - exact.tangent));
        expect_orthonormal(ours);
    }
    EXPECT_LT(worst_uv, 0.5 * kPi / segments * kPi / segments);
    EXPECT_LT(worst_normal, kPi / segments * kPi / segments);
    EXPECT_LT(worst_tangent, kPi / segments);
}

// Points slightly to both sides of every inner edge of a smooth patch: frames and coordinates differ by no more than that
// distance allows.
TEST(SurfacePoint, FramesAreContinuousAcrossSmoothEdges) {
    MeshData data =
        sheet_data(10, 1, 0.2, [](double x, double y) { return 0.2 * x * x - 0.1 * x * y + 0.1 * std::cos(2 * y); });
    for (const std::uint32_t v : data.triangles)
        data.uvs.push_back({data.positions[v].x + 0.3 * data.positions[v].y, data.positions[v].y});
    const Mesh mesh = make_mesh(data);
    const TriangleSet& set = *mesh.triangles;
    int edges = 0;
    for (const TriangleSet::Edge& e : set.edges) {
        if (e.right < 0) continue;
        ++edges;
        const Vec3 middle =
            0.4 * set.positions[static_cast<size_t>(e.from)] + 0.6 * set.positions[static_cast<size_t>(e.to)];
        const SurfacePoint left = surface_point(mesh, middle, {0, 0, 1}, e.left),
                           right = surface_point(mesh, middle, {0, 0, 1}, e.right);
        EXPECT_LT(length(left.normal - right.normal), 1e-13);
        EXPECT_LT(length(left.tangent - right.tangent), 1e-13);
        EXPECT_LT(length(left.uv - right.uv), 1e-13);
    }
    EXPECT_GT(edges, 200);
}

TEST(SurfacePoint, ASheetSeenFromBelowTurnsItsNormalAndIsMirrored) {
    MeshData data = flat_data(4, 1);
    for (const std::uint32_t v : data.triangles) data.uvs.push_back({data.positions[v].x, data.positions[v].y});
    const Mesh mesh = make_mesh(data);
    const SurfacePoint above = surface_point(mesh, {0.1, 0.2, 0}, {0, 0, 1}),
                       below = surface_point(mesh, {0.1, 0.2, 0}, {0, 0, -1});
    EXPECT_LT(length(above.normal - Vec3{0, 0, 1}), 1e-15);
    EXPECT_LT(length(below.normal - Vec3{0, 0, -1}), 1e-15);
    EXPECT_FALSE(above.mirrored);
    EXPECT_TRUE(below.mirrored);
    EXPECT_LT(length(below.tangent - Vec3{1, 0, 0}), 1e-15);
}

TEST(SurfacePoint, MissingAndUselessTextureCoordinatesGetAFrameAndAreReported) {
    MeshData data = box_data({0.3, 0.5, 0.2});
    const Mesh without = make_mesh(data);
    EXPECT_TRUE(without.triangles->report.made_up_uvs);
    EXPECT_NE(report(without.triangles->report).find("without texture coordinates"), std::string::npos);
    data.uvs.assign(data.triangles.size(), {0.5, 0.5});
    const Mesh useless = make_mesh(data);
    EXPECT_EQ(useless.triangles->report.flat_uvs, 12);
    EXPECT_NE(report(useless.triangles->report).find("12 triangles without texture area"), std::string::npos);
    for (const Mesh& mesh : {without, useless})
        for (int t = 0; t < 12; ++t) {
            const Vec3 middle =
                (mesh.triangles->corner(t, 0) + mesh.triangles->corner(t, 1) + mesh.triangles->corner(t, 2)) / 3;
            expect_orthonormal(surface_point(mesh, middle, mesh.triangles->face_normals[static_cast<size_t>(t)]));
        }
}

}  // namespace
}  // namespace asperity::geometry
