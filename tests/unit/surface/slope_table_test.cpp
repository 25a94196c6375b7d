// Averages of slopes: closed forms for Gaussian slopes and teeth, the mean-slope theorem, and the errors of the table's
// squares and directions.
#include <gtest/gtest.h>

#include <numbers>

#include "maps.h"

namespace asperity::surface {
namespace {

using friction::FacetWeight;
using std::numbers::pi;

constexpr double kCone = 2 / pi;

TextureLanes one_place(double u, double v) {
    TextureLanes at;
    at.u[3] = texture_word(u), at.v[3] = texture_word(v);
    at.which = 1 << 3;
    return at;
}

// <max(0, g)> = s/sqrt(2 pi) for normally distributed g: 0.253975 s with the cone's 2/pi. Clamping at 1, as 8-bit channels
// do, would give 0.238129. Tolerance: four standard errors of the mean of size^2 texels, 0.584 s/size.
TEST(SlopeTable, GaussianSlopesHaveTheClosedForm) {
    constexpr int size = 512;
    constexpr double closed = 0.25397454373696388;
    EXPECT_NEAR(closed, kCone / std::sqrt(2 * pi), 1e-15);
    const double noise = 4 * kCone * 0.584 / size;
    const std::vector<double> round = whole(gaussian_map(size, 1, 1), FacetWeight::Projected);
    for (size_t k = 0; k < 16; ++k) EXPECT_NEAR(kCone * round[k], closed, noise) << k;
    EXPECT_GT(kCone * round[0], 0.238129 + 2 * noise);  // not clamped
    const auto [low, high] = std::minmax_element(round.begin(), round.end());
    EXPECT_LT(*high / *low, 1.1);

    const std::vector<double> brushed = whole(gaussian_map(size, 0.1, 1, 2), FacetWeight::Projected);
    for (size_t k = 0; k < 16; ++k) {
        const Vec2 d = friction::plough_directions(16)[k];
        EXPECT_NEAR(kCone * brushed[k], closed * std::hypot(0.1 * d.x, d.y), noise) << k;
    }
    EXPECT_NEAR(brushed[4] / brushed[0], 10, 0.5);
    EXPECT_NEAR(kCone * brushed[2], 0.18048, noise);
}

// independent heights of deviation Ra, pixels of 1 mm: slopes of deviation Ra/(1 mm sqrt 2)
TEST(SlopeTable, HeightsOfMaterialsGiveTheirCoefficients) {
    const double expected[] = {0.5592, 0.2539, 0.2036, 0.2000}, ra_mm[] = {1, 0.15, 0.01, 0};
    constexpr int size = 512;
    for (int m = 0; m < 4; ++m) {
        Random random(7);
        std::vector<double> heights(size * size);
        for (double& h : heights) h = ra_mm[m] * random.normal();
        const std::vector<double> averages = whole(slopes_of_heights(size, heights), FacetWeight::Projected);
        // half of the texels are independent: four standard errors of 0.584 s/(size/sqrt 2), times k = 2
        for (const double a : averages)
            EXPECT_NEAR(0.2 + 2 * kCone * a, expected[m], 4 * 2 * kCone * 0.584 * ra_mm[m] / size + 5e-5);
    }
}

// A tooth with gentle angle a and steep angle b has flank widths in the ratio tan b : tan a. By projected area both
// directions resist with (2/pi) tan a tan b/(tan a + tan b). By true area the steep side resists more, by cos a/cos b.
TEST(SlopeTable, TeethResistAlikeByProjectedAreaAndDifferentlyByTheirOwn) {
    struct Tooth {
        double gentle, steep, projected, ratio;
    };
    for (const Tooth& t : {Tooth{15, 60, 0.1477, 1.932}, Tooth{20, 75, 0.2111, 3.631}, Tooth{10, 80, 0.1089, 0}}) {
        const double tan_a = std::tan(radians(t.gentle)), tan_b = std::tan(radians(t.steep));
        // 97 texels a period. The flank widths are rounded to texels, and the gentle slope is chosen so that the tooth
        // closes.
        const int period = 97, steep = static_cast<int>(std::lround(period * tan_a / (tan_a + tan_b)));
        const double gentle = tan_b * steep / (period - steep);
        const SlopeMap map = sawtooth_map(4 * period, period, steep, gentle, tan_b);
        const std::vector<double> projected = whole(map, FacetWeight::Projected), area = whole(map, FacetWeight::TrueArea);
        EXPECT_NEAR(kCone * projected[0], kCone * projected[8], 1e-7) << "float slopes";
        EXPECT_NEAR(kCone * projected[0], kCone * tan_b * steep / period, 1e-7);
        EXPECT_NEAR(kCone * projected[0], t.projected, 0.5 / steep * t.projected);  // flank width rounded to a texel
        EXPECT_NEAR(projected[4], 0, 1e-12);                                        // along the ridges
        EXPECT_NEAR(area[4], 0, 1e-12);
        const double cos_a = 1 / std::sqrt(1 + gentle * gentle), cos_b = std::cos(radians(t.steep));
        EXPECT_NEAR(area[0] / area[8], cos_a / cos_b, 1e-5);
        if (t.ratio > 0) { EXPECT_NEAR(area[0] / area[8], t.ratio, 0.01 * t.ratio); }
    }
    // One texel per flank: teeth that do not close have an asymmetry that no height field has.
    const SlopeMap even = sawtooth_map(8, 2, 1, std::tan(radians(15)), std::tan(radians(60)));
    EXPECT_NEAR(kCone * whole(even, FacetWeight::Projected)[0], 0.551, 5e-4);
    EXPECT_NEAR(kCone * whole(even, FacetWeight::Projected)[8], 0.085, 5e-4);
}

TEST(SlopeTable, PeriodicHeightsResistAlikeBothWays) {  // <g> = 0, up to the rounding of float slopes
    for (int seed = 1; seed <= 20; ++seed) {
        Random random(static_cast<std::uint64_t>(seed));
        constexpr int size = 64;
        std::vector<double> heights(size * size);
        double walk = 0;
        for (double& h : heights) h = walk += 0.02 * random.normal();  // gentle: cut slopes are not those of a height field
        const SlopeMap map = slopes_of_heights(size, heights);
        const std::vector<double> averages = whole(map, FacetWeight::Projected, 32);
        double largest = 0;
        for (const double a : averages) largest = std::fmax(largest, a);
        for (size_t k = 0; k < 16; ++k) EXPECT_NEAR(averages[k], averages[k + 16], 1e-6 * largest) << seed;
    }
}

// Squares of 2^level texels: their mean over the map is that of the map. Between the twelve directions the value is at most
// 1/cos(7.5 degrees) of the true value, and never below it.
TEST(SlopeTable, LevelsKeepTheMeanAndDirectionsAreBetweenTheirPolygons) {
    for (const auto& [width, height] : {std::pair{64, 64}, std::pair{60, 36}, std::pair{17, 5}, std::pair{1, 1}}) {
        Random random(4);
        const SlopeMap map = map_of(width, height, [&](int, int) {
            return Vec2{0.7 * random.normal() + 0.2, 0.7 * random.normal()};
        });
        const SlopeTable table(map, FacetWeight::TrueArea);
        const std::span<const Vec2> d = friction::plough_directions(32);
        std::vector<double> exact(32), found(32);
        table.whole(d, exact);
        double largest = 0;
        for (const double e : exact) largest = std::fmax(largest, e);
        for (int level = 0; level <= table.level_of(1e9); ++level) {
            FacetSums sums;
            // sample positions that weigh all texels equally
            const int across = width * (1 + 120 / width), up = height * (1 + 120 / height);
            for (int j = 0; j < up; ++j)
                for (int i = 0; i < across; ++i)
                    table.add(one_place((i + 0.5) / across - 1, (j + 0.5) / up + 3), level, sums);
            table.averages(sums, {1, 0}, {0, 1}, d, found);
            for (size_t k = 0; k < 32; ++k) {
                EXPECT_GE(found[k], exact[k] - 2e-3 * largest) << width << " level " << level << " direction " << k;
                // The polygon bounds |g.d|, the sum of both senses. Its error is 0.87 % where many texels leave no preferred
                // direction, and at most that of a single ridge between two directions, tan(7.5 degrees).
                const double above =
                    width * height > 1000 ? 0.0087 * (exact[k] + exact[(k + 16) % 32]) : 0.132 * 2 * largest;
                EXPECT_LE(found[k], exact[k] + 0.5 * above + 2e-3 * largest)
                    << width << " level " << level << " direction " << k;
            }
        }
    }
}

TEST(SlopeTable, RidgesKeepTheirDirection) {  // for any angle, since the table's axes follow the map
    for (double angle = 0; angle < pi; angle += 0.1) {
        const Vec2 across{std::cos(angle), std::sin(angle)};
        const SlopeMap map = map_of(64, 64, [&](int x, int y) { return (std::sin(0.7 * x + y) > 0 ? 1.0 : -0.4) * across; });
        const SlopeTable table(map, FacetWeight::Projected);
        FacetSums sums;
        table.add(one_place(0.3, 0.6), 4, sums);
        const Vec2 d[4] = {{-across.y, across.x}, across, {across.y, -across.x}, -across};
        double out[4];
        table.averages(sums, {1, 0}, {0, 1}, d, out);
        EXPECT_NEAR(out[0], 0, 1e-6) << angle;
        EXPECT_GT(out[1], 0.3);
    }
}

TEST(SlopeTable, OddTexels) {  // back-facing, not finite, too steep; and salience per texel
    SlopeMap map = map_of(2, 2, [](int x, int y) {
        return x == 0 ? Vec2{1, 0} : y == 0 ? Vec2{1e6, 0} : Vec2{std::nan(""), 0};
    });
    std::vector<double> a = whole(map, FacetWeight::Projected);
    EXPECT_NEAR(a[0], (2 + kSteepestSlope) / 3, 1e-6);  // the texel that is not finite does not count
    map.weight = {1, 0, 0, 1};
    EXPECT_NEAR(whole(map, FacetWeight::Projected)[0], 1, 1e-6);
    map.weight = {0, 0, 0, 0};
    EXPECT_EQ(whole(map, FacetWeight::Projected)[0], 0);
    map.weight.clear();
    map.salience = {3, 0, 1, 1};
    EXPECT_NEAR(whole(map, FacetWeight::Salience)[0], (3 + 0 + 1) / 3.0, 1e-6);
    EXPECT_NEAR(whole(map, FacetWeight::Projected)[0], (2 + kSteepestSlope) / 3, 1e-6);
}

}  // namespace
}  // namespace asperity::surface
