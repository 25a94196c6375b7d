#include "asperity/surface/make_slopes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "asperity/core/random.h"
#include "asperity/surface/detail/periodic_blur.h"

namespace asperity::surface {
namespace {

using detail::texel_at;
using std::numbers::pi;

size_t texels(MapSize size) { return static_cast<size_t>(size.width) * static_cast<size_t>(size.height); }
Slope to_slope(Vec2 g) { return {static_cast<float>(g.x), static_cast<float>(g.y)}; }

std::vector<double> noise(MapSize size, std::uint64_t seed) {
    Random random(seed);
    std::vector<double> out(texels(size));
    for (double& n : out) n = random.normal();
    return out;
}

/// Phase index of each texel in a pattern of plane waves: one of `count` equally spaced phases, each equally frequent.
struct Phases {
    long long step_x, step_y, total, divisor, count;
    Phases(MapSize size, int waves_u, int waves_v)
        : step_x(static_cast<long long>(waves_u) * size.height),
          step_y(static_cast<long long>(waves_v) * size.width),
          total(static_cast<long long>(size.width) * size.height),
          divisor(std::gcd(std::gcd(std::abs(step_x), std::abs(step_y)), total)),
          count(total / divisor) {}
    long long at(int x, int y) const { return (((step_x * x + step_y * y) % total + total) % total) / divisor; }
};

/// Root mean square of the slopes over both axes.
double steepness(const SlopeMap& map) {
    double sum = 0;
    for (const Slope& g : map.slopes)
        sum += static_cast<double>(g.x) * static_cast<double>(g.x) + static_cast<double>(g.y) * static_cast<double>(g.y);
    return std::sqrt(0.5 * sum / static_cast<double>(map.slopes.size()));
}

void add(std::vector<double>& to, double factor, const std::vector<double>& from) {
    for (size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

std::vector<double> smoothed(MapSize size, Vec2 sigma, std::uint64_t seed) {
    std::vector<double> h = noise(size, seed);
    detail::blur(h, size.width, size.height, sigma.x, sigma.y);
    double square = 0;
    for (const double n : h) square += n * n / static_cast<double>(h.size());
    for (double& n : h) n /= std::sqrt(square);
    return h;
}

/// Variance of the central difference (lag of two texels) of blurred unit noise: (R(0) - R(2))/2, with R the autocorrelation
/// of the weights.
double difference_variance(double sigma) {
    const std::vector<double> w = detail::gaussian_weights(sigma);
    double own = 0, apart = 0;
    for (size_t i = 0; i < w.size(); ++i) {
        own += w[i] * w[i];
        if (i + 2 < w.size()) apart += w[i] * w[i + 2];
    }
    return 0.5 * (own - apart);
}
double variance(double sigma) {
    double own = 0;
    for (const double w : detail::gaussian_weights(sigma)) own += w * w;
    return own;
}

}  // namespace

SlopeMap gaussian_slopes(MapSize size, Vec2 deviation, std::uint64_t seed) {
    Random random(seed);
    SlopeMap map{size.width, size.height};
    for (size_t i = 0; i < texels(size); ++i) {
        const double x = random.normal(), y = random.normal();
        map.slopes.push_back(to_slope({deviation.x * x, deviation.y * y}));
    }
    level(map);
    return map;
}

HeightMap rough_heights(MapSize size, double deviation, double pitch, std::uint64_t seed) {
    HeightMap map{size.width, size.height, pitch, noise(size, seed)};
    for (double& h : map.heights) h *= deviation;
    return map;
}

HeightMap smooth_heights(MapSize size, double deviation, Vec2 length, std::uint64_t seed) {
    HeightMap map{size.width, size.height, 1, noise(size, seed)};
    detail::blur(map.heights, size.width, size.height, length.x, length.y);
    const double along_u = difference_variance(length.x) * variance(length.y),
                 along_v = variance(length.x) * difference_variance(length.y);
    for (double& h : map.heights) h *= deviation / std::sqrt(std::fmax(along_u, along_v));
    return map;
}

HeightMap brushed_heights(MapSize size, double across, double length, std::uint64_t seed) {
    return smooth_heights(size, across, {length, 0}, seed);
}

Waves waves_of(MapSize size, double period, double direction) {
    const auto whole = [](double x) { return static_cast<int>(std::lround(x)); };
    Waves waves{whole(size.width / period * std::cos(direction)), whole(size.height / period * std::sin(direction))};
    if (waves.u == 0 && waves.v == 0)
        (std::fabs(std::cos(direction)) >= std::fabs(std::sin(direction)) ? waves.u : waves.v) = 1;
    return waves;
}

namespace {

/// The teeth of a sawtooth on whole texels.
struct Teeth {
    long long falling;  // phases of the steep side
    double fall, rise;  // slopes of the steep and the gentle side

    Teeth(const Phases& phases, double gentle, double steep) {
        const double a = std::tan(gentle), b = std::tan(steep), height = a * b / (a + b);  // tooth height for a period of 1
        const auto count = static_cast<double>(phases.count);
        falling = std::clamp(std::llround(count * a / (a + b)), 1LL, std::max(1LL, phases.count - 1));
        fall = height * count / static_cast<double>(falling);
        rise = phases.count > falling ? height * count / (count - static_cast<double>(falling)) : 0;
    }
};

}  // namespace

Vec2 sawtooth_flanks(MapSize size, double gentle, double steep, int waves_u, int waves_v) {
    const Teeth teeth(Phases(size, waves_u, waves_v), gentle, steep);
    return {std::atan(teeth.rise), std::atan(teeth.fall)};
}

SlopeMap sawtooth_slopes(MapSize size, double gentle, double steep, int waves_u, int waves_v) {
    const Phases phases(size, waves_u, waves_v);
    const auto [falling, fall, rise] = Teeth(phases, gentle, steep);
    Vec2 along{static_cast<double>(waves_u) / size.width, static_cast<double>(waves_v) / size.height};
    along = length(along) > 0 ? along / length(along) : Vec2{1, 0};
    SlopeMap map{size.width, size.height};
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
            map.slopes.push_back(to_slope((phases.at(x, y) >= phases.count - falling ? fall : -rise) * along));
    cut_steep(map);
    return map;
}

SlopeMap thread_slopes(MapSize size, const Thread& thread) {
    const double lead = std::atan(thread.starts * thread.pitch / (pi * thread.diameter)), hand = thread.left_handed ? -1 : 1;
    // crests run along (cos lead, sin lead); the profile varies across them
    const Vec2 along{-hand * std::sin(lead), std::cos(lead)};
    const Phases phases(size, thread.left_handed ? thread.starts : -thread.starts, thread.turns);
    const auto count = static_cast<double>(phases.count);
    const long long flank = std::max(1LL, std::llround(count * 5 / 16)), crest = std::llround(count / 8);
    const double slope = 5.0 / 16 * count / static_cast<double>(flank) / std::tan(thread.half_angle);
    SlopeMap map{size.width, size.height};
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            const long long at = phases.at(x, y);  // rising flank, crest, falling flank, root
            const double g = at < flank ? -slope : at >= flank + crest && at < 2 * flank + crest ? slope : 0;
            map.slopes.push_back(to_slope(g * along));
        }
    cut_steep(map);
    return map;
}

HeightMap finish_heights(MapSize size, Finish finish, std::uint64_t seed) {
    HeightMap map{size.width, size.height, 1};
    double wanted = 0;
    if (finish == Finish::Acrylic) {
        wanted = 0.01;
        map.heights = smoothed(size, {6, 6}, seed);
        add(map.heights, 0.05, smoothed(size, {1.5, 1.5}, seed + 1));
    } else if (finish == Finish::Oak) {
        wanted = 0.15;
        map.heights = smoothed(size, {40, 5}, seed);                  // growth rings
        add(map.heights, 0.25, smoothed(size, {24, 0.8}, seed + 1));  // fibres
        const std::vector<double> pores = smoothed(size, {7, 0.7}, seed + 2);
        for (size_t i = 0; i < pores.size(); ++i) map.heights[i] -= 0.8 * std::fmax(0, pores[i] - 1.6);  // a few open pores
    } else {
        wanted = 0.6;
        map.heights = smoothed(size, {3.5, 3.5}, seed);
        for (double& h : map.heights) h = std::fabs(h);  // rounded grains with creases between them
        add(map.heights, 0.1, smoothed(size, {1, 1}, seed + 1));
    }
    const double given = steepness(slopes_of(map));
    for (double& h : map.heights) h *= given > 0 ? wanted / given : 0;
    return map;
}

HeightMap emblem_heights(MapSize size, double bevel, double width) {
    HeightMap map{size.width, size.height, 1};
    const double rise = width * size.width * std::tan(bevel);
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            // relative to the width of the tile, from its centre
            const Vec2 p{(x + 0.5) / size.width - 0.5, ((y + 0.5) - 0.5 * size.height) / size.width};
            const double r = length(p);
            const double ring = 0.04 - std::fabs(r - 0.38);  // signed distance to the border, positive inside
            // three peaks on a common base, clipped by the inside of the ring
            double peaks = -1;
            for (const auto& [at, top] : {std::pair{-0.16, 0.06}, {0.0, 0.2}, {0.17, 0.02}}) {
                const double flank = (top - p.y - 1.6 * std::fabs(p.x - at)) / std::hypot(1, 1.6);
                peaks = std::fmax(peaks, std::fmin(flank, p.y + 0.16));
            }
            const double inside = std::fmax(ring, std::fmin(peaks, 0.31 - r));
            map.heights.push_back(rise * clamp(inside / width, 0, 1));
        }
    return map;
}

SlopeMap ramp_slopes(MapSize size, Vec2 slope) {
    SlopeMap map{size.width, size.height, std::vector<Slope>(texels(size), to_slope(slope))};
    cut_steep(map);
    return map;
}

HeightMap heights_from_function(MapSize size, double tile, const std::function<double(double, double)>& height) {
    HeightMap map{size.width, size.height, tile / size.width};
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) map.heights.push_back(height((x + 0.5) * map.pitch, (y + 0.5) * map.pitch));
    return map;
}

}  // namespace asperity::surface
