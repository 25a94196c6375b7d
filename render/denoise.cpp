#include "render/denoise.h"

#include "asperity/core/parallel.h"

namespace asperity::render {
namespace {

// The filtered quantities without the features: four floats that are exchanged in every pass.
struct Light {
    Float3 irradiance;
    float variance;
};

// Variances from few samples are noisy themselves, so brightness differences are compared with their 3 x 3 mean.
float smooth_variance(const std::vector<Light>& light, const std::vector<Pixel>& pixels, int x, int y, int width,
                      int height) {
    float sum = 0, weight = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            const int u = x + dx, v = y + dy;
            if (u < 0 || v < 0 || u >= width || v >= height) continue;
            const auto q = static_cast<std::size_t>(v * width + u);
            if (pixels[q].depth == 0) continue;
            const float w = (dx == 0 ? 2.0f : 1.0f) * (dy == 0 ? 2.0f : 1.0f);
            sum += w * light[q].variance;
            weight += w;
        }
    }
    return weight > 0 ? sum / weight : 0;
}

// Removes isolated outliers: if all samples of a pixel miss a light, they agree on a wrong value and their variance is
// small. A pixel brighter or darker than all but one of its neighbours is set to the level of that neighbour.
Float3 without_speck(const std::vector<Pixel>& pixels, int x, int y, int width, int height) {
    const Pixel& here = pixels[static_cast<std::size_t>(y * width + x)];
    const float center = luminance(here.irradiance);
    float low[2] = {1e30f, 1e30f}, high[2] = {0, 0};  // the two lowest and the two highest
    int count = 0;
    for (int v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); ++v) {
        for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u) {
            const Pixel& there = pixels[static_cast<std::size_t>(v * width + u)];
            if ((u == x && v == y) || there.depth == 0) continue;
            const float l = luminance(there.irradiance);
            ++count;
            low[1] = std::min(low[1], std::max(low[0], l)), low[0] = std::min(low[0], l);
            high[1] = std::max(high[1], std::min(high[0], l)), high[0] = std::max(high[0], l);
        }
    }
    if (count < 4 || (center >= low[1] && center <= high[1])) return here.irradiance;
    const float level = center < low[1] ? low[1] : high[1];
    return center > 1e-4f ? (level / center) * here.irradiance : constant(level);
}

}  // namespace

void denoise(std::vector<Pixel>& pixels, int width, int height, float pixel_spread) {
    constexpr int passes = 5;
    constexpr float brightness_tolerance = 3.5f;  // in standard deviations
    std::vector<Light> from(pixels.size()), to(pixels.size());
    const auto despeckle_row = [&](int y) {
        for (int x = 0; x < width; ++x) {
            const auto p = static_cast<std::size_t>(y * width + x);
            from[p] = {pixels[p].depth > 0 ? without_speck(pixels, x, y, width, height) : pixels[p].irradiance,
                       pixels[p].variance};
        }
    };
    parallel_for(height, despeckle_row, 8);
    for (int pass = 0; pass < passes; ++pass) {
        const int step = 1 << pass;
        const auto filter_row = [&](int y) {
            for (int x = 0; x < width; ++x) {
                const auto p = static_cast<std::size_t>(y * width + x);
                const Pixel& here = pixels[p];
                to[p] = from[p];
                if (here.depth == 0) continue;
                const float center = luminance(from[p].irradiance);
                const float deviation = std::sqrt(smooth_variance(from, pixels, x, y, width, height));
                const float inverse_brightness = 1 / (brightness_tolerance * deviation + 1e-4f);
                // A point off this pixel's plane by more than about a pixel's width belongs to another surface.
                const float inverse_plane = 1 / (here.depth * pixel_spread * (0.5f + 0.35f * static_cast<float>(step)));
                Float3 sum = from[p].irradiance;
                float total = 1, variance = from[p].variance;
                for (int dy = -1; dy <= 1; ++dy) {
                    const int v = y + dy * step;
                    if (v < 0 || v >= height) continue;
                    for (int dx = -1; dx <= 1; ++dx) {
                        const int u = x + dx * step;
                        if (u < 0 || u >= width || (dx == 0 && dy == 0)) continue;
                        const auto q = static_cast<std::size_t>(v * width + u);
                        const Pixel& there = pixels[q];
                        if (there.depth == 0) continue;
                        float facing = dot(here.normal, there.normal);
                        if (facing <= 0.5f) continue;
                        for (int k = 0; k < 5; ++k) facing *= facing;  // 32nd power
                        const float plane = std::fabs(dot(here.normal, there.position - here.position)) * inverse_plane;
                        const float bright = std::fabs(luminance(from[q].irradiance) - center) * inverse_brightness;
                        // exp(-x) approximated by (1 - x/4)^4: zero from x = 4 on, and without a call of exp per tap.
                        const float e = std::max(0.0f, 1 - 0.25f * (plane + bright));
                        const float w = (dx == 0 || dy == 0 ? 0.5f : 0.25f) * facing * (e * e) * (e * e);
                        sum += w * from[q].irradiance;
                        variance += w * w * from[q].variance;
                        total += w;
                    }
                }
                to[p] = {sum / total, variance / (total * total)};
            }
        };
        parallel_for(height, filter_row, 8);
        from.swap(to);
    }
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i].irradiance = from[i].irradiance;
}

}  // namespace asperity::render
