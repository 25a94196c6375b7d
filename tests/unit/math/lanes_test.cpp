// Lane operations against their scalar counterparts.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/random.h"
#include "asperity/math/lane_angles.h"

namespace asperity {
namespace {

TEST(Lanes, AnglesAreThoseOfTheLibrary) {  // polynomial 3e-8, plus a few roundings of up to pi: at most 2.4e-7 each
    Random random(5);
    double worst = 0;
    for (int n = 0; n < 20000; ++n) {
        Lanes x, y;
        for (int i = 0; i < kLanes; ++i) {
            const double scale = std::pow(10, random.uniform(-6, 6)),
                         angle = random.uniform(-std::numbers::pi, std::numbers::pi);
            x[i] = static_cast<float>(scale * std::cos(angle)), y[i] = static_cast<float>(scale * std::sin(angle));
        }
        const Lanes found = atan2(y, x);
        for (int i = 0; i < kLanes; ++i)
            worst = std::max(worst, std::fabs(static_cast<double>(found[i]) -
                                              std::atan2(static_cast<double>(y[i]), static_cast<double>(x[i]))));
    }
    EXPECT_LT(worst, 3e-7);
    const Lanes axes = atan2(Lanes{0, 0, 1, -1, 0, 1, 1, -1}, Lanes{1, -1, 0, 0, 0, 1, -1, -1});
    const double eighths[] = {0, 4, 2, -2, 0, 1, 3, -3};  // of a full turn
    for (int i = 0; i < kLanes; ++i) EXPECT_NEAR(axes[i], std::numbers::pi / 4 * eighths[i], 3e-7) << i;
}

TEST(Lanes, BitsAndMasks) {
    for (unsigned bits = 0; bits < 256; ++bits) {
        const LaneInts mask = lanes_of(bits);
        EXPECT_EQ(bits_of(mask), bits);
        const Lanes kept = keep(mask, all_lanes(-3));
        for (int i = 0; i < kLanes; ++i) {
            EXPECT_EQ(mask[i], bits >> i & 1 ? -1 : 0);
            EXPECT_EQ(kept[i], bits >> i & 1 ? -3 : 0);
            EXPECT_EQ(magnitude(kept)[i], bits >> i & 1 ? 3 : 0);
        }
    }
}

TEST(Lanes, TwoNumbersInTheRoomOfOneAreRightToEightBits) {
    Random random(7);
    for (int go = 0; go < 1000; ++go) {
        Lanes x, y;
        for (int i = 0; i < kLanes; ++i) {
            x[i] = static_cast<float>(random.uniform(-1, 1) * std::pow(10, random.uniform(-30, 30)));
            y[i] = static_cast<float>(random.uniform(-1, 1) * std::pow(10, random.uniform(-30, 30)));
        }
        const LanePair both = paired(x, y);
        for (int i = 0; i < kLanes; ++i) {  // seven stored bits after the leading one; half of the last is rounding
            EXPECT_NEAR(both.first()[i], x[i], std::fabs(x[i]) / 256);
            EXPECT_NEAR(both.second()[i], y[i], std::fabs(y[i]) / 256);
        }
    }
    const LanePair zero = paired(all_lanes(0), all_lanes(1));
    EXPECT_EQ(zero.first()[0], 0);
    EXPECT_EQ(zero.second()[0], 1);
}

}  // namespace
}  // namespace asperity
