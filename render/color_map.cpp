#include "render/color_map.h"

#include <array>

namespace asperity::render {
namespace {

/// A colour of Oklab: lightness, green to red, blue to yellow.
struct Lab {
    double l, a, b;
};

Float3 linear_rgb(const Lab& c) {
    const auto cube = [](double x) { return x * x * x; };
    const double l = cube(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b);
    const double m = cube(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b);
    const double s = cube(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b);
    return to_float({4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                     -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                     -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s});
}

/// The quadratic Bezier curve of the map, at parameter t. Its middle point is the one, among those of a grid, that gives the
/// longest curve within the colours of sRGB.
Lab curve(double t) {
    constexpr Lab dark{0.28, 0.0549, -0.1178}, yellow{0.92, -0.0466, 0.1739};  // hues 295 and 105 degrees
    constexpr double a = -0.16, b = -0.14;
    const double p = (1 - t) * (1 - t), q = 2 * t * (1 - t), r = t * t;
    return {dark.l + (yellow.l - dark.l) * t, p * dark.a + q * a + r * yellow.a, p * dark.b + q * b + r * yellow.b};
}

constexpr std::size_t kEntries = 257;  // more than the steps of eight bits

/// Colours at equal steps of arc length.
std::array<Float3, kEntries> make_table() {
    constexpr std::size_t steps = 4096;
    std::array<double, steps + 1> length{};
    for (std::size_t i = 1; i <= steps; ++i) {
        const Lab u = curve(static_cast<double>(i - 1) / steps), v = curve(static_cast<double>(i) / steps);
        length[i] = length[i - 1] + std::hypot(v.l - u.l, v.a - u.a, v.b - u.b);
    }
    std::array<Float3, kEntries> table;
    std::size_t i = 0;
    for (std::size_t k = 0; k < kEntries; ++k) {
        const double wanted = length[steps] * static_cast<double>(k) / (kEntries - 1);
        while (i + 1 < steps && length[i + 1] < wanted) ++i;
        const double within = (wanted - length[i]) / (length[i + 1] - length[i]);
        const Float3 c = linear_rgb(curve((static_cast<double>(i) + within) / steps));
        table[k] = {std::clamp(c.x, 0.0f, 1.0f), std::clamp(c.y, 0.0f, 1.0f), std::clamp(c.z, 0.0f, 1.0f)};
    }
    return table;
}

}  // namespace

Float3 color_map(float x) {
    static const std::array<Float3, kEntries> table = make_table();
    const float at = (x > 0 ? std::min(x, 1.0f) : 0.0f) * static_cast<float>(kEntries - 1);
    const auto i = std::min(static_cast<std::size_t>(at), kEntries - 2);
    return mix(table[i], table[i + 1], at - static_cast<float>(i));
}

}  // namespace asperity::render
