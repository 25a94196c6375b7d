// The colour map, the letters and the colour bar.
#include <gtest/gtest.h>

#include <set>

#include "asperity/core/error.h"
#include "render/color_bar.h"
#include "render/color_map.h"
#include "render/lettering.h"
#include "render/texture.h"
#include "stage.h"

namespace asperity::render {
namespace {

/// Oklab of linear RGB, by the inverse of the matrices that the map uses (the same paper states both).
Vec3 oklab(const Float3& c) {
    const double r = static_cast<double>(c.x), g = static_cast<double>(c.y), b = static_cast<double>(c.z);
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s, 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

TEST(ColorMap, HasEqualStepsAndRisingLightness) {
    constexpr int steps = 64;
    double shortest = 1e9, longest = 0;
    for (int i = 0; i < steps; ++i) {
        const Vec3 a = oklab(color_map(static_cast<float>(i) / steps)),
                   b = oklab(color_map(static_cast<float>(i + 1) / steps));
        shortest = std::fmin(shortest, length(b - a)), longest = std::fmax(longest, length(b - a));
        EXPECT_GT(b.x, a.x) << "step " << i;
    }
    EXPECT_GT(shortest, 0.98 * longest);  // the table has 256 linear pieces: 1 percent
    EXPECT_GT(steps * shortest, 0.7) << "black to white is 1";
    EXPECT_NEAR(oklab(color_map(0)).x, 0.28, 0.002);
    EXPECT_NEAR(oklab(color_map(1)).x, 0.92, 0.002);
}

TEST(ColorMap, KeepsItsOrderForColourBlindEyes) {
    // Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009,
    // table 1: severity 1.0; on linear RGB.
    const Mat3 kinds[] = {
        {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
        {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
        {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}};
    for (const Mat3& kind : kinds) {
        constexpr int steps = 32;
        const auto seen = [&](int i) {
            const Float3 c = color_map(static_cast<float>(i) / steps);
            const Vec3 v = kind * Vec3{static_cast<double>(c.x), static_cast<double>(c.y), static_cast<double>(c.z)};
            return oklab(to_float(max(v, {0, 0, 0})));
        };
        for (int i = 0; i < steps; ++i) {
            EXPECT_GT(seen(i + 1).x, seen(i).x + 0.2 / steps) << "lightness alone tells the order";
            EXPECT_GT(length(seen(i + 1) - seen(i)), 0.4 / steps);
        }
    }
}

TEST(ColorMap, EndsAtItsEnds) {
    const auto same = [](const Float3& a, const Float3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
    EXPECT_TRUE(same(color_map(-3), color_map(0)));
    EXPECT_TRUE(same(color_map(7), color_map(1)));
    EXPECT_TRUE(same(color_map(std::nanf("")), color_map(0)));
}

Image white(int width, int height) {
    return {width, height,
            std::vector<std::uint8_t>(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 255)};
}

int dark_pixels(const Image& image, int x0, int y0, int x1, int y1) {
    int count = 0;
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) {
            const std::size_t p = 3 * static_cast<std::size_t>(y * image.width + x);
            count += image.rgb[p] < 100 && image.rgb[p + 1] < 100 && image.rgb[p + 2] < 100;
        }
    return count;
}

TEST(Lettering, StaysWithinItsWidthAndKeepsLettersApart) {
    std::set<std::vector<std::uint8_t>> seen;
    for (const char sign : std::string("0123456789-+.[]acdeiklmnoprstuv\xb5GMP")) {
        EXPECT_TRUE(is_known(sign)) << sign;
        Image image = white(60, 60);
        draw_text(image, 10, 40, 3, std::string(1, sign), {0, 0, 0});
        EXPECT_GT(dark_pixels(image, 0, 0, 60, 60), 0) << sign;
        const int right = 10 + static_cast<int>(3 * text_width(std::string(1, sign))) + 3;
        EXPECT_EQ(dark_pixels(image, right, 0, 60, 60), 0) << sign;
        EXPECT_EQ(dark_pixels(image, 0, 0, 8, 60), 0) << sign;
        EXPECT_EQ(dark_pixels(image, 0, 49, 60, 60), 0) << sign << ": two units below the line, and the pen";
        EXPECT_TRUE(seen.insert(image.rgb).second) << "another letter looks like " << sign;
    }
    EXPECT_FALSE(is_known('@'));
    Image image = white(20, 20);
    draw_text(image, -30, 5, 3, "12345678901234567890", {0, 0, 0});  // ends where the picture ends
    draw_text(image, 5, 500, 3, "1", {0, 0, 0});
}

TEST(ColorBar, SaysTitleUnitAndRoundNumbers) {
    const auto bar = [](Quantity quantity, double low, double high) { return ColorBar({quantity, low, high}, 1280, 720); };
    const auto labels = [](const ColorBar& b) {
        std::string all;
        for (const ColorBar::Tick& tick : b.ticks) all += tick.label + " ";
        return all;
    };
    EXPECT_EQ(bar(Quantity::VonMises, 0, 52e3).title, "von Mises stress [kPa]");
    EXPECT_EQ(labels(bar(Quantity::VonMises, 0, 52e3)), "0 10 20 30 40 50 ");
    EXPECT_EQ(bar(Quantity::Pressure, -3e6, 1e6).title, "pressure [MPa]");
    EXPECT_EQ(labels(bar(Quantity::Pressure, -3e6, 1e6)), "-3 -2 -1 0 1 ");
    EXPECT_EQ(bar(Quantity::Displacement, 0, 2.1e-5).title, "displacement [\xb5m]");
    EXPECT_EQ(labels(bar(Quantity::Displacement, 0, 2.1e-5)), "0 5 10 15 20 ");
    EXPECT_EQ(labels(bar(Quantity::Displacement, 0, 0.84)), "0 200 400 600 800 ");
    EXPECT_EQ(labels(bar(Quantity::Displacement, 1, 1.42)), "1.0 1.1 1.2 1.3 1.4 ");
    for (const double scale : {1e-12, 1e-9, 1e-3, 1.0, 1e9, 1e15})
        for (const Quantity quantity : {Quantity::Displacement, Quantity::VonMises, Quantity::Pressure})
            for (const double low : {-7.0, 0.0, 0.9, 0.999999}) {
                const ColorBar b = bar(quantity, low * scale, scale);
                EXPECT_GE(b.ticks.size(), 3u) << low << " " << scale;
                EXPECT_LE(b.ticks.size(), 9u) << low << " " << scale;
                std::set<std::string> distinct;
                for (const ColorBar::Tick& tick : b.ticks) {
                    for (const char sign : tick.label) EXPECT_TRUE(is_known(sign)) << tick.label;
                    EXPECT_GE(tick.y, static_cast<float>(b.top) - 0.01f);
                    EXPECT_LE(tick.y, static_cast<float>(b.bottom) + 0.01f);
                    EXPECT_TRUE(distinct.insert(tick.label).second) << tick.label;
                }
                for (const char sign : b.title) EXPECT_TRUE(is_known(sign)) << b.title;
            }
}

TEST(ColorBar, FitsIntoPicturesOfAllSizesAndShowsTheMap) {
    for (const auto& [width, height] : {std::pair{1280, 720}, {400, 700}, {1280, 192}, {64, 48}, {16, 16}}) {
        const ColorScale scale{Quantity::VonMises, 0, 1};
        Image image = white(width, height);
        draw_color_bar(image, scale);
        const ColorBar bar(scale, width, height);
        EXPECT_GE(bar.panel_left, 0);
        EXPECT_LE(bar.panel_right, width);
        EXPECT_LE(bar.panel_bottom, height);
        EXPECT_LE(bar.bottom, bar.panel_bottom);
        for (int y = bar.top; y < bar.bottom; ++y) {
            const float part = (static_cast<float>(bar.bottom - y) - 0.5f) / static_cast<float>(bar.bottom - bar.top);
            const Float3 wanted = color_map(part);
            const std::size_t p = 3 * static_cast<std::size_t>(y * width + (bar.left + bar.right) / 2);
            if (bar.right - bar.left < 3) continue;  // letters may touch a bar of one pixel
            EXPECT_NEAR(image.rgb[p], 255 * linear_to_srgb(wanted.x), 1.01f);
            EXPECT_NEAR(image.rgb[p + 1], 255 * linear_to_srgb(wanted.y), 1.01f);
            EXPECT_NEAR(image.rgb[p + 2], 255 * linear_to_srgb(wanted.z), 1.01f);
        }
    }
}

}  // namespace
}  // namespace asperity::render
