#include "asperity/surface/make_grain.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "asperity/core/random.h"
#include "asperity/friction/cone_input.h"
#include "asperity/surface/detail/periodic_blur.h"

namespace asperity::surface {
namespace {

using detail::wrapped;
size_t at(int width, int x, int y) { return detail::texel_at(width, x, y); }

struct Nearest {
    double distance;
    Vec2 along;
};
Nearest nearest_on(const Stroke& stroke, Vec2 p, Vec2 size) {
    Nearest best{1e300, {}};
    for (size_t i = 0; i + 1 < stroke.points.size(); ++i) {
        const Vec2 a{stroke.points[i].x * size.x, stroke.points[i].y * size.y},
            b{stroke.points[i + 1].x * size.x, stroke.points[i + 1].y * size.y};
        const Vec2 along = b - a;
        const double square = dot(along, along);
        if (!(square > 0)) continue;
        const double distance = length(p - (a + clamp(dot(p - a, along) / square, 0, 1) * along));
        if (distance < best.distance) best = {distance, along / std::sqrt(square)};
    }
    return best;
}

}  // namespace

GrainTexture grain_from_function(int width, int height, const std::function<double(double, double)>& angle) {
    std::vector<Vec2> out;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double a = angle((x + 0.5) / width, (y + 0.5) / height);
            out.push_back(std::isfinite(a) ? Vec2{std::cos(2 * a), std::sin(2 * a)} : Vec2{});
        }
    return {width, height, out};
}

GrainTexture grain_from_photograph(int width, int height, std::span<const double> brightness, double sigma) {
    const auto b = [&](int x, int y) { return brightness[at(width, wrapped(x, width), wrapped(y, height))]; };
    std::vector<double> xx(brightness.size()), xy(brightness.size()), energy(brightness.size());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            // Scharr's derivative: central difference along one axis, weights 3 10 3 along the other; nearly isotropic
            const auto derivative = [&](int dx, int dy) {
                double sum = 0;
                for (int k = -1; k <= 1; ++k) {
                    const int side_x = dy * k, side_y = dx * k;
                    sum += (k == 0 ? 10 : 3) * (b(x + dx + side_x, y + dy + side_y) - b(x - dx + side_x, y - dy + side_y));
                }
                return sum / 32;
            };
            const double gx = derivative(1, 0), gy = derivative(0, 1);
            const size_t i = at(width, x, y);
            xx[i] = gx * gx - gy * gy, xy[i] = 2 * gx * gy, energy[i] = gx * gx + gy * gy;
        }
    for (std::vector<double>* values : {&xx, &xy, &energy}) detail::blur(*values, width, height, sigma, sigma);
    double mean = 0;
    for (const double e : energy) mean += e / static_cast<double>(energy.size());
    std::vector<Vec2> out(brightness.size());
    for (size_t i = 0; i < out.size(); ++i)
        // no direction where the contrast is too low
        if (energy[i] > 1e-3 * mean && energy[i] > 1e-12) out[i] = Vec2{-xx[i], -xy[i]} / energy[i];
    return {width, height, out};
}

GrainTexture grain_from_strokes(int width, int height, std::span<const Stroke> strokes) {
    std::vector<Vec2> out(static_cast<size_t>(width) * static_cast<size_t>(height));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            Vec2 sum;
            double weight = 0;
            for (const Stroke& stroke : strokes) {
                const double radius = 0.5 * stroke.width * width;
                const Nearest near =
                    nearest_on(stroke, {x + 0.5, y + 0.5}, {static_cast<double>(width), static_cast<double>(height)});
                const double w = clamp(4 * (1 - near.distance / radius), 0, 1);
                sum = sum + w * friction::double_angle(near.along.x, near.along.y);
                weight += w;
            }
            if (weight > 0) out[at(width, x, y)] = std::fmin(weight, 1) / weight * sum;
        }
    return {width, height, out};
}

std::vector<std::uint8_t> brushed_look(const GrainTexture& texture, double reach) {
    const int w = texture.width(), h = texture.height();
    Random random(7);
    std::vector<double> noise(static_cast<size_t>(w) * static_cast<size_t>(h));
    for (double& n : noise) n = random.uniform(0, 1);
    std::vector<std::uint8_t> out;
    for (int y = h - 1; y >= 0; --y)
        for (int x = 0; x < w; ++x) {
            double sum = noise[at(w, x, y)], count = 1;
            for (const double way : {1.0, -1.0}) {
                Vec2 p{x + 0.5, y + 0.5}, last;
                for (double gone = 0; gone < reach; ++gone) {
                    const Vec2 q = texture.texel(wrapped(static_cast<int>(std::floor(p.x)), w),
                                                 wrapped(static_cast<int>(std::floor(p.y)), h));
                    if (!(length(q) > 0.05)) break;
                    Vec2 s = friction::half_angle(q);
                    if (gone == 0 ? way < 0 : dot(s, last) < 0) s = -s;  // keep the sense of the previous step
                    last = s, p = p + s;
                    sum += noise[at(w, wrapped(static_cast<int>(std::floor(p.x)), w),
                                    wrapped(static_cast<int>(std::floor(p.y)), h))];
                    ++count;
                }
            }
            // the mean of n samples has a deviation of 1/sqrt(n): rescale, or long streaks would be grey
            const double contrast = 0.5 + (sum / count - 0.5) * std::sqrt(count) * 0.55;
            out.push_back(static_cast<std::uint8_t>(std::lround(255 * clamp(contrast, 0, 1))));
        }
    return out;
}

}  // namespace asperity::surface
