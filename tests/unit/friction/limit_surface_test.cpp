// Support, gauge and its derivatives, area, scaling and facets of limit sets; maximum dissipation.
#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "sets.h"

namespace asperity::friction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec3 random_direction(Random& random, const LimitSet& set) {
    return {random.normal(), random.normal(), dimension(set) == 3 ? random.normal() : 0};
}
/// A random point of K.
Vec3 random_member(Random& random, const LimitSet& set) {
    const Vec3 d = random_direction(random, set);
    return (random.uniform() / gauge(set, d)) * d;
}

// At the slip velocity v, the friction force f has the most negative power f.v of all forces in K.
TEST(LimitSurface, SupportPointDissipatesMost) {
    Random random(31);
    std::vector<Vec2> storage;
    for (int k = 0; k < 50; ++k) {
        for (const LimitSet& set : random_sets(random, 100, storage)) {
            const Vec3 v = random_direction(random, set), f = support_point(set, -v);
            EXPECT_TRUE(contains(set, f, 1, 1e-14)) << set;
            const double tolerance = 1e-14 * set_radius(set) * length(v);
            EXPECT_NEAR(dot(f, v), -support(set, -v), tolerance) << set;
            for (int j = 0; j < 1000; ++j) ASSERT_LE(dot(f, v), dot(random_member(random, set), v) + tolerance) << set;
        }
    }
}

// In an anisotropic set some force dissipates more than the one opposite to the velocity, scaled to the
// boundary.
TEST(LimitSurface, RadialForceDoesNotDissipateMost) {
    Random random(32);
    const LimitSet set = Ellipse{0.2, 0.8};
    const Vec3 v{1, 1, 0};
    const Vec3 radial = (-1 / gauge(set, v)) * v;
    int better = 0;
    for (int j = 0; j < 1000; ++j) better += dot(random_member(random, set), v) < dot(radial, v) ? 1 : 0;
    EXPECT_GT(better, 10);
}

// The support is the drag along the motion, the inverse gauge the static threshold; they differ between the axes.
TEST(LimitSurface, EllipseHasThreeDifferentCoefficients) {
    const double mu_t = 0.2, mu_b = 0.8, x = 0.7;
    const LimitSet set = Ellipse{mu_t, mu_b};
    const Vec3 d{std::cos(x), std::sin(x), 0};
    const double s = std::sqrt(mu_t * mu_t * d.x * d.x + mu_b * mu_b * d.y * d.y);
    EXPECT_NEAR(support(set, d), s, 1e-15);
    EXPECT_NEAR(1 / gauge(set, d), 1 / std::sqrt(d.x * d.x / (mu_t * mu_t) + d.y * d.y / (mu_b * mu_b)), 1e-15);
    const Vec3 f = support_point(set, d);
    EXPECT_NEAR(length(f), std::sqrt(std::pow(mu_t, 4) * d.x * d.x + std::pow(mu_b, 4) * d.y * d.y) / s, 1e-15);
    EXPECT_NEAR(f.y / f.x, mu_b * mu_b / (mu_t * mu_t) * std::tan(x), 1e-13);
}

// f.d <= gauge(f) support(d), with equality at the support point: gauge and support are polar to each other.
TEST(LimitSurface, GaugeAndSupportArePolar) {
    Random random(33);
    std::vector<Vec2> storage;
    for (int k = 0; k < 500; ++k) {
        for (const LimitSet& set : random_sets(random, 1e6, storage)) {
            const Vec3 f = random_direction(random, set), d = random_direction(random, set);
            const double bound = gauge(set, f) * support(set, d);
            EXPECT_LE(dot(f, d), bound * (1 + 1e-14)) << set;
            EXPECT_NEAR(gauge(set, support_point(set, d)), 1, 1e-9) << set;  // vertices of thin polygons lose 6 digits
        }
    }
}

TEST(LimitSurface, GaugeIsHomogeneousAndOneOnTheBoundary) {
    Random random(34);
    std::vector<Vec2> storage;
    for (int k = 0; k < 500; ++k) {
        for (const LimitSet& set : random_sets(random, 1000, storage)) {
            const Vec3 f = random_direction(random, set);
            const double g = gauge(set, f), s = log_uniform(random, 1e-9, 1e9);
            EXPECT_NEAR(gauge(set, s * f), s * g, 1e-14 * s * g) << set;
            EXPECT_NEAR(gauge(scaled(set, s), f), g / s, 1e-14 * g / s) << set;
            EXPECT_TRUE(contains(set, (s * 0.999999 / g) * f, s)) << set;
            EXPECT_FALSE(contains(set, (s * 1.01 / g) * f, s)) << set;
        }
    }
}

TEST(LimitSurface, GaugeIsInfiniteWhereNoMultipleReaches) {
    const std::vector<Vec2> segment{{-1, -2}, {0.5, 1}}, corner{{0, 0}, {1, 0}, {0, 1}}, side{{-1, 0}, {1, 0}, {0, 1}};
    EXPECT_EQ(gauge(Ellipse{0, 1}, {1, 0, 0}), kInfinity);
    EXPECT_EQ(gauge(Ellipse{0, 1}, {0, 3, 0}), 3);
    EXPECT_EQ(gauge(Ellipsoid{1, 1, 0}, {0, 0, 1}), kInfinity);
    EXPECT_EQ(gauge(Rectangle{0, 1, 1, 2}, {-1, 0, 0}), kInfinity);
    EXPECT_EQ(gauge(Rectangle{0, 1, 1, 2}, {0.5, 4, 0}), 2);
    EXPECT_NEAR(gauge(Polygon{segment}, {1, 2, 0}), 2, 1e-15);
    EXPECT_NEAR(gauge(Polygon{segment}, {-1, -2, 0}), 1, 1e-15);
    EXPECT_EQ(gauge(Polygon{segment}, {1, 0, 0}), kInfinity);
    EXPECT_NEAR(gauge(Polygon{corner}, {1, 1, 0}), 2, 1e-15);
    EXPECT_EQ(gauge(Polygon{corner}, {-1, 1, 0}), kInfinity);
    EXPECT_NEAR(gauge(Polygon{side}, {-2, 0, 0}), 2, 1e-15);  // along the side through the origin
    EXPECT_EQ(gauge(Polygon{side}, {0, -1, 0}), kInfinity);
    EXPECT_EQ(gauge(Polygon{side, 0}, {0, 1, 0}), kInfinity);
    // an oblique side through the origin: along it the gauge is finite for any rounding
    Random random(40);
    for (int k = 0; k < 1000; ++k) {
        const Vec2 c{random.normal(), random.normal()};
        const std::vector<Vec2> slanted{-0.7 * c, c, {-c.y, c.x}};
        const double s = random.uniform(0.1, 10);
        EXPECT_NEAR(gauge(Polygon{slanted}, {s * c.x, s * c.y, 0}), s, 1e-14 * s);
        EXPECT_EQ(gauge(Polygon{slanted}, {s * c.y, -s * c.x, 0}), kInfinity);
    }
    for (const LimitSet& set : {LimitSet{Ellipse{0, 1}}, LimitSet{Polygon{side}}, LimitSet{Polygon{side, 0}}})
        EXPECT_EQ(gauge(set, {}), 0) << set;
}

// Central differences: the truncation error step^2 and the rounding error 1e-16/step balance near step = 1e-5. The Hessian
// is compared with differences of gradients.
TEST(LimitSurface, GaugeDerivativesAreThoseOfTheGauge) {
    Random random(35);
    std::vector<Vec2> storage;
    for (int k = 0; k < 200; ++k) {
        for (const LimitSet& set : random_sets(random, 3, storage)) {
            const Vec3 f = random_direction(random, set);
            if (std::min(std::fabs(f.x), std::fabs(f.y)) < 0.1) continue;
            const GaugeDerivatives g = gauge_derivatives(set, f);
            const double scale = g.value / length(f), step = 1e-5;
            EXPECT_NEAR(g.value, gauge(set, f), 1e-14 * g.value) << set;
            EXPECT_NEAR(dot(g.gradient, f), g.value, 1e-14 * g.value) << set;  // Euler: degree one
            for (int i = 0; i < dimension(set); ++i) {
                Vec3 h;
                h[i] = step;
                const GaugeDerivatives up = gauge_derivatives(set, f + h), down = gauge_derivatives(set, f - h);
                const Vec3 jump = up.gradient - down.gradient;
                const bool polyhedral = std::holds_alternative<Polygon>(set) || std::holds_alternative<Rectangle>(set);
                if (polyhedral && length(jump) > 0) continue;  // a vertex in between
                EXPECT_NEAR((up.value - down.value) / (2 * step), g.gradient[i], 1e-7 * scale) << set;
                for (int j = 0; j < 3; ++j) EXPECT_NEAR(jump[j] / (2 * step), g.hessian.r[i][j], 1e-6 * scale) << set;
            }
        }
    }
}

TEST(LimitSurface, PlanarSetsNeverReadZ) {
    Random random(36);
    std::vector<Vec2> storage;
    for (const LimitSet& set : random_sets(random, 10, storage)) {
        if (dimension(set) == 3) continue;
        const Vec3 f{0.3, -0.4, 0}, g{0.3, -0.4, kInfinity};
        EXPECT_EQ(support(set, g), support(set, f)) << set;
        EXPECT_EQ(support_point(set, g), support_point(set, f)) << set;
        EXPECT_EQ(gauge(set, g), gauge(set, f)) << set;
        EXPECT_EQ(gauge_derivatives(set, g).gradient, gauge_derivatives(set, f).gradient) << set;
        EXPECT_EQ(contains(set, g, 100), contains(set, f, 100)) << set;
    }
}

TEST(LimitSurface, SupportPointOfNoDirectionIsTheOrigin) {
    Random random(37);
    std::vector<Vec2> storage;
    for (const LimitSet& set : random_sets(random, 10, storage)) {
        EXPECT_EQ(support_point(set, {}), Vec3{}) << set;
        EXPECT_EQ(support(set, {}), 0) << set;
    }
    EXPECT_EQ(support_point(Ellipse{0, 1}, {1, 0, 0}), Vec3{});
    EXPECT_EQ(support(Polygon{}, {1, 0, 0}), 0);
}

TEST(LimitSurface, AreaAndScalingAgreeWithClosedForms) {
    const std::vector<Vec2> square{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    EXPECT_NEAR(area(Ellipse{0.5, 2}), std::numbers::pi, 1e-15);
    EXPECT_NEAR(area(Ellipsoid{0.5, 2, 9}), std::numbers::pi, 1e-15);
    EXPECT_EQ(area(Rectangle{1, 2, 0, 3}), 9);
    EXPECT_EQ(area(Polygon{square, 0.5}), 1);
    EXPECT_EQ(area(Polygon{}), 0);
    Random random(38);
    std::vector<Vec2> storage;
    for (const LimitSet& set : random_sets(random, 10, storage)) {
        EXPECT_NEAR(area(scaled(set, 3)), 9 * area(set), 1e-14 * area(set)) << set;
        EXPECT_NEAR(support(scaled(set, 3), {1, 2, 0}), 3 * support(set, {1, 2, 0}), 1e-14) << set;
        EXPECT_EQ(dimension(scaled(set, 3)), dimension(set)) << set;
    }
}

// The factor is cos(pi/N). The boundary is closest to the origin at the middle of a side.
TEST(LimitSurface, FacetsTouchTheEllipseWithTheFactorCosPiOverN) {
    const LimitSet set = Ellipse{0.2, 0.8};
    const std::pair<int, double> expected[] = {{4, 0.7071}, {8, 0.9239}, {16, 0.9808}, {32, 0.9952}};
    for (const auto& [count, factor] : expected) {
        std::vector<Vec2> inner(static_cast<size_t>(count)), outer(static_cast<size_t>(count));
        ASSERT_EQ(facets(set, count, Fit::Inscribed, inner), count);
        ASSERT_EQ(facets(set, count, Fit::Circumscribed, outer), count);
        double innermost = 2, outermost = 0;
        for (size_t i = 0; i < inner.size(); ++i) {
            const Vec2 c = inner[i], o = outer[i], middle = 0.5 * (c + inner[(i + 1) % inner.size()]);
            const Vec2 touch = 0.5 * (o + outer[(i + 1) % outer.size()]);
            EXPECT_NEAR(gauge(set, {c.x, c.y, 0}), 1, 1e-14);
            EXPECT_NEAR(gauge(set, {touch.x, touch.y, 0}), 1, 1e-14);
            EXPECT_NEAR(length(touch - inner[(i + 1) % inner.size()]), 0, 1e-15);  // sides touch at the inscribed vertices
            EXPECT_GT(cross(c, inner[(i + 1) % inner.size()]), 0);                 // counter-clockwise
            innermost = std::min(innermost, gauge(set, {middle.x, middle.y, 0}));
            outermost = std::max(outermost, gauge(set, {o.x, o.y, 0}));
        }
        EXPECT_NEAR(innermost, factor, 5e-5) << count;
        EXPECT_NEAR(innermost, std::cos(std::numbers::pi / count), 1e-14) << count;
        EXPECT_NEAR(outermost, 1 / std::cos(std::numbers::pi / count), 1e-14) << count;
        // inscribed inside, circumscribed outside, in every direction
        Random random(39);
        for (int k = 0; k < 1000; ++k) {
            const Vec3 d{random.normal(), random.normal(), 0};
            EXPECT_LE(support(Polygon{inner}, d), support(set, d) * (1 + 1e-14));
            EXPECT_GE(support(Polygon{outer}, d), support(set, d) * (1 - 1e-14));
        }
    }
}

TEST(LimitSurface, PolyhedralSetsGiveTheirOwnCornersAsFacets) {
    const std::vector<Vec2> triangle{{-1, -1}, {1, -1}, {0, 1}};
    std::array<Vec2, 8> out;
    ASSERT_EQ(facets(Polygon{triangle, 2}, 8, Fit::Inscribed, out), 3);
    EXPECT_EQ(out[2].y, 2);
    ASSERT_EQ(facets(Rectangle{1, 2, 3, 4}, 8, Fit::Circumscribed, out), 4);
    EXPECT_EQ(area(Polygon{std::span<const Vec2>(out).first(4)}), area(Rectangle{1, 2, 3, 4}));
}

}  // namespace
}  // namespace asperity::friction
