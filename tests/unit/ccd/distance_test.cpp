// Closest points against brute force and in degenerate cases.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numeric>

#include "asperity/ccd/distance.h"
#include "asperity/core/random.h"

namespace asperity::ccd {
namespace {

template <int Dim>
Vector<Dim> random_vector(Random& random) {
    Vector<Dim> v;
    for (int k = 0; k < Dim; ++k) v[k] = random.uniform(-1, 1);
    return v;
}

/// Weights are a convex combination on both sides, and name the points whose distance is given.
template <int Dim, int Count>
void expect_consistent(const Closest<Dim, Count>& c, const std::array<Vector<Dim>, Count>& x, std::size_t first,
                       double size) {
    Vector<Dim> difference = Vector<Dim>::Zero();
    double sum_a = 0, sum_b = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_GE(c.weights[i], 0);
        (i < first ? sum_a : sum_b) += c.weights[i];
        difference += (i < first ? 1 : -1) * c.weights[i] * (x[i] - x[0]);
    }
    EXPECT_NEAR(sum_a, 1, 1e-15);
    EXPECT_NEAR(sum_b, 1, 1e-15);
    // A few roundings of the size: ten times the error measured, 2e-16.
    EXPECT_LE((difference - c.difference).norm(), 2e-15 * size);
    EXPECT_NEAR(c.squared, c.difference.squaredNorm(), 1e-15 * c.squared);
}

/// Minimum of a convex function of two weights on a shrinking grid.
template <class F>
double brute_force(const F& squared) {
    double centre_s = 0.5, centre_t = 0.5, half = 0.5, best = squared(0.5, 0.5);
    for (int level = 0; level < 24; ++level, half *= 0.5) {
        double next_s = centre_s, next_t = centre_t;
        for (int i = -4; i <= 4; ++i)
            for (int j = -4; j <= 4; ++j) {
                const double s = std::clamp(centre_s + half * i / 4, 0.0, 1.0),
                             t = std::clamp(centre_t + half * j / 4, 0.0, 1.0);
                const double value = squared(s, t);
                if (value < best) {
                    best = value;
                    next_s = s;
                    next_t = t;
                }
            }
        centre_s = next_s;
        centre_t = next_t;
    }
    return best;
}

TEST(Distance, IsNeverLargerThanTheBestOfManyPoints) {
    Random random(1);
    for (int i = 0; i < 1500; ++i) {
        const double scale = std::pow(10, random.uniform(-6, 6));
        std::array<Vector<3>, 4> x;
        for (Vector<3>& v : x) v = scale * random_vector<3>(random);
        switch (random.below(6)) {
            case 0: x[3] = x[2]; break;                                   // zero length
            case 1: x[3] = x[2] + 0.7 * (x[1] - x[0]); break;             // parallel edges
            case 2: x[3] = 0.4 * x[1] + 0.6 * x[2]; break;                // no area
            case 3: x[3] = 0.4 * x[1] + 0.6 * x[2] + 1e-9 * x[0]; break;  // a sliver
            case 4: x[3] = x[2] + (x[1] - x[0]) + 1e-8 * x[3]; break;     // nearly parallel
            default: break;
        }
        const Closest<3, 4> edges = edge_edge(x[0], x[1], x[2], x[3]);
        expect_consistent<3, 4>(edges, x, 2, scale);
        const double of_edges = brute_force(
            [&](double s, double t) { return ((1 - s) * x[0] + s * x[1] - (1 - t) * x[2] - t * x[3]).squaredNorm(); });
        EXPECT_LE(std::sqrt(edges.squared), std::sqrt(of_edges) + 2e-15 * scale) << i;
        const Closest<3, 4> triangle = point_triangle(x[0], x[1], x[2], x[3]);
        expect_consistent<3, 4>(triangle, x, 1, scale);
        const double of_triangle = brute_force([&](double s, double t) {
            return (x[0] - x[1] - s * ((1 - t) * (x[2] - x[1]) + t * (x[3] - x[1]))).squaredNorm();
        });
        EXPECT_LE(std::sqrt(triangle.squared), std::sqrt(of_triangle) + 2e-15 * scale) << i;
        const Closest<3, 3> edge = point_edge<3>(x[0], x[2], x[3]);
        expect_consistent<3, 3>(edge, {x[0], x[2], x[3]}, 1, scale);
        const double of_edge =
            brute_force([&](double s, double) { return (x[0] - (1 - s) * x[2] - s * x[3]).squaredNorm(); });
        EXPECT_LE(std::sqrt(edge.squared), std::sqrt(of_edge) + 2e-15 * scale) << i;
    }
}

// Two edges that cross at a small angle and a small distance. The determinant of the dot products would lose everything here.
// Tolerance: a few roundings of the length, 1; ten times the error measured, 1.2e-16.
TEST(Distance, OfNearlyParallelEdgesIsExactToRoundingOfTheirLength) {
    Random random(2);
    for (int i = 0; i < 2000; ++i) {
        const double angle = std::pow(10, random.uniform(-15, 0)), gap = std::pow(10, random.uniform(-12, 0));
        const double s = random.uniform(0.05, 0.95), t = random.uniform(0.05, 0.95);
        const Vector<3> u{1, 0, 0}, v{std::cos(angle), std::sin(angle), 0}, offset{0, 0, gap};
        const Closest<3, 4> c = edge_edge(-s * u, (1 - s) * u, offset - t * v, offset + (1 - t) * v);
        EXPECT_NEAR(std::sqrt(c.squared), gap, 1.2e-15) << "angle " << angle << " gap " << gap;
    }
}

TEST(Distance, DegenerateShapesAreSegmentsAndPoints) {
    const Vector<3> o{0, 0, 0}, x{1, 0, 0}, y{0, 2, 0}, two{2, 0, 0};
    EXPECT_EQ(point_triangle(y, o, o, o).squared, 4);
    EXPECT_EQ(point_triangle(y, o, two, x).squared, 4);
    EXPECT_EQ(point_triangle(two, o, x, x).squared, 1);
    EXPECT_EQ(edge_edge(o, o, y, y).squared, 4);
    EXPECT_EQ(edge_edge(o, o, x, x + y).squared, 1);
    EXPECT_EQ(edge_edge(o, x, two, two + x).squared, 1);  // on a line
    EXPECT_EQ(edge_edge(o, two, y, y + x).squared, 4);    // parallel
    EXPECT_EQ(edge_edge(o, two, x, two + x).squared, 0);  // overlapping on a line
    EXPECT_EQ(point_edge<3>(x, o, two).squared, 0);
    EXPECT_EQ((point_edge<2>({3, 4}, {0, 0}, {0, 0}).squared), 25);
    EXPECT_EQ((point_point<2>({3, 4}, {0, 0}).squared), 25);
}

TEST(Distance, ZeroWeightsNameTheNearestFeature) {
    const Vector<3> a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
    const auto zeros = [](const Closest<3, 4>& closest) {
        return std::array<bool, 3>{closest.weights[1] == 0, closest.weights[2] == 0, closest.weights[3] == 0};
    };
    EXPECT_EQ(zeros(point_triangle({0.2, 0.2, 1}, a, b, c)), (std::array<bool, 3>{false, false, false}));
    EXPECT_EQ(zeros(point_triangle({-1, -1, 1}, a, b, c)), (std::array<bool, 3>{false, true, true}));
    EXPECT_EQ(zeros(point_triangle({0.5, -1, 1}, a, b, c)), (std::array<bool, 3>{false, false, true}));
    EXPECT_EQ(zeros(point_triangle({1, 1, 1}, a, b, c)), (std::array<bool, 3>{true, false, false}));
}

}  // namespace
}  // namespace asperity::ccd
