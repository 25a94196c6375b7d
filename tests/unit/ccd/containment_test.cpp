// Points and bodies inside closed surfaces.
#include <gtest/gtest.h>

#include "asperity/core/random.h"
#include "soup.h"

namespace asperity::ccd {
namespace {

// Rays from these points pass through edges and vertices of the lattice-aligned meshes, where careless counting fails.
TEST(Inside, IsRightForCubesAndPointsWhoseRaysMeetEdgesAndVertices) {
    Soup<3> soup;
    soup.add(cube(), {0, 0, 0}, 4);
    for (int i = -1; i <= 5; ++i)
        for (int j = -1; j <= 5; ++j)
            for (int k = -1; k <= 5; ++k) {
                const auto strictly = [](int v) { return v > 0 && v < 4; };
                const auto outside = [](int v) { return v < 0 || v > 4; };
                const Vector<3> p{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)};
                const bool found = inside<3>(p, soup.view(), soup.points(), 0);
                if (strictly(i) && strictly(j) && strictly(k)) { EXPECT_TRUE(found) << i << j << k; }
                if (outside(i) || outside(j) || outside(k)) { EXPECT_FALSE(found) << i << j << k; }
            }
}

TEST(Inside, AgreesWithTheRadiusForASphere) {
    Random random(1);
    for (const double scale : {1e-6, 1.0, 1e6}) {
        Soup<3> soup;
        soup.add(sphere(24, 1), {0, 0, 0}, scale);
        for (int i = 0; i < 400; ++i) {
            // The polyhedron lies between the radii cos(pi/24)^2 > 0.98 and 1. Half of the rays start below a vertex.
            Vector<3> p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
            if (random.below(2) == 0)
                p.head<2>() =
                    soup.x[static_cast<std::size_t>(random.below(static_cast<int>(soup.x.size())))].head<2>() / scale;
            const double r = p.norm();
            if (r > 0.98 && r < 1.0001) continue;
            EXPECT_EQ(inside<3>(scale * p, soup.view(), soup.points(), 0), r < 1) << p.transpose();
        }
    }
}

TEST(Inside, DoesNotDependOnTheOrientationOfFaces) {
    Soup<3> inward, mixed;
    inward.add(cube(), {0, 0, 0});
    mixed = inward;
    for (auto& f : inward.faces) std::swap(f[1], f[2]);
    std::swap(mixed.faces[3][0], mixed.faces[3][1]);
    for (const Soup<3>* soup : {&inward, &mixed}) {
        EXPECT_TRUE(inside<3>({0.5, 0.5, 0.5}, soup->view(), soup->points(), 0));
        EXPECT_TRUE(inside<3>({0.2, 0.7, 0.1}, soup->view(), soup->points(), 0));
        EXPECT_FALSE(inside<3>({0.2, 0.7, -0.1}, soup->view(), soup->points(), 0));
    }
}

TEST(Inside, CountsTheOverlapOfASurfaceWithItselfAsInside) {
    Soup<3> soup;
    soup.add(cube(), {0, 0, 0});
    soup.add(cube(), {0.5, 0.5, 0.5});
    soup.body.assign(soup.body.size(), 0);
    soup.bodies = 1;
    EXPECT_TRUE(inside<3>({0.75, 0.75, 0.75}, soup.view(), soup.points(), 0));
    EXPECT_TRUE(inside<3>({0.25, 0.25, 0.25}, soup.view(), soup.points(), 0));
    EXPECT_FALSE(inside<3>({1.25, 0.25, 0.25}, soup.view(), soup.points(), 0));
}

TEST(Inside, OfAnOpenSurfaceIsNothing) {
    Soup<3> soup;
    soup.add(cube(), {0, 0, 0});
    soup.faces.pop_back();
    EXPECT_FALSE(inside<3>({0.5, 0.5, 0.5}, soup.view(), soup.points(), 0));
    Soup<2> plane;
    plane.add(square(), {0, 0});
    EXPECT_TRUE(inside<2>({0.5, 0.5}, plane.view(), plane.points(), 0));
    plane.edges.pop_back();
    EXPECT_FALSE(inside<2>({0.5, 0.5}, plane.view(), plane.points(), 0));
}

TEST(Inside, IsRightInThePlaneForRaysThroughVertices) {
    Soup<2> soup;
    soup.add_body();
    // A star whose vertices lie above each other; the ray upwards from most points passes through some.
    const std::vector<Vector<2>> star = {{0, 0}, {2, -1}, {4, 0}, {3, 2}, {4, 4}, {2, 3}, {0, 4}, {1, 2}};
    for (const Vector<2>& v : star) soup.vertex(v);
    for (int k = 0; k < 8; ++k) soup.edge(k, (k + 1) % 8);
    EXPECT_TRUE(inside<2>({2, 0}, soup.view(), soup.points(), 0));
    EXPECT_TRUE(inside<2>({1, 0}, soup.view(), soup.points(), 0));
    EXPECT_TRUE(inside<2>({3, 0}, soup.view(), soup.points(), 0));
    EXPECT_FALSE(inside<2>({0, -1}, soup.view(), soup.points(), 0));
    EXPECT_FALSE(inside<2>({0, 2}, soup.view(), soup.points(), 0));
    EXPECT_FALSE(inside<2>({4, 2}, soup.view(), soup.points(), 0));
    EXPECT_FALSE(inside<2>({1, -1}, soup.view(), soup.points(), 0));
    EXPECT_FALSE(inside<2>({2, 3.5}, soup.view(), soup.points(), 0));
}

TEST(Containment, FindsABodyInsideAnotherThatCrossesNothing) {
    Soup<3> soup;
    soup.add(cube(), {10, 0, 0});
    soup.add(sphere(12, 1), {0, 0, 0}, 3);
    soup.add(cube(), {-0.5, -0.5, -0.5});
    ASSERT_FALSE(first_intersection<3>(soup.view(), soup.points()).found);
    const Containment found = first_containment<3>(soup.view(), soup.points());
    ASSERT_TRUE(found.found);
    EXPECT_EQ(found.body, 2);
    EXPECT_EQ(found.container, 1);
    EXPECT_EQ(soup.body[static_cast<std::size_t>(found.vertex)], 2);
    EXPECT_EQ(found.where.x, -0.5);

    soup.collide = {1, 1, 1, 1, 1, 0, 1, 0, 1};
    EXPECT_FALSE(first_containment<3>(soup.view(), soup.points()).found);
    soup.collide.clear();
    soup.faces.erase(soup.faces.begin() + 20);  // of the sphere: open
    EXPECT_FALSE(first_containment<3>(soup.view(), soup.points()).found);
}

TEST(Containment, LooksAtEachConnectedPartOfABody) {
    Soup<2> soup;
    soup.add(square(), {0, 0}, 10);
    soup.add(square(), {20, 0});
    const int first = static_cast<int>(soup.x.size());
    for (const Vector<2>& v : square().x) soup.vertex(v + Vector<2>{5, 5});  // a second part of body 1
    for (int k = 0; k < 4; ++k) soup.edge(first + k, first + (k + 1) % 4);
    const Containment found = first_containment<2>(soup.view(), soup.points());
    ASSERT_TRUE(found.found);
    EXPECT_EQ(found.body, 1);
    EXPECT_EQ(found.container, 0);
    EXPECT_EQ(found.vertex, first);
    EXPECT_EQ(found.where.z, 5);
}

TEST(Containment, ABodyInAHollowOneIsOutside) {
    Soup<3> soup;
    soup.add(sphere(16, 1), {0, 0, 0}, 5);
    Soup<3> wall = sphere(16, 1);
    for (auto& f : wall.faces) std::swap(f[1], f[2]);  // inwards
    soup.add(wall, {0, 0, 0}, 4);
    for (int& b : soup.body) b = 0;  // both are one hollow body
    soup.bodies = 1;
    soup.add(cube(), {0.3, 0.2, 0.1});
    EXPECT_FALSE(first_containment<3>(soup.view(), soup.points()).found);
    EXPECT_TRUE(inside<3>({0, 0, 4.5}, soup.view(), soup.points(), 0));
}

}  // namespace
}  // namespace asperity::ccd
