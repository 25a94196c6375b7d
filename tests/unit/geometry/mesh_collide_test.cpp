// Contacts of meshes: against closed forms, and against the same pair with a primitive in place of the mesh.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/geometry/convex_contact/approach.h"
#include "asperity/geometry/convex_contact/collide.h"
#include "tests/unit/geometry/meshes.h"

namespace asperity::geometry {
namespace {

ContactList contact(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb, double margin) {
    ContactList list;
    const bool touching = collide_mesh(a, pa, b, pb, margin, {}, list);
    EXPECT_EQ(touching, list.count > 0);
    for (int i = 0; i < list.count; ++i) {
        const auto& [n, p] = list.items[i];
        EXPECT_NEAR(length(n), 1, 1e-12);
        EXPECT_LT(length(p.on_b - p.on_a - p.gap * n), 1e-9);
        EXPECT_LE(p.gap, margin + 1e-12);
        for (int k = 0; k < i; ++k) EXPECT_NE(list.items[k].point.feature, p.feature);
    }
    return list;
}
double smallest_gap(const ContactList& list) {
    double gap = 1e9;
    for (int i = 0; i < list.count; ++i) gap = std::min(gap, list.items[i].point.gap);
    return gap;
}
double smallest_gap(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb, double margin) {
    Manifold m;
    if (!collide(a, pa, b, pb, margin, {}, m)) return 1e9;
    double gap = 1e9;
    for (int i = 0; i < m.count; ++i) gap = std::min(gap, m.points[i].gap);
    return gap;
}

TEST(MeshCollide, BoxOnFlatTrianglesStandsOnItsFourCorners) {
    const Mesh floor = make_mesh(flat_data(20, 2));
    Random random(1);
    for (int i = 0; i < 50; ++i) {
        const Pose pose{{random.uniform(-1, 1), random.uniform(-1, 1), 0.1 - 1e-9}, rotation({0, 0, random.uniform(-3, 3)})};
        const ContactList list = contact(floor, {}, Box{{0.2, 0.3, 0.1}}, pose, 0.005);
        ASSERT_EQ(list.count, 4);
        for (int k = 0; k < 4; ++k) {
            EXPECT_LT(length(list.items[k].normal - Vec3{0, 0, 1}), 1e-12);
            EXPECT_NEAR(list.items[k].point.gap, -1e-9, 1e-12);
            EXPECT_NEAR(
                std::hypot(list.items[k].point.on_b.x - pose.position.x, list.items[k].point.on_b.y - pose.position.y),
                std::hypot(0.2, 0.3), 1e-9);
        }
    }
}

TEST(MeshCollide, SphereOverFlatTrianglesHasOneContactWithTheSameIdEverywhere) {
    const Mesh floor = make_mesh(flat_data(20, 2));
    Random random(2);
    std::uint32_t id = 0;
    for (int i = 0; i < 200; ++i) {
        const Vec3 at{random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), 0.1 + 1e-4};
        const ContactList list = contact(floor, {}, Sphere{0.1}, {at, {}}, 0.005);
        ASSERT_EQ(list.count, 1);
        EXPECT_EQ(list.items[0].normal, (Vec3{0, 0, 1}));
        EXPECT_NEAR(list.items[0].point.gap, 1e-4, 1e-12);
        if (i == 0) id = list.items[0].point.feature;
        EXPECT_EQ(list.items[0].point.feature, id);
    }
}

/// A mesh of a box must touch as the box does, from outside and for small overlaps.
TEST(MeshCollide, MeshOfABoxTouchesEveryShapeAsTheBoxDoes) {
    const Vec3 half{0.5, 0.4, 0.3};
    const Mesh mesh = make_mesh(box_data(half));
    const Box box{half};
    const std::vector<Vec3> points{{0.2, 0, 0}, {-0.1, 0.15, 0}, {-0.1, -0.15, 0}, {0, 0, 0.25}, {0, 0.02, -0.2}};
    const Shape others[] = {Sphere{0.15}, Capsule{0.1, 0.2}, Box{{0.2, 0.15, 0.1}}, convex_hull(points),
                            Cylinder{0.12, 0.2}};
    Random random(4);
    for (const Shape& other : others) {
        int touching = 0;
        for (int i = 0; i < 400; ++i) {
            const Pose pose{{random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8), random.uniform(-0.6, 0.6)},
                            rotation(3.0 * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)})};
            const double exact = smallest_gap(box, {}, other, pose, 0.05);
            if (exact < -0.01) continue;  // deep overlaps may have another exit
            const ContactList list = contact(mesh, {}, other, pose, 0.05);
            const double ours = smallest_gap(list);
            if (exact > 0.049) continue;
            ++touching;
            // Separated shapes have one answer. Overlapping ones may have two exits of nearly the same length, and the
            // choices differ.
            EXPECT_NEAR(ours, exact,
                        exact > 0 ? (std::holds_alternative<Cylinder>(other) ? 1e-5 : 1e-9) : 1e-3 - 0.7 * exact)
                << name(other) << " " << i;
        }
        EXPECT_GT(touching, 20) << name(other);
    }
}

TEST(MeshCollide, TwoMeshesOfBoxesTouchAsBoxesDo) {
    const Vec3 half{0.5, 0.4, 0.3}, small{0.2, 0.15, 0.1};
    const Mesh a = make_mesh(box_data(half)), b = make_mesh(box_data(small));
    Random random(6);
    int touching = 0;
    for (int i = 0; i < 500; ++i) {
        const Pose pose{{random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8), random.uniform(-0.6, 0.6)},
                        rotation(3.0 * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)})};
        const double exact = smallest_gap(Box{half}, {}, Box{small}, pose, 0.05);
        if (exact < -0.01 || exact > 0.049) continue;
        ++touching;
        EXPECT_NEAR(smallest_gap(contact(a, {}, b, pose, 0.05)), exact, exact > 0 ? 1e-9 : 1e-3 - 0.7 * exact) << i;
        EXPECT_NEAR(smallest_gap(contact(b, pose, a, {}, 0.05)), exact, exact > 0 ? 1e-9 : 1e-3 - 0.7 * exact) << i;
    }
    EXPECT_GT(touching, 20);
}

TEST(MeshCollide, SwappingTheShapesTurnsTheNormalsOnly) {
    const Mesh floor =
        make_mesh(sheet_data(20, 2, 0.3, [](double x, double y) { return 0.1 * std::sin(3 * x) * std::cos(2 * y); }));
    const Box box{{0.3, 0.2, 0.1}};
    const Pose pose{{0.1, 0.2, 0.15}, rotation({0.1, 0.2, 0.3})};
    const ContactList ab = contact(floor, {}, box, pose, 0.05), ba = contact(box, pose, floor, {}, 0.05);
    ASSERT_GT(ab.count, 0);
    ASSERT_EQ(ab.count, ba.count);
    for (int i = 0; i < ab.count; ++i) {
        EXPECT_EQ(ab.items[i].normal, -ba.items[i].normal);
        EXPECT_EQ(ab.items[i].point.on_a, ba.items[i].point.on_b);
        EXPECT_EQ(ab.items[i].point.feature, ba.items[i].point.feature);
    }
}

TEST(MeshCollide, BallInsideASolidIsPushedOutThroughTheNearestFace) {
    const Mesh solid = make_mesh(box_data({1, 1, 1}));
    const ContactList list = contact(solid, {}, Sphere{0.05}, {{0.2, 0.1, 0.7}, {}}, 0.005);
    ASSERT_GE(list.count, 1);
    EXPECT_LT(length(list.items[0].normal - Vec3{0, 0, 1}), 1e-12);
    EXPECT_NEAR(list.items[0].point.gap, -0.35, 1e-12);
}

TEST(MeshCollide, SheetHoldsBothSides) {
    const Mesh sheet = make_mesh(flat_data(6, 1));
    for (const double side : {1.0, -1.0}) {
        const ContactList list = contact(sheet, {}, Sphere{0.1}, {{0.13, 0.21, side * 0.15}, {}}, 0.1);
        ASSERT_EQ(list.count, 1);
        EXPECT_LT(length(list.items[0].normal - Vec3{0, 0, side}), 1e-12);
        EXPECT_NEAR(list.items[0].point.gap, 0.05, 1e-12);
        const ContactList box = contact(sheet, {}, Box{{0.1, 0.1, 0.1}}, {{0.13, 0.21, side * 0.101}, {}}, 0.01);
        ASSERT_EQ(box.count, 4);
        for (int i = 0; i < 4; ++i) EXPECT_NEAR(box.items[i].normal.z, side, 1e-12);
    }
}

TEST(MeshCollide, BallInAGrooveTouchesBothWalls) {
    const Mesh groove = make_mesh(sheet_data(8, 1, 0, [](double x, double) { return std::fabs(x); }));
    const double r = 0.1;
    const ContactList list = contact(groove, {}, Sphere{r}, {{0, 0.03, r * std::sqrt(2.0)}, {}}, 0.005);
    ASSERT_EQ(list.count, 2);
    EXPECT_NEAR(dot(list.items[0].normal, list.items[1].normal), 0, 1e-12);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(list.items[i].point.gap, 0, 1e-12);
}

TEST(MeshCollide, BoxOnARidgeTouchesAlongIt) {
    const Mesh ridge = make_mesh(sheet_data(8, 1, 0, [](double x, double) { return -std::fabs(x); }));
    const ContactList list = contact(ridge, {}, Box{{0.2, 0.3, 0.1}}, {{0.05, 0.01, 0.1}, {}}, 0.005);
    ASSERT_GE(list.count, 2);
    double low = 1, high = -1;
    for (int i = 0; i < list.count; ++i) {
        EXPECT_NEAR(list.items[i].point.gap, 0, 1e-9);
        EXPECT_NEAR(list.items[i].normal.z, 1, 1e-6);
        low = std::min(low, list.items[i].point.on_a.y);
        high = std::max(high, list.items[i].point.on_a.y);
    }
    EXPECT_NEAR(low, -0.29, 1e-9);
    EXPECT_NEAR(high, 0.31, 1e-9);
}

// A box under a block, both beside a wall at x = -0.5: the box has been pushed up by 4 mm and into the wall by 0.5 mm. The
// block's vertices there are nearest to the side of the box that faces the wall, which is no exit. The top of the box must
// hold them.
TEST(MeshCollide, CornersWedgedInAtAWallAreHeldByTheFaceBeside) {
    const Mesh block = make_mesh(box_data({0.5, 0.2, 0.3}));
    const Box box{{0.4, 0.5, 0.2}};
    const Pose under{{-0.5005 + 0.4, 0, -0.3 - 0.2 + 0.004}, {}};
    const ContactList list = contact(block, {}, box, under, 0.005);
    int held = 0;
    for (int i = 0; i < list.count; ++i) {
        const auto& [n, p] = list.items[i];
        if (p.on_a.x > -0.5 + 1e-9) continue;
        EXPECT_LT(length(n - Vec3{0, 0, -1}), 1e-12);
        EXPECT_NEAR(p.gap, -0.004, 1e-12);
        EXPECT_NEAR(std::fabs(p.on_a.y), 0.2, 1e-12);
        ++held;
    }
    EXPECT_EQ(held, 2);
}

// A box deep under a block, deeper at the end that is inside. Contacts: its vertices there, and its edges where they leave
// the block at the other end, z = -0.127. With the vertices alone it would rotate about them and sink in at the other end.
TEST(MeshCollide, DeepEdgesAreHeldAtBothEnds) {
    const Mesh block = make_mesh(box_data({0.318, 0.318, 0.127}));
    const Box box{{0.1, 0.1, 0.16}};
    for (const double tilt : {0.02, -0.02}) {
        const Pose under{{-0.1, -0.318 + 0.008 - 0.1, -0.035}, rotation({tilt, 0, 0})};
        const ContactList list = contact(block, {}, box, under, 0.005);
        int inside = 0, leaving = 0;
        for (int i = 0; i < list.count; ++i) {
            const auto& [n, p] = list.items[i];
            if (!(p.gap < -0.004)) continue;
            EXPECT_LT(n.y, -0.99);
            ++(p.on_a.z > 0 ? inside : leaving);
        }
        EXPECT_EQ(inside, 2) << tilt;
        EXPECT_EQ(leaving, 2) << tilt;
    }
}

// A bar with an edge down lies across a beam, y = -0.1 to 0.1. It rests on the rim y = 0.1, tilted, up to 2 mm above the
// other rim. Within a step it may tilt onto that one. With one rim at a time as its contact, it rocks between the two by 10
// mm a step, until it is too deep for either.
TEST(MeshCollide, AnEdgeAcrossTwoEdgesIsHeldByBothWhileItTiltsByNoMoreThanTheMargin) {
    const Mesh beam = make_mesh(box_data({0.3, 0.1, 0.1}));
    const Box bar{{0.05, 0.25, 0.05}};
    const Quat edge_down = rotation({0, radians(45), 0});
    const double drop = std::sqrt(2.0) * 0.05;
    for (const double tilt : {0.0, 0.003, 0.01}) {
        const Quat tilted = rotation({-tilt, 0, 0});
        const Vec3 rim{0.02, 0.1, 0.1};  // contact point of the bar's edge
        const Pose pose{rim - rotate(tilted, {0, 0.1, -drop}), tilted * edge_down};
        const ContactList list = contact(beam, {}, bar, pose, 0.005);
        double far_rim = 1;
        for (int i = 0; i < list.count; ++i) {
            const auto& [n, p] = list.items[i];
            EXPECT_GT(n.z, std::cos(tilt) - 1e-9);
            if (std::fabs(p.on_a.y + 0.1) < 1e-9) far_rim = p.gap;
        }
        EXPECT_NEAR(smallest_gap(list), 0, 1e-12) << tilt;
        EXPECT_NEAR(far_rim, 0.2 * std::sin(tilt), 1e-12) << tilt;
    }
}

// A bar through the rim of a block, deeper than edge contacts, with both ends outside: it leaves by one of the two faces
// that meet at the rim.
TEST(MeshCollide, WhatIsDeepInASolidWithNoCornerInsideIsPushedOut) {
    const Mesh block = make_mesh(box_data({0.5, 0.5, 0.5}));
    const Pose through{{0.44, 0.1, 0.44}, rotation({0, radians(135), 0})};  // its axis is perpendicular to the diagonal
    for (const Shape& bar : {Shape(Cylinder{0.05, 0.3}), Shape(Box{{0.05, 0.05, 0.3}})}) {
        const ContactList list = contact(block, {}, bar, through, 0.005);
        ASSERT_GT(list.count, 0) << name(bar);
        for (int i = 0; i < list.count; ++i) {
            const auto& [n, p] = list.items[i];
            if (p.gap >= 0) continue;
            EXPECT_GT(larger(n.x, n.z), 0.7) << name(bar);
        }
        EXPECT_LT(smallest_gap(list), -0.059) << name(bar);  // the bar's middle is 60 mm under both
    }
}

// A plate across the rim of a block, 50 mm deep, with no vertex of either in the other, as if thrown over it within a step.
// It must not stay there without contacts.
TEST(MeshCollide, ARimThatIsDeepInAPlateIsPushedOutOfIt) {
    const Mesh block = make_mesh(box_data({0.5, 0.5, 0.5}));
    const Vec3 diagonal = normalized(Vec3{1, 0, 1}), rim{0.5, 0.1, 0.5};
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k) corners.push_back({k & 1 ? 0.3 : -0.3, k & 2 ? 0.1 : -0.1, k & 4 ? 0.06 : -0.06});
    for (const Shape& plate : {Shape(Box{{0.3, 0.1, 0.06}}), Shape(convex_hull(corners)), Shape(Cylinder{0.3, 0.06})}) {
        const ContactList list = contact(block, {}, plate, {rim + 0.01 * diagonal, rotation({0, radians(45), 0})}, 0.005);
        ASSERT_GT(list.count, 0) << name(plate);
        EXPECT_NEAR(smallest_gap(list), -0.05, 1e-12) << name(plate);
        for (int i = 0; i < list.count; ++i) {
            const auto& [n, p] = list.items[i];
            if (p.gap > -0.04) continue;
            EXPECT_LT(length(n - diagonal), 1e-12) << name(plate);
            EXPECT_LT(length(p.on_a - rim), 1e-12) << name(plate);  // the middle of the part inside
        }
    }
}

// A cylinder stuck in a trough narrower than itself. Held by the deeper rim alone, it would be driven into the other one and
// rock from side to side, step by step.
TEST(MeshCollide, ACanThatIsDeepBetweenTwoRimsIsPushedOutOfBoth) {
    const Mesh trough =
        prism({{-0.2, -0.2}, {0.2, -0.2}, {0.2, 0}, {0.07, 0}, {0.07, -0.15}, {-0.07, -0.15}, {-0.07, 0}, {-0.2, 0}},
              {{1, 2, 3}, {1, 3, 4}, {0, 1, 4}, {0, 4, 5}, {0, 5, 6}, {0, 6, 7}}, 0.3);
    for (const double aside : {0.0, 0.002}) {  // distance from the middle
        const ContactList list =
            contact(trough, {}, Cylinder{0.1, 0.1}, {{aside, 0, 0.05}, rotation({radians(90), 0, 0})}, 0.002);
        for (const double rim : {-0.07, 0.07}) {
            const double away = std::hypot(aside - rim, 0.05);
            bool held = false;
            for (int i = 0; i < list.count; ++i) {
                const auto& [n, p] = list.items[i];
                held |= std::fabs(p.gap - (away - 0.1)) < 1e-12 && std::fabs(n.x - (aside - rim) / away) < 1e-12;
            }
            EXPECT_TRUE(held) << aside << " " << rim;
        }
    }
}

// A thin plate through a cylinder except for its last 3 mm. The plate's rim is no deeper than that and points out of the
// cylinder there. It must not leave by an end of the cylinder, 60 mm away: the plate's faces are 2 mm away.
TEST(MeshCollide, ARimThatHasComeThroughACanDoesNotLeaveByItsEnds) {
    const Mesh plate = make_mesh(box_data({0.15, 0.15, 0.002}));
    const ContactList list =
        contact(plate, {}, Cylinder{0.05, 0.06}, {{0.15 + 0.003 - 0.05, 0, 0}, rotation({radians(90), 0, 0})}, 0.002);
    ASSERT_GT(list.count, 0);
    EXPECT_NEAR(smallest_gap(list), -0.002, 1e-12);
}

// A ball is deep only if its centre is, whatever was in contact before.
TEST(MeshCollide, ACapsuleOverAFaceTouchesItHoweverDeepItsRoundIs) {
    const Mesh block = make_mesh(box_data({0.5, 0.5, 0.5}));
    for (const double height : {0.09, 0.04, 1e-3}) {
        ContactList list;
        collide_mesh(block, {}, Capsule{0.1, 0.1}, {{0.1, 0, 0.6 + height}, {}}, 0.005, {}, Approach{}, list);
        ASSERT_GT(list.count, 0) << height;
        EXPECT_NEAR(smallest_gap(list), height - 0.1, 1e-12);
    }
}

// A block and a hull on one floor, z = -0.3. The hull's lowest vertex is at the block's side, x = 0.5, at a gap of -4 to 1
// um, and up to 16 mm from the block's end, y = 0.4. The block's bottom may be nearer than either, but the hull is mostly
// behind it. That is no reason to leave by the end instead of the side.
TEST(MeshCollide, CornerAtTheFootOfASideDoesNotLeaveByTheEndOfTheBlock) {
    const Mesh block = make_mesh(box_data({0.5, 0.4, 0.3}));
    const std::vector<Vec3> points{{0, 0, 0}, {0.3, 0.2, 0}, {0.3, 0.1, 0.3}, {0.1, 0.4, 0.1}, {0.2, 0.3, 0.3}};
    const Shape hull = convex_hull(points);
    for (const double along : {0.016, 0.01, 0.003, 0.0005})
        // The last is within the rounding of a vertex on the floor.
        for (const double up : {3e-6, 1e-6, 1e-7, 0.0, -5e-8}) {
            for (const double gap : {-4e-6, -1e-7, 0.0, 1e-12, 1e-7, 1e-6}) {
                const ContactList list = contact(block, {}, hull, {{0.5 + gap, 0.4 - along, -0.3 + up}, {}}, 0.003);
                EXPECT_NEAR(smallest_gap(list), gap, 1e-6) << along << " " << up;
            }
        }
}

TEST(MeshTravel, ShapesStopWhereTheyTouch) {
    const Mesh mesh = make_mesh(box_data({0.5, 0.4, 0.3}));
    for (const Shape& other : {Shape(Sphere{0.1}), Shape(Box{{0.1, 0.2, 0.1}}), Shape(mesh)}) {
        const Pose pose{{0.2, 0.1, 3}, rotation({0.3, 0.4, 0.1})};
        const Travel down = travel_to_touch(mesh, {}, other, pose, {0, 0, -1});
        const Travel box =
            travel_to_touch(Box{{0.5, 0.4, 0.3}}, {},
                            std::holds_alternative<Mesh>(other) ? Shape(Box{{0.5, 0.4, 0.3}}) : other, pose, {0, 0, -1});
        ASSERT_TRUE(down.meets);
        EXPECT_NEAR(down.distance, box.distance, 1e-9) << name(other);
    }
    EXPECT_NEAR(travel_to_touch(HalfSpace{}, {}, mesh, {{0, 0, 2}, {}}, {0, 0, -1}).distance, 1.7, 1e-12);
    EXPECT_FALSE(travel_to_touch(mesh, {}, Sphere{0.1}, {{3, 0, 3}, {}}, {0, 0, -1}).meets);
}

}  // namespace
}  // namespace asperity::geometry
