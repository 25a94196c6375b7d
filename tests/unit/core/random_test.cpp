// Random numbers: the published sequence, bounds and moments.
#include "asperity/core/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace asperity {
namespace {

// Reference values from the author's demonstration program for seed 42, stream 54 (pcg-random.org, pcg32-demo).
TEST(RandomNumbers, FollowThePublishedSequence) {
    Random random(42, 54);
    for (const std::uint32_t expected : {0xa15c02b7u, 0x7b47f409u, 0xba1d3330u, 0x83d2f293u, 0xbfa4784bu, 0xcbed606eu})
        EXPECT_EQ(random.bits(), expected);
}

TEST(RandomNumbers, RepeatForTheSameSeedAndDifferForOthers) {
    Random a(7), b(7), c(8), d(7, 1);
    int equal_c = 0, equal_d = 0;
    for (int i = 0; i < 1000; ++i) {
        const std::uint32_t value = a.bits();
        EXPECT_EQ(value, b.bits());
        equal_c += value == c.bits();
        equal_d += value == d.bits();
    }
    EXPECT_LE(equal_c, 1);  // expected by chance: 1000/2^32
    EXPECT_LE(equal_d, 1);
}

// Standard errors for n = 1e6: 0.0003 for the mean of uniforms, 0.001 and 0.0014 for mean and variance of normals. Bounds:
// five standard errors.
TEST(RandomNumbers, HaveTheMomentsOfTheirDistributions) {
    Random random(3);
    const int n = 1'000'000;
    double sum = 0, squares = 0, normal_sum = 0, normal_squares = 0, normal_fourth = 0;
    for (int i = 0; i < n; ++i) {
        const double u = random.uniform(), z = random.normal();
        ASSERT_GE(u, 0);
        ASSERT_LT(u, 1);
        sum += u;
        squares += u * u;
        normal_sum += z;
        normal_squares += z * z;
        normal_fourth += z * z * z * z;
    }
    EXPECT_NEAR(sum / n, 0.5, 0.0015);
    EXPECT_NEAR(squares / n, 1.0 / 3, 0.0015);
    EXPECT_NEAR(normal_sum / n, 0, 0.005);
    EXPECT_NEAR(normal_squares / n, 1, 0.007);
    EXPECT_NEAR(normal_fourth / n, 3, 0.05);  // z^4 has a deviation of sqrt(96)
}

TEST(RandomNumbers, BelowHitsEveryValueEquallyOften) {
    Random random(4);
    std::vector<int> hits(7);
    const int n = 70000;
    for (int i = 0; i < n; ++i) {
        const int value = random.below(7);
        ASSERT_GE(value, 0);
        ASSERT_LT(value, 7);
        ++hits[static_cast<size_t>(value)];
    }
    for (const int hit : hits) EXPECT_NEAR(hit, 10000, 5 * std::sqrt(10000.0));
    EXPECT_EQ(random.below(1), 0);
}

TEST(RandomNumbers, StayWithinTheirInterval) {
    Random random(5);
    for (int i = 0; i < 10000; ++i) {
        const double x = random.uniform(-2, 3);
        EXPECT_GE(x, -2);
        EXPECT_LT(x, 3);
    }
}

}  // namespace
}  // namespace asperity
