// Contacts of two boxes located by their ids, against a full search at the same poses.
#include <gtest/gtest.h>

#include "asperity/geometry/convex_contact/box_features.h"
#include "asperity/geometry/convex_contact/features.h"
#include "collide_fixture.h"

namespace asperity::geometry {
namespace {

using Outcome = BoxFeatures::Outcome;

/// Boxes that touch within the margin, at random orientations or nearly face to face.
bool touching_pair(Random& random, const Box& a, const Box& b, Pose& pa, Pose& pb) {
    pa = {{1, -2, 3}, random_turn(random)};
    pb = {pa.position, random.below(2) ? pa.orientation * rotation(random.uniform(0, 0.05) * random_direction(random))
                                       : random_turn(random)};
    const Vec3 d = random_direction(random);
    const Travel travel = travel_to_touch(a, pa, b, pb, -d);
    if (!travel.meets) return false;
    pb.position -= (travel.distance + random.uniform(-2e-3, 1e-3)) * d;
    return true;
}

Pose moved(const Pose& pose, Random& random) {
    return {pose.position + 2e-3 * random_direction(random),
            rotation(random.uniform(0, 0.01) * random_direction(random)) * pose.orientation};
}

// If both the old and the new search find a feature, its id alone gives the new contact point. The formulas are the same, so
// the two agree to rounding.
TEST(BoxFeatures, PlacesAreThoseOfASearch) {
    Random random(5);
    const Box a{{0.1, 0.12, 0.15}}, b{{0.2, 0.05, 0.1}};
    int by_face = 0, by_edges = 0, unknown = 0, wrongly_parted = 0;
    for (int round = 0; round < 4000; ++round) {
        Pose pa, pb;
        if (!touching_pair(random, a, b, pa, pb)) continue;
        Manifold before, after;
        collide(a, pa, b, pb, 5e-3, {}, before);
        std::uint32_t ids[4];
        for (int i = 0; i < before.count; ++i) ids[i] = before.points[i].feature;
        pa = moved(pa, random);
        pb = moved(pb, random);
        collide(a, pa, b, pb, 5e-3, {ids, static_cast<size_t>(before.count)}, after);
        const BoxFeatures features(a, pa, b, pb);
        for (int i = 0; i < before.count; ++i) {
            for (int k = 0; k < after.count; ++k) {
                if (after.points[k].feature != ids[i]) continue;
                BoxFeatures::LocatedContact spot;
                const Outcome outcome = features.locate(ids[i], before.normal, spot);
                if (outcome == Outcome::Unknown) {
                    ++unknown;
                    continue;
                }
                // A vertex within the slack of a side: the search keeps it or not, depending on the clipping plane.
                if (outcome == Outcome::Part) {
                    ++wrongly_parted;
                    continue;
                }
                ++(static_cast<AxisKind>(ids[i] >> 30) == AxisKind::Edges ? by_edges : by_face);
                EXPECT_LT(length(spot.normal - after.normal), 1e-12) << "round " << round;
                EXPECT_LT(length(spot.point - 0.5 * (after.points[k].on_a + after.points[k].on_b)), 1e-12)
                    << "round " << round;
            }
        }
    }
    EXPECT_GT(by_face, 2000);
    EXPECT_GT(by_edges, 300);
    EXPECT_LT(unknown, 0.05 * (by_face + by_edges));
    EXPECT_LT(wrongly_parted, 0.01 * (by_face + by_edges));
}

// A vertex that has left the face, and two edges that have passed each other, are no longer in contact.
TEST(BoxFeatures, WhatSlidesOffParts) {
    const Box cube{{0.1, 0.1, 0.1}};
    const Pose below{{0, 0, 0}, {}}, above{{0.15, 0, 0.2}, {}};  // overhang of 0.15 along x
    Manifold manifold;
    ASSERT_TRUE(collide(cube, below, cube, above, 1e-3, {}, manifold));
    int meet = 0, part = 0;
    for (const double slide : {0.0, 0.06}) {
        const BoxFeatures features(cube, below, cube, {{0.15 + slide, 0, 0.2}, {}});
        for (int i = 0; i < manifold.count; ++i) {
            BoxFeatures::LocatedContact spot;
            const Outcome outcome = features.locate(manifold.points[i].feature, manifold.normal, spot);
            meet += slide == 0 && outcome == Outcome::Meet;
            part += slide > 0 && outcome == Outcome::Part;
        }
    }
    EXPECT_EQ(meet, manifold.count);
    EXPECT_EQ(part, manifold.count);
}

}  // namespace
}  // namespace asperity::geometry
