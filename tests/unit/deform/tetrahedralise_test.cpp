#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/core/threads.h"
#include "asperity/deform/meshes/generators.h"
#include "asperity/deform/meshes/tetrahedralise.h"
#include "tests/unit/deform/mesh_checks.h"
#include "tests/unit/deform/random_matrices.h"

namespace asperity::deform {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

/// The surface of a mesh, turned and moved.
std::shared_ptr<const geometry::TriangleSet> surface_of(const SolidMesh<3>& mesh, std::uint64_t seed = 0) {
    Random random(seed);
    const Matrix<3, 3> R = seed == 0 ? Matrix<3, 3>(Matrix<3, 3>::Identity()) : random_rotation<3>(random);
    geometry::MeshData data;
    for (const Vector<3>& p : mesh.points) data.positions.push_back(to_vec3(Vector<3>(R * p)));
    for (const auto& face : boundary(mesh))
        for (const int v : face) data.triangles.push_back(static_cast<std::uint32_t>(v));
    return geometry::make_mesh(data).triangles;
}

void expect_sound(const SolidMesh<3>& mesh, const StuffingReport& r, const char* what) {
    EXPECT_NO_THROW(check(mesh)) << what;
    EXPECT_TRUE(is_closed(mesh)) << what;
    EXPECT_NEAR(enclosed(mesh), r.mesh.volume, 1e-12 * r.mesh.volume) << what;
    EXPECT_GT(kDegrees * r.mesh.angle_min, 12 - 1e-9) << what << ": " << describe(r.mesh);
    EXPECT_LT(kDegrees * r.mesh.angle_max, 155 + 1e-9) << what << ": " << describe(r.mesh);
}

TEST(Tetrahedralise, FillsABallWithGoodAnglesAndConvergesInVolumeAndDistance) {
    const auto surface = surface_of(ball(1, 40));
    double last = 0;
    for (const double cell : {0.4, 0.2, 0.1}) {
        StuffingReport r;
        const SolidMesh<3> mesh = tetrahedralise(*surface, cell, &r);
        expect_sound(mesh, r, "ball");
        // A chord of length c of a unit circle is c^2/8 below its arc. Edges have up to 1.2 cells; where facets of the
        // input meet, its own deviation of 1e-3 is added.
        EXPECT_LT(r.distance_error, 0.27 * cell * cell + 1e-3) << cell;
        EXPECT_NEAR(r.mesh.volume, surface->integrals.volume, 0.5 * cell * cell * 4.2) << cell;
        const double missing = surface->integrals.volume - r.mesh.volume;
        EXPECT_NEAR(last > 0 ? last / missing : 4, 4, 2);  // second order; 5.7 and 4.2 measured
        last = missing;
    }
}

TEST(Tetrahedralise, KeepsItsAnglesOnManyShapesAndPlacements) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        StuffingReport r;
        expect_sound(tetrahedralise(*surface_of(ball(1, 16), seed), 0.23 + 0.01 * static_cast<double>(seed), &r), r, "ball");
        expect_sound(tetrahedralise(*surface_of(tube(0.6, 1, 1.2, {1, 24, 2}), seed), 0.17, &r), r, "tube");
        expect_sound(tetrahedralise(*surface_of(capsule(0.5, 0.7, 12), seed), 0.2, &r), r, "capsule");
        expect_sound(tetrahedralise(*surface_of(box<3>({1, 0.8, 1.3}, {1, 1, 1}), seed), 0.21, &r), r, "box");
        EXPECT_LT(r.distance_error, 0.75 * 0.21);  // 0.66 cells measured over 40 placements
        const double volume = 1 * 0.8 * 1.3;
        EXPECT_NEAR(r.mesh.volume / volume, 1, 0.015);  // without features on edges: 0.04
    }
}

TEST(Tetrahedralise, WorksOnAxisAlignedBoxesOfAllSizes) {
    for (const double s : {1e-5, 1.0, 1e5})
        for (const double cell : {0.25, 0.2, 0.13}) {
            StuffingReport r;
            const SolidMesh<3> mesh = tetrahedralise(*surface_of(box<3>({s, s, s}, {1, 1, 1})), cell * s, &r);
            expect_sound(mesh, r, "box");
            EXPECT_NEAR(r.mesh.volume / (s * s * s), 1, 0.5 * cell);
        }
}

TEST(Tetrahedralise, IsTheSameOnAnyNumberOfThreads) {
    const auto surface = surface_of(ball(1, 12), 3);
    const int before = thread_count();
    set_thread_count(1);
    const SolidMesh<3> one = tetrahedralise(*surface, 0.2);
    set_thread_count(4);
    const SolidMesh<3> four = tetrahedralise(*surface, 0.2);
    set_thread_count(before);
    EXPECT_EQ(one.points, four.points);
    EXPECT_EQ(one.elements, four.elements);
}

TEST(Tetrahedralise, RefusesOpenSurfacesAndSaysWhere) {
    const SolidMesh<3> cube = box<3>({1, 1, 1}, {1, 1, 1});
    geometry::MeshData data;
    for (const Vector<3>& p : cube.points) data.positions.push_back(to_vec3(p));
    const auto faces = boundary(cube);
    for (std::size_t k = 0; k + 1 < faces.size(); ++k)
        for (const int v : faces[k]) data.triangles.push_back(static_cast<std::uint32_t>(v));
    const auto open = geometry::make_mesh(data).triangles;
    try {
        tetrahedralise(*open, 0.2);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("3 open edges"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("at ("), std::string::npos) << error.what();
    }
    const auto closed = surface_of(cube);
    EXPECT_THROW(tetrahedralise(*closed, 0), InputError);
    EXPECT_THROW(tetrahedralise(*closed, 1e-6), InputError);
    EXPECT_THROW(tetrahedralise(*surface_of(sheet({1, 1}, 1e-4, {1, 1, 1}), 1), 0.9), InputError);
}

}  // namespace
}  // namespace asperity::deform
