// Distances and their derivatives against differences, types against brute force.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "asperity/ipc/distance/closest.h"
#include "asperity/ipc/distance/line_line.h"
#include "asperity/ipc/distance/point_line.h"
#include "asperity/ipc/distance/point_plane.h"
#include "asperity/ipc/distance/point_point.h"
#include "asperity/ipc/edge_factor.h"
#include "tests/unit/ipc/meshes.h"

namespace asperity::ipc {
namespace {

template <int Dim>
using Family = Separation<Dim> (*)(const std::array<Vector<Dim>, 4>&);

template <int Dim>
struct Named {
    const char* name;
    int count;
    Family<Dim> of;
};
const Named<2> kPlane[] = {
    {"point-point", 2, [](const std::array<Vector<2>, 4>& x) { return point_point(x[0], x[1]); }},
    {"point-line", 3, [](const std::array<Vector<2>, 4>& x) { return point_line(x[0], x[1], x[2]); }}};
const Named<3> kSpace[] = {
    {"point-point", 2, [](const std::array<Vector<3>, 4>& x) { return point_point(x[0], x[1]); }},
    {"point-line", 3, [](const std::array<Vector<3>, 4>& x) { return point_line(x[0], x[1], x[2]); }},
    {"point-plane", 4, [](const std::array<Vector<3>, 4>& x) { return point_plane(x[0], x[1], x[2], x[3]); }},
    {"line-line", 4, [](const std::array<Vector<3>, 4>& x) { return line_line(x[0], x[1], x[2], x[3]); }}};

template <int Dim>
double squared(const Named<Dim>& f, const std::array<Vector<Dim>, 4>& x) {
    const double d = f.of(x).distance;
    return d * d;
}

/// Random vertices that are no nearly degenerate case: with a height of at least a tenth of the size.
template <int Dim>
std::array<Vector<Dim>, 4> vertices(Random& random, const Named<Dim>& f, double scale) {
    for (;;) {
        std::array<Vector<Dim>, 4> x;
        for (Vector<Dim>& p : x) p = random_vector<Dim>(random, scale);
        const Separation<Dim> s = f.of(x);
        bool good = s.distance > 0.1 * scale;
        for (int k = 0; k < s.parameters; ++k)
            for (const double slope : s.slope[static_cast<std::size_t>(k)]) good = good && std::fabs(slope) < 10 / scale;
        for (const double weight : s.weight) good = good && std::fabs(weight) < 10;
        if (good) return x;
    }
}

/// Central differences with a step of 1e-5 of the size: the truncation error is about 1e-10 times third derivatives, which
/// reach some 1e2 here, that of rounding 1e-11 (gradient) relative to the size. Measured: 2e-8; asserted: ten times that.
template <int Dim>
void compare_with_differences(const Named<Dim>& f) {
    Random random(3);
    double worst_gradient = 0, worst_hessian = 0, worst_energy = 0;
    for (const double scale : {1e-6, 1.0, 1e6})
        for (int trial = 0; trial < 200; ++trial) {
            const std::array<Vector<Dim>, 4> x = vertices(random, f, scale);
            const Separation<Dim> s = f.of(x);
            const Vector<4 * Dim> gradient = squared_distance_gradient(s);
            const Matrix<4 * Dim, 4 * Dim> hessian = squared_distance_hessian(s);
            // E = d^3: E' = 3 d^2, E'' = 6 d
            const double d = s.distance;
            const Matrix<4 * Dim, 4 * Dim> energy = energy_hessian(s, 3 * d * d, 6 * d, false);
            const double step = 1e-5 * scale;
            for (int i = 0; i < f.count * Dim; ++i) {
                std::array<Vector<Dim>, 4> high = x, low = x;
                high[static_cast<std::size_t>(i / Dim)][i % Dim] += step;
                low[static_cast<std::size_t>(i / Dim)][i % Dim] -= step;
                const double slope = (squared(f, high) - squared(f, low)) / (2 * step);
                worst_gradient = std::max(worst_gradient, std::fabs(slope - gradient[i]) / gradient.norm());
                const Separation<Dim> sh = f.of(high), sl = f.of(low);
                const Vector<4 * Dim> column = (squared_distance_gradient(sh) - squared_distance_gradient(sl)) / (2 * step);
                worst_hessian = std::max(worst_hessian, (column - hessian.col(i)).norm() / hessian.norm());
                const Vector<4 * Dim> cubic = (3 * sh.distance * sh.distance * distance_gradient(sh) -
                                               3 * sl.distance * sl.distance * distance_gradient(sl)) /
                                              (2 * step);
                worst_energy = std::max(worst_energy, (cubic - energy.col(i)).norm() / energy.norm());
            }
        }
    std::printf("%dD %s: gradient %.1e, Hessian %.1e, energy %.1e\n", Dim, f.name, worst_gradient, worst_hessian,
                worst_energy);
    EXPECT_LT(worst_gradient, 2e-7) << f.name;
    EXPECT_LT(worst_hessian, 2e-7) << f.name;
    EXPECT_LT(worst_energy, 2e-7) << f.name;
}

TEST(IpcDistance, DerivativesAgreeWithDifferencesAtAllScales) {
    for (const Named<2>& f : kPlane) compare_with_differences(f);
    for (const Named<3>& f : kSpace) compare_with_differences(f);
}

TEST(IpcDistance, NormalIsTheVectorBetweenTheClosestPoints) {
    Random random(5);
    for (const Named<3>& f : kSpace)
        for (int trial = 0; trial < 200; ++trial) {
            const std::array<Vector<3>, 4> x = vertices(random, f, 1);
            const Separation<3> s = f.of(x);
            Vector<3> r = Vector<3>::Zero();
            for (std::size_t k = 0; k < 4; ++k) r += s.weight[k] * x[k];
            EXPECT_LT((r - s.distance * s.normal).norm(), 1e-13) << f.name;  // some roundings of weights below 10
            EXPECT_NEAR(s.normal.dot(s.tangent[0]), 0, 1e-14) << f.name;
            EXPECT_NEAR(s.normal.dot(s.tangent[1]), 0, 1e-14) << f.name;
        }
}

/// The gap keeps its relative accuracy when the pair is far from the origin, down to the rounding of the coordinates.
TEST(IpcDistance, StaysAccurateFarFromTheOrigin) {
    const Vector<3> far{1000, -1000, 1000};
    const double unit = std::ldexp(1.0, -20);  // so that all coordinates are exact
    const Vector<3> a{0, 0, 0}, b{0.5, 0, 0}, c{0, 0.5, 0}, p{0.125, 0.25, unit};
    EXPECT_EQ(point_plane(p + far, a + far, b + far, c + far).distance, unit);
    EXPECT_EQ(point_line(Vector<3>(a + far + Vector<3>(0.25, 0, unit)), Vector<3>(a + far), Vector<3>(b + far)).distance,
              unit);
    EXPECT_EQ(line_line(a + far, b + far, Vector<3>(0.125, -0.5, unit) + far, Vector<3>(0.125, 0.5, unit) + far).distance,
              unit);
}

TEST(IpcDistance, ClampedHessianHasTheLargeMatrixsPositiveEigenvalues) {
    Random random(7);
    for (const Named<3>& f : kSpace)
        for (const double sign : {1.0, -1.0})
            for (int trial = 0; trial < 100; ++trial) {
                const Separation<3> s = f.of(vertices(random, f, 1));
                const double first = -sign * random.uniform(0.1, 2), second = sign * random.uniform(0.1, 2);
                const Eigen::Matrix<double, 12, 12> exact = energy_hessian(s, first, second, false);
                const Eigen::Matrix<double, 12, 12> clamped = energy_hessian(s, first, second, true);
                const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 12, 12>> eigen(exact);
                const Eigen::Matrix<double, 12, 12> expected =
                    eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
                EXPECT_LT((clamped - expected).norm(), 1e-12 * (1 + exact.norm())) << f.name;  // eigenvalues: some roundings
            }
}

/// Smallest distance from p to points of a triangle on a grid that is refined around the best one.
double brute_triangle(const Vector<3>& p, const std::array<Vector<3>, 3>& t, double& b, double& c) {
    double best = 1e300, size = 1;
    b = c = 0.25;
    for (int level = 0; level < 60; ++level, size *= 0.6) {
        const double b0 = b, c0 = c;
        for (int i = -4; i <= 4; ++i)
            for (int j = -4; j <= 4; ++j) {
                double bb = std::clamp(b0 + i * size / 4, 0.0, 1.0), cc = std::clamp(c0 + j * size / 4, 0.0, 1.0);
                if (bb + cc > 1) {
                    const double over = bb + cc - 1;  // onto the edge
                    bb = std::clamp(bb - over / 2, 0.0, 1.0);
                    cc = 1 - bb;
                }
                const double d = (p - t[0] - bb * (t[1] - t[0]) - cc * (t[2] - t[0])).norm();
                if (d < best) best = d, b = bb, c = cc;
            }
    }
    return best;
}

TEST(IpcDistance, TypesOfPointAndTriangleAgreeWithBruteForce) {
    Random random(11);
    int inside = 0;
    for (int trial = 0; trial < 600; ++trial) {
        std::array<Vector<3>, 3> t{random_vector<3>(random), random_vector<3>(random), random_vector<3>(random)};
        if (trial % 3 == 1) t[2] = 0.5 * (t[0] + t[1]) + random_vector<3>(random, 0.05);  // a sliver
        const Vector<3> p = random_vector<3>(random);
        double b = 0, c = 0;
        const double brute = brute_triangle(p, t, b, c);
        double distance = 0;
        const bool above = above_inside(p, t[0], t[1], t[2]);
        inside += above;
        if (above) {
            distance = point_plane(p, t[0], t[1], t[2]).distance;
        } else {
            distance = 1e300;
            for (std::size_t k = 0; k < 3; ++k) {
                const Vector<3>&u = t[k], &v = t[(k + 1) % 3];
                const EdgePart part = closest_part(p, u, v);
                distance = std::min(distance, part == EdgePart::First    ? (p - u).norm()
                                              : part == EdgePart::Second ? (p - v).norm()
                                                                         : point_line(p, u, v).distance);
            }
        }
        // the refined grid ends near 1e-6; on a sliver a coarse start may miss the best cell, but stays above the minimum
        EXPECT_LE(distance, brute + 1e-12) << trial;
        EXPECT_GT(distance, brute - 2e-2) << trial;
    }
    EXPECT_GT(inside, 50);
}

TEST(IpcDistance, TypesOfEdgesAgreeWithBruteForce) {
    Random random(13);
    int inside = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        std::array<Vector<3>, 4> x;
        for (Vector<3>& p : x) p = random_vector<3>(random);
        // the distance of a point of the one edge to the other is convex along it: ternary search
        double low = 0, high = 1, on_b = 0;
        const auto distance = [&](double a) {
            const Vector<3> p = x[0] + a * (x[1] - x[0]), edge = x[3] - x[2];
            on_b = std::clamp(edge.dot(p - x[2]) / edge.squaredNorm(), 0.0, 1.0);
            return (p - x[2] - on_b * edge).norm();
        };
        for (int k = 0; k < 100; ++k) {
            const double third = (high - low) / 3;
            (distance(low + third) < distance(high - third) ? high : low) =
                distance(low + third) < distance(high - third) ? high - third : low + third;
        }
        const double least = distance(low), on_a = low;
        // a search by values finds the place to the root of a rounding error
        const bool clearly_inside = on_a > 1e-6 && on_a < 1 - 1e-6 && on_b > 1e-6 && on_b < 1 - 1e-6;
        const bool clearly_at_end = on_a < 1e-9 || on_a > 1 - 1e-9 || on_b == 0 || on_b == 1;
        const bool found = cross_inside(x[0], x[1], x[2], x[3]);
        if (clearly_inside) { EXPECT_TRUE(found) << trial; }
        if (clearly_at_end) { EXPECT_FALSE(found) << trial; }
        if (found) {
            ++inside;
            EXPECT_NEAR(line_line(x[0], x[1], x[2], x[3]).distance, least, 1e-12);
        }
    }
    EXPECT_GT(inside, 100);
}

TEST(IpcDistance, DegenerateInputHasNoInside) {
    const Vector<3> o{0, 0, 0}, x{1, 0, 0}, y{0, 1, 0}, z{0.3, 0.2, 1};
    EXPECT_FALSE(above_inside(z, o, x, Vector<3>(2 * x)));
    EXPECT_FALSE(above_inside(z, o, o, o));
    EXPECT_EQ(closest_part(z, x, x), EdgePart::First);
    EXPECT_FALSE(cross_inside(o, x, y, Vector<3>(x + y)));
    EXPECT_FALSE(cross_inside(o, x, z, z));
    EXPECT_EQ(closest_part(x, o, x), EdgePart::Second);
    const Separation<3> same = point_point(x, x);
    EXPECT_EQ(same.distance, 0);
    EXPECT_TRUE(same.normal.allFinite());
}

TEST(IpcDistance, EdgeFactorAgreesWithDifferences) {
    Random random(17);
    int near_parallel = 0;
    double worst_gradient = 0, worst_hessian = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        Vector<3> u = random_vector<3>(random), v = random_vector<3>(random), w = random_vector<3>(random);
        const double parallel = trial % 2 ? 1e-3 : 1.0;  // the larger one: the mollifier acts at most angles
        EdgeFactor f, high, low;
        edge_factor(u, v, w, parallel, 2, f);
        const double x = u.cross(v).squaredNorm();
        if (!(f.value > 1e-3) || x < 0.04 || std::fabs(x - parallel) < 1e-2 || w.norm() < 0.2) continue;
        near_parallel += x < parallel;
        const double step = 1e-6;  // third derivatives are large where |u x v| is small
        for (int i = 0; i < 9; ++i) {
            std::array<Vector<3>, 3> up{u, v, w}, down{u, v, w};
            up[static_cast<std::size_t>(i / 3)][i % 3] += step;
            down[static_cast<std::size_t>(i / 3)][i % 3] -= step;
            edge_factor(up[0], up[1], up[2], parallel, 1, high);
            edge_factor(down[0], down[1], down[2], parallel, 1, low);
            worst_gradient = std::max(worst_gradient,
                                      std::fabs((high.value - low.value) / (2 * step) - f.gradient[i]) / f.gradient.norm());
            const Vector<9> column = (high.gradient - low.gradient) / (2 * step);
            worst_hessian = std::max(worst_hessian, (column - f.hessian.col(i)).norm() / f.hessian.norm());
        }
    }
    std::printf("edge factor: gradient %.1e, Hessian %.1e\n", worst_gradient, worst_hessian);
    EXPECT_GT(near_parallel, 30);
    EXPECT_LT(worst_gradient, 1e-7);
    EXPECT_LT(worst_hessian, 1e-7);
}

TEST(IpcDistance, EdgeFactorVanishesSmoothlyAtEndsAndForParallelEdges) {
    EdgeFactor f;
    const Vector<3> u{1, 0, 0}, v{0, 1, 0};
    edge_factor(u, v, {0, 0.5, 0.1}, 1e-3, 2, f);  // s = 0
    EXPECT_EQ(f.value, 0);
    EXPECT_EQ(f.gradient.norm(), 0);
    edge_factor(u, v, {-0.5, 0.5, 0.1}, 1e-3, 2, f);  // both in the middle: psi(1/2)^2 = (30/16)^2
    EXPECT_NEAR(f.value, 3.515625, 1e-14);
    edge_factor(u, Vector<3>(2 * u), {0.1, 0, 0.1}, 1e-3, 2, f);
    EXPECT_EQ(f.value, 0);
    EXPECT_TRUE(f.hessian.allFinite());
    for (const double angle : {1e-3, 1e-6, 1e-9, 1e-150}) {
        edge_factor(u, Vector<3>(std::cos(angle), std::sin(angle), 0),
                    {-0.5 + 0.5 * std::cos(angle), 0.5 * std::sin(angle), 0.1}, 1e-3, 1, f);
        EXPECT_LE(f.value, 3.6 * 2 * angle * angle / 1e-3);
    }
}

}  // namespace
}  // namespace asperity::ipc
