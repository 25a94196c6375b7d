#include "render/texture.h"

#include <array>

namespace asperity::render {

// sRGB transfer functions (IEC 61966-2-1).
float srgb_to_linear(float c) { return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f); }
float linear_to_srgb(float c) { return c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f; }

Texture::Texture(const Image& image) {
    std::array<float, 256> decode;
    for (int i = 0; i < 256; ++i) decode[static_cast<std::size_t>(i)] = srgb_to_linear(static_cast<float>(i) / 255);
    Level base{image.width, image.height, {}};
    base.texels.reserve(image.rgb.size() / 3);
    for (std::size_t i = 0; i + 2 < image.rgb.size(); i += 3)
        base.texels.push_back({decode[image.rgb[i]], decode[image.rgb[i + 1]], decode[image.rgb[i + 2]]});
    levels_.push_back(std::move(base));
    add_coarse_levels();
}

Texture::Texture(const surface::SlopeMap& map) {
    Level base{map.width, map.height, {}};
    for (int y = map.height - 1; y >= 0; --y)  // rows run downwards
        for (int x = 0; x < map.width; ++x) {
            const std::size_t i =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(map.width) + static_cast<std::size_t>(x);
            const surface::Slope g = map.weight.empty() || map.weight[i] > 0 ? map.slopes[i] : surface::Slope{};
            base.texels.push_back(normalized(Float3{g.x, g.y, 1}));
        }
    levels_.push_back(std::move(base));
    add_coarse_levels();
}

void Texture::add_coarse_levels() {
    // Each level averages 2 x 2 texels of the previous one; an odd last row or column is used twice.
    while (levels_.back().width > 1 || levels_.back().height > 1) {
        const Level& fine = levels_.back();
        Level coarse{std::max(1, fine.width / 2), std::max(1, fine.height / 2), {}};
        for (int y = 0; y < coarse.height; ++y) {
            for (int x = 0; x < coarse.width; ++x) {
                const int x1 = std::min(2 * x + 1, fine.width - 1), y1 = std::min(2 * y + 1, fine.height - 1);
                const int x0 = std::min(2 * x, x1), y0 = std::min(2 * y, y1);
                coarse.texels.push_back(0.25f *
                                        (fine.texel(x0, y0) + fine.texel(x1, y0) + fine.texel(x0, y1) + fine.texel(x1, y1)));
            }
        }
        levels_.push_back(std::move(coarse));
    }
}

Float3 Texture::at(double u, double v, float footprint) const {
    const float texels = footprint * static_cast<float>(std::max(levels_[0].width, levels_[0].height));
    const int last = static_cast<int>(levels_.size()) - 1;
    const int index = texels > 1 ? std::min(last, static_cast<int>(std::log2(texels) + 0.5f)) : 0;
    const Level& level = levels_[static_cast<std::size_t>(index)];
    const float x = static_cast<float>(u - std::floor(u)) * static_cast<float>(level.width) - 0.5f;
    // rows run downwards
    const float y = (1 - static_cast<float>(v - std::floor(v))) * static_cast<float>(level.height) - 0.5f;
    const int x0 = static_cast<int>(std::floor(x)), y0 = static_cast<int>(std::floor(y));
    const float s = x - static_cast<float>(x0), t = y - static_cast<float>(y0);
    const auto wrap = [](int i, int count) { return i < 0 ? i + count : i >= count ? i - count : i; };
    const int xa = wrap(x0, level.width), xb = wrap(x0 + 1, level.width);
    const int ya = wrap(y0, level.height), yb = wrap(y0 + 1, level.height);
    return mix(mix(level.texel(xa, ya), level.texel(xb, ya), s), mix(level.texel(xa, yb), level.texel(xb, yb), s), t);
}

}  // namespace asperity::render
