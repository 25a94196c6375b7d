// Height fields: the grid, refused inputs, and that shapes below the surface are pushed up.
#include "asperity/geometry/mesh/height_field.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/geometry/convex_contact/collide.h"
#include "tests/unit/geometry/meshes.h"

namespace asperity::geometry {
namespace {

std::string complaint(const HeightGrid& grid) {
    try {
        make_height_field(grid);
    } catch (const InputError& error) { return error.what(); }
    return "";
}

TEST(HeightField, IsMadeOfTheGridItself) {
    const Mesh mesh = height_field(30, 20, {3, 4}, [](double x, double y) { return std::sin(2 * x) + 0.2 * y * y; });
    const TriangleSet& set = *mesh.triangles;
    EXPECT_EQ(set.report.triangles, 1200);
    EXPECT_EQ(set.report.vertices, 31 * 21);
    EXPECT_TRUE(set.ground());
    EXPECT_EQ(name(mesh), "height_field");
    int boundary = 0;
    for (const TriangleSet::Edge& e : set.edges) boundary += e.right < 0;
    EXPECT_EQ(boundary, set.report.boundary_edges);
    for (const Vec3& n : set.face_normals) EXPECT_GT(n.z, 0);
    for (size_t c = 0; c < set.uvs.size(); ++c) {
        const Vec3& p = set.positions[static_cast<size_t>(set.triangles[c / 3][c % 3])];
        EXPECT_NEAR(set.uvs[c].x, p.x / 3 + 0.5, 1e-15);
        EXPECT_NEAR(set.uvs[c].y, p.y / 4 + 0.5, 1e-15);
    }
}

TEST(HeightField, FindsTheTriangleOverAPoint) {
    const Mesh mesh = height_field(7, 5, {2, 3}, [](double x, double y) { return x * y; });
    Random random(6);
    for (int k = 0; k < 1000; ++k) {
        const Vec3 p{random.uniform(-1.1, 1.1), random.uniform(-1.6, 1.6), random.uniform(-1, 1)};
        const int t = triangle_over(*mesh.triangles, p);
        if (std::fabs(p.x) > 1 || std::fabs(p.y) > 1.5) {
            EXPECT_EQ(t, -1);
            continue;
        }
        ASSERT_GE(t, 0);
        for (int i = 0; i < 3; ++i) {  // to the left of all sides, as seen from above
            const Vec3 side = mesh.triangles->corner(t, (i + 1) % 3) - mesh.triangles->corner(t, i),
                       q = p - mesh.triangles->corner(t, i);
            EXPECT_GE(side.x * q.y - side.y * q.x, -1e-14);
        }
    }
}

TEST(HeightField, RefusesWhatIsNoSurface) {
    HeightGrid grid{3, 3, {1, 1}, std::vector<double>(9, 0.0)};
    EXPECT_EQ(complaint(grid), "");
    grid.heights[7] = std::nan("");
    EXPECT_NE(complaint(grid).find("the height of point (1, 2) is nan"), std::string::npos) << complaint(grid);
    grid.heights[7] = 1e7;
    EXPECT_NE(complaint(grid).find("within 1e6 m"), std::string::npos);
    EXPECT_NE(complaint({1, 5, {1, 1}, std::vector<double>(5, 0.0)}).find("1 x 5 points; a surface needs 2 x 2"),
              std::string::npos);
    EXPECT_NE(complaint({2, 2, {1, -1}, std::vector<double>(4, 0.0)}).find("size -1"), std::string::npos);
    EXPECT_NE(complaint({2000, 2000, {1, 1}, {}}).find("use fewer cells"), std::string::npos);
}

// Every shape at every depth up to its size is pushed up by some contact. Depth: of the lowest point below the ground
// straight above the shape's middle.
TEST(HeightField, PushesUpWhateverIsBelowByLessThanItsSize) {
    const Mesh grounds[] = {
        height_field(20, 20, {4, 4}, [](double, double) { return 0.0; }),
        height_field(40, 40, {4, 4}, [](double x, double y) { return 0.3 * std::sin(2 * x) * std::cos(1.5 * y); })};
    const Shape shapes[] = {Sphere{0.1},
                            Box{{0.1, 0.07, 0.05}},
                            Capsule{0.05, 0.08},
                            Cylinder{0.1, 0.1},
                            convex_hull(box_polyhedron({0.1, 0.08, 0.06}).vertices),
                            make_mesh(box_data({0.1, 0.07, 0.05}))};
    Random random(12);
    for (const Mesh& ground : grounds)
        for (const Shape& shape : shapes)
            for (int k = 0; k < 300; ++k) {
                const Vec3 axis = normalized(Vec3{random.normal(), random.normal(), random.normal()});
                Pose pose{{random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), 0}, rotation(random.uniform(0, 3) * axis)};
                const Aabb box = bounds(shape, pose);
                const double size = max_component(bounds(shape, {}).high - bounds(shape, {}).low);
                const int t = triangle_over(*ground.triangles, pose.position);
                const Vec3 &n = ground.triangles->face_normals[static_cast<size_t>(t)],
                           &corner = ground.triangles->corner(t, 0);
                const double level =
                    corner.z - (n.x * (pose.position.x - corner.x) + n.y * (pose.position.y - corner.y)) / n.z;
                // The hills fall by up to 0.6, so within 0.13 m of the body's middle by less than 0.45 of its size.
                const double depth = random.uniform(&ground == &grounds[0] ? 0.02 : 0.45, 0.95) * size;
                pose.position.z = level - depth - box.low.z;
                ContactList list;
                ASSERT_TRUE(collide_mesh(ground, {}, shape, pose, 1e-3, {}, list)) << name(shape) << " " << depth / size;
                double up = -1;
                for (int i = 0; i < list.count; ++i)
                    if (list.items[i].point.gap < 0) up = std::fmax(up, list.items[i].normal.z);
                EXPECT_GT(up, 0.3) << name(shape) << " at " << depth / size << " of its size, sample " << k;
            }
}

}  // namespace
}  // namespace asperity::geometry
