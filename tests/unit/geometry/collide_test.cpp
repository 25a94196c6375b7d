// Contact manifolds: closed forms for every kind of pair, random poses against an independent reference, and contact points
// that stay from step to step.
#include "asperity/geometry/convex_contact/collide.h"

#include <gtest/gtest.h>

#include "asperity/geometry/convex_contact/gjk.h"
#include "tests/unit/geometry/collide_fixture.h"

namespace asperity::geometry {
namespace {

constexpr double kExact = 1e-13;  // a few hundred rounding errors at sizes of the order of 1
constexpr double kMargin = 0.05;
const Pose kHere{};

Manifold contact(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb, double margin = kMargin,
                 std::span<const std::uint32_t> previous = {}) {
    Manifold m;
    const bool touching = collide(a, pa, b, pb, margin, previous, m);
    EXPECT_EQ(touching, m.count > 0);
    return m;
}

void expect_near(const Vec3& actual, const Vec3& expected, double tolerance) {
    EXPECT_NEAR(actual.x, expected.x, tolerance);
    EXPECT_NEAR(actual.y, expected.y, tolerance);
    EXPECT_NEAR(actual.z, expected.z, tolerance);
}

/// b lies on top of a: normal +z, `count` points, all with this gap.
void expect_flat(const Manifold& m, int count, double gap, double tolerance = kExact) {
    EXPECT_EQ(m.count, count);
    expect_near(m.normal, {0, 0, 1}, tolerance);
    for (int i = 0; i < m.count; ++i) EXPECT_NEAR(m.points[i].gap, gap, tolerance);
}

void expect_consistent(const Manifold& m, double margin, double tolerance) {
    EXPECT_NEAR(length(m.normal), 1, 1e-14);
    for (int i = 0; i < m.count; ++i) {
        const ManifoldPoint& p = m.points[i];
        EXPECT_LE(p.gap, margin);
        EXPECT_NEAR(length(p.on_b - p.on_a - p.gap * m.normal_of(i)), 0, tolerance);
        for (int k = 0; k < i; ++k) EXPECT_NE(p.feature, m.points[k].feature);
    }
}

// ---- closed forms -------------------------------------------------------------------------------------------------------

const Quat kLying = rotation({0, std::numbers::pi / 2, 0});  // axis z rotated to x

TEST(ContactClosedForms, SpheresTouchOnTheLineOfCenters) {
    for (const double gap : {0.02, 0.0, -0.3}) {
        const Vec3 d = normalized(Vec3{1, 2, -2});
        const Manifold m = contact(Sphere{0.5}, {{1, 1, 1}, {}}, Sphere{0.25}, {Vec3{1, 1, 1} + (0.75 + gap) * d, {}});
        ASSERT_EQ(m.count, 1);
        expect_near(m.normal, d, kExact);
        EXPECT_NEAR(m.points[0].gap, gap, kExact);
        expect_near(m.points[0].on_a, Vec3{1, 1, 1} + 0.5 * d, kExact);
    }
}

TEST(ContactClosedForms, ConcentricSpheresStillGiveAUnitNormal) {
    const Manifold m = contact(Sphere{0.5}, kHere, Sphere{0.25}, kHere);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(length(m.normal), 1, kExact);
    EXPECT_NEAR(m.points[0].gap, -0.75, kExact);
}

TEST(ContactClosedForms, RoundShapesLieOnFlatOnes) {
    struct Case {
        Shape top;
        Quat turn;
        double height;
        int count;
    };
    const std::vector<Case> cases = {{Sphere{0.4}, {}, 0.4, 1},
                                     {Capsule{0.2, 0.5}, {}, 0.7, 1},
                                     {Capsule{0.2, 0.5}, kLying, 0.2, 2},
                                     {Cylinder{0.4, 0.3}, {}, 0.3, 4},
                                     {Cylinder{0.4, 0.3}, kLying, 0.4, 2},
                                     {Box{{0.3, 0.4, 0.5}}, {}, 0.5, 4},
                                     {Hull{std::make_shared<Polyhedron>(box_polyhedron({0.3, 0.4, 0.5}))}, {}, 0.5, 4}};
    const std::vector<NamedShape> floors = {{"half-space", HalfSpace{}},
                                            {"box", Box{{2, 2, 1}}},
                                            {"hull", Hull{std::make_shared<Polyhedron>(box_polyhedron({2, 2, 1}))}},
                                            {"cylinder", Cylinder{2, 1}}};
    for (const NamedShape& floor : floors) {
        const double top = floor.name == "half-space" ? 0 : 1;
        for (const Case& c : cases) {
            for (const double gap : {0.02, 0.0, -1e-3}) {
                SCOPED_TRACE(name(c.top) + " on " + floor.name + ", gap " + std::to_string(gap));
                const Pose pose{{0.1, 0.2, top + c.height + gap}, c.turn};
                const Manifold m = contact(floor.shape, kHere, c.top, pose);
                expect_flat(m, c.count, gap);
                expect_consistent(m, kMargin, kExact);
            }
        }
    }
}

TEST(ContactClosedForms, CapsulesSideBySideTouchAtTwoEndsAndCrossedOnesOnce) {
    const Capsule c{0.2, 0.5};
    const Manifold parallel = contact(c, {{0, 0, 0}, kLying}, c, {{0.3, 0, 0.41}, kLying});
    expect_flat(parallel, 2, 0.01);
    double low = 9, high = -9;
    for (int i = 0; i < 2; ++i) {
        low = std::min(low, parallel.points[i].on_a.x);
        high = std::max(high, parallel.points[i].on_a.x);
    }
    EXPECT_NEAR(low, -0.2, kExact);
    EXPECT_NEAR(high, 0.5, kExact);

    const Quat across = rotation({std::numbers::pi / 2, 0, 0});
    const Manifold crossed = contact(c, {{0, 0, 0}, kLying}, c, {{0.3, 0, 0.38}, across}, 0.01);
    expect_flat(crossed, 1, -0.02);
    expect_near(crossed.points[0].on_b, {0.3, 0, 0.18}, kExact);
    // With a wider margin also the end that may come down on the other capsule: 0.2 along and 0.38 above.
    const Manifold coming = contact(c, {{0, 0, 0}, kLying}, c, {{0.3, 0, 0.38}, across}, 0.05);
    ASSERT_EQ(coming.count, 2);
    const int end = coming.points[0].gap < 0 ? 1 : 0;
    EXPECT_NEAR(coming.points[end].gap, std::hypot(0.2, 0.38) - 0.4, kExact);
    expect_near(coming.normal_of(end), normalized(Vec3{-0.2, 0, 0.38}), kExact);

    const Manifold in_line = contact(c, {{0, 0, 0}, kLying}, c, {{1.43, 0, 0}, kLying});
    ASSERT_EQ(in_line.count, 1);
    expect_near(in_line.normal, {1, 0, 0}, kExact);
    EXPECT_NEAR(in_line.points[0].gap, 0.03, kExact);
}

TEST(ContactClosedForms, BoxEdgesCrossAtOnePoint) {
    // Both stand on an edge, rotated by a right angle: the edges cross; the depth is along z.
    const Box cube{{0.5, 0.5, 0.5}};
    const double reach = 0.5 * std::numbers::sqrt2;
    for (const double gap : {0.01, 0.0, -0.02}) {
        const Manifold m = contact(cube, {{0, 0, 0}, rotation({std::numbers::pi / 4, 0, 0})}, cube,
                                   {{0.1, 0.05, 2 * reach + gap}, rotation({0, std::numbers::pi / 4, 0})});
        expect_flat(m, 1, gap);
        expect_near(m.points[0].on_a, {0.1, 0, reach}, kExact);
        expect_near(m.points[0].on_b, {0.1, 0, reach + gap}, kExact);
    }
}

// Boxes have their own clipping code; as hulls of eight vertices they use that of all polyhedra. If both choose the same
// normal, they must find the same points. With fewer than four points there was no reduction, so the positions can be
// compared as well.
TEST(ContactClosedForms, BoxesTouchAsTheirHullsDo) {
    Random random(23);
    const Vec3 half_a{0.3, 0.4, 0.5}, half_b{0.6, 0.5, 0.05};
    const auto corners = [](const Vec3& half) {
        std::vector<Vec3> points;
        for (int i = 0; i < 8; ++i)
            points.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
        return convex_hull(points);
    };
    const Shape box_a = Box{half_a}, box_b = Box{half_b}, hull_a = corners(half_a), hull_b = corners(half_b);
    int faces = 0, edges = 0;
    for (int i = 0; i < 2000; ++i) {
        const Quat turn = random_turn(random);
        const Pose pa{{1, 2, 3}, turn}, pb{pa.position + random.uniform(0.3, 0.9) * random_direction(random),
                                           i % 2 ? random_turn(random) : turn * rotation(0.02 * random_direction(random))};
        const Manifold boxes = contact(box_a, pa, box_b, pb), hulls = contact(hull_a, pa, hull_b, pb);
        if (boxes.count == 0 || hulls.count == 0 || length(boxes.normal - hulls.normal) > 1e-12) continue;
        const bool edge = boxes.points[0].feature >> 30 == 3;
        ++(edge ? edges : faces);
        // Beside crossing edges, points nearer than a fraction of the extent are left out; hulls measure the extent along
        // the diagonal.
        if (edge && boxes.count != hulls.count) continue;
        ASSERT_EQ(boxes.count, hulls.count) << "case " << i;
        Vec3 sum, hull_sum;
        double deepest = 1, hull_deepest = 1;
        for (int k = 0; k < boxes.count; ++k) {
            sum += boxes.points[k].on_a, hull_sum += hulls.points[k].on_a;
            deepest = std::min(deepest, boxes.points[k].gap), hull_deepest = std::min(hull_deepest, hulls.points[k].gap);
        }
        // 1e-5 of the width: among equally deep points any may be taken.
        EXPECT_NEAR(deepest, hull_deepest, boxes.count < 4 ? kExact : 2e-5) << "case " << i;
        if (boxes.count < 4) expect_near(sum, hull_sum, 10 * kExact);
    }
    EXPECT_GT(faces, 200);
    EXPECT_GT(edges, 50);
}

TEST(ContactClosedForms, CornersThatPassEachOtherGiveNoGhosts) {
    // Nearest at two vertices, diagonally: every face axis shows less than the true distance.
    const Box cube{{0.5, 0.5, 0.5}};
    const Vec3 apart = 0.03 * Vec3{1, 1, 1};
    const Manifold m = contact(cube, kHere, cube, {Vec3{1, 1, 1} + apart, {}}, 0.06);
    ASSERT_EQ(m.count, 1);
    expect_near(m.normal, normalized(Vec3{1, 1, 1}), kExact);
    EXPECT_NEAR(m.points[0].gap, length(apart), kExact);
    EXPECT_EQ(contact(cube, kHere, cube, {Vec3{1, 1, 1} + apart, {}}, 0.04).count, 0);  // each axis alone: 0.03 < 0.04
}

TEST(ContactClosedForms, TheOverhangOfAFaceIsClipped) {
    const Manifold m = contact(Box{{1, 1, 1}}, kHere, Box{{1, 1, 1}}, {{1.5, 0.5, 2}, {}});
    expect_flat(m, 4, 0);
    for (int i = 0; i < m.count; ++i) {
        const Vec3 p = m.points[i].on_a;
        EXPECT_TRUE(std::fabs(p.x - 0.5) < kExact || std::fabs(p.x - 1) < kExact) << p.x;
        EXPECT_TRUE(std::fabs(p.y + 0.5) < kExact || std::fabs(p.y - 1) < kExact) << p.y;
    }
}

TEST(ContactClosedForms, ACylinderHalfOverAnEdgeIsHeldAtTheEdgeToo) {
    // Centre on the edge x = 1 of the top face: the disc crosses it at y = +-0.4.
    const Manifold m = contact(Box{{1, 1, 1}}, kHere, Cylinder{0.4, 0.3}, {{1 - 1e-3, 0, 1.3}, rotation({0, 0, 0.3})});
    ASSERT_EQ(m.count, 4);
    double low = 9, high = -9;
    for (int i = 0; i < 4; ++i) {
        EXPECT_LE(m.points[i].on_a.x, 1 + 1e-6);
        EXPECT_NEAR(m.points[i].gap, 0, kExact);
        if (m.points[i].on_a.x > 1 - 1e-6) {
            low = std::min(low, m.points[i].on_a.y);
            high = std::max(high, m.points[i].on_a.y);
        }
    }
    const double reach = std::sqrt(0.4 * 0.4 - 1e-6);
    EXPECT_NEAR(low, -reach, kExact);
    EXPECT_NEAR(high, reach, kExact);
}

TEST(ContactClosedForms, ATiltedCylinderStandsOnOneRimPoint) {
    const double tilt = 0.3, reach = 0.3 * std::cos(tilt) + 0.4 * std::sin(tilt);
    for (const Shape& floor : {Shape{HalfSpace{}}, Shape{Box{{2, 2, 1}}}}) {
        const double top = std::holds_alternative<Box>(floor) ? 1 : 0;
        const Manifold m = contact(floor, kHere, Cylinder{0.4, 0.3}, {{0, 0, top + reach - 1e-3}, rotation({0, tilt, 0})});
        expect_flat(m, 1, -1e-3);
        EXPECT_NEAR(m.points[0].on_b.x, 0.4 * std::cos(tilt) - 0.3 * std::sin(tilt), kExact);
    }
}

TEST(ContactClosedForms, CrossedCylindersTouchAtOnePointAndCoaxialOnesAtFour) {
    const Cylinder c{0.4, 0.6};
    expect_flat(contact(c, {{0, 0, 0}, kLying}, c, {{0.1, 0.1, 0.79}, rotation({std::numbers::pi / 2, 0, 0})}), 1, -0.01);
    expect_flat(contact(c, {{0, 0, 0}, kLying}, c, {{0.3, 0, 0.81}, kLying}), 2, 0.01);
    expect_flat(contact(c, kHere, c, {{0, 0, 1.2}, rotation({0, 0, 0.7})}), 4, 0);
    expect_flat(contact(c, kHere, c, {{0.3, 0.1, 1.2}, rotation({0, 0, 0.7})}), 4, 0);
}

// A cylinder flies past a box. Its rim is nearest to an edge; the vertex that its cap is about to hit is 0.2 away from there
// and 0.03 farther off. With one contact at the edge, the cylinder rotates into that vertex by 24 mm within the next step of
// 4 ms.
TEST(ContactClosedForms, ACapThatComesDownBehindItsRimIsFound) {
    const Box box{{0.19795, 0.1584, 0.1931}};
    const Cylinder can{0.1602, 0.08905};
    const Pose at{{1.1121, 1.0172, 2.2686}, normalized(Quat{0.2786, -0.2095, 0.3095, -0.8847})};
    const Pose past{{1.0359, 0.7203, 2.4724}, normalized(Quat{0.8116, 0.3474, -0.4475, 0.1424})};
    const double margin = 0.05;
    const Manifold m = contact(box, at, can, past, margin);
    expect_consistent(m, margin, kExact);
    double nearest = 9, width = 0;
    for (int i = 0; i < m.count; ++i) {
        nearest = std::min(nearest, m.points[i].gap);
        for (int k = 0; k < i; ++k) width = std::max(width, length(m.points[i].on_a - m.points[k].on_a));
    }
    EXPECT_NEAR(nearest, best_separation(box, at, can, past), 1e-5);
    EXPECT_GT(width, 0.15);
}

TEST(ContactClosedForms, ADeepSphereLeavesABoxThroughTheNearestFace) {
    const Manifold m = contact(Box{{1, 1, 1}}, kHere, Sphere{0.1}, {{0.2, 0.1, 0.8}, {}});
    expect_flat(m, 1, -0.3);
}

TEST(ContactClosedForms, HalfSpacesNeverTouch) {
    EXPECT_EQ(contact(HalfSpace{}, kHere, HalfSpace{}, {{0, 0, -1}, {}}).count, 0);
}

// ---- random poses -------------------------------------------------------------------------------------------------------

struct PairCase {
    NamedShape a, b;
    std::uint64_t seed;
};
void PrintTo(const PairCase& pair, std::ostream* out) { *out << pair.a.name << " and " << pair.b.name; }
std::vector<PairCase> all_pairs() {
    std::vector<PairCase> pairs;
    const auto shapes = bounded_shapes();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        for (std::size_t j = i; j < shapes.size(); ++j) pairs.push_back({shapes[i], shapes[j], 100 * i + j + 1});
    }
    return pairs;
}
class RandomContacts : public testing::TestWithParam<PairCase> {
  protected:
    /// Pose b near contact, from 0.2 deep to 0.06 apart, often to 1e-6.
    bool next(Random& random, Pose& pa, Pose& pb, bool shallow = false) const {
        pa = {{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}, random_turn(random)};
        pb = {pa.position, random_turn(random)};
        const Vec3 d = random_direction(random);
        const Travel travel = travel_to_touch(GetParam().a.shape, pa, GetParam().b.shape, pb, d);
        const double reach[4] = {shallow ? 1e-3 : 0.2, 0.06, 0.06, 1e-6};
        const double off = reach[random.below(4)] * random.uniform(-1, 0.3);
        pb.position += (travel.distance - off) * d;
        return travel.meets;
    }
    bool curved() const {
        return std::holds_alternative<Cylinder>(GetParam().a.shape) || std::holds_alternative<Cylinder>(GetParam().b.shape);
    }
};

TEST_P(RandomContacts, TheGapIsTheLargestSeparationOverAllDirections) {
    const auto& [a, b, seed] = GetParam();
    Random random(seed);
    for (int k = 0; k < 60; ++k) {
        SCOPED_TRACE("pose " + std::to_string(k));
        Pose pa, pb;
        if (!next(random, pa, pb)) continue;
        const double best = best_separation(a.shape, pa, b.shape, pb);  // never above the true value
        const Manifold m = contact(a.shape, pa, b.shape, pb);
        if (m.count == 0) {
            EXPECT_GE(best, kMargin - 2e-3);  // the reference may be up to 1e-4 below the true value
            continue;
        }
        // Lateral error of the nearest points: square root of GJK's error of the distance for curved shapes.
        expect_consistent(m, kMargin, 1e-6);
        // Preferred faces may be 1e-3 of the thickness (<= 0.4) above the lowest point of the other shape, see
        // axis_choice.cpp.
        const double along = separation(a.shape, pa, b.shape, pb, m.normal);
        EXPECT_NEAR(deepest(m), along, 5e-4);
        if (best > 0) {
            EXPECT_GE(along, best - 1e-3);
            EXPECT_LE(along, best + 2e-3);
        } else {
            // The normal is a local minimum of depth: moving out along it separates the shapes.
            Pose moved = pb;
            moved.position += (1e-3 - deepest(m)) * m.normal;
            EXPECT_GT(separation(a.shape, pa, b.shape, moved, m.normal), 0);
            EXPECT_LE(along, best + 2e-3);
            if (best > -2e-3) { EXPECT_GE(along, best - 2e-3) << "shallow overlaps have one sensible direction"; }
        }
    }
}

// Overlaps of some centimetres, half of them with nearly parallel axes: the exit found is not much longer than the shortest
// one. With candidate axes alone, two cylinders that touched along their mantles left by their caps, a hundred times as far.
// Tolerance: axis_choice.cpp accepts overlaps of 2 % of the thickness (<= 0.4) and prefers faces by 5 % of the depth and 0.3
// % of the thickness; plus 1e-3 for the reference.
TEST_P(RandomContacts, DeepOverlapsHaveNoMuchShorterWayOut) {
    const auto& [a, b, seed] = GetParam();
    Random random(seed + 5000);
    for (int k = 0; k < 60; ++k) {
        SCOPED_TRACE("pose " + std::to_string(k));
        Pose pa{{0, 0, 0}, random_turn(random)}, pb = pa;
        const double tilt = std::pow(10.0, random.uniform(-4, -1));
        pb.orientation = k % 2 ? random_turn(random) : pa.orientation * rotation(tilt * random_direction(random));
        const Vec3 d = random_direction(random);
        const Travel travel = travel_to_touch(a.shape, pa, b.shape, pb, d);
        if (!travel.meets) continue;
        pb.position += (travel.distance + random.uniform(0.005, 0.05)) * d;
        const double best = best_separation(a.shape, pa, b.shape, pb);
        const Manifold m = contact(a.shape, pa, b.shape, pb);
        ASSERT_GT(m.count, 0);
        EXPECT_GE(deepest(m), best - (0.023 * 0.4 + 0.05 * std::fabs(best) + 1e-3));
    }
}

TEST_P(RandomContacts, SwappingTheShapesFlipsTheNormalAndKeepsThePoints) {
    const auto& [a, b, seed] = GetParam();
    Random random(seed + 1000);
    // Two cylinders, rim on rim: GJK takes other points when they are swapped and stalls at 1e-10 of the size in the
    // distance, which is 3e-5 (measured) in the normal.
    const double tolerance = curved() ? 3e-4 : 1e-9;
    for (int k = 0; k < 200; ++k) {
        Pose pa, pb;
        if (!next(random, pa, pb, true)) continue;
        const Manifold m = contact(a.shape, pa, b.shape, pb), swapped = contact(b.shape, pb, a.shape, pa);
        ASSERT_EQ(m.count, swapped.count) << "pose " << k;
        if (m.count) expect_near(swapped.normal, -m.normal, tolerance);
        for (int i = 0; i < m.count; ++i) {
            double nearest = 1e9;
            for (int j = 0; j < m.count; ++j) {
                nearest = std::min(nearest, length(m.points[i].on_a - swapped.points[j].on_b) +
                                                length(m.points[i].on_b - swapped.points[j].on_a));
            }
            EXPECT_LT(nearest, tolerance) << "pose " << k;
        }
    }
}

TEST_P(RandomContacts, MovingBothShapesTogetherMovesTheManifold) {
    const auto& [a, b, seed] = GetParam();
    Random random(seed + 2000);
    const double tolerance = curved() ? 2e-5 : 1e-9;
    int compared = 0, all = 0;
    for (int k = 0; k < 100; ++k) {
        Pose pa, pb;
        if (!next(random, pa, pb, true)) continue;
        const Manifold m = contact(a.shape, pa, b.shape, pb);
        const Pose motion{{3, -2, 5}, random_turn(random)};
        const Manifold n = contact(a.shape, motion * pa, b.shape, motion * pb);
        ++all;
        // The choice between two equally good faces uses world axes, so a few may differ.
        if (n.count != m.count || length(n.normal - rotate(motion.orientation, m.normal)) > 1e-3) continue;
        ++compared;
        if (m.count > 0) { EXPECT_NEAR(deepest(n), deepest(m), tolerance); }
    }
    EXPECT_GE(compared, 0.95 * all);
}

TEST_P(RandomContacts, TravelEndsAtTheFirstTouch) {
    const auto& [a, b, seed] = GetParam();
    Random random(seed + 3000);
    // Grazing lines lose digits, and GJK stalls at about 1e-10 on rims. Straight set-downs are held to 1e-12 below.
    const double tolerance = curved() ? 1e-6 : 1e-11;
    for (int k = 0; k < 60; ++k) {
        SCOPED_TRACE("pose " + std::to_string(k));
        const Pose pa{{1, 2, 3}, random_turn(random)};
        Pose pb{Vec3{1, 2, 3} + random.uniform(0, 2) * random_direction(random), random_turn(random)};
        const Vec3 d = random_direction(random);
        const Travel travel = travel_to_touch(a.shape, pa, b.shape, pb, d);
        if (!travel.meets) continue;
        pb.position += travel.distance * d;
        EXPECT_LE(best_separation(a.shape, pa, b.shape, pb), 1e-12);
        // Just before, some direction proves them separated.
        const Pose before{pb.position - 1e-6 * d, pb.orientation};
        const Convex convex_a(a.shape, pa, pa.position), convex_b(b.shape, before, pa.position);
        const GjkResult nearest = gjk_distance(convex_a, convex_b, {}, -d);
        ASSERT_FALSE(nearest.overlap);
        EXPECT_GT(separation(a.shape, pa, b.shape, before, nearest.normal), -1e-9);
        // The answer is the same from a start beyond a and from one far before it.
        for (const double start : {-7.0, 0.3, 5.0}) {
            const Pose other{pb.position + start * d, pb.orientation};
            const Travel again = travel_to_touch(a.shape, pa, b.shape, other, d);
            ASSERT_TRUE(again.meets);
            EXPECT_NEAR(again.distance, -start, tolerance);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(EveryPair, RandomContacts, testing::ValuesIn(all_pairs()),
                         [](const auto& pair) { return pair.param.a.name + "_" + pair.param.b.name; });

// ---- travel -------------------------------------------------------------------------------------------------------------

TEST(Travel, SetsShapesDownExactly) {
    const Vec3 down{0, 0, -1};
    const std::vector<std::pair<Shape, double>> tops = {
        {Sphere{0.4}, 0.4}, {Capsule{0.2, 0.5}, 0.7}, {Cylinder{0.4, 0.3}, 0.3}, {Box{{0.3, 0.4, 0.5}}, 0.5}};
    for (const auto& [shape, height] : tops) {
        for (const double start : {5.0, 0.0, -3.0}) {
            const Travel on_box = travel_to_touch(Box{{2, 2, 1}}, kHere, shape, {{0.1, 0.2, start}, {}}, down);
            ASSERT_TRUE(on_box.meets) << name(shape);
            EXPECT_NEAR(on_box.distance, start - 1 - height, 1e-12) << name(shape);
            const Travel on_plane = travel_to_touch(HalfSpace{}, kHere, shape, {{0.1, 0.2, start}, {}}, down);
            EXPECT_NEAR(on_plane.distance, start - height, 1e-12) << name(shape);
            const Travel plane_up = travel_to_touch(shape, {{0.1, 0.2, start}, {}}, HalfSpace{}, kHere, -down);
            EXPECT_NEAR(plane_up.distance, start - height, 1e-12) << name(shape);
        }
    }
}

TEST(Travel, MissesWhatIsBesideTheLine) {
    EXPECT_FALSE(travel_to_touch(Box{{1, 1, 1}}, kHere, Sphere{0.2}, {{3, 0, 5}, {}}, {0, 0, -1}).meets);
    EXPECT_FALSE(travel_to_touch(HalfSpace{}, kHere, Sphere{0.2}, {{0, 0, 5}, {}}, {0, 0, 1}).meets);
    EXPECT_FALSE(travel_to_touch(HalfSpace{}, kHere, HalfSpace{}, kHere, {0, 0, 1}).meets);
}

// ---- points that stay from step to step
// ------------------------------------------------------------------------------------

struct Resting {
    std::string name;
    Shape a, b;
    Pose pa, pb;
};
void PrintTo(const Resting& pair, std::ostream* out) { *out << pair.name; }
Shape voussoir() {
    std::vector<Vec3> points;
    for (const double y : {-0.2, 0.2}) {
        for (const double r : {1.0, 1.3}) {
            for (const double angle : {-0.1, 0.1}) points.push_back({r * std::sin(angle), y, r * std::cos(angle)});
        }
    }
    return convex_hull(points);
}
std::vector<Resting> resting_pairs() {
    const Box cube{{0.5, 0.5, 0.5}};
    const Quat yaw30 = rotation({0, 0, radians(30)}), yaw45 = rotation({0, 0, radians(45)});
    return {{"equal_boxes", cube, cube, kHere, {{0, 0, 1}, {}}},
            {"equal_boxes_45", cube, cube, kHere, {{0, 0, 1}, yaw45}},
            {"equal_boxes_30", cube, cube, kHere, {{0, 0, 1}, yaw30}},
            {"flush_on_one_side", cube, Box{{0.3, 0.5, 0.2}}, kHere, {{0.2, 0, 0.7}, {}}},
            {"large_on_small", Box{{0.2, 0.2, 0.5}}, cube, kHere, {{0, 0, 1}, yaw45}},
            {"box_on_half_space", HalfSpace{}, cube, kHere, {{0, 0, 0.5}, yaw30}},
            {"voussoirs", voussoir(), voussoir(), kHere, {{0, 0, 0}, rotation({0, 0.2, 0})}},
            {"standing_cylinder", cube, Cylinder{0.3, 0.4}, kHere, {{0.1, 0, 0.9}, yaw30}},
            {"overhanging_cylinder", cube, Cylinder{0.3, 0.4}, kHere, {{0.37, 0.1, 0.9}, yaw30}},
            {"equal_cylinders", Cylinder{0.3, 0.4}, Cylinder{0.3, 0.4}, kHere, {{0, 0, 0.8}, yaw30}},
            {"lying_cylinder", cube, Cylinder{0.3, 0.4}, kHere, {{0, 0, 0.8}, kLying}},
            {"cylinder_on_half_space", HalfSpace{}, Cylinder{0.3, 0.4}, kHere, {{0, 0, 0.4}, yaw30}},
            {"lying_capsule", cube, Capsule{0.1, 0.3}, kHere, {{0, 0, 0.6}, kLying}},
            {"overhanging_capsule", cube, Capsule{0.1, 0.3}, kHere, {{0.4, 0, 0.6}, kLying}},
            {"parallel_capsules", Capsule{0.1, 0.3}, Capsule{0.1, 0.3}, {{0, 0, 0}, kLying}, {{0.1, 0, 0.2}, kLying}},
            {"box_on_edge", HalfSpace{}, cube, kHere, {{0, 0, 0.5 * std::numbers::sqrt2}, rotation({radians(45), 0, 0})}}};
}
class RestingContacts : public testing::TestWithParam<Resting> {};

TEST_P(RestingContacts, JitterNeverChangesTheFeatures) {
    const auto& [unused, a, b, pa, pb] = GetParam();
    for (const double margin : {0.01, 1e-3}) {
        const Manifold first = contact(a, pa, b, pb, margin);
        ASSERT_GT(first.count, 0);
        expect_consistent(first, margin, kExact);
        std::vector<std::uint32_t> previous = features(first);
        Random random(3);
        for (int k = 0; k < 1000; ++k) {
            const auto noise = [&] { return 1e-9 * Vec3{random.normal(), random.normal(), random.normal()}; };
            const Pose pose{pb.position + noise(), normalized(rotation(noise()) * pb.orientation)};
            const Manifold fresh = contact(a, pa, b, pose, margin);  // even without the features of the last step
            EXPECT_EQ(features(fresh), features(first)) << "step " << k;
            const Manifold m = contact(a, pa, b, pose, margin, previous);
            ASSERT_EQ(features(m), features(first)) << "step " << k;
            EXPECT_LT(length(m.normal - first.normal), 1e-7);  // capsules: rounding noise over the distance of the axes
            EXPECT_NEAR(deepest(m), deepest(first), 1e-7);
            previous = features(m);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, RestingContacts, testing::ValuesIn(resting_pairs()),
                         [](const auto& pair) { return pair.param.name; });

TEST(StackedContacts, ExactlyTouchingFacesHaveZeroGapAndTheFaceNormal) {
    // A voussoir and its neighbour about y: the joint is the plane at angle 0.1.
    for (int k = 0; k < 15; ++k) {
        const double angle = -1.4 + 0.2 * k;
        const Manifold m = contact(voussoir(), {{0, 0, 0}, rotation({0, angle, 0})}, voussoir(),
                                   {{0, 0, 0}, rotation({0, angle + 0.2, 0})}, 1e-3);
        ASSERT_EQ(m.count, 4);
        const double joint = angle + 0.1;
        expect_near(m.normal, {std::cos(joint), 0, -std::sin(joint)}, 1e-12);
        for (int i = 0; i < 4; ++i) EXPECT_NEAR(m.points[i].gap, 0, 1e-14);
    }
}

TEST(StackedContacts, ABoxAtAnyYawIsSupportedUnderItsCentre) {
    Random random(5);
    for (int k = 0; k < 500; ++k) {
        const Vec3 center{random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0.7};
        const bool large_top = k % 2;
        const Shape bottom = Box{large_top ? Vec3{0.4, 0.3, 0.5} : Vec3{1, 1, 0.5}}, top = Box{{0.5, 0.6, 0.2}};
        const Manifold m = contact(bottom, kHere, top, {center, rotation({0, 0, random.uniform(0, 7)})}, 1e-3);
        ASSERT_EQ(m.count, 4);
        // Inside the convex hull of the points: no half-plane through the centre holds all of them.
        for (int i = 0; i < 360; ++i) {
            const Vec3 d{std::cos(radians(i)), std::sin(radians(i)), 0};
            double reach = -1;
            for (int p = 0; p < 4; ++p) reach = std::max(reach, dot(d, m.points[p].on_a - center));
            EXPECT_GT(reach, 0) << "yaw case " << k;
        }
    }
}

TEST(StackedContacts, ATinyTiltKeepsFourPoints) {
    const Box cube{{0.5, 0.5, 0.5}};
    for (const double tilt : {1e-7, 1e-5, 1e-3}) {
        const Pose pose{{0, 0, 1}, rotation(tilt * Vec3{0.8, 0.6, 0})};
        EXPECT_EQ(contact(Box{{2, 2, 0.5}}, kHere, cube, pose, 5e-3).count, 4);
        EXPECT_EQ(contact(cube, kHere, cube, pose, 5e-3).count, 4);
        EXPECT_EQ(contact(HalfSpace{}, {{0, 0, 0.5}, {}}, cube, pose, 5e-3).count, 4);
        EXPECT_EQ(contact(Box{{2, 2, 0.5}}, kHere, Cylinder{0.5, 0.5}, pose, 5e-3).count, 4);
    }
}

TEST(StackedContacts, ARollingCylinderKeepsItsNormalAndGap) {
    const Box floor{{10, 10, 1}};
    const double radius = 0.3;
    for (int k = 0; k < 2000; ++k) {
        const double angle = 0.01 * k;
        const Quat turn =
            normalized(rotation({0, 0, 0.4}) * rotation({0, angle, 0}) * rotation({std::numbers::pi / 2, 0, 0}));
        const Pose pose{{radius * angle * std::cos(0.4) - 3, radius * angle * std::sin(0.4), 1 + radius}, turn};
        const Manifold m = contact(floor, kHere, Cylinder{radius, 0.4}, pose, 1e-3);
        ASSERT_EQ(m.count, 2);
        expect_near(m.normal, {0, 0, 1}, 1e-15);
        for (int i = 0; i < 2; ++i) EXPECT_NEAR(m.points[i].gap, 0, 1e-12);
    }
}

TEST(StackedContacts, LeaningCardsKeepTheirNormalWhileTheGapChangesSign) {
    // Two cards lean on each other, top edge on top edge; a solver keeps the gap near zero.
    const Box card{{0.03, 0.044, 0.00015}};
    const double lean = radians(20);
    // x points right; the card's own x runs along the slope; its inner top edge is at the origin.
    const Quat left_turn = rotation({0, -(std::numbers::pi / 2 - lean), 0}),
               right_turn = rotation({0, -(std::numbers::pi / 2 + lean), 0});
    const Vec3 left_edge = rotate(left_turn, {0.03, 0, -0.00015}), right_edge = rotate(right_turn, {0.03, 0, 0.00015});
    std::vector<std::uint32_t> previous;
    Manifold first = contact(card, {-left_edge, left_turn}, card, {Vec3{-1e-7, 0, 0} - right_edge, right_turn}, 1e-3);
    ASSERT_EQ(first.count, 2);
    previous = features(first);
    Random random(9);
    for (int k = 0; k < 500; ++k) {
        const Vec3 off{1e-6 * random.normal(), 1e-6 * random.normal(), 1e-6 * random.normal()};
        const Manifold m = contact(card, {-left_edge, left_turn}, card, {off - right_edge, right_turn}, 1e-3, previous);
        EXPECT_EQ(m.count, 2) << k;
        EXPECT_LT(length(m.normal - first.normal), 1e-12) << k;
        EXPECT_EQ(features(m), previous) << k;
        previous = features(m);
    }
}

}  // namespace
}  // namespace asperity::geometry
