// Projection onto limit sets: values, properties, and agreement with quadruple precision.
#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "sets.h"

namespace asperity::friction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double distance(const Vec3& a, const Vec3& b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }
double size(const Vec3& a) { return distance(a, {}); }

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
    EXPECT_LE(distance(a, b), tolerance) << "(" << a.x << ", " << a.y << ", " << a.z << ") and (" << b.x << ", " << b.y
                                         << ", " << b.z << ")";
}

// The nearest points, found by a program written apart from this one, to 8 decimals.
TEST(Projection, GivesTheTabulatedPointsOfEllipses) {
    expect_near(project(Ellipse{1, 0.5}, {2, 1, 0}, 1), {0.93334481, 0.17949057, 0}, 1e-8);
    expect_near(project(Ellipse{0.2, 0.8}, {0.3, 0.9, 0}, 1), {0.07070897, 0.74833406, 0}, 1e-8);
    expect_near(project(Ellipse{1, 0.5}, {0, 2, 0}, 1), {0, 0.5, 0}, 1e-15);
    expect_near(project(Ellipse{0.5, 1}, {2, 0, 0}, 1), {0.5, 0, 0}, 1e-15);
}

// The bound derived in ellipsoid.cpp is a few rounding errors of the longest semi-axis. Tolerances: below 10 times the worst
// error measured over 200000 draws: 6.6e-16 of the longest semi-axis, 6.7e-16 of the result. Required: 1e-12.
TEST(Projection, OntoEllipsesAndEllipsoidsAgreesWithQuadruplePrecision) {
    Random random(11);
    double worst_of_set = 0, worst_of_result = 0;
    for (int k = 0; k < 6000; ++k) {
        const double n = log_uniform(random, 1e-9, 1e9);
        Vec3 axes{log_uniform(random, 1e-6, 1), log_uniform(random, 1e-6, 1), log_uniform(random, 1e-6, 1)};
        if (random.below(4) == 0) axes.y = axes.x;
        if (random.below(4) == 0) axes[random.below(3)] = 0;
        const bool planar = random.below(2) == 0;
        if (planar) axes.z = 0;
        const LimitSet set = planar ? LimitSet{Ellipse{axes.x, axes.y}} : LimitSet{Ellipsoid{axes.x, axes.y, axes.z}};
        if (max_component(axes) == 0) continue;
        const Vec3 p = random_point(random, set, n);
        const Vec3 expected = reference_ellipsoid(axes, n, p);
        const double error = distance(project(set, p, n), expected);
        EXPECT_LE(error, 4e-15 * n * max_component(axes)) << set << " n " << n << " p " << p.x << " " << p.y << " " << p.z;
        EXPECT_LE(error, 5e-15 * size(expected)) << set << " n " << n << " p " << p.x << " " << p.y << " " << p.z;
        worst_of_set = std::max(worst_of_set, error / (n * max_component(axes)));
        if (size(expected) > 0) worst_of_result = std::max(worst_of_result, error / size(expected));
    }
    RecordProperty("worst_of_set", std::to_string(worst_of_set * 1e16) + "e-16");
    RecordProperty("worst_of_result", std::to_string(worst_of_result * 1e16) + "e-16");
}

// Tolerance: below 10 times the worst measured over 200000 draws, 4.3e-16 of the radius. Points up to 1e9 radii away are
// included; there plain dot products would have an error of 1e-7, comparisons of squared distances a far larger one.
TEST(Projection, OntoPolygonsAgreesWithQuadruplePrecision) {
    Random random(12);
    double worst = 0;
    for (int k = 0; k < 6000; ++k) {
        const double n = log_uniform(random, 1e-9, 1e9);
        const std::vector<Vec2> corners =
            random_corners(random, 4 + random.below(29), log_uniform(random, 1e-6, 1), log_uniform(random, 1e-6, 1));
        const Polygon polygon{corners, random.uniform(0.1, 2)};
        const double radius = set_radius(polygon);
        const Vec3 p = random_point(random, polygon, n);
        const Vec2 expected = reference_polygon(corners, n * polygon.scale, {p.x, p.y});
        const double error = distance(project(polygon, p, n), {expected.x, expected.y, 0}) / (n * radius);
        EXPECT_LE(error, 3e-15) << LimitSet{polygon} << " n " << n << " p " << p.x << " " << p.y;
        worst = std::max(worst, error);
    }
    RecordProperty("worst", std::to_string(worst * 1e16) + "e-16");
}

// Points above an edge at any distance: plain dot products would have an error of |p| epsilon, up to 1e-7 radii here.
TEST(Projection, OntoAnEdgeFromFarAwayKeepsItsDigits) {
    Random random(23);
    for (int k = 0; k < 2000; ++k) {
        const std::vector<Vec2> corners = random_corners(random, 4 + random.below(29), 1, log_uniform(random, 1e-6, 1));
        const Polygon polygon{corners, log_uniform(random, 1e-9, 1e9)};
        const size_t i = static_cast<size_t>(random.below(static_cast<int>(corners.size())));
        const Vec2 start = corners[i], e = corners[(i + 1) % corners.size()] - start;
        const double far = log_uniform(random, 1, 1e9) / length(e);
        const Vec2 p = polygon.scale * (start + random.uniform() * e + far * Vec2{e.y, -e.x});
        const Vec2 expected = reference_polygon(corners, polygon.scale, p);
        SCOPED_TRACE(testing::Message() << LimitSet{polygon} << " p " << p.x << " " << p.y);
        expect_near(project(polygon, {p.x, p.y, 0}, 1), {expected.x, expected.y, 0}, 3e-15 * polygon.scale);
    }
}

TEST(Projection, OntoARectangleIsThatOntoItsCorners) {
    Random random(13);
    for (int k = 0; k < 2000; ++k) {
        const auto side = [&] { return random.below(5) == 0 ? 0 : log_uniform(random, 1e-6, 1); };
        const Rectangle rectangle{side(), side(), side(), side()};
        std::array<Vec2, 4> corners;
        ASSERT_EQ(facets(rectangle, 4, Fit::Inscribed, corners), 4);
        const double n = log_uniform(random, 1e-9, 1e9);
        const Vec3 p{random.normal() * n, random.normal() * n, 0};
        expect_near(project(rectangle, p, n), project(Polygon{corners}, p, n), 1e-15 * n);
    }
}

// Inside, idempotent, and p - q in the normal cone at q: no point of n K is further along p - q than q. An error of q by
// epsilon radius rotates p - q, and points of the set may then be further by epsilon radius^2; products add epsilon radius
// |p - q|. Measured 3e-16 of the sum, times 10.
TEST(Projection, IsInsideIdempotentAndLeavesAlongTheNormal) {
    Random random(14);
    std::vector<Vec2> storage;
    for (int k = 0; k < 2000; ++k) {
        const double n = log_uniform(random, 1e-9, 1e9);
        for (const LimitSet& set : random_sets(random, 1e6, storage)) {
            const double radius = n * set_radius(set);
            const Vec3 p = random_point(random, set, n);
            const Vec3 q = project(set, p, n);
            SCOPED_TRACE(testing::Message() << set << " n " << n << " p " << p.x << " " << p.y << " " << p.z);
            EXPECT_TRUE(contains(set, q, n, 1e-14));
            expect_near(project(set, q, n), q, 1e-14 * radius);
            const Vec3 d = p - q;
            EXPECT_LE(n * support(set, d) - dot(q, d), 3e-15 * radius * (size(d) + radius));
        }
    }
}

TEST(Projection, BeatsEveryPointOfTheBoundary) {
    Random random(15);
    std::vector<Vec2> storage;
    for (int k = 0; k < 20; ++k) {
        for (const LimitSet& set : random_sets(random, 30, storage)) {
            const Vec3 p = random_point(random, set, 1);
            const double best = distance(p, project(set, p, 1));
            for (int j = 0; j < 5000; ++j) {
                const Vec3 d{random.normal(), random.normal(), dimension(set) == 3 ? random.normal() : 0};
                const Vec3 q = d / gauge(set, d);  // on the boundary
                ASSERT_GE(distance(p, q), best * (1 - 1e-14)) << set;
            }
        }
    }
}

// A projection onto a convex set never increases the distance of two points. Tolerance: the error of the projection.
TEST(Projection, DoesNotExpandDistances) {
    Random random(16);
    std::vector<Vec2> storage;
    for (int k = 0; k < 2000; ++k) {
        for (const LimitSet& set : random_sets(random, 1e6, storage)) {
            const Vec3 p = random_point(random, set, 1), step = log_uniform(random, 1e-9, 1) * random_point(random, set, 1);
            EXPECT_LE(distance(project(set, p, 1), project(set, p + step, 1)),
                      distance(p, p + step) + 1e-14 * set_radius(set))
                << set;
        }
    }
}

// Radial scaling is a likely mistake but no projection: it must fail the normal-cone test above clearly.
TEST(Projection, IsNotRadialScaling) {
    const LimitSet set = Ellipse{0.2, 0.8};
    const Vec3 p{0.3, 0.9, 0};
    const Vec3 radial = p / gauge(set, p);
    EXPECT_GT(support(set, p - radial) - dot(radial, p - radial), 0.1 * set_radius(set) * size(p - radial));
    EXPECT_GT(distance(radial, project(set, p, 1)), 0.1);
}

TEST(Projection, ReturnsPointsInsideBitForBit) {
    Random random(17);
    std::vector<Vec2> storage;
    for (int k = 0; k < 1000; ++k) {
        for (const LimitSet& set : random_sets(random, 1e6, storage)) {
            Vec3 p{random.normal(), random.normal(), dimension(set) == 3 ? random.normal() : 0};
            p = (random.uniform(0, 0.999) / gauge(set, p)) * p;
            EXPECT_EQ(project(set, p, 1), p) << set;
        }
    }
}

TEST(Projection, OntoFlatSetsClampsWhatIsLeft) {
    EXPECT_EQ(project(Ellipse{0, 0.5}, {3, 0.2, 0}, 1), (Vec3{0, 0.2, 0}));
    EXPECT_EQ(project(Ellipse{0, 0.5}, {3, -2, 0}, 2), (Vec3{0, -1, 0}));
    EXPECT_EQ(project(Ellipse{0.5, 0}, {3, -2, 0}, 1), (Vec3{0.5, 0, 0}));
    EXPECT_EQ(project(Ellipse{0, 0}, {3, -2, 0}, 1), Vec3{});
    EXPECT_EQ(project(Ellipsoid{0, 0, 0.5}, {3, -2, 7}, 1), (Vec3{0, 0, 0.5}));
    EXPECT_EQ(project(Ellipsoid{0, 0, 0}, {3, -2, 7}, 1), Vec3{});
    EXPECT_EQ(project(Rectangle{0, 1, 0, 0}, {-3, -2, 0}, 1), (Vec3{0, 0, 0}));
    // a flat ellipsoid is an ellipse
    expect_near(project(Ellipsoid{1, 0.5, 0}, {2, 1, 9}, 1), project(Ellipse{1, 0.5}, {2, 1, 0}, 1), 1e-15);
}

TEST(Projection, OntoDegeneratePolygonsWorks) {
    const std::vector<Vec2> none, point{{0, 0}}, segment{{-1, -2}, {0.5, 1}};
    const std::vector<Vec2> thin{{-0.3, -0.9}, {0.1, 0.3}, {0.3, 0.9}};  // collinear except for rounding
    EXPECT_EQ(project(Polygon{none}, {1, 2, 0}, 1), Vec3{});
    EXPECT_EQ(project(Polygon{point}, {1, 2, 0}, 1), Vec3{});
    expect_near(project(Polygon{segment}, {0.2, 0.4, 0}, 1), {0.2, 0.4, 0}, 1e-15);
    expect_near(project(Polygon{segment}, {2, 4, 0}, 1), {0.5, 1, 0}, 1e-15);  // on the line, beyond the end
    expect_near(project(Polygon{segment}, {-20, -40, 0}, 1), {-1, -2, 0}, 1e-15);
    expect_near(project(Polygon{segment}, {-2, 1, 0}, 1), {0, 0, 0}, 1e-15);  // at right angles to it
    expect_near(project(Polygon{thin}, {3e5, 9e5, 0}, 1), {0.3, 0.9, 0}, 1e-15);
    expect_near(project(Polygon{thin}, {-3e5, -9e5, 0}, 1), {-0.3, -0.9, 0}, 1e-15);
    expect_near(project(Polygon{thin}, {0.6 - 0.9, 0.2 + 0.3, 0}, 1), {0.12, 0.36, 0}, 1e-15);
    EXPECT_EQ(project(Polygon{segment, 0}, {2, 4, 0}, 1), Vec3{});

    // Segments as thin as rounding makes them, with p beyond the tip: the signs of cross products are noise there.
    Random random(24);
    for (int k = 0; k < 2000; ++k) {
        const Vec2 tip{random.normal(), random.normal()};
        const std::vector<Vec2> needle{-0.7 * tip, 0.3 * tip, tip, 0.1 * tip};
        const Vec2 p = log_uniform(random, 1.001, 1e6) * tip;
        expect_near(project(Polygon{needle}, {p.x, p.y, 0}, 1), {tip.x, tip.y, 0}, 1e-15 * length(tip));
    }
}

TEST(Projection, IgnoresRepeatedAndCollinearCorners) {
    const std::vector<Vec2> square{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const std::vector<Vec2> same{{-1, -1}, {-1, -1}, {0, -1}, {1, -1}, {1, -1}, {1, 0.5}, {1, 1}, {-1, 1}, {-1, -1}};
    Random random(18);
    for (int k = 0; k < 2000; ++k) {
        const double far = log_uniform(random, 0.1, 1e9);
        Vec3 p{far * random.normal(), far * random.normal(), 0};
        if (random.below(3) == 0) p[random.below(2)] = random.below(3) - 1;  // exactly above vertices
        expect_near(project(Polygon{same}, p, 1), project(Polygon{square}, p, 1), 1e-15);
    }
}

TEST(Projection, IsZeroWithoutNormalForce) {
    Random random(19);
    std::vector<Vec2> storage;
    for (const LimitSet& set : random_sets(random, 10, storage)) {
        EXPECT_EQ(project(set, {1, 2, 3}, 0), Vec3{}) << set;
        EXPECT_EQ(project(set, {1, 2, 3}, -1), Vec3{}) << set;
    }
}

TEST(Projection, OntoPlanarSetsNeverReadsZ) {
    Random random(20);
    std::vector<Vec2> storage;
    for (const LimitSet& set : random_sets(random, 10, storage)) {
        if (dimension(set) == 3) continue;
        for (double far : {1e-3, 1e3}) {
            EXPECT_EQ(project(set, {far, far, kInfinity}, 1), project(set, {far, far, 0}, 1)) << set;
            EXPECT_EQ(project(set, {far, far, kInfinity}, 1).z, 0) << set;
        }
    }
}

TEST(Projection, SurvivesNumbersAtTheEdgesOfTheRange) {
    Random random(21);
    std::vector<Vec2> storage;
    for (const LimitSet& set : random_sets(random, 1e6, storage)) {
        for (double n : {1e-320, 1e-200, 1e-100, 1.0, 1e100})
            for (double far : {1e-320, 1e-200, 1e-100, 1.0, 1e100, 1e150}) {
                const Vec3 q = project(set, {far, 0.3 * far, 0.1 * far}, n);
                EXPECT_TRUE(is_finite(q)) << set << " n " << n << " far " << far;
                EXPECT_LE(size(q), 1.5 * n * set_radius(set)) << set << " n " << n << " far " << far;
            }
    }
    expect_near(project(Ellipse{0.5, 0.5}, {3e200, 4e200, 0}, 1), {0.3, 0.4, 0}, 1e-15);
    expect_near(project(Ellipse{0.5, 0.5}, {3e-200, 4e-200, 0}, 1e-199), {3e-200, 4e-200, 0}, 0);
}

// A NaN must be returned as a NaN; else the faulty step would stay unnoticed.
TEST(Projection, PassesNanOn) {
    Random random(22);
    std::vector<Vec2> storage;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const LimitSet& set : random_sets(random, 10, storage)) {
        EXPECT_FALSE(is_finite(project(set, {nan, 1, 1}, 1))) << set;
        EXPECT_FALSE(is_finite(project(set, {1, nan, 1}, 1))) << set;
    }
    EXPECT_FALSE(is_finite(project(Ellipse{0, 1}, {1, nan, 1}, 1)));
}

}  // namespace
}  // namespace asperity::friction
