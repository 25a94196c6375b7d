#include "asperity/surface/normal_map.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "asperity/core/assert.h"
#include "asperity/core/error.h"
#include "asperity/surface/detail/periodic_blur.h"

namespace asperity::surface {
namespace {

using detail::texel_at;
using detail::wrapped;

void check_size(const Pixels& picture, const std::string& what) {
    if (picture.width < 1 || picture.height < 1 || picture.width > kLargestSide || picture.height > kLargestSide)
        throw InputError(fmt::format("{}: {} x {} pixels; maps are read from pictures of 1 to {} pixels each way", what,
                                     picture.width, picture.height, kLargestSide));
    ASPERITY_ASSERT(picture.channels >= 1 && picture.values.size() == static_cast<size_t>(picture.width) *
                                                                          static_cast<size_t>(picture.height) *
                                                                          static_cast<size_t>(picture.channels));
}

bool counts(const SlopeMap& map, size_t texel) { return map.weight.empty() || map.weight[texel] > 0; }
double weight(const SlopeMap& map, size_t texel) { return map.weight.empty() ? 1 : static_cast<double>(map.weight[texel]); }
Vec2 slope(const SlopeMap& map, size_t texel) {
    return {static_cast<double>(map.slopes[texel].x), static_cast<double>(map.slopes[texel].y)};
}
Slope to_slope(Vec2 g) { return {static_cast<float>(g.x), static_cast<float>(g.y)}; }

Vec2 mean_slope(const SlopeMap& map) {
    Vec2 sum;
    double total = 0;
    for (size_t i = 0; i < map.slopes.size(); ++i) {
        if (!counts(map, i)) continue;
        sum = sum + weight(map, i) * slope(map, i);
        total += weight(map, i);
    }
    return total > 0 ? sum / total : Vec2{};
}

/// (m + 1)/2 of the unit normal m, as integers from 0 to `top`.
struct Code {
    long rgb[3];
};
Code encoded(Vec2 g, double top) {
    const double z = 1 / std::sqrt(1 + dot(g, g));
    const auto level = [&](double c) { return std::lround(top * (0.5 + 0.5 * clamp(c, -1, 1))); };
    return {{level(g.x * z), level(g.y * z), level(z)}};
}

}  // namespace

void cut_steep(SlopeMap& map) {
    for (size_t i = 0; i < map.slopes.size(); ++i) {
        const Vec2 g = slope(map, i);
        const double steepness = length(g);
        if (steepness <= kSteepestSlope) continue;
        if (std::isfinite(steepness)) {
            map.slopes[i] = to_slope(kSteepestSlope / steepness * g);
        } else {
            if (map.weight.empty()) map.weight.assign(map.slopes.size(), 1.0F);
            map.slopes[i] = {}, map.weight[i] = 0;
        }
    }
}

void level(SlopeMap& map) {
    const Vec2 mean = mean_slope(map);
    for (size_t i = 0; i < map.slopes.size(); ++i)
        if (counts(map, i)) map.slopes[i] = to_slope(slope(map, i) - mean);
    cut_steep(map);
}

SlopeMap decode_normal_map(const Pixels& picture, const std::string& what, const NormalMapReading& reading) {
    check_size(picture, what);
    if (picture.channels < 3)
        throw InputError(fmt::format(
            "{}: is grey, which is a height map and no normal map; give it as height_image with height_scale, or save "
            "the normal map as RGB",
            what));
    if (!std::isfinite(reading.scale)) throw InputError(fmt::format("{}: a scale of {} is no number", what, reading.scale));
    SlopeMap map{picture.width, picture.height};
    const auto channels = static_cast<size_t>(picture.channels);
    const size_t texels = picture.values.size() / channels;
    map.slopes.resize(texels);
    size_t backward = 0;
    for (size_t i = 0; i < texels; ++i) {
        const float* c = &picture.values[channels * i];
        const auto component = [&](size_t k) { return 2 * static_cast<double>(c[k]) - 1; };
        const double z = component(2);
        if (z > 0) {
            map.slopes[i] = to_slope(reading.scale / z * Vec2{component(0), (reading.green_down ? -1 : 1) * component(1)});
            continue;
        }
        if (backward++ == 0) map.weight.assign(texels, 1.0F);
        map.weight[i] = 0;
    }
    if (2 * backward > texels)
        throw InputError(fmt::format(
            "{}: is no normal map: {:.0f} % of its texels face backwards (blue at or below one half); a colour texture? "
            "Maps of two channels have to be saved with their blue",
            what, 100.0 * static_cast<double>(backward) / static_cast<double>(texels)));
    cut_steep(map);
    if (reading.level) level(map);
    return map;
}

std::vector<std::uint8_t> encode_normal_map(const SlopeMap& map, int bits) {
    ASPERITY_ASSERT(bits == 8 || bits == 16);
    std::vector<std::uint8_t> out;
    out.reserve(map.slopes.size() * (bits == 8 ? 3 : 6));
    for (int y = map.height - 1; y >= 0; --y)  // picture files begin at the top row
        for (int x = 0; x < map.width; ++x) {
            const size_t i = texel_at(map.width, x, y);
            const Code code = encoded(counts(map, i) ? slope(map, i) : Vec2{}, bits == 8 ? 255 : 65535);
            for (const long c : code.rgb) {
                if (bits == 16) out.push_back(static_cast<std::uint8_t>(c >> 8));
                out.push_back(static_cast<std::uint8_t>(c & 0xff));
            }
        }
    return out;
}

SlopeMap slopes_of(const HeightMap& map) {
    ASPERITY_ASSERT(map.width >= 1 && map.height >= 1 && map.pitch > 0 &&
                    map.heights.size() == static_cast<size_t>(map.width) * static_cast<size_t>(map.height));
    SlopeMap out{map.width, map.height};
    out.slopes.reserve(map.heights.size());
    const auto h = [&](int x, int y) {
        return map.heights[texel_at(map.width, wrapped(x, map.width), wrapped(y, map.height))];
    };
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x)
            out.slopes.push_back(to_slope(Vec2{h(x - 1, y) - h(x + 1, y), h(x, y - 1) - h(x, y + 1)} / (2 * map.pitch)));
    cut_steep(out);
    return out;
}

HeightMap heights_of(const Pixels& picture, double height_scale, double pitch, const std::string& what) {
    check_size(picture, what);
    if (!std::isfinite(height_scale) || !(pitch > 0) || !std::isfinite(pitch))
        throw InputError(fmt::format("{}: a height of {} m and a pixel of {} m; both must be numbers, and pixels above 0",
                                     what, height_scale, pitch));
    HeightMap map{picture.width, picture.height, pitch};
    const auto channels = static_cast<size_t>(picture.channels);
    for (size_t i = 0; i < picture.values.size(); i += channels) {
        const float* c = &picture.values[i];
        // luma of ITU-R BT.601, as most picture readers convert colour to grey
        const double grey = channels < 3 ? static_cast<double>(c[0])
                                         : 0.299 * static_cast<double>(c[0]) + 0.587 * static_cast<double>(c[1]) +
                                               0.114 * static_cast<double>(c[2]);
        map.heights.push_back(height_scale * grey);
    }
    return map;
}

SlopeStatistics statistics(const SlopeMap& map) {
    SlopeStatistics s;
    s.mean = mean_slope(map);
    Vec2 square;
    double total = 0, uv = 0, u_v = 0, v_u = 0;
    size_t backward = 0, cut = 0;
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x) {
            const size_t i = texel_at(map.width, x, y);
            if (!counts(map, i)) {
                ++backward;
                continue;
            }
            const Vec2 g = slope(map, i), d = g - s.mean;
            square = square + weight(map, i) * Vec2{d.x * d.x, d.y * d.y};
            total += weight(map, i);
            s.steepest = std::fmax(s.steepest, length(g));
            cut += length(g) > kSteepestSlope * (1 - 1e-6);
            const auto at = [&](int a, int b) {
                return slope(map, texel_at(map.width, wrapped(a, map.width), wrapped(b, map.height)));
            };
            const double du_dv = at(x, y + 1).x - at(x, y - 1).x, dv_du = at(x + 1, y).y - at(x - 1, y).y;
            uv += du_dv * dv_du, u_v += du_dv * du_dv, v_u += dv_du * dv_du;
        }
    if (total > 0) s.deviation = {std::sqrt(square.x / total), std::sqrt(square.y / total)};
    const auto texels = static_cast<double>(map.slopes.size());
    s.backward = static_cast<double>(backward) / texels;
    s.cut = static_cast<double>(cut) / texels;
    s.integrability = u_v > 0 && v_u > 0 ? uv / std::sqrt(u_v * v_u) : 0;
    return s;
}

Roughness roughness(const HeightMap& map) {
    double mean = 0;
    const auto count = static_cast<double>(map.heights.size());
    for (const double h : map.heights) mean += h / count;
    Roughness r;
    for (const double h : map.heights) r.ra += std::fabs(h - mean) / count, r.rq += (h - mean) * (h - mean) / count;
    r.rq = std::sqrt(r.rq);
    return r;
}

double quantisation_error(const SlopeMap& map) {
    double error = 0, size = 0;
    for (size_t i = 0; i < map.slopes.size(); ++i) {
        if (!counts(map, i)) continue;
        const Vec2 g = slope(map, i);
        const Code code = encoded(g, 255);
        const auto component = [&](int k) { return 2 * static_cast<double>(code.rgb[k]) / 255 - 1; };
        const Vec2 off = Vec2{component(0), component(1)} / component(2) - g;
        error += dot(off, off), size += dot(g, g);
    }
    return size > 0 ? std::sqrt(error / size) : 0;
}

}  // namespace asperity::surface
