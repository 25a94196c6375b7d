// TiltHull against its linear program, solved by enumerating all vertices.
#include "asperity/geometry/mesh_contact/tilt_hull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "asperity/core/random.h"

namespace asperity::geometry {
namespace {

struct Point {
    Vec2 at;
    double gap;
};

/// max over |a_x|, |a_y| <= slope of  min over held i of (g_i - g_j) + a.(p_i - p_j):  a maximum lies where three of the
/// planes over the square meet.
double sink_by_trying(const std::vector<Point>& held, double slope, const Point& j) {
    const auto lowest = [&](Vec2 a) {
        double low = 1e300;
        for (const Point& i : held) low = std::min(low, i.gap - j.gap + dot(a, i.at - j.at));
        return low;
    };
    double most = -1e300;
    const auto attempt = [&](Vec2 a) {
        if (std::fabs(a.x) <= slope * (1 + 1e-12) && std::fabs(a.y) <= slope * (1 + 1e-12)) most = std::max(most, lowest(a));
    };
    for (const double x : {-slope, slope})
        for (const double y : {-slope, slope}) attempt({x, y});
    for (size_t i = 0; i < held.size(); ++i)
        for (size_t k = 0; k < i; ++k) {
            const Vec2 d = held[i].at - held[k].at;
            const double g = held[i].gap - held[k].gap;  // planes i and k are equal where a.d = -g
            for (const double s : {-slope, slope}) {
                if (d.y != 0) attempt({s, (-g - s * d.x) / d.y});
                if (d.x != 0) attempt({(-g - s * d.y) / d.x, s});
            }
            for (size_t l = 0; l < k; ++l) {
                const Vec2 e = held[i].at - held[l].at;
                const double f = held[i].gap - held[l].gap, det = cross(d, e);
                if (det != 0) attempt(Vec2{-g * e.y + f * d.y, -f * d.x + g * e.x} / det);
            }
        }
    return most;
}

std::vector<Point> random_points(Random& random, int count, double roughness) {
    std::vector<Point> points;
    for (int i = 0; i < count; ++i) {
        const Vec2 at{random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05)};
        points.push_back({at, dot(at, at) * random.uniform(0, 2) + roughness * random.uniform(0, 1e-3)});
    }
    return points;
}

TEST(TiltHull, SinksAsTheLinearProgramSays) {
    Random random(1);
    for (int round = 0; round < 300; ++round) {
        const double slope = std::pow(10, random.uniform(-4, 0.5));
        const std::vector<Point> points = random_points(random, 30, round % 3);
        std::vector<Point> held{points[0]};
        TiltHull hull(slope, points[0].at, points[0].gap);
        for (int k = 1; k < 12; ++k) {
            hull.hold(points[static_cast<size_t>(k)].at, points[static_cast<size_t>(k)].gap);
            held.push_back(points[static_cast<size_t>(k)]);
            for (const Point& j : points)
                // rounding at 0.05 m
                ASSERT_NEAR(hull.sink(j.at, j.gap), sink_by_trying(held, slope, j), 1e-13 * (1 + slope))
                    << "round " << round << ", " << k + 1 << " held";
        }
    }
}

TEST(TiltHull, NothingSinksBelowTheCornersOfAFlatSpot) {
    TiltHull hull(0.1, {-1, -1}, 0);
    EXPECT_NEAR(hull.sink({1, 1}, 0), 0.4, 1e-15);  // tilts about the held point: 2 x 0.1 + 2 x 0.1
    hull.hold({1, 1}, 0);
    hull.hold({1, -1}, 0);
    EXPECT_NEAR(hull.sink({0, 0}, 0), 0, 1e-15);
    EXPECT_NEAR(hull.sink({-1, 1}, 0), 0.2, 1e-15);  // about the diagonal: 1 x 0.1 twice
    hull.hold({-1, 1}, 0);
    for (const Vec2 p : {Vec2{0, 0}, Vec2{1, 1}, Vec2{0.3, -0.9}}) EXPECT_LE(hull.sink(p, 0), 1e-15);
    EXPECT_NEAR(hull.sink({2, 0}, 0), 0.1, 1e-15);  // beyond the side
    EXPECT_LT(hull.sink({2, 0}, 0.11), 0);          // too high for that tilt
}

TEST(TiltHull, TakesNoMoreThanItHasRoomFor) {
    Random random(2);
    TiltHull hull(1, {0, 0}, 0);
    for (const Point& p : random_points(random, 200, 0)) hull.hold(p.at, p.gap - 1e-3);
    EXPECT_LT(hull.sink({0, 0}, 0), 0);  // the asserts of its buffers are enabled here
}

}  // namespace
}  // namespace asperity::geometry
