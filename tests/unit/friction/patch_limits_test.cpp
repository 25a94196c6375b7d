// The limits of a patch: normal part, spin bounds, and the coupled sliding and spinning of a disc.
#include "asperity/friction/patch_limits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/core/random.h"
#include "asperity/friction/contensou.h"

namespace asperity::friction {
namespace {

constexpr double kPi = std::numbers::pi;

PressureRegion rectangle(double a, double b) {
    PressureRegion r;
    r.count = 4;
    r.corners[0] = {-a, -b}, r.corners[1] = {a, -b}, r.corners[2] = {a, b}, r.corners[3] = {-a, b};
    return r;
}
PressureRegion polygon_of(int count, double radius) {
    PressureRegion r;
    r.count = count;
    for (int i = 0; i < count; ++i)
        r.corners[static_cast<size_t>(i)] = {radius * std::cos(2 * kPi * i / count), radius * std::sin(2 * kPi * i / count)};
    return r;
}
PressureRegion ellipse(double a, double b) {
    PressureRegion r;
    r.a = a;
    r.b = b;
    return r;
}

// The table of the source's analysis, six digits; and derivatives of the mean of |v + w x r| from a sum over the disc.
TEST(Contensou, DiscHasTheTableOfSlidingAndSpinning) {
    const double table[][3] = {{0.1, 0.099875, 0.661676}, {0.25, 0.248031, 0.635786}, {0.5, 0.483844, 0.547748},
                               {0.9, 0.795759, 0.333212}, {1.1, 0.881354, 0.248917},  {2, 0.967688, 0.127809},
                               {5, 0.994975, 0.050169}};
    for (const auto& [e, force, torque] : table) {
        const DiscForce at = disc_force(e, 1);
        EXPECT_NEAR(at.force, force, 6e-7) << e;
        EXPECT_NEAR(at.torque, torque, 6e-7) << e;
    }
}

TEST(Contensou, ForceAndTorqueJoinWhereTheirFormulasDo) {
    for (const double e : {1e-2, 1.0, 2.0}) {
        const DiscForce below = disc_force(e * (1 - 1e-9), 1), above = disc_force(e * (1 + 1e-9), 1);
        EXPECT_NEAR(below.force, above.force, 5e-9) << e;  // slopes are at most 1, with a logarithmic singularity at e = 1
        EXPECT_NEAR(below.torque, above.torque, 5e-8) << e;
    }
    EXPECT_DOUBLE_EQ(disc_force(0, 1).torque, 2.0 / 3);
    EXPECT_EQ(disc_force(0, 1).force, 0);
    EXPECT_EQ(disc_force(1, 0).force, 1);
}

/// Projection onto a convex set: x is in the set, and p - x is normal to it: (p - x).x = support(p - x).
TEST(Contensou, ProjectionIsTheNearestPoint) {
    Random random(3);
    double worst = 0;
    for (int trial = 0; trial < 10000; ++trial) {
        // also under a pressure that reaches the edge: a disc of 1e-17, with torques of its own size and with those of a
        // large disc
        const bool small = trial % 2 == 1;
        const double R = std::exp(small ? random.uniform(-40, -3) : random.uniform(-3, 3)),
                     size = small && trial % 4 == 1 ? 1 : R;
        const Vec3 p{random.uniform(-2, 2), random.uniform(-2, 2), size * random.uniform(-2, 2)};
        const Vec3 x = project_disc_set(R, p), out = p - x;
        const double v = std::hypot(out.x, out.y), w = std::fabs(out.z) * R;
        const double slack = 1e-13 * (1 + R);
        // x is outside the set in no direction
        for (int k = 0; k <= 20; ++k) {
            const double angle = 0.5 * kPi * k / 20, s = std::sin(angle), c = std::cos(angle);
            const DiscForce b = disc_force(s, c * R);
            EXPECT_LE(std::hypot(x.x, x.y) * s + std::fabs(x.z) * c, s * b.force + c * R * b.torque + slack) << trial;
        }
        if (v == 0 && w == 0) continue;
        const DiscForce b = disc_force(v, w);
        // 0.05: if p is on the boundary up to rounding, x has an error of up to 5e-16 along a set of diameter 2
        worst = std::fmax(worst, std::fabs(dot(out, x) - (v * b.force + w * b.torque)) / ((length(out) + 0.05) * (1 + R)));
    }
    EXPECT_LT(worst, 1e-13);
}

TEST(PatchLimits, MeanRadiiAreThoseOfTheRegion) {
    EXPECT_NEAR(mean_radius(1, 1), 2.0 / 3, 1e-15);
    EXPECT_NEAR(mean_radius(1, 0.4), 0.48835, 5e-6);
    EXPECT_NEAR(mean_radius(1, 0), 4 / (3 * kPi), 1e-15);
    EXPECT_NEAR(mean_radius(1, 1e-8), mean_radius(1, 1e-10), 1e-13);
    EXPECT_NEAR(mean_radius(rectangle(1, 1)), (std::sqrt(2.0) + std::asinh(1.0)) / 3, 1e-15);  // closed form for a square
    EXPECT_NEAR(mean_radius(rectangle(1, 1e-9)), 0.5, 1e-9);
    PressureRegion line;
    line.count = 2;
    line.corners[0] = {-1, 0}, line.corners[1] = {1, 0};
    EXPECT_DOUBLE_EQ(mean_radius(line), 0.5);
    EXPECT_NEAR(mean_radius(polygon_of(16, 1)), 2.0 / 3, 0.02);
}

// Even pressure, a law with two coefficients and a patch oblique to its axes: against the sum of |D (n x r)| over the patch.
TEST(PatchLimits, UniformSpinIsTheMeanDragOfTheRegion) {
    for (const bool round : {true, false}) {
        const double a = 0.3, b = 0.1, angle = 0.7;
        const PatchLimits limits(round ? ellipse(a, b) : rectangle(a, b), Ellipse{0.2, 0.7}, SpinModel::Uniform, angle, 1);
        double sum = 0;
        long count = 0;
        constexpr int n = 1000;
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < n; ++k) {
                const double x = -1 + (2 * i + 1.0) / n, y = -1 + (2 * k + 1.0) / n;
                if (round && x * x + y * y > 1) continue;
                const Vec2 r = limits.in_law_axes({a * x, b * y});
                sum += std::hypot(0.2 * r.y, 0.7 * r.x);
                ++count;
            }
        // a grid of n cells across approximates the area to about n^-1.5 = 3e-5
        EXPECT_NEAR(limits.spin_bound({0, 0}), sum / static_cast<double>(count), 1e-4 * limits.spin_bound({0, 0})) << round;
        // a side of half length b along w = (-sin, cos): b/2 |D (n x w)|
        const double edge = round ? 0 : 0.5 * b * std::hypot(0.2 * std::cos(angle), 0.7 * std::sin(angle));
        EXPECT_NEAR(limits.spin_bound({0.5 * a, 0}), 0.5 * (limits.spin_bound({0, 0}) + edge), 1e-15);
        EXPECT_NEAR(limits.spin_bound({2 * a, 0}), edge, 1e-15);
        EXPECT_NEAR(limits.spin_bound({a, 0.999 * b}), 0.001 * edge, 1e-13);  // no resistance at a vertex
    }
}

// A square that spins about a point of its side has friction on the part of the side centred at that point. The bound is
// continuous on the way there.
TEST(PatchLimits, UniformSpinFadesToThatOfTheEdge) {
    const PatchLimits limits(rectangle(1, 1), Ellipse{0.5, 0.5}, SpinModel::Uniform, 0.3, 1);
    EXPECT_NEAR(limits.spin_bound({1, 0}), 0.5 * 0.5, 1e-15);
    EXPECT_NEAR(limits.spin_bound({0.4, -1}), 0.5 * 0.5 * 0.6, 1e-15);
    EXPECT_NEAR(limits.spin_bound({1, 1}), 0, 1e-15);
    double last = limits.spin_bound({0, 0});
    // around and outwards: an angle of 0.05 moves at most 0.1 along a side, at mu/2 each; rho changes by 1e-3 of 0.5 x 0.77
    for (int i = 1; i <= 1000; ++i) {
        const double angle = 0.05 * i, rho = 1e-3 * i;
        const double bound = limits.spin_bound({rho * std::cos(angle), rho * std::sin(angle)});
        EXPECT_LT(std::fabs(bound - last), 0.026) << i;
        last = bound;
    }
}

// Unit disc: 1.4142 at the centre, 1.2892 at half the radius, 1 at the edge on an axis.
TEST(PatchLimits, FourCornersHaveTheSourcesValues) {
    const PatchLimits limits(ellipse(1, 1), Ellipse{1, 1}, SpinModel::FourCorner, 0, 1);
    EXPECT_NEAR(limits.spin_bound({0, 0}), std::sqrt(2.0), 1e-15);
    EXPECT_NEAR(limits.spin_bound({0.5, 0}), 1.2892, 5e-5);
    EXPECT_NEAR(limits.spin_bound({1, 0}), 1, 1e-15);
}

/// Moreau's conditions: x in C, x - p in C*, orthogonal. In the dual cone no point of the region approaches.
TEST(PatchLimits, PressingIsProjectedOntoItsCone) {
    Random random(5);
    PressureRegion point, line;
    point.count = 1;
    line.count = 2;
    line.corners[0] = {-0.4, -0.3}, line.corners[1] = {0.4, 0.3};
    const PressureRegion regions[] = {ellipse(0.5, 0.5),
                                      ellipse(1, 0.2),
                                      ellipse(0.3, 0),
                                      ellipse(0, 0),
                                      rectangle(1, 0.4),
                                      polygon_of(8, 0.5),
                                      polygon_of(3, 2),
                                      line,
                                      point};
    for (const PressureRegion& region : regions) {
        const PatchLimits limits(region, Ellipse{0.5, 0.5}, SpinModel::Uniform, 0, 1);
        for (int trial = 0; trial < 2000; ++trial) {
            const double n = random.uniform(-1, 1);
            const Vec2 m{random.uniform(-1, 1), random.uniform(-1, 1)};
            const ConePoint x = limits.project_pressing(n, m);
            ASSERT_GE(x.n, 0);
            if (x.n > 0) {
                ASSERT_TRUE(limits.may_press_at({x.f.x / x.n, x.f.y / x.n}, 1e-12 / x.n)) << region.count << " " << trial;
            }
            const Vec2 g{x.f.x - m.x, x.f.y - m.y};
            EXPECT_GE(x.n - n - limits.approach_by_tilt(g), -1e-13) << region.count << " " << trial;
            EXPECT_NEAR(x.n * (x.n - n) + x.f.x * g.x + x.f.y * g.y, 0, 1e-13);
        }
    }
}

// The cone over R x K with a held centre: the projection is inside. The remainder is orthogonal to it and in the polar cone,
// n + h_R(m) + s h_K(x) <= 0.
TEST(PatchLimits, HeldConeIsProjectedOnto) {
    Random random(5);
    for (const SpinModel model : {SpinModel::Uniform, SpinModel::FourCorner, SpinModel::Contensou})
        for (int trial = 0; trial < 600; ++trial) {
            PressureRegion region;
            const double a = random.uniform(0.01, 1), b = trial % 3 == 0 ? a : random.uniform(0.01, 1);
            if (trial % 2 == 0) {
                region.a = a, region.b = b;
            } else {
                region.count = 4;
                region.corners[0] = {-a, -b}, region.corners[1] = {a, -b}, region.corners[2] = {a, b},
                region.corners[3] = {-a, b};
            }
            const double mu = random.uniform(0.05, 1);
            const LimitSet planar = trial % 5 == 0   ? LimitSet(Rectangle{mu, 0.5 * mu, 0.7 * mu, mu})
                                    : trial % 5 == 1 ? LimitSet(Ellipse{mu, 0.3 * mu})
                                                     : LimitSet(Ellipse{mu, mu});
            const Vec2 centre{random.uniform(-0.6, 0.6) * a, random.uniform(-0.3, 0.3) * b};
            const PatchLimits limits = PatchLimits(region, planar, model, random.uniform(-1, 1), 1).held_at(centre);
            const double stretch = random.uniform(0.3, 3), n_0 = random.uniform(-1, 1);
            const Vec2 m_0{random.uniform(-1, 1), random.uniform(-1, 1)};
            const Vec3 x_0{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
            double n = n_0;
            Vec2 m = m_0;
            Vec3 x = x_0;
            limits.project_held(n, m, x, stretch);
            ASSERT_GE(n, 0);
            if (n > 0) {
                EXPECT_TRUE(limits.may_press_at(m / n, 1e-10));
                EXPECT_LT(length(limits.project_friction(x, stretch * n, {}) - x), 1e-10);
            }
            const double rest_n = n_0 - n;
            const Vec2 rest_m = m_0 - m;
            const Vec3 rest_x = x_0 - x;
            // ten times the measured value; the disc's own projection is exact to 1e-12
            EXPECT_NEAR(rest_n * n + dot(rest_m, m) + dot(rest_x, x), 0, 1e-10) << trial;
            EXPECT_LT(rest_n + limits.reach(rest_m) + stretch * limits.drag(rest_x, {}), 1e-10) << trial;
        }
}

// The drag is the support function of the set that project_friction uses: a distant point projects to where it is attained.
TEST(PatchLimits, DragIsThePowerOfTheFarthestPoint) {
    Random random(6);
    for (const SpinModel model : {SpinModel::Uniform, SpinModel::FourCorner, SpinModel::Contensou})
        for (int trial = 0; trial < 100; ++trial) {
            PressureRegion region;
            region.a = random.uniform(0.1, 1);
            region.b = trial % 2 == 0 ? region.a : random.uniform(0.1, 1);
            const PatchLimits limits(region, Ellipse{0.5, 0.5}, model, 0.3, 1);
            const Vec2 d{0.3 * region.a, -0.4 * region.b};
            const Vec3 slip{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
            const double drag = limits.drag(slip, d);
            // the projection of a point at 1e6 differs from the support point by about 1e-6
            EXPECT_NEAR(dot(limits.project_friction(1e6 * slip, 1, d), slip), drag, 1e-5 * drag);
            for (int k = 0; k < 20; ++k) {
                const Vec3 any =
                    limits.project_friction({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}, 1, d);
                EXPECT_LE(dot(any, slip), drag + 1e-12);
            }
        }
}

}  // namespace
}  // namespace asperity::friction
