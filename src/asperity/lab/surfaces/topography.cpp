#include "asperity/lab/surfaces/topography.h"

#include <cmath>
#include <complex>
#include <numbers>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/math/fft.h"

namespace asperity::lab {

void check_complete(const Topography& map, const std::string& where, int least) {
    if (map.width < least || (map.height < least && !map.is_profile()))
        throw InputError(fmt::format("{}: {} x {} heights; needs at least {} along each axis, or one row of at least {}",
                                     where, map.width, map.height, least, least));
    for (const double pixel : {map.pixel_x, map.pixel_y})
        if (!(pixel >= 1 / kLargestLength && pixel <= kLargestLength))
            throw InputError(fmt::format("{}: pixel size {:g}: must be in [{:g}, {:g}]", where, pixel, 1 / kLargestLength,
                                         kLargestLength));
    for (const double h : map.heights)
        if (std::fabs(h) > kLargestLength && !std::isinf(h))
            throw InputError(fmt::format("{}: a height of {:g}: must be below {:g}", where, h, kLargestLength));
    std::size_t missing = 0, first = 0;
    for (std::size_t i = map.heights.size(); i-- > 0;)
        if (!std::isfinite(map.heights[i])) ++missing, first = i;
    if (missing == 0) return;
    const auto width = static_cast<std::size_t>(map.width);
    throw InputError(
        fmt::format("{}: {} of {} heights are missing or not finite, the first in column {}, row {} (counted from "
                    "1); fill them (--fill), or cut them off",
                    where, missing, map.heights.size(), first % width + 1, first / width + 1));
}

Topography make_map(const MapSpec& spec) {
    const std::string where = "height map";
    check(spec.spectrum, where);
    const auto refuse = [&](const char* key, double value, const std::string& allowed) {
        throw InputError(fmt::format("{}: {} = {:g}: {}", where, key, value, allowed));
    };
    constexpr int kMost = 1 << 14;           // pixels along an axis
    constexpr double kMostPixels = 1 << 26;  // in all: a gigabyte of complex numbers
    for (const auto& [key, size] : {std::pair{"width", spec.width}, {"height", spec.height}})
        if (size < 8 || size > kMost) refuse(key, size, fmt::format("must be in [8, {}]", kMost));
    if (static_cast<double>(spec.width) * spec.height > kMostPixels)
        refuse("width", spec.width, fmt::format("times height = {} is more than {:.3g} pixels", spec.height, kMostPixels));
    if (!(spec.pixel > 0) || !std::isfinite(spec.pixel)) refuse("pixel", spec.pixel, "must be above 0");
    if (!(spec.sigma >= 0) || !std::isfinite(spec.sigma)) refuse("sigma", spec.sigma, "must be finite and at least 0");
    if (!(spec.slope >= 0) || !std::isfinite(spec.slope)) refuse("slope", spec.slope, "must be finite and at least 0");
    if (spec.spectrum.f_max * spec.pixel > 0.5 * (1 + 1e-12))
        refuse("f_max", spec.spectrum.f_max,
               fmt::format("a pixel of {:g} carries frequencies up to 1/(2 pixel) = {:g}; make the pixels smaller",
                           spec.pixel, 0.5 / spec.pixel));

    // One mode of each pair +-f: k_y > 0, or k_y = 0 and k_x > 0. The modes at half the sampling frequency are left out, as
    // they have no free phase.
    const int w = spec.width, h = spec.height;
    const double df_x = 1 / (w * spec.pixel), df_y = 1 / (h * spec.pixel);
    const auto at = [&](int k_x, int k_y) {
        return static_cast<std::size_t>((k_y + h) % h) * static_cast<std::size_t>(w) +
               static_cast<std::size_t>((k_x + w) % w);
    };
    std::vector<std::complex<double>> grid(static_cast<std::size_t>(w) * static_cast<std::size_t>(h));
    double energy = 0, steep = 0;
    for (int k_y = 0; 2 * k_y < h; ++k_y)
        for (int k_x = k_y == 0 ? 1 : -(w - 1) / 2; 2 * k_x < w; ++k_x) {
            const Vec2 f{k_x * df_x, k_y * df_y};
            const double s = power(spec.spectrum, f);
            if (!(s > 0)) continue;
            energy += s;
            steep += s * std::pow(2 * std::numbers::pi, 2) * (f.x * f.x + f.y * f.y);
            const auto mode = std::polar(std::sqrt(s / 2), random_phase(spec.seed, spec.stream, k_x, k_y));
            grid[at(k_x, k_y)] = mode;
            grid[at(-k_x, -k_y)] = std::conj(mode);
        }
    if (!(energy > 0) || !std::isfinite(energy))
        throw InputError(
            fmt::format("{}: the spectrum has no power at any of the modes of this map; widen f_min..f_max = "
                        "[{:g}, {:g}], or make the map larger",
                        where, spec.spectrum.f_min, spec.spectrum.f_max));
    Fft2(w, h).inverse(grid);
    const double scale = (spec.slope > 0 ? spec.slope / std::sqrt(steep) : spec.sigma / std::sqrt(energy)) *
                         static_cast<double>(w) * static_cast<double>(h);
    Topography map{.width = w, .height = h, .pixel_x = spec.pixel, .pixel_y = spec.pixel, .periodic = true};
    map.heights.reserve(grid.size());
    for (const std::complex<double>& value : grid) map.heights.push_back(scale * value.real());
    return map;
}

Topography sample(const Profile& profile, double first, double step, int count) {
    Topography row{.width = count, .height = 1, .pixel_x = step, .pixel_y = step};
    row.periodic = std::fabs(count * step / profile.period() - 1) < 1e-12;
    row.heights = profile.sample(first, step, count);
    return row;
}

}  // namespace asperity::lab
