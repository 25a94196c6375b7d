#include "asperity/surface/grain_texture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/friction/cone_input.h"

namespace asperity::surface {
namespace {

/// Box filter weights from `from` to `to` texels: coarse texel i covers the interval [i, i + 1) from / to.
template <class Add>
void cover(int i, int from, int to, const Add& add) {
    const double scale = static_cast<double>(from) / to, begin = i * scale, end = (i + 1) * scale;
    for (int k = static_cast<int>(begin); k < from && k < end; ++k)
        add(k, (std::fmin(k + 1.0, end) - std::fmax(static_cast<double>(k), begin)) / scale);
}

std::uint8_t byte(double c) { return static_cast<std::uint8_t>(std::lround(255 * clamp(c, 0, 1))); }

}  // namespace

GrainTexture::GrainTexture(int width, int height, const std::vector<Vec2>& double_angles) {
    ASPERITY_ASSERT(width >= 1 && height >= 1 &&
                    double_angles.size() == static_cast<size_t>(width) * static_cast<size_t>(height));
    const Level picture = add_level(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const Vec2& q = double_angles[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
            texels()[picture.place(x, y)] = {static_cast<float>(q.x), static_cast<float>(q.y)};
        }
    while (levels_.back().width > 1 || levels_.back().height > 1) {
        const Level fine = levels_.back(), coarse = add_level(std::max(1, fine.width / 2), std::max(1, fine.height / 2));
        for (int y = 0; y < coarse.height; ++y)
            for (int x = 0; x < coarse.width; ++x) {
                Vec2 sum;
                cover(y, fine.height, coarse.height, [&](int j, double wy) {
                    cover(x, fine.width, coarse.width, [&](int i, double wx) {
                        const Texel& t = texels()[fine.place(i, j)];
                        sum = sum + wx * wy * Vec2{t.x, t.y};
                    });
                });
                texels()[coarse.place(x, y)] = {static_cast<float>(sum.x), static_cast<float>(sum.y)};
            }
    }
}

GrainTexture::Level GrainTexture::add_level(int width, int height) {
    const size_t wide = (static_cast<size_t>(width) + 31) / 32, high = (static_cast<size_t>(height) + 15) / 16;
    levels_.push_back({width, height, 512 * pages_.size(), static_cast<unsigned>(512 * wide)});
    pages_.resize(pages_.size() + wide * high);
    return levels_.back();
}

Vec2 GrainTexture::texel(int x, int y) const {
    const Texel& t = texels()[levels_[0].place(x, y)];
    return {t.x, t.y};
}

Vec2 GrainTexture::sample(double u, double v, double texels) const {
    if (!(std::fabs(u) < kFarthest && std::fabs(v) < kFarthest)) return {};
    if (!(texels > 1)) return find(u, v).mixed();
    const double level = std::fmin(std::log2(texels), static_cast<double>(level_count() - 1));
    const auto fine = static_cast<size_t>(level);
    const Vec2 below = find(levels_[fine], u, v).mixed();
    if (fine + 1 == levels_.size()) return below;
    return below + (level - static_cast<double>(fine)) * (find(levels_[fine + 1], u, v).mixed() - below);
}

std::shared_ptr<const GrainTexture> decode_grain(const Pixels& picture, GrainEncoding encoding, const std::string& what,
                                                 double rotation, double strength) {
    if (picture.width < 1 || picture.height < 1 || picture.width > kLargestSide || picture.height > kLargestSide)
        throw InputError(fmt::format("{}: {} x {} pixels; grain is read from pictures of 1 to {} pixels each way", what,
                                     picture.width, picture.height, kLargestSide));
    if (picture.channels < 3)
        throw InputError(fmt::format(
            "{}: is grey, and grey has no direction; save it as RGB, with red and green = (direction + 1)/2 in the tangent "
            "frame, or make it by 'asperity texture'",
            what));
    const bool across = encoding == GrainEncoding::GltfAcross;
    // rotation of the double angle
    const double turn = 2 * rotation + (across ? std::acos(-1.0) : 0), c = std::cos(turn), s = std::sin(turn);
    const auto channels = static_cast<size_t>(picture.channels);
    std::vector<Vec2> out(static_cast<size_t>(picture.width) * static_cast<size_t>(picture.height));
    for (size_t i = 0; i < out.size(); ++i) {
        const float* p = &picture.values[channels * i];
        const double x = 2.0 * static_cast<double>(p[0]) - 1, y = 2.0 * static_cast<double>(p[1]) - 1, size = x * x + y * y;
        if (!(size > kShortestTexel * kShortestTexel)) continue;
        const double part = across ? static_cast<double>(p[2]) : channels > 3 ? static_cast<double>(p[3]) : 1;
        const Vec2 q = clamp(strength * part, 0, 1) / size * friction::double_angle(x, y);
        out[i] = {c * q.x - s * q.y, s * q.x + c * q.y};
    }
    return std::make_shared<GrainTexture>(picture.width, picture.height, out);
}

std::vector<std::uint8_t> encode_grain(const GrainTexture& texture, GrainEncoding encoding) {
    std::vector<std::uint8_t> out;
    for (int y = texture.height() - 1; y >= 0; --y)  // picture files begin at the top row
        for (int x = 0; x < texture.width(); ++x) {
            const Vec2 q = texture.texel(x, y);
            const double strength = std::fmin(length(q), 1);
            Vec2 s = strength > 0 ? friction::half_angle(q) : Vec2{};
            if (encoding == GrainEncoding::GltfAcross) {
                if (strength == 0) s = {0, -1};  // strength 0 is in the blue channel; any direction will do
                out.insert(out.end(), {byte(0.5 - 0.5 * s.y), byte(0.5 + 0.5 * s.x), byte(strength)});
            } else {
                out.insert(out.end(), {byte(0.5 + 0.5 * s.x), byte(0.5 + 0.5 * s.y), 128, byte(strength)});
            }
        }
    return out;
}

}  // namespace asperity::surface
