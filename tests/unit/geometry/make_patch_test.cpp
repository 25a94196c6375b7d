// Patches: regions, normals and gaps of contacts whose patch is known.
#include "overlap_fixture.h"

#include "asperity/geometry/shared_volume/outline.h"

namespace asperity::geometry {
namespace {

/// Farthest extent of the region along a world direction, from the patch's centre.
double reach(const Patch& patch, const Vec3& d) {
    const Vec2 t{dot(d, patch.u), dot(d, patch.w())};
    if (const auto* e = std::get_if<EllipseRegion>(&patch.region)) return std::hypot(e->a * t.x, e->b * t.y);
    const auto& p = std::get<PolygonRegion>(patch.region);
    double best = -1e300;
    for (int i = 0; i < p.count; ++i) best = larger(best, dot(t, p.corners[static_cast<size_t>(i)]));
    return best;
}
/// The same as a world coordinate.
double border(const Patch& patch, const Vec3& d) { return dot(d, patch.centre) + reach(patch, d); }

void expect_convex(const Patch& patch) {
    const auto& p = std::get<PolygonRegion>(patch.region);
    for (int i = 0; i < p.count; ++i) {
        const auto at = [&](int k) { return p.corners[static_cast<size_t>(k % p.count)]; };
        EXPECT_GT(cross(at(i + 1) - at(i), at(i + 2) - at(i)), 0);
    }
}

TEST(MakePatch, EllipseOfATiltedSheetHasTheAxesOfTheSheet) {
    // A box sheet 2 x 1 x 0.01, tilted by 5 degrees: the axes within 1 degree, the semi-axes 1 and 0.5 within 1 % with K =
    // 3.
    const Quat tilt = rotation(radians(5) * normalized(Vec3{1, 2, 0})) * rotation({0, 0, 0.7});
    const Pose plane{{0, 0, 0}, tilt};
    const Overlap o = shared(HalfSpace{}, plane, Box{{1, 0.5, 0.5}}, plane * Pose{{0, 0, 0.49}, {}});
    const PatchList list = patches(o, {.region = PatchOptions::Region::Ellipse});
    ASSERT_EQ(list.count, 1);
    const Patch& patch = list.items[0];
    EXPECT_GT(std::fabs(dot(patch.u, rotate(tilt, {1, 0, 0}))), std::cos(radians(1)));
    const auto& e = std::get<EllipseRegion>(patch.region);
    EXPECT_NEAR(e.a, 1, 1e-9);
    EXPECT_NEAR(e.b, 0.5, 1e-9);
    EXPECT_NEAR(patch.gap, -0.01, 1e-12);
    // Right-handed.
    EXPECT_NEAR(dot(cross(patch.normal, patch.u), patch.w()), 1, 1e-12);
}

TEST(MakePatch, EllipseConstantsAreThoseOfTheTable) {
    const auto a = [](const Shape& s, const Pose& pose, double k) {
        return std::get<EllipseRegion>(
                   patches(shared(HalfSpace{}, {}, s, pose), {PatchOptions::Region::Ellipse, k}).items[0].region)
            .a;
    };
    EXPECT_NEAR(a(Cylinder{0.5, 0.3}, {{0, 0, 0.299}, {}}, 4), 0.5, 1e-6);                       // an elliptic sheet
    EXPECT_NEAR(a(Cylinder{0.5, 0.3}, {{0, 0, 0.299}, {}}, 0), 0.5 * std::sqrt(3.0 / 4), 1e-6);  // K = 3 for flat on flat
    const double radius = std::sqrt(2 * 0.5 * 0.005 - 0.005 * 0.005);
    EXPECT_NEAR(a(Sphere{0.5}, {{0, 0, 0.495}, {}}, 0) / radius, std::sqrt(6 / 5.995), 1e-4);  // a shallow cap, K = 6
}

TEST(MakePatch, OutlineOfAnOverhangingCubeEndsAtTheEdge) {
    // The upper cube overhangs the lower one by `overhang`: its centre of mass is over the patch while overhang < 0.5.
    for (const double overhang : {0.3, 0.45, 0.55, 0.7}) {
        const Overlap o =
            shared(Box{{0.5, 0.5, 0.5}}, {{0, 0, -0.5}, {}}, Box{{0.5, 0.5, 0.5}}, {{overhang, 0, 0.5}, {}}, {.skin = 1e-6});
        ASSERT_EQ(o.part_count, 1);
        const Patch patch = patches(o).items[0];
        // The sheet is 2 skins thick. The gradient tilts by that over the width; the thinnest direction does not.
        expect_near(patch.normal, {0, 0, 1}, 1e-9, "normal");
        expect_convex(patch);
        EXPECT_NEAR(border(patch, {1, 0, 0}), 0.5, 2.001e-6);  // grown by 2 skins of one body
        EXPECT_NEAR(border(patch, {-1, 0, 0}), 0.5 - overhang, 2.001e-6);
        EXPECT_NEAR(reach(patch, {0, 1, 0}), 0.5, 2.001e-6);
        // Pressed in, without skin: exact.
        const Patch deep =
            patches(shared(Box{{0.5, 0.5, 0.5}}, {{0, 0, -0.5}, {}}, Box{{0.5, 0.5, 0.5}}, {{overhang, 0, 0.499}, {}}))
                .items[0];
        EXPECT_NEAR(border(deep, {1, 0, 0}), 0.5, 1e-9);
        EXPECT_NEAR(border(deep, {-1, 0, 0}), 0.5 - overhang, 1e-9);
        EXPECT_NEAR(deep.gap, -0.001, 1e-9);
    }
}

TEST(MakePatch, NormalDoesNotLeanWhereAnEdgeCutsTheVolume) {
    // Half over the border and pressed in by 2 cm: the gradient tilts by 0.02/0.5.
    const Overlap o = shared(Box{{0.5, 0.5, 0.5}}, {{0, 0, -0.5}, {}}, Box{{0.5, 0.5, 0.5}}, {{0.5, 0, 0.48}, {}});
    EXPECT_NEAR(std::fabs(o.gradient.x / o.gradient.z), 0.04, 1e-9);
    expect_near(o.parts[0].normal, {0, 0, 1}, 1e-9);
    // A plate that pokes into a block edge first is pushed back along itself, although the shared sheet is thin across it.
    const Overlap plate = shared(Box{{0.5, 0.5, 0.5}}, {{0, 0, -0.5}, {}}, Box{{0.2, 0.005, 0.3}}, {{0, 0, 0.25}, {}});
    expect_near(plate.parts[0].normal, {0, 0, 1}, 1e-9);
}

TEST(MakePatch, DiscsAndCapsAreRound) {
    const Patch disc = patches(shared(HalfSpace{}, {}, Cylinder{0.5, 0.3}, {{0, 0, 0.3}, {}}, {.skin = 1e-6})).items[0];
    ASSERT_TRUE(std::holds_alternative<EllipseRegion>(disc.region));
    EXPECT_NEAR(std::get<EllipseRegion>(disc.region).a, 0.5, 1e-6);
    EXPECT_NEAR(std::get<EllipseRegion>(disc.region).b, 0.5, 1e-6);
    // Slightly tilted and pressed in all over: the same disc, although the centre of the volume moves.
    const Patch tilted =
        patches(shared(HalfSpace{}, {}, Cylinder{0.5, 0.3}, {{0, 0, 0.29}, rotation({0.01, 0, 0})})).items[0];
    ASSERT_TRUE(std::holds_alternative<EllipseRegion>(tilted.region));
    EXPECT_NEAR(std::get<EllipseRegion>(tilted.region).a, 0.5, 1e-3);
    EXPECT_NEAR(tilted.centre.y, 0, 5e-3);
    // A sphere's patch has the radius of its depth without the skin; at mere contact it is a point.
    const double h = 0.001, radius = std::sqrt(2 * 0.5 * h - h * h);
    const Patch cap = patches(shared(HalfSpace{}, {}, Sphere{0.5}, {{0, 0, 0.5 - h}, {}}, {.skin = 1e-5})).items[0];
    EXPECT_NEAR(std::get<EllipseRegion>(cap.region).a, radius, 1e-4 * radius);
    EXPECT_NEAR(std::get<EllipseRegion>(cap.region).b, radius, 1e-4 * radius);
    const Patch point = patches(shared(HalfSpace{}, {}, Sphere{0.5}, {{0, 0, 0.5}, {}}, {.skin = 1e-5})).items[0];
    EXPECT_NEAR(reach(point, {1, 0, 0}), 0, 1e-8);
    // A lying cylinder: a line of its length.
    const Patch line =
        patches(shared(HalfSpace{}, {}, Cylinder{0.5, 0.3}, {{0, 0, 0.5}, rotation({kPi / 2, 0, 0})}, {.skin = 1e-5}))
            .items[0];
    EXPECT_NEAR(reach(line, {0, 1, 0}), 0.3, 1e-9);
    EXPECT_LT(reach(line, {1, 0, 0}), 1e-4);
}

TEST(MakePatch, OutlinesOfFewPointsAreWhatTheyAre) {
    ConvexOutline outline;
    convex_outline({}, outline);
    EXPECT_EQ(outline.size(), 0);
    Vec2 twice[] = {{1, 2}, {1, 2}};
    convex_outline(twice, outline);
    EXPECT_EQ(outline.size(), 1);
    Vec2 line[] = {{0, 0}, {2, 2}, {1, 1}, {0.5, 0.5}};
    convex_outline(line, outline);
    EXPECT_EQ(outline.size(), 2);
    EXPECT_NEAR(centroid(outline).x, 1, 1e-15);
    Vec2 square[] = {{0, 0}, {1, 1}, {1, 0}, {0.5, 0.5}, {0, 1}, {0.5, 0}};
    convex_outline(square, outline);
    EXPECT_EQ(outline.size(), 4);
    EXPECT_NEAR(centroid(outline).x, 0.5, 1e-15);
    drop_corners(outline, 3);
    EXPECT_EQ(outline.size(), 3);
    // Without an outline the patch is a point that presses at its own position.
    Overlap o = shared(HalfSpace{}, {}, Box{{0.1, 0.1, 0.1}}, {{0, 0, 0.09}, {}});
    o.parts[0].point_count = 0;
    const Patch patch = patches(o).items[0];
    ASSERT_TRUE(std::holds_alternative<EllipseRegion>(patch.region));
    EXPECT_EQ(std::get<EllipseRegion>(patch.region).a, 0);
}

}  // namespace
}  // namespace asperity::geometry
