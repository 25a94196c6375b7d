// Derivatives of the projection onto n K against central differences, away from its kinks, for every kind of set.
#include "asperity/friction/projection_derivative.h"

#include <gtest/gtest.h>

#include <array>

#include "asperity/core/random.h"

namespace asperity::friction {
namespace {

constexpr std::array<Vec2, 5> kCorners = {Vec2{0.5, -0.2}, Vec2{0.6, 0.3}, Vec2{-0.1, 0.7}, Vec2{-0.5, 0.2},
                                          Vec2{-0.2, -0.4}};

std::vector<LimitSet> all_sets() {
    return {Ellipse{0.4, 0.4},
            Ellipse{0.2, 0.8},
            Ellipse{0.02, 0.5},
            Ellipse{0.3, 0},
            Rectangle{0.1, 0.2, 0.3, 0.4},
            Polygon{kCorners, 0.8},
            Ellipsoid{0.3, 0.5, 0.1},
            Ellipsoid{0.4, 0.4, 0.02}};
}

/// Central differences of step h have an error of h^2 times the third derivative, and rounding / h. Near a kink they mix
/// both sides. Such points show as a disagreement between differences of different steps, and are left out.
TEST(ProjectionDerivative, AreTheDifferencesOfProjections) {
    Random random(1);
    const double h = 1e-5;
    for (const LimitSet& set : all_sets()) {
        int compared = 0;
        for (int trial = 0; trial < 400; ++trial) {
            const double n = random.uniform(0.2, 3);
            const Vec3 p{random.uniform(-2, 2), random.uniform(-2, 2), dimension(set) == 3 ? random.uniform(-1, 1) : 0};
            const Projection x = project_with_derivatives(set, p, n);
            EXPECT_EQ(x.point, project(set, p, n));
            const auto difference = [&](int axis, double step) {  // axis 3 is n
                Vec3 a = p, b = p;
                if (axis < 3) a[axis] -= step, b[axis] += step;
                const double s = axis == 3 ? step : 0;
                return (1 / (2 * step)) * (project(set, b, n + s) - project(set, a, n - s));
            };
            for (int axis = 0; axis < 4; ++axis) {
                if (axis == 2 && dimension(set) == 2) continue;
                const Vec3 fine = difference(axis, h), coarse = difference(axis, 4 * h);
                if (length(fine - coarse) > 1e-6) continue;
                ++compared;
                EXPECT_LT(length((axis < 3 ? x.by_p.column(axis) : x.by_n) - fine), 1e-6)
                    << "set " << set.index() << ", axis " << axis;
            }
        }
        EXPECT_GT(compared, 900) << "set " << set.index();
    }
}

/// Symmetric with eigenvalues in [0, 1]: the projection is the gradient of a convex function and lengthens no vector.
TEST(ProjectionDerivative, AreSymmetricAndShorten) {
    Random random(2);
    for (const LimitSet& set : all_sets())
        for (int trial = 0; trial < 200; ++trial) {
            const Vec3 p{random.uniform(-2, 2), random.uniform(-2, 2), dimension(set) == 3 ? random.uniform(-1, 1) : 0};
            const Mat3 D = project_with_derivatives(set, p, random.uniform(0.01, 3)).by_p;
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < i; ++j) EXPECT_NEAR(D.r[i][j], D.r[j][i], 1e-14);
            const Vec3 v{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
            EXPECT_GE(dot(v, D * v), -1e-14);
            EXPECT_LE(dot(v, D * v), dot(v, v) * (1 + 1e-14));
        }
}

TEST(ProjectionDerivative, VanishWithoutNormalForce) {
    for (const LimitSet& set : all_sets())
        for (const double n : {0.0, -1.0}) {
            const Projection x = project_with_derivatives(set, {0.3, 0.2, 0}, n);
            EXPECT_FALSE(x.inside);
            EXPECT_EQ(x.point, Vec3{});
            EXPECT_EQ(x.by_n, Vec3{});
        }
}

}  // namespace
}  // namespace asperity::friction
