// Orientation tests against exact arithmetic.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/ccd/predicates.h"
#include "asperity/core/random.h"
#include "dyadic.h"

namespace asperity::ccd {
namespace {

int exact(const Vector<2>& a, const Vector<2>& b, const Vector<2>& c) {
    const auto d = [](double p, double q) { return Dyadic(p) - Dyadic(q); };
    return (d(a[0], c[0]) * d(b[1], c[1]) - d(a[1], c[1]) * d(b[0], c[0])).sign();
}

int exact(const Vector<3>& a, const Vector<3>& b, const Vector<3>& c, const Vector<3>& d) {
    Dyadic m[3][3];
    for (int k = 0; k < 3; ++k) {
        m[0][k] = Dyadic(a[k]) - Dyadic(d[k]);
        m[1][k] = Dyadic(b[k]) - Dyadic(d[k]);
        m[2][k] = Dyadic(c[k]) - Dyadic(d[k]);
    }
    return (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
            m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]))
        .sign();
}

/// Moves by up to two units in the last place, or not at all.
double nudged(Random& random, double v) {
    const int steps = random.below(5) - 2;
    for (int k = 0; k < std::abs(steps); ++k) v = std::nextafter(v, steps > 0 ? INFINITY : -INFINITY);
    return v;
}

template <int Dim>
Vector<Dim> random_vector(Random& random) {
    Vector<Dim> v;
    for (int k = 0; k < Dim; ++k) v[k] = random.uniform(-1, 1);
    return v;
}

/// Any finite double, of any magnitude down to the subnormal ones; often zero.
double wild(Random& random) {
    if (random.below(6) == 0) return 0;
    return std::ldexp(random.uniform(-1, 1), random.below(2098) - 1073);
}

TEST(Predicates, SignsFollowTheirConventions) {
    EXPECT_EQ(orient2d({0, 0}, {1, 0}, {0, 1}), 1);
    EXPECT_EQ(orient2d({0, 0}, {0, 1}, {1, 0}), -1);
    EXPECT_EQ(orient2d({0, 0}, {0.1, 0.1}, {0.7, 0.7}), 0);
    EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), -1);
    EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}), 1);
    EXPECT_EQ(orient3d({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 7, 0}), 0);
}

TEST(Predicates, AgreeWithExactArithmeticNearTheLine) {
    Random random(1);
    int zeros = 0;
    for (int i = 0; i < 20000; ++i) {
        const double offset = random.below(2) * std::ldexp(1.0, random.below(40)),
                     scale = std::ldexp(1.0, random.below(80) - 40);
        const Vector<2> origin = random_vector<2>(random) * offset;
        const Vector<2> a = scale * (origin + random_vector<2>(random)), b = scale * (origin + random_vector<2>(random));
        Vector<2> c = a + (random.below(9) - 2) / 4.0 * (b - a);
        for (int k = 0; k < 2; ++k) c[k] = nudged(random, c[k]);
        const int sign = exact(a, b, c);
        zeros += sign == 0;
        ASSERT_EQ(orient2d(a, b, c), sign) << i;
        ASSERT_EQ(orient2d(b, c, a), sign) << i;
        ASSERT_EQ(orient2d(b, a, c), -sign) << i;
    }
    EXPECT_GT(zeros, 300);
}

TEST(Predicates, AgreeWithExactArithmeticNearThePlane) {
    Random random(2);
    int zeros = 0;
    for (int i = 0; i < 10000; ++i) {
        const double offset = random.below(2) * std::ldexp(1.0, random.below(40)),
                     scale = std::ldexp(1.0, random.below(80) - 40);
        const Vector<3> origin = random_vector<3>(random) * offset;
        const Vector<3> a = scale * (origin + random_vector<3>(random));
        Vector<3> b = scale * (origin + random_vector<3>(random)), c = scale * (origin + random_vector<3>(random));
        if (random.below(3) == 0) b[0] = c[0] = a[0];  // an axis-parallel plane
        Vector<3> d = a + (random.below(9) - 2) / 4.0 * (b - a) + (random.below(9) - 2) / 4.0 * (c - a);
        for (int k = 0; k < 3; ++k) d[k] = nudged(random, d[k]);
        const int sign = exact(a, b, c, d);
        zeros += sign == 0;
        ASSERT_EQ(orient3d(a, b, c, d), sign) << i;
        ASSERT_EQ(orient3d(b, c, a, d), sign) << i;
        ASSERT_EQ(orient3d(d, b, c, a), -sign) << i;
    }
    EXPECT_GT(zeros, 300);
}

// Where differences overflow or products underflow, a wide sum decides; Dyadic has no limits.
TEST(Predicates, AgreeWithExactArithmeticOverTheWholeRangeOfTheDoubles) {
    Random random(3);
    int zeros = 0;
    for (int i = 0; i < 3000; ++i) {
        std::array<Vector<3>, 4> p;
        for (Vector<3>& v : p)
            for (int k = 0; k < 3; ++k) v[k] = wild(random);
        if (random.below(3) == 0) p[3] = p[static_cast<std::size_t>(random.below(3))];
        if (random.below(3) == 0) p[2] = 2 * p[0] - p[1];
        bool finite = true;
        for (const Vector<3>& v : p) finite = finite && v.allFinite();
        if (!finite) continue;
        const int sign = exact(p[0], p[1], p[2], p[3]);
        zeros += sign == 0;
        ASSERT_EQ(orient3d(p[0], p[1], p[2], p[3]), sign) << i;
        const Vector<2> a = p[0].head<2>(), b = p[1].head<2>(), c = p[2].head<2>();
        ASSERT_EQ(orient2d(a, b, c), exact(a, b, c)) << i;
    }
    EXPECT_GT(zeros, 100);
    const double tiny = std::numeric_limits<double>::denorm_min(), huge = std::numeric_limits<double>::max();
    EXPECT_EQ(orient2d({0, 0}, {tiny, 0}, {0, tiny}), 1);
    EXPECT_EQ(orient2d({-huge, -huge}, {huge, -huge}, {huge, huge}), 1);
    EXPECT_EQ(orient3d({0, 0, 0}, {tiny, 0, 0}, {0, tiny, 0}, {0, 0, -tiny}), 1);
    EXPECT_EQ(orient3d({-huge, 0, 0}, {huge, 0, 0}, {0, huge, 0}, {0, 0, huge}), -1);
}

}  // namespace
}  // namespace asperity::ccd
