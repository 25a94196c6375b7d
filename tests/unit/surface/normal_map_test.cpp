// Normal maps as pictures: errors of decoding and encoding, heights, conventions, and rejected pictures.
#include <gtest/gtest.h>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/surface/make_slopes.h"

namespace asperity::surface {
namespace {

Pixels pixels(int width, int height, int channels, std::vector<float> values) {
    return {width, height, channels, std::move(values)};
}
Pixels one(std::vector<float> rgb) {
    const int channels = static_cast<int>(rgb.size());
    return pixels(1, 1, channels, std::move(rgb));
}
/// The picture that a PNG reader makes of encode_normal_map().
Pixels read_back(const SlopeMap& map, int bits) {
    const std::vector<std::uint8_t> bytes = encode_normal_map(map, bits);
    const size_t row = 3 * static_cast<size_t>(map.width);
    std::vector<float> values;
    for (int y = map.height - 1; y >= 0; --y)
        for (size_t i = 0; i < row; ++i) {
            const size_t at = static_cast<size_t>(y) * row + i;
            values.push_back(bits == 8 ? static_cast<float>(bytes[at]) / 255
                                       : static_cast<float>(256 * bytes[2 * at] + bytes[2 * at + 1]) / 65535);
        }
    return pixels(map.width, map.height, 3, values);
}
std::string complaint(const std::function<void()>& call) {
    try {
        call();
    } catch (const InputError& error) { return error.what(); }
    return "none";
}

TEST(NormalMap, SlopeIsTheNormalOverItsUprightPart) {
    // m = (0.6, 0, 0.8), coded as (m + 1)/2; the length of m does not matter
    const Slope g = decode_normal_map(one({0.8F, 0.5F, 0.9F}), "x").slopes[0];
    EXPECT_NEAR(g.x, 0.75, 1e-6);
    EXPECT_NEAR(g.y, 0, 1e-6);
    const Slope half = decode_normal_map(one({0.65F, 0.5F, 0.7F}), "x").slopes[0];
    EXPECT_NEAR(half.x, 0.75, 1e-6);
    const Slope scaled = decode_normal_map(one({0.8F, 0.65F, 0.9F}), "x", {.scale = 2}).slopes[0];
    EXPECT_NEAR(scaled.x, 1.5, 1e-6);
    EXPECT_NEAR(scaled.y, 0.75, 1e-6);
    EXPECT_NEAR(decode_normal_map(one({0.8F, 0.65F, 0.9F}), "x", {.green_down = true}).slopes[0].y, -0.375, 1e-6);
    EXPECT_NEAR(decode_normal_map(one({0.8F, 0.65F, 0.9F, 0.1F}), "x").slopes[0].y, 0.375, 1e-6);  // alpha is ignored
}

TEST(NormalMap, EightBitsCannotSayZero) {  // m.x = 2 * 128/255 - 1 = 1/255, m.z = 1
    const Slope g = decode_normal_map(one({128 / 255.0F, 128 / 255.0F, 1}), "x").slopes[0];
    EXPECT_NEAR(g.x, 1.0 / 255, 1e-7);
    EXPECT_NEAR(g.y, 1.0 / 255, 1e-7);
    const Slope levelled = decode_normal_map(one({128 / 255.0F, 128 / 255.0F, 1}), "x", {.level = true}).slopes[0];
    EXPECT_EQ(levelled.x, 0);
    EXPECT_EQ(levelled.y, 0);
}

TEST(NormalMap, SteepFacetsAreCutAndBackwardOnesDoNotCount) {
    // 3 texels: (0.9, 0, 0.01) is steeper than 85 degrees; (0, 0, -1) faces backwards; (0, 0, 1) is flat
    const SlopeMap map = decode_normal_map(pixels(3, 1, 3, {0.95F, 0.5F, 0.505F, 0.5F, 0.5F, 0, 0.5F, 0.5F, 1}), "x");
    EXPECT_NEAR(map.slopes[0].x, kSteepestSlope, 1e-5);
    ASSERT_EQ(map.weight.size(), 3U);
    EXPECT_EQ(map.weight[0], 1);
    EXPECT_EQ(map.weight[1], 0);
    EXPECT_EQ(map.slopes[1].x, 0);
    EXPECT_EQ(map.weight[2], 1);
    const SlopeStatistics s = statistics(map);
    EXPECT_NEAR(s.backward, 1.0 / 3, 1e-12);
    EXPECT_NEAR(s.cut, 1.0 / 3, 1e-12);
    EXPECT_NEAR(s.mean.x, 0.5 * kSteepestSlope, 1e-5);
    EXPECT_TRUE(decode_normal_map(one({0.5F, 0.5F, 1}), "x").weight.empty());
}

TEST(NormalMap, SlopesThatAreNoNumbersDoNotCount) {
    SlopeMap map = ramp_slopes({2, 2}, {0.5, 0});
    map.slopes[1].y = std::numeric_limits<float>::quiet_NaN();
    map.slopes[2].x = std::numeric_limits<float>::infinity();
    cut_steep(map);
    EXPECT_EQ(map.weight, (std::vector<float>{1, 0, 0, 1}));
    EXPECT_EQ(map.slopes[1].y, 0);
    EXPECT_EQ(statistics(map).mean.x, 0.5);
}

TEST(NormalMap, EncodingKeepsSlopesWithinItsStep) {
    SlopeMap map{64, 32};
    Random random(5);
    for (int i = 0; i < 64 * 32; ++i) {
        const double steepness = std::exp(random.uniform(-7, std::log(10))), way = random.uniform(0, 6.3);
        map.slopes.push_back({static_cast<float>(steepness * std::cos(way)), static_cast<float>(steepness * std::sin(way))});
    }
    map.slopes[0] = {};
    for (const int bits : {8, 16}) {
        const SlopeMap back = decode_normal_map(read_back(map, bits), "x");
        ASSERT_EQ(back.slopes.size(), map.slopes.size());
        // error e per component: (x + e)/(z - e) - x/z = e (1 + s)/(z - e); 1e-6 for the single precision of the picture
        const double e = (bits == 8 ? 1.0 / 255 : 1.0 / 65535) + 1e-7;
        for (size_t i = 0; i < map.slopes.size(); ++i) {
            const double sx = map.slopes[i].x, sy = map.slopes[i].y, z = 1 / std::sqrt(1 + sx * sx + sy * sy);
            EXPECT_LE(std::fabs(back.slopes[i].x - sx), e * (1 + std::fabs(sx)) / (z - e) + 1e-6) << bits << " " << sx;
            EXPECT_LE(std::fabs(back.slopes[i].y - sy), e * (1 + std::fabs(sy)) / (z - e) + 1e-6) << bits << " " << sy;
        }
    }
    // flat is encoded as 128, as all programs do, which is half a step too high
    EXPECT_EQ(encode_normal_map(ramp_slopes({1, 1}, {}), 8), (std::vector<std::uint8_t>{128, 128, 255}));
    EXPECT_EQ(encode_normal_map(ramp_slopes({1, 1}, {}), 16), (std::vector<std::uint8_t>{0x80, 0, 0x80, 0, 0xff, 0xff}));
}

TEST(NormalMap, LossInEightBitsIsTheRootMeanSquareOfRounding) {
    // Components spread over 2.5 steps of 2/255, so the rounding error is uniform to within a tenth: (2/255)/sqrt(12)/0.01.
    EXPECT_NEAR(quantisation_error(gaussian_slopes({256, 256}, {0.01, 0.01}, 1)), 2 / 255.0 / std::sqrt(12.0) / 0.01, 0.03);
    EXPECT_LT(quantisation_error(gaussian_slopes({256, 256}, {0.3, 0.3}, 1)), 0.012);
    EXPECT_EQ(quantisation_error(ramp_slopes({4, 4}, {})), 0);
    EXPECT_GT(quantisation_error(ramp_slopes({4, 4}, {10.77, 3.31})), 0.01);
}

// A ridge along u. Below it the surface rises with v, so it faces down: green is below one half.
TEST(NormalMap, RowsRunUpAndGreenPointsUp) {
    HeightMap ridge{4, 8, 0.5, std::vector<double>(32)};
    for (size_t x = 0; x < 4; ++x) ridge.heights[4 * 4 + x] = 1;
    const SlopeMap map = slopes_of(ridge);
    EXPECT_FLOAT_EQ(map.slopes[4 * 3].y, -1);  // -(1 - 0)/(2 * 0.5)
    EXPECT_FLOAT_EQ(map.slopes[4 * 5].y, 1);
    EXPECT_FLOAT_EQ(map.slopes[4 * 4].y, 0);
    EXPECT_FLOAT_EQ(map.slopes[4 * 3].x, 0);
    const std::vector<std::uint8_t> picture = encode_normal_map(map, 8);  // rows from the top
    EXPECT_LT(picture[3 * 4 * (7 - 3) + 1], 60);
    EXPECT_GT(picture[3 * 4 * (7 - 5) + 1], 200);
}

TEST(NormalMap, HeightPicturesAreReadInMetres) {
    const Pixels grey = pixels(4, 1, 1, {0, 0.25F, 0.5F, 0.25F});
    const SlopeMap map = slopes_of(heights_of(grey, 0.002, 0.001, "x"));
    EXPECT_NEAR(map.slopes[1].x, -0.5, 1e-6);  // -(0.5 - 0)*0.002/(2*0.001)
    EXPECT_NEAR(map.slopes[3].x, 0.5, 1e-6);
    EXPECT_NEAR(map.slopes[0].x, 0, 1e-6);  // the tile is periodic
    const HeightMap color = heights_of(pixels(1, 1, 3, {1, 1, 1}), 3, 1, "x");
    EXPECT_NEAR(color.heights[0], 3, 1e-6);
    EXPECT_NEAR(heights_of(pixels(1, 1, 2, {0.5F, 0}), 3, 1, "x").heights[0], 1.5, 1e-6);
    const Roughness r = roughness({4, 1, 1, {1, 3, 1, 3}});
    EXPECT_DOUBLE_EQ(r.ra, 1);
    EXPECT_DOUBLE_EQ(r.rq, 1);
}

TEST(NormalMap, SlopesOfHeightsHaveNoMeanAndLevelGivesThatToOthers) {
    const SlopeMap map = slopes_of(rough_heights({37, 53}, 0.3, 1, 4));
    double x = 0, y = 0, size = 0;
    for (const Slope& g : map.slopes) x += g.x, y += g.y, size += std::fabs(g.x);
    // The sums telescope in double precision. What remains is the rounding of each slope to single precision, 6e-8 relative.
    EXPECT_LT(std::fabs(x), 6e-8 * size);
    EXPECT_LT(std::fabs(y), 6e-8 * size);
    SlopeMap tipped = map;
    for (Slope& g : tipped.slopes) g.x += 0.1F;
    EXPECT_NEAR(statistics(tipped).mean.x, 0.1, 1e-6);
    level(tipped);
    EXPECT_LT(length(statistics(tipped).mean), 1e-7);
}

TEST(NormalMap, IntegrabilityTellsWhichWayGreenPoints) {
    const HeightMap heights = smooth_heights({128, 128}, 0.2, {4, 4}, 9);
    SlopeMap map = slopes_of(heights);
    // both mixed derivatives are the same central differences, up to single precision
    EXPECT_NEAR(statistics(map).integrability, 1, 1e-3);
    for (Slope& g : map.slopes) g.y = -g.y;
    EXPECT_NEAR(statistics(map).integrability, -1, 1e-3);
    // standard error 1/sqrt(16384/1.5), three times
    EXPECT_NEAR(statistics(gaussian_slopes({128, 128}, {1, 1}, 3)).integrability, 0, 0.03);
}

TEST(NormalMap, WhatIsNoNormalMapIsSaid) {
    EXPECT_NE(complaint([] { decode_normal_map(one({0.5F}), "m.png"); }).find("m.png: is grey, which is a height map"),
              std::string::npos);
    EXPECT_NE(complaint([] { decode_normal_map(one({0.5F, 1}), "m.png"); }).find("height_image"), std::string::npos);
    EXPECT_NE(complaint([] {
                  decode_normal_map(one({0.9F, 0.5F, 0.2F}), "m.png");
              }).find("100 % of its texels face backwards"),
              std::string::npos);
    EXPECT_NE(complaint([] { decode_normal_map(pixels(0, 5, 3, {}), "m.png"); }).find("0 x 5 pixels"), std::string::npos);
    EXPECT_NE(complaint([] { decode_normal_map(pixels(20000, 1, 3, {}), "m.png"); }).find("20000 x 1 pixels"),
              std::string::npos);
    EXPECT_NE(complaint([] {
                  decode_normal_map(one({0.5F, 0.5F, 1}), "m.png", {.scale = std::nan("")});
              }).find("no number"),
              std::string::npos);
    EXPECT_NE(complaint([] { heights_of(one({0.5F}), 1, 0, "m.png"); }).find("pixels above 0"), std::string::npos);
    EXPECT_NE(complaint([] { heights_of(pixels(3, 0, 1, {}), 1, 1, "m.png"); }).find("3 x 0 pixels"), std::string::npos);
}

}  // namespace
}  // namespace asperity::surface
