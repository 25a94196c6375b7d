// Graded meshes of rough blocks.
#include "asperity/lab/mesh/graded_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asperity/core/error.h"
#include "asperity/lab/mesh/improve.h"
#include "asperity/lab/surfaces/profile.h"

namespace asperity::lab {
namespace {

std::vector<Vector<2>> rough_face(std::uint64_t seed, int edges) {
    ProfileSpec spec;
    spec.seed = seed;
    const Profile profile = make_profile(spec);
    std::vector<Vector<2>> face;
    for (int i = 0; i <= edges; ++i) face.push_back({double(i), profile.height(i)});
    return face;
}

double area(const deform::SolidMesh<2>& mesh) {
    double sum = 0;
    for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) sum += deform::volume(mesh, e);
    return sum;
}

/// Between the line and the base, by trapezoids.
double area_below(const std::vector<Vector<2>>& face, double base) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < face.size(); ++i)
        sum += (face[i + 1][0] - face[i][0]) * (0.5 * (face[i][1] + face[i + 1][1]) - base);
    return sum;
}

TEST(GradedBlock, FillsTheBlockWithUprightTrianglesCoarseAtTheBase) {
    for (const std::uint64_t seed : {1, 2, 3})
        for (const int edges : {3, 7, 64, 101, 750}) {
            const std::vector<Vector<2>> face = rough_face(seed, edges);
            const GradedBlock block = graded_block(face, -115);
            EXPECT_NO_THROW(deform::check(block.mesh)) << seed << " " << edges;
            // Rounding of the sum of areas of this size
            EXPECT_NEAR(area(block.mesh), area_below(face, -115), 1e-12 * area(block.mesh));
            EXPECT_EQ(block.face.size(), face.size());
            for (std::size_t i = 0; i < face.size(); ++i)
                EXPECT_EQ(block.mesh.points[static_cast<std::size_t>(block.face[i])], face[i]);
            for (const int p : block.base) EXPECT_EQ(block.mesh.points[static_cast<std::size_t>(p)][1], -115);
            const BlockReport r = report(block);
            EXPECT_GT(r.quality_min, 0) << seed << " " << edges;
            if (edges >= 64) { EXPECT_GE(r.base_edge, 2 * r.face_edge) << edges; }
            // What the protocol's profiles give, with slopes of up to 5 at the face: 0.22 and 0.81
            if (edges == 750) {
                EXPECT_GT(r.quality_min, 0.1);
                EXPECT_GT(r.quality_mean, 0.7);
            }
        }
}

TEST(GradedBlock, MarksEveryPointOfTheBoundaryOnce) {
    const GradedBlock block = graded_block(rough_face(1, 100), -100);
    std::vector<int> marked = block.face, boundary;
    marked.insert(marked.end(), block.base.begin(), block.base.end());
    marked.insert(marked.end(), block.sides.begin(), block.sides.end());
    for (const auto& face : deform::boundary(block.mesh)) boundary.push_back(face[0]);
    std::sort(marked.begin(), marked.end());
    std::sort(boundary.begin(), boundary.end());
    EXPECT_EQ(marked, boundary);
}

TEST(GradedBlock, StandsUpsideDownAboveAFace) {
    std::vector<Vector<2>> face = rough_face(2, 100), turned = face;
    for (Vector<2>& p : turned) p[1] = -p[1];
    const GradedBlock below = graded_block(face, -100), above = graded_block_above(turned, 100);
    EXPECT_NO_THROW(deform::check(above.mesh));
    ASSERT_EQ(below.mesh.points.size(), above.mesh.points.size());
    for (std::size_t i = 0; i < below.mesh.points.size(); ++i) {
        EXPECT_EQ(below.mesh.points[i][0], above.mesh.points[i][0]);
        EXPECT_EQ(below.mesh.points[i][1], -above.mesh.points[i][1]);
    }
}

TEST(GradedBlock, RefusesFacesThatCannotBeMeshed) {
    EXPECT_THROW(graded_block(std::vector<Vector<2>>{{0, 0}, {1, 0}}, -1), InputError);
    EXPECT_THROW(graded_block(std::vector<Vector<2>>{{0, 0}, {1, 0}, {1, 1}}, -1), InputError);
    EXPECT_THROW(graded_block(std::vector<Vector<2>>{{0, 0}, {1, NAN}, {2, 1}}, -1), InputError);
    EXPECT_THROW(graded_block(rough_face(1, 100), 0), InputError);
}

TEST(Improve, NeverLowersTheWorstQualityAndKeepsTheBoundary) {
    deform::SolidMesh<2> mesh;  // a sheared lattice with long diagonals
    constexpr int kCells = 12;
    for (int j = 0; j <= kCells; ++j)
        for (int i = 0; i <= kCells; ++i) mesh.points.push_back({i + 0.7 * j, double(j)});
    for (int j = 0; j < kCells; ++j)
        for (int i = 0; i < kCells; ++i) {
            const int a = j * (kCells + 1) + i, b = a + 1, c = a + kCells + 1, d = c + 1;
            mesh.elements.push_back({a, b, d});
            mesh.elements.push_back({a, d, c});
        }
    const deform::MeshReport<2> before = deform::report(mesh);
    const double size = area(mesh);
    const std::vector<Vector<2>> points = mesh.points;
    improve(mesh);
    const deform::MeshReport<2> after = deform::report(mesh);
    EXPECT_NO_THROW(deform::check(mesh));
    EXPECT_GT(after.angle_min, before.angle_min);
    EXPECT_GT(after.quality_mean, before.quality_mean);
    EXPECT_NEAR(area(mesh), size, 1e-12 * size);
    for (int i = 0; i <= kCells; ++i) {
        EXPECT_EQ(mesh.points[static_cast<std::size_t>(i)], points[static_cast<std::size_t>(i)]);
        EXPECT_EQ(mesh.points[static_cast<std::size_t>(i * (kCells + 1))],
                  points[static_cast<std::size_t>(i * (kCells + 1))]);
    }
}

}  // namespace
}  // namespace asperity::lab
