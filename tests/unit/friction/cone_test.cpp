// Projection onto friction cones, by its optimality conditions: x in C, x - p in C*, x perpendicular to x - p.
#include "asperity/friction/cone.h"

#include <gtest/gtest.h>

#include "sets.h"

namespace asperity::friction {
namespace {

double size(double n, const Vec3& f) { return std::hypot(n, length(f)); }

/// Calls check() for a set of each kind, of radius up to `radius`, and points in all regions: inside, beside, below, near
/// the axis and near the boundary.
template <class Check>
void for_random_points(std::uint64_t seed, int draws, Check&& check) {
    Random random(seed);
    std::vector<Vec2> storage;
    for (int k = 0; k < draws; ++k)
        for (const LimitSet& unit : random_sets(random, 30, storage)) {
            const LimitSet set = scaled(unit, log_uniform(random, 1e-2, 10));
            const double height = sign(random) * log_uniform(random, 1e-6, 1e6);
            Vec3 f = random_point(random, set, std::fabs(height));
            if (dimension(set) == 2) f.z = 0;
            check(set, height, f);
        }
}

// Tolerances: ten times the worst of 50 000 draws. These are 3e-16 |p| outside the cone, 3e-14 outside the dual cone, and
// 4e-15 for orthogonality. The latter two are multiplied by the radius of K, by which an error of n moves f.
TEST(Cone, ProjectionSatisfiesMoreausConditions) {
    for_random_points(31, 4000, [](const LimitSet& set, double n, const Vec3& f) {
        const ConePoint x = project_cone(set, n, f);
        const double p = size(n, f), radius = std::max(1.0, set_radius(set));
        SCOPED_TRACE(testing::Message() << set << " n " << n << " f " << f.x << " " << f.y << " " << f.z);
        EXPECT_GE(x.n, 0);
        EXPECT_LE(length(x.f - project(set, x.f, x.n)), 3e-15 * p);
        EXPECT_TRUE(in_dual_cone(set, x.n - n, x.f - f, 3e-13 * radius * p));
        EXPECT_LE(std::fabs(x.n * (x.n - n) + dot(x.f, x.f - f)), 5e-14 * radius * p * p);
    });
}

TEST(Cone, ProjectionIsIdempotentAndKeepsPointsInside) {
    for_random_points(32, 1000, [](const LimitSet& set, double n, const Vec3& f) {
        const ConePoint x = project_cone(set, n, f), again = project_cone(set, x.n, x.f);
        EXPECT_LE(size(again.n - x.n, again.f - x.f), 7e-15 * size(n, f)) << set;  // measured 7e-16
        const Vec3 inside = (0.9 * std::fabs(n) / std::max(gauge(set, f), 1e-300)) * f;
        const ConePoint same = project_cone(set, std::fabs(n), inside);
        EXPECT_EQ(same.n, std::fabs(n)) << set;
        EXPECT_EQ(same.f, inside) << set;
    });
}

// A circle has a closed form and is also an ellipse: both algorithms give the same point.
TEST(Cone, CirclesAgreeWithEllipsesThatAreNearlyRound) {
    Random random(33);
    for (int k = 0; k < 2000; ++k) {
        const double mu = log_uniform(random, 1e-2, 10), n = random.normal();
        const Vec3 f{random.normal(), random.normal(), 0};
        const ConePoint round = project_cone(Ellipse{mu, mu}, n, f),
                        oval = project_cone(Ellipse{mu, mu * (1 + 1e-15)}, n, f);
        EXPECT_LE(size(round.n - oval.n, round.f - oval.f), 1e-13 * size(n, f)) << mu << " " << n;
    }
}

TEST(Cone, PointsOfThePolarConeGoToTheApex) {
    EXPECT_EQ(project_cone(Ellipse{0.5, 0.5}, -1, {1, 0, 0}).n, 0);
    EXPECT_EQ(project_cone(Ellipse{0.5, 0.2}, -1, {1.9, 0, 0}).n, 0);
    EXPECT_GT(project_cone(Ellipse{0.5, 0.2}, -1, {2.1, 0, 0}).n, 0);
    EXPECT_EQ(project_cone(Rectangle{0.1, 0.5, 0.2, 0.2}, -1, {1.9, 0, 0}).n, 0);
    EXPECT_EQ(project_cone(Ellipse{0, 0}, 2, {3, 4, 0}).n, 2);
    EXPECT_EQ(project_cone(Ellipse{0, 0}, 2, {3, 4, 0}).f, Vec3{});
}

TEST(Cone, PassesNanOn) {
    Random random(34);
    std::vector<Vec2> storage;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const LimitSet& set : random_sets(random, 10, storage)) {
        const ConePoint a = project_cone(set, nan, {1, 1, 0}), b = project_cone(set, 1, {nan, 1, 0});
        EXPECT_FALSE(std::isfinite(a.n) && is_finite(a.f)) << set;
        EXPECT_FALSE(std::isfinite(b.n) && is_finite(b.f)) << set;
    }
}

}  // namespace
}  // namespace asperity::friction
