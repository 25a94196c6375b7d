#include "render/color_bar.h"

#include <fmt/format.h>

#include <cmath>

#include "render/color_map.h"
#include "render/lettering.h"
#include "render/texture.h"

namespace asperity::render {
namespace {

constexpr int kIntervals = 5;  // wanted between ticks; with 10 the labels of a small picture touch
// In units of the letters' grid.
constexpr float kBarWidth = 9, kBarHeight = 120, kMargin = 8, kPadding = 6, kTick = 3;

/// A prefix of the unit, so that the largest value is at least 1 and below 1000 where there is one.
struct Prefix {
    double factor;
    const char* sign;
};
Prefix prefix_for(double largest) {
    constexpr Prefix known[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "\xb5"}, {1e-9, "n"}};
    if (!(largest > 0)) return {1, ""};
    for (const Prefix& p : known)
        if (largest >= p.factor * (1 - 1e-9)) return p;
    return known[6];
}

std::vector<ColorBar::Tick> ticks_between(double low, double high) {
    const double raw = (high - low) / kIntervals, power = std::pow(10, std::floor(std::log10(raw)));
    const double step = power * (raw < 1.5 * power ? 1 : raw < 3.5 * power ? 2 : raw < 7.5 * power ? 5 : 10);
    const int decimals = static_cast<int>(std::fmax(0, -std::floor(std::log10(step) + 1e-9)));
    std::vector<ColorBar::Tick> ticks;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
        const double value = k * step + 0.0;  // not -0
        // As many digits as tell neighbours apart.
        const int digits = 1 + static_cast<int>(std::floor(std::log10(std::fmax(std::fabs(value), step) / step) + 1e-9));
        const bool plain = std::fabs(value) < 1e6 && decimals <= 9;
        ticks.push_back({value, plain ? fmt::format("{:.{}f}", value, decimals) : fmt::format("{:.{}g}", value, digits), 0});
        if (ticks.size() > 2 * kIntervals + 2) break;  // numbers whose difference is a rounding error
    }
    return ticks;
}

Rgb to_rgb(const Float3& linear) {
    const auto channel = [](float x) { return static_cast<std::uint8_t>(255 * linear_to_srgb(x) + 0.5f); };
    return {channel(linear.x), channel(linear.y), channel(linear.z)};
}

}  // namespace

ColorBar::ColorBar(const ColorScale& scale, int width, int height) {
    const Prefix prefix = scale.quantity == Quantity::Margin
                              ? Prefix{1, ""}
                              : prefix_for(std::fmax(std::fabs(scale.low), std::fabs(scale.high)));
    title = fmt::format("{} [{}{}]", render::title(scale.quantity), prefix.sign, render::unit(scale.quantity));
    ticks = ticks_between(scale.low / prefix.factor, scale.high / prefix.factor);
    float widest = 0;
    for (const Tick& tick : ticks) widest = std::max(widest, text_width(tick.label));
    const float across = 2 * kPadding + std::max(text_width(title), kBarWidth + 2 * kTick + widest);
    const float down = 2 * kPadding + kCapital + kDescender + kPadding + kBarHeight;
    // 2 pixels at a height of 720. Letters of less than 0.9 pixels cannot be read, but the legend may not cover more than
    // half of the width.
    unit = std::min({std::max(static_cast<float>(height) / 360, 0.9f), 0.5f * static_cast<float>(width) / across,
                     0.8f * static_cast<float>(height) / down});
    const auto pixels = [&](float x) { return static_cast<int>(std::lround(x * unit)); };
    panel_right = width - pixels(kMargin);
    panel_top = pixels(kMargin);
    panel_left = panel_right - pixels(across);
    panel_bottom = panel_top + pixels(down);
    left = panel_left + pixels(kPadding);
    right = left + std::max(1, pixels(kBarWidth));
    top = panel_top + pixels(2 * kPadding + kCapital + kDescender);
    bottom = std::max(top + 1, panel_bottom - pixels(kPadding));
    for (Tick& tick : ticks) {
        tick.value *= prefix.factor;
        const double part = (tick.value - scale.low) / (scale.high - scale.low);
        tick.y = static_cast<float>(bottom) - static_cast<float>(part) * static_cast<float>(bottom - top);
    }
}

void draw_color_bar(Image& image, const ColorScale& scale) {
    constexpr Rgb paper{250, 250, 250}, ink{25, 25, 25};
    const ColorBar bar(scale, image.width, image.height);
    for (int y = bar.panel_top; y < bar.panel_bottom; ++y)
        for (int x = bar.panel_left; x < bar.panel_right; ++x) blend(image, x, y, paper, 0.82f);
    for (int y = bar.top; y < bar.bottom; ++y) {
        const float part = (static_cast<float>(bar.bottom - y) - 0.5f) / static_cast<float>(bar.bottom - bar.top);
        const Rgb color = to_rgb(color_map(part));
        for (int x = bar.left; x < bar.right; ++x) blend(image, x, y, color, 1);
    }
    const float u = bar.unit;
    const auto below_title = static_cast<float>(bar.top) - u * (kPadding + kDescender);
    draw_text(image, static_cast<float>(bar.left), below_title, u, bar.title, ink);
    for (const ColorBar::Tick& tick : bar.ticks) {
        const int y = std::clamp(static_cast<int>(tick.y), bar.top, bar.bottom - 1);
        const int end = bar.right + std::max(1, static_cast<int>(u * kTick));
        for (int x = bar.right; x < end; ++x) blend(image, x, y, ink, 1);
        draw_text(image, static_cast<float>(bar.right) + u * 2 * kTick, tick.y + 0.5f * u * kCapital, u, tick.label, ink);
    }
}

}  // namespace asperity::render
