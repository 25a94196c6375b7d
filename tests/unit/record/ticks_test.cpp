#include <gtest/gtest.h>

#include <cmath>

#include "asperity/core/random.h"
#include "asperity/record/detail/svg.h"

namespace asperity::record::detail {
namespace {

TEST(Ticks, AreRoundNumbersInsideTheAxis) {
    Random random(3);
    for (int trial = 0; trial < 2000; ++trial) {
        const double size = std::pow(10.0, random.uniform(-12, 12));
        const double low = size * random.uniform(-1, 1), high = low + size * std::pow(10.0, random.uniform(-6, 0));
        const Ticks ticks = linear_ticks(low, high, 8);
        ASSERT_GE(ticks.values.size(), 2u) << low << " to " << high;
        ASSERT_LE(ticks.values.size(), 8u);
        ASSERT_EQ(ticks.values.size(), ticks.labels.size());
        const double step = ticks.values[1] - ticks.values[0];
        // The difference of two ticks contains their rounding: up to 2 ulp of the axis' largest number.
        const double tolerance = 4e-16 * std::fmax(std::fabs(low), std::fabs(high)) / step;
        const double mantissa = step / std::pow(10.0, std::floor(std::log10(step) + 1e-6));
        EXPECT_NEAR(std::fmin(std::fabs(mantissa - 1), std::fmin(std::fabs(mantissa - 2), std::fabs(mantissa - 5))), 0,
                    10 * tolerance + 1e-12);
        for (std::size_t i = 0; i < ticks.values.size(); ++i) {
            EXPECT_GE(ticks.values[i], low - 1e-8 * step);
            EXPECT_LE(ticks.values[i], high + 1e-8 * step);
            if (i > 0) { EXPECT_NE(ticks.labels[i], ticks.labels[i - 1]) << low << " to " << high; }
        }
    }
}

TEST(Ticks, ReadAsAPersonWouldWriteThem) {
    EXPECT_EQ(linear_ticks(0, 1, 6).labels, (std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
    EXPECT_EQ(linear_ticks(-1, 1, 5).labels, (std::vector<std::string>{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
    EXPECT_EQ(linear_ticks(0, 23, 6).labels, (std::vector<std::string>{"0", "5", "10", "15", "20"}));
    const Ticks small = linear_ticks(0, 4.2e-5, 5);
    EXPECT_EQ(small.labels, (std::vector<std::string>{"0", "10", "20", "30", "40"}));
    EXPECT_EQ(small.note, "×10⁻⁶");
    const Ticks large = linear_ticks(0, 3e6, 4);
    EXPECT_EQ(large.labels, (std::vector<std::string>{"0", "1", "2", "3"}));
    EXPECT_EQ(large.note, "×10⁶");
    const Ticks far = linear_ticks(100.00001, 100.00005, 5);
    EXPECT_EQ(far.note, "×10⁻⁶ + 100.0000");
    EXPECT_EQ(far.labels.front(), "10");
    EXPECT_EQ(far.labels.back(), "50");
}

TEST(Ticks, LogarithmicOnesArePowersOfTen) {
    EXPECT_EQ(log_ticks(1e-6, 1, 10).labels,
              (std::vector<std::string>{"10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "10⁰"}));
    EXPECT_EQ(log_ticks(1e-30, 1, 8).values.size(), 8u) << "every fourth decade, 10^-28 to 1";
    EXPECT_EQ(log_ticks(0.9, 6, 10).labels, (std::vector<std::string>{"1", "2", "5"}));
    EXPECT_EQ(log_ticks(0.004, 300, 6).labels, (std::vector<std::string>{"0.01", "0.1", "1", "10", "100"}));
    for (const double v : log_ticks(1e-6, 1, 10).minor) EXPECT_TRUE(v > 1e-6 && v < 1);
}

TEST(SvgText, IsSafeInsideMarkup) {
    EXPECT_EQ(escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
    EXPECT_EQ(escaped("tab\there\x01\x1f"), "tab here");
    EXPECT_EQ(escaped("\xff\xc3 \xc3\xa9 \xed\xa0\x80 \xf0\x9f\x8e\xb2"), "?? \xc3\xa9 ??? \xf0\x9f\x8e\xb2");
    EXPECT_EQ(shortened("abcdef", 6), "abcdef");
    EXPECT_EQ(shortened("abcdefg", 6), "abc…fg");
    EXPECT_EQ(shortened("éàéàé", 3), "é…é");
}

}  // namespace
}  // namespace asperity::record::detail
