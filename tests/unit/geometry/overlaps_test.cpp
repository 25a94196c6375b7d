// Whether two shapes share a point, against closed forms, for convex shapes, meshes, and one inside the other.
#include "asperity/geometry/mesh_contact/overlaps.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random_direction.h"
#include "tests/unit/geometry/meshes.h"

namespace asperity::geometry {
namespace {

TEST(Overlaps, SphereAgainstEveryShapeByItsDistance) {
    const double r = 0.1;
    const Vec3 half{0.3, 0.2, 0.4};
    const std::vector<std::pair<std::string, Shape>> boxes = {
        {"box", Box{half}},
        {"hull", Hull{std::make_shared<const Polyhedron>(box_polyhedron(half))}},
        {"mesh", make_mesh(box_data(half))},
    };
    for (const auto& [name, box] : boxes) {
        Random random(2);
        int together = 0, apart = 0;
        for (int i = 0; i < 2000; ++i) {
            const Pose pose{{1, 2, 3}, rotation(3 * random_direction(random))};
            const Vec3 center = random.uniform(0, 0.9) * random_direction(random);
            const Vec3 q = abs(center) - half;
            const double distance = length(max(q, {0, 0, 0})) + smaller(max_component(q), 0.0) - r;
            if (std::fabs(distance) < 1e-9) continue;
            const Pose at{pose * center, {}};
            EXPECT_EQ(overlaps(box, pose, Sphere{r}, at), distance < 0) << name << i;
            EXPECT_EQ(overlaps(Sphere{r}, at, box, pose), distance < 0) << name << i;
            ++(distance < 0 ? together : apart);
        }
        EXPECT_GT(together, 500) << name;
        EXPECT_GT(apart, 500) << name;
    }
}

TEST(Overlaps, OneInsideTheOther) {
    const std::vector<Shape> large = {Box{{1, 1, 1}},
                                      Sphere{1.8},
                                      Cylinder{1.5, 1},
                                      Capsule{1.2, 1},
                                      make_mesh(box_data({1, 1, 1})),
                                      Hull{std::make_shared<const Polyhedron>(box_polyhedron({1, 1, 1}))}};
    const std::vector<Shape> small = {Box{{0.01, 0.02, 0.01}},
                                      Sphere{0.01},
                                      Cylinder{0.01, 0.02},
                                      Capsule{0.01, 0.01},
                                      make_mesh(box_data({0.01, 0.01, 0.02})),
                                      Hull{std::make_shared<const Polyhedron>(box_polyhedron({0.01, 0.01, 0.01}))}};
    for (const Shape& outer : large)
        for (const Shape& inner : small)
            for (const Vec3& at : {Vec3{}, Vec3{0.3, -0.2, 0.4}}) {
                EXPECT_TRUE(overlaps(outer, {}, inner, {at, {}})) << name(outer) << name(inner);
                EXPECT_TRUE(overlaps(inner, {at, {}}, outer, {})) << name(outer) << name(inner);
                EXPECT_FALSE(overlaps(outer, {}, inner, {at + Vec3{5, 0, 0}, {}})) << name(outer) << name(inner);
            }
}

TEST(Overlaps, GroundIsSolidBelowItsSurface) {
    const Mesh ground = height_field(10, 10, {2, 2}, [](double x, double) { return 0.1 * x; });
    EXPECT_TRUE(overlaps(ground, {}, Box{{0.1, 0.1, 0.1}}, {{0, 0, -0.7}, {}}));
    EXPECT_TRUE(overlaps(ground, {}, Sphere{0.1}, {{0.5, 0.5, 0.05}, {}}));
    EXPECT_FALSE(overlaps(ground, {}, Sphere{0.1}, {{0.5, 0.5, 0.2}, {}}));
}

TEST(Overlaps, OpenMeshIsItsSurface) {
    const Mesh sheet = make_mesh(flat_data(6, 1));
    EXPECT_TRUE(overlaps(sheet, {}, Box{{0.1, 0.1, 0.1}}, {{0.2, 0.3, 0.05}, {}}));
    EXPECT_FALSE(overlaps(sheet, {}, Box{{0.1, 0.1, 0.1}}, {{0.2, 0.3, 0.15}, {}}));
    EXPECT_FALSE(overlaps(sheet, {}, Box{{0.1, 0.1, 0.1}}, {{0.2, 0.3, -0.15}, {}}));
}

TEST(Overlaps, TwoHalfSpacesUnlessTheyStandBackToBack) {
    const Quat over = rotation({3.141592653589793, 0, 0});
    EXPECT_TRUE(overlaps(HalfSpace{}, {}, HalfSpace{}, {{0, 0, 5}, {}}));
    EXPECT_TRUE(overlaps(HalfSpace{}, {}, HalfSpace{}, {{0, 0, 5}, rotation({1, 0, 0})}));
    EXPECT_FALSE(overlaps(HalfSpace{}, {}, HalfSpace{}, {{0, 0, 5}, over}));
    EXPECT_TRUE(overlaps(HalfSpace{}, {}, HalfSpace{}, {{0, 0, -5}, over}));
}

TEST(Overlaps, TouchingCounts) {
    EXPECT_TRUE(overlaps(Box{{1, 1, 1}}, {}, Box{{1, 1, 1}}, {{2, 0, 0}, {}}));
    EXPECT_FALSE(overlaps(Box{{1, 1, 1}}, {}, Box{{1, 1, 1}}, {{2 + 1e-9, 0, 0}, {}}));
    EXPECT_TRUE(overlaps(HalfSpace{}, {}, Sphere{1}, {{0, 0, 1}, {}}));
}

}  // namespace
}  // namespace asperity::geometry
