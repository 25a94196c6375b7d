// Grain textures: filtering of axes, mip levels, encodings, and textures from formulas, photographs and strokes.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/friction/cone_input.h"
#include "asperity/surface/make_grain.h"

namespace asperity::surface {
namespace {

using std::numbers::pi;

Vec2 axis(double angle) { return {std::cos(2 * angle), std::sin(2 * angle)}; }
double angle_of(Vec2 q) { return 0.5 * std::atan2(q.y, q.x); }
/// Angle between two axes given by their angles [degrees].
double apart_deg(double a, double b) { return degrees(std::fabs(std::remainder(a - b, pi))); }

Pixels pixels(int width, int height, int channels, std::vector<float> values) {
    return {width, height, channels, std::move(values)};
}
float coded(double c) { return static_cast<float>(0.5 * (c + 1)); }

TEST(GrainTexture, OppositeDirectionsDoNotCancel) {  // left half: direction s, right half: -s
    std::vector<float> values;
    for (int i = 0; i < 16; ++i) {
        const double sign = i % 4 < 2 ? 1 : -1;
        values.insert(values.end(), {coded(sign * std::cos(0.5)), coded(sign * std::sin(0.5)), 0.5F});
    }
    const auto texture = decode_grain(pixels(4, 4, 3, values), GrainEncoding::Along, "x");
    for (const double texels : {1.0, 2.0, 4.0, 100.0})
        for (double u = 0.03; u < 1; u += 0.07) {
            const Vec2 q = texture->sample(u, 0.4, texels);
            EXPECT_NEAR(length(q), 1, 1e-6);
            EXPECT_LT(apart_deg(angle_of(q), 0.5), 1e-4);
        }
}

TEST(GrainTexture, IsBilinearRepeatsAndPassesThroughItsTexels) {
    const std::vector<Vec2> q = {axis(0.1), axis(0.4), axis(0.7), axis(1.0), axis(1.3), axis(1.6)};
    const GrainTexture t(3, 2, q);
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 3; ++x)
            for (const double shift : {0.0, 1.0, -3.0})
                EXPECT_LT(length(t.sample((x + 0.5) / 3 + shift, (y + 0.5) / 2 - shift) - q[static_cast<size_t>(3 * y + x)]),
                          1e-6);
    EXPECT_LT(length(t.sample(1.0 / 3, 0.25) - 0.5 * (q[0] + q[1])), 1e-6);
    EXPECT_LT(length(t.sample(0, 0.25) - 0.5 * (q[0] + q[2])), 1e-6);
    EXPECT_EQ(length(t.sample(std::nan(""), 0)), 0);
    EXPECT_EQ(length(t.sample(1e300, 0)), 0);
}

TEST(GrainTexture, MipLevelsKeepTheMeanForAnySize) {
    Random random(3);
    for (const auto& [w, h] : {std::pair{8, 8}, {7, 5}, {1, 9}, {1, 1}, {13, 2}}) {
        std::vector<Vec2> q;
        Vec2 mean;
        for (int i = 0; i < w * h; ++i) {
            q.push_back(random.uniform(0, 1) * axis(random.uniform(0, pi)));
            mean = mean + q.back() / (w * h);
        }
        const GrainTexture t(w, h, q);
        EXPECT_LT(length(t.sample(0.3, 0.8, 1e9) - mean), 1e-6) << w << " x " << h;
    }
}

TEST(GrainTexture, EncodingsKeepDirectionAndStrength) {
    Random random(4);
    std::vector<Vec2> q;
    for (int i = 0; i < 400; ++i) q.push_back((i % 10 == 0 ? 0.0 : random.uniform(0.1, 1)) * axis(random.uniform(0, pi)));
    const GrainTexture before(20, 20, q);
    for (const GrainEncoding encoding : {GrainEncoding::Along, GrainEncoding::GltfAcross}) {
        const std::vector<std::uint8_t> bytes = encode_grain(before, encoding);
        const int channels = encoding == GrainEncoding::Along ? 4 : 3;
        std::vector<float> values;
        for (int y = 19; y >= 0; --y)  // picture files begin at the top row
            for (int i = 0; i < 20 * channels; ++i)
                values.push_back(static_cast<float>(bytes[static_cast<size_t>(y * 20 * channels + i)]) / 255);
        const auto after = decode_grain(pixels(20, 20, channels, values), encoding, "x");
        for (int y = 0; y < 20; ++y)
            for (int x = 0; x < 20; ++x) {
                const Vec2 a = before.texel(x, y), b = after->texel(x, y);
                EXPECT_NEAR(length(a), length(b), 0.5 / 255 + 1e-6);
                // rounding of each component by half a step of 1/127.5: atan(0.0055)
                if (length(a) > 0) { EXPECT_LT(apart_deg(angle_of(a), angle_of(b)), 0.33); }
            }
    }
}

TEST(GrainTexture, RotationStrengthAndAlphaCount) {
    const auto one = [](GrainEncoding encoding, std::vector<float> values, double rotation, double strength) {
        const int channels = static_cast<int>(values.size());
        return decode_grain(pixels(1, 1, channels, std::move(values)), encoding, "x", rotation, strength)->texel(0, 0);
    };
    EXPECT_LT(length(one(GrainEncoding::Along, {1, 0.5F, 0}, 0.3, 1) - axis(0.3)), 1e-6);
    EXPECT_LT(length(one(GrainEncoding::Along, {1, 0.5F, 0, 0.25F}, 0, 0.5) - 0.125 * axis(0)), 1e-6);
    EXPECT_LT(length(one(GrainEncoding::GltfAcross, {1, 0.5F, 0.5F}, 0.3, 0.5) - 0.25 * axis(0.3 + pi / 2)), 1e-6);
    for (const float neutral : {127 / 255.0F, 128 / 255.0F})
        EXPECT_EQ(length(one(GrainEncoding::Along, {neutral, neutral, 0}, 0, 1)), 0);
    EXPECT_THROW(one(GrainEncoding::Along, {1}, 0, 1), InputError);        // grey
    EXPECT_THROW(one(GrainEncoding::Along, {1, 0.5F}, 0, 1), InputError);  // grey and alpha
    EXPECT_THROW(decode_grain(pixels(0, 5, 3, {}), GrainEncoding::Along, "x"), InputError);
    EXPECT_THROW(decode_grain(pixels(20000, 1, 3, {}), GrainEncoding::Along, "x"), InputError);
}

TEST(MakeGrain, FunctionIsTakenAtTheMiddlesOfTexels) {
    const GrainTexture t = grain_from_function(4, 2, [](double u, double v) { return u > 0.5 ? std::nan("") : v; });
    EXPECT_LT(length(t.texel(1, 1) - axis(0.75)), 1e-6);
    EXPECT_EQ(length(t.texel(3, 0)), 0);
}

// Stripes at known angles: the structure tensor finds their direction with full coherence.
TEST(MakeGrain, PhotographOfStripesHasTheirDirection) {
    const int n = 64;
    for (const auto& [kx, ky] : {std::pair{6, 0}, {0, 6}, {5, 3}, {-4, 5}, {7, 7}}) {
        std::vector<double> brightness;
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) brightness.push_back(0.5 + 0.4 * std::sin(2 * pi * (kx * x + ky * y) / n));
        const GrainTexture t = grain_from_photograph(n, n, brightness, 3);
        const double along = std::atan2(ky, kx) + pi / 2;  // perpendicular to the wave vector
        for (int i = 0; i < n; i += 7) {
            // The discrete derivative gives tan = sin(b)(10 + 6 cos a)/(sin(a)(10 + 6 cos b)) instead of b/a, for a and b
            // radians a pixel: 0.05 degrees here; bound: ten times that.
            EXPECT_LT(apart_deg(angle_of(t.texel(i, (3 * i) % n)), along), 0.5) << kx << " " << ky;
            EXPECT_GT(length(t.texel(i, i)), 0.99);
        }
    }
    const GrainTexture flat = grain_from_photograph(n, n, std::vector<double>(n * n, 0.3), 3);
    EXPECT_EQ(length(flat.texel(5, 5)), 0);
}

TEST(MakeGrain, StrokesRunAlongTheirLinesAndNowhereElse) {
    const Stroke stroke{{{0.1, 0.1}, {0.9, 0.5}}, 0.2};
    const GrainTexture t = grain_from_strokes(100, 50, {&stroke, 1});
    const double slope = std::atan2(0.4 * 50, 0.8 * 100);  // in texels, which are square
    EXPECT_LT(apart_deg(angle_of(t.texel(50, 15)), slope), 0.1);
    EXPECT_NEAR(length(t.texel(50, 15)), 1, 1e-6);
    EXPECT_EQ(length(t.texel(50, 40)), 0);
    const Stroke crossing[2] = {{{{0, 0.5}, {1, 0.5}}, 0.2}, {{{0.5, 0}, {0.5, 1}}, 0.2}};
    EXPECT_LT(length(grain_from_strokes(100, 100, crossing).texel(50, 50)), 0.05);  // crossed strokes: no direction
}

TEST(MakeGrain, BrushedLookIsSmearedAlongTheGrain) {
    const GrainTexture t = grain_from_function(64, 64, [](double, double) { return 0.0; });
    const std::vector<std::uint8_t> look = brushed_look(t);
    double along = 0, across = 0;
    for (int y = 0; y < 63; ++y)
        for (int x = 0; x < 63; ++x) {
            const int here = look[static_cast<size_t>(64 * y + x)];
            along += std::abs(here - look[static_cast<size_t>(64 * y + x + 1)]);
            across += std::abs(here - look[static_cast<size_t>(64 * (y + 1) + x)]);
        }
    EXPECT_LT(along, 0.3 * across);
}

}  // namespace
}  // namespace asperity::surface
