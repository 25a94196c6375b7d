// Support points and bounds against each other and against sampling.
#include "asperity/geometry/shape/shape.h"

#include <gtest/gtest.h>

#include "asperity/core/random.h"
#include "tests/support/random_direction.h"

namespace asperity::geometry {
namespace {

Quat random_rotation(Random& random) {
    return normalized(Quat{random.normal(), random.normal(), random.normal(), random.normal()});
}

std::vector<Shape> solid_shapes() {
    const std::vector<Vec3> points{{-0.5, -0.2, 0.1}, {0.9, 0.1, 0}, {0.2, 0.8, 0.3}, {0.1, 0.2, -0.7}, {0, 0.1, 1.1}};
    return {Sphere{0.7}, Box{{0.3, 0.5, 0.9}}, Capsule{0.2, 0.6}, Cylinder{0.4, 0.3}, convex_hull(points)};
}

TEST(Name, IsTheWordOfSceneFiles) {
    EXPECT_EQ(name(Sphere{1}), "sphere");
    EXPECT_EQ(name(Box{{1, 1, 1}}), "box");
    EXPECT_EQ(name(Capsule{1, 1}), "capsule");
    EXPECT_EQ(name(Cylinder{1, 1}), "cylinder");
    EXPECT_EQ(name(HalfSpace{}), "half_space");
    EXPECT_EQ(name(solid_shapes().back()), "hull");
}

TEST(Support, IsNeverBeatenByAnyPointOfTheMesh) {
    Random random(11);
    for (const Shape& shape : solid_shapes()) {
        const TriangleMesh mesh = triangulate(shape, 32);
        for (int k = 0; k < 200; ++k) {
            const Vec3 d = random.uniform(0.01, 100) * random_direction(random);
            const double reach = dot(support(shape, d), d);
            double mesh_reach = -1e300;
            for (const Vec3& p : mesh.positions) mesh_reach = std::max(mesh_reach, dot(p, d));
            EXPECT_GE(reach, mesh_reach - 1e-14 * length(d)) << name(shape);
            // 32 segments miss at most the sagitta 1 - cos(pi/32) = 0.5 % in each of two directions, for sizes up to 1.1.
            EXPECT_LE(reach, mesh_reach + 0.011 * length(d)) << name(shape);
        }
    }
}

TEST(Support, LiesOnTheShapeAlongTheAxesToo) {
    for (const Shape& shape : solid_shapes()) {
        for (const Vec3& d : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, -1, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}}) {
            const Aabb box = bounds(shape, {});
            const Vec3 p = support(shape, d);
            EXPECT_NEAR(dot(p, d), std::max(dot(box.low, d), dot(box.high, d)), 1e-15) << name(shape);
            EXPECT_TRUE(box.grown(1e-15).overlaps({p, p})) << name(shape);
        }
    }
}

// The bound along an axis is the support along it; the two are computed differently.
TEST(Bounds, AreTightInAnyPose) {
    Random random(12);
    for (const Shape& shape : solid_shapes()) {
        for (int k = 0; k < 200; ++k) {
            const Pose pose{{random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)}, random_rotation(random)};
            const Aabb box = bounds(shape, pose);
            for (int axis = 0; axis < 3; ++axis) {
                Vec3 d;
                d[axis] = 1;
                const double high = (pose * support(shape, rotate_inverse(pose.orientation, d)))[axis];
                const double low = (pose * support(shape, rotate_inverse(pose.orientation, -d)))[axis];
                // Sums of a few terms below 5: rounding is some 1e-15.
                EXPECT_NEAR(box.high[axis], high, 1e-14) << name(shape);
                EXPECT_NEAR(box.low[axis], low, 1e-14) << name(shape);
            }
        }
    }
}

TEST(Bounds, OfAHalfSpaceEndAtItsPlaneOnlyWhenAxisAligned) {
    const Shape ground = HalfSpace{};
    const Aabb level = bounds(ground, {{4, 5, 6}, {}});
    EXPECT_EQ(level.high, (Vec3{1e30, 1e30, 6}));
    EXPECT_EQ(level.low, (Vec3{-1e30, -1e30, -1e30}));
    // Normal along -y: a quarter turn about x, as from a scene file, with the rounding of its sine.
    const Aabb wall = bounds(ground, {{4, 5, 6}, rotation({radians(90), 0, 0})});
    EXPECT_EQ(wall.low, (Vec3{-1e30, 5, -1e30}));
    EXPECT_EQ(wall.high, (Vec3{1e30, 1e30, 1e30}));
    const Aabb slope = bounds(ground, {{4, 5, 6}, rotation({radians(1), 0, 0})});
    EXPECT_EQ(slope.high.z, 1e30);
    EXPECT_EQ(slope.low.y, -1e30);
}

}  // namespace
}  // namespace asperity::geometry
