// Generated maps: their statistics against closed forms. Random maps: within three standard errors.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/surface/make_slopes.h"

namespace asperity::surface {
namespace {

using std::numbers::pi;

/// Mean of max(0, g.d) over the map.
double facing(const SlopeMap& map, Vec2 d) {
    double sum = 0;
    for (const Slope& g : map.slopes) sum += std::fmax(0, d.x * static_cast<double>(g.x) + d.y * static_cast<double>(g.y));
    return sum / static_cast<double>(map.slopes.size());
}
Vec2 towards(double angle) { return {std::cos(angle), std::sin(angle)}; }
/// Fraction of texels that face along d.
double share(const SlopeMap& map, Vec2 d) {
    size_t count = 0;
    for (const Slope& g : map.slopes) count += d.x * static_cast<double>(g.x) + d.y * static_cast<double>(g.y) > 1e-6;
    return static_cast<double>(count) / static_cast<double>(map.slopes.size());
}
bool same(const SlopeMap& a, const SlopeMap& b) {
    return std::equal(a.slopes.begin(), a.slopes.end(), b.slopes.begin(),
                      [](const Slope& p, const Slope& q) { return p.x == q.x && p.y == q.y; });
}

TEST(MakeSlopes, GaussianSlopesHaveTheirDeviationsAndTheClosedFormOfPloughing) {
    const SlopeMap map = gaussian_slopes({256, 256}, {0.1, 1}, 7);
    const SlopeStatistics s = statistics(map);
    const double error = 3 / std::sqrt(2.0 * 65536);  // relative, of a standard deviation
    EXPECT_NEAR(s.deviation.x, 0.1, 0.1 * error);
    EXPECT_NEAR(s.deviation.y, 1, error);
    EXPECT_LT(length(s.mean), 1e-7);
    for (double angle = 0; angle < 6.2; angle += pi / 8) {
        const Vec2 d = towards(angle);
        const double sd = std::hypot(0.1 * d.x, d.y);
        // (2/pi) s/sqrt(2 pi); max(0, N) has the variance s^2 (1/2 - 1/(2 pi))
        EXPECT_NEAR(2 / pi * facing(map, d), 0.253975 * sd, 3 * 2 / pi * sd * std::sqrt((0.5 - 0.5 / pi) / 65536)) << angle;
    }
    EXPECT_TRUE(same(map, gaussian_slopes({256, 256}, {0.1, 1}, 7)));
    EXPECT_FALSE(same(map, gaussian_slopes({256, 256}, {0.1, 1}, 8)));
}

// Central differences of independent heights: (h1 - h2)/(2 q) has a deviation of sigma/(q sqrt 2). Slopes two texels apart
// share a height and have a correlation of -1/2. The variance of the sample variance therefore grows by 1 + 2 (1/2)^2 = 1.5.
TEST(MakeSlopes, IndependentHeightsHaveTheSlopesOfTheFourMaterials) {
    for (const double ra_mm : {1.0, 0.15, 0.01}) {
        const HeightMap heights = rough_heights({256, 256}, 1e-3 * ra_mm, 1e-3, 3);
        const SlopeStatistics s = statistics(slopes_of(heights));
        const double expected = ra_mm / std::sqrt(2.0), error = 3 * expected * std::sqrt(1.5 / (2.0 * 65536));
        EXPECT_NEAR(s.deviation.x, expected, error);
        EXPECT_NEAR(s.deviation.y, expected, error);
        EXPECT_LT(length(s.mean), 1e-7);
        const Roughness r = roughness(heights);
        EXPECT_NEAR(r.rq, 1e-3 * ra_mm, 3e-3 * ra_mm / std::sqrt(2.0 * 65536));
        EXPECT_NEAR(r.ra / r.rq, std::sqrt(2 / pi), 0.01);
    }
    const SlopeStatistics smooth = statistics(slopes_of(rough_heights({16, 16}, 0, 1e-3, 3)));
    EXPECT_EQ(smooth.steepest, 0);
}

TEST(MakeSlopes, BrushedSlopesAreRelatedAsTheirLengthSays) {
    for (const double length_texels : {3.0, 10.0, 30.0}) {
        const HeightMap heights = brushed_heights({512, 512}, 0.3, length_texels, 5);
        const SlopeStatistics s = statistics(slopes_of(heights));
        // sum of squared correlations: 1.5 across (lag of two texels); along, exp(-m^2/(4 L^2)) squared: L sqrt(2 pi)
        const double error = 3 * std::sqrt(1.5 * length_texels * std::sqrt(2 * pi) / (2.0 * 512 * 512));
        EXPECT_NEAR(s.deviation.y, 0.3, 0.3 * error) << length_texels;
        // The blur kernel is cut at three deviations. The tail is 0.3 % of its sum, and the jump of exp(-4.5) adds to
        // differences.
        const double along = 0.3 * std::sqrt(1 - std::exp(-1 / (length_texels * length_texels)));
        EXPECT_NEAR(s.deviation.x, along, along * (error + 0.01)) << length_texels;
        EXPECT_LT(length(s.mean), 1e-7);
        EXPECT_NEAR(s.integrability, 1, 1e-3);
    }
}

TEST(MakeSlopes, SmoothHeightsHaveTheirSlopesOnTheSteeperAxis) {
    const SlopeStatistics s = statistics(slopes_of(smooth_heights({256, 256}, 0.2, {2, 2}, 11)));
    // correlated areas of 2 pi L^2 texels; twice that for differences
    EXPECT_NEAR(s.deviation.x, 0.2, 0.2 * 3 * std::sqrt(2 * pi * 4 / (2.0 * 65536)) * 2);
    EXPECT_NEAR(s.deviation.y, 0.2, 0.2 * 3 * std::sqrt(2 * pi * 4 / (2.0 * 65536)) * 2);
}

TEST(MakeSlopes, SawtoothHasItsSharesAndTheSameMeanBothWays) {
    for (const auto& [a_deg, b_deg] : {std::pair{15.0, 60.0}, {20.0, 75.0}, {10.0, 80.0}}) {
        const double a = std::tan(radians(a_deg)), b = std::tan(radians(b_deg)), mean = a * b / (a + b);
        for (const int period : {8, 32, 128}) {
            const SlopeMap map = sawtooth_slopes({256, 256}, radians(a_deg), radians(b_deg), 256 / period, 0);
            // rounding by at least one texel
            EXPECT_NEAR(share(map, {1, 0}), a / (a + b), 0.5 / period + (period == 8 ? 0.125 : 0)) << a_deg << " " << period;
            EXPECT_NEAR(facing(map, {1, 0}), mean, 1e-6);  // times 2/pi: 0.1477, 0.2111, 0.1089
            EXPECT_NEAR(facing(map, {-1, 0}), mean, 1e-6);
            EXPECT_EQ(facing(map, {0, 1}), 0);  // along the ridges
            EXPECT_EQ(facing(map, {0, -1}), 0);
        }
        const SlopeStatistics fine = statistics(sawtooth_slopes({4096, 1}, radians(a_deg), radians(b_deg), 1, 0));
        EXPECT_NEAR(degrees(std::atan(fine.steepest)), b_deg, 0.1);
    }
    EXPECT_NEAR(2 / pi * facing(sawtooth_slopes({64, 64}, radians(15), radians(60), 4, 0), {1, 0}), 0.1477, 5e-5);
}

TEST(MakeSlopes, SawtoothTurnsWithItsWavesAndTiles) {
    const SlopeMap map = sawtooth_slopes({128, 128}, radians(15), radians(60), 8, 8);
    EXPECT_LT(length(statistics(map).mean), 1e-6);
    EXPECT_LT(facing(map, towards(0.75 * pi)), 1e-6);
    EXPECT_GT(facing(map, towards(0.25 * pi)), 0.2);
    double steepest_along = 0;  // steep flanks face along the waves
    for (const Slope& g : map.slopes)
        steepest_along = std::fmax(steepest_along, static_cast<double>(g.x + g.y) / std::sqrt(2.0));
    EXPECT_NEAR(degrees(std::atan(steepest_along)), 60, 3);
    // seamless: shifted by one tooth, the map is unchanged
    for (size_t y = 0; y < 128; ++y)
        for (size_t x = 0; x < 128; ++x) EXPECT_EQ(map.slopes[128 * y + x].x, map.slopes[128 * y + (x + 16) % 128].x);
    const Waves waves = waves_of({256, 128}, 16, radians(90));
    EXPECT_EQ(waves.u, 0);
    EXPECT_EQ(waves.v, 8);
    const Waves diagonal = waves_of({256, 256}, 16, radians(45));
    EXPECT_EQ(diagonal.u, 11);
    EXPECT_EQ(diagonal.v, 11);
    EXPECT_EQ(waves_of({16, 16}, 100, radians(200)).u, 1);  // at least one tooth
    const SlopeMap back = sawtooth_slopes({64, 64}, radians(15), radians(60), -8, 0);
    EXPECT_LT(share(back, {-1, 0}), 0.2);  // the steep side faces along the waves
}

// M4: pitch 0.7 mm on a pitch diameter of 3.545 mm has a lead angle of 3.597 degrees. Sliding along the thread meets no
// resistance.
TEST(MakeSlopes, ThreadIsFreeAlongItsHelixOnly) {
    const Thread m4{0.7e-3, 3.545e-3, 8, 1};
    const SlopeMap map = thread_slopes({128, 512}, m4);
    double freest = 1e9, at = 0;
    for (double a = -10; a <= 10; a += 0.01) {
        const double drag = facing(map, towards(radians(a))) + facing(map, towards(radians(a + 180)));
        if (drag < freest) freest = drag, at = a;
    }
    EXPECT_NEAR(at, 3.597, 0.01);
    EXPECT_LT(freest, 1e-3);
    // each flank covers 5/16 of the pitch, with a slope of cot 30 degrees
    const Vec2 up = towards(radians(93.597));
    EXPECT_NEAR(facing(map, up), 5.0 / 16 * std::sqrt(3.0), 1e-3);
    EXPECT_NEAR(facing(map, -up), 5.0 / 16 * std::sqrt(3.0), 1e-3);
    EXPECT_LT(length(statistics(map).mean), 1e-6);
    // crests climb as u grows: by one pitch (1/8 of the tile) per turn
    size_t moved = 0;
    for (size_t y = 0; y < 512; ++y)
        // shift by half a turn and half a pitch
        for (size_t x = 0; x < 64; ++x) moved += map.slopes[128 * y + x].y != map.slopes[128 * ((y + 32) % 512) + x + 64].y;
    EXPECT_EQ(moved, 0U);
    Thread left = m4;
    left.left_handed = true;
    EXPECT_LT(facing(thread_slopes({128, 512}, left), towards(radians(-3.597))), 1e-3);
}

TEST(MakeSlopes, FinishesHaveTheirSlopesExactly) {
    for (const auto& [finish, wanted] : {std::pair{Finish::Acrylic, 0.01}, {Finish::Oak, 0.15}, {Finish::Pvc, 0.6}}) {
        const HeightMap heights = finish_heights({256, 256}, finish, 2);
        const SlopeStatistics s = statistics(slopes_of(heights));
        EXPECT_NEAR(std::sqrt(0.5 * dot(s.deviation, s.deviation)), wanted, 1e-6 * wanted);
        EXPECT_LT(length(s.mean), 1e-6);
        if (finish == Finish::Oak) {
            EXPECT_GT(s.deviation.y, 3 * s.deviation.x);  // fibres along u
        } else {
            EXPECT_NEAR(s.deviation.x / s.deviation.y, 1, 0.15);
        }
    }
}

TEST(MakeSlopes, EmblemIsFlatButForItsBevels) {
    const HeightMap heights = emblem_heights({512, 512}, radians(40));
    const SlopeMap map = slopes_of(heights);
    const double slope = std::tan(radians(40));
    size_t flat = 0, bevel = 0, other = 0;
    for (const Slope& g : map.slopes) {
        const double s = std::hypot(g.x, g.y);
        ++(s < 1e-6 ? flat : std::fabs(s - slope) < 0.01 * slope ? bevel : other);
    }
    EXPECT_GT(static_cast<double>(flat), 0.5 * 512 * 512);
    EXPECT_GT(bevel, 2 * other);  // a bevel is about 10 texels wide; at both ends two texels straddle its edge
    EXPECT_NEAR(*std::max_element(heights.heights.begin(), heights.heights.end()), 0.02 * 512 * slope, 1e-9);
    for (int i = 0; i < 512; ++i) EXPECT_EQ(heights.heights[static_cast<size_t>(i)], 0);  // flat border: seamless
}

TEST(MakeSlopes, RampAndFormula) {
    const SlopeMap ramp = ramp_slopes({3, 2}, {1, -20});
    EXPECT_EQ(ramp.slopes.size(), 6U);
    EXPECT_NEAR(std::hypot(ramp.slopes[5].x, ramp.slopes[5].y), kSteepestSlope, 1e-5);
    const HeightMap wave =
        heights_from_function({64, 32}, 0.2, [](double x, double) { return 1e-3 * std::sin(2 * pi * x / 0.2); });
    EXPECT_DOUBLE_EQ(wave.pitch, 0.2 / 64);
    const double k = 2 * pi / 0.2, q = wave.pitch;
    // central differences of sin(kx): k cos(kx) sin(kq)/(kq)
    for (int x = 0; x < 64; ++x)
        EXPECT_NEAR(slopes_of(wave).slopes[static_cast<size_t>(x)].x,
                    -1e-3 * std::sin(k * q) / q * std::cos(k * (x + 0.5) * q), 1e-8);
}

}  // namespace
}  // namespace asperity::surface
