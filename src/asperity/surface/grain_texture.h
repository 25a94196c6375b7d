// Grain texture: one axis and its strength per texel. Filtering never cancels opposite directions.
#pragma once
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "asperity/math/vec.h"

namespace asperity::surface {

/// Texels hold strength times (cos 2a, sin 2a), with a the angle from the tangent (direction of growing u) towards growing
/// v. In this double-angle form s and -s are the same value, and averages of disagreeing directions get shorter. Periodic
/// with period 1 in u and v. Mip-mapped.
class GrainTexture {
  public:
    /// `double_angles`: width * height values, row by row from the bottom left. Width and height are at least 1.
    GrainTexture(int width, int height, const std::vector<Vec2>& double_angles);

    int width() const { return levels_[0].width; }
    int height() const { return levels_[0].height; }
    int level_count() const { return static_cast<int>(levels_.size()); }
    Vec2 texel(int x, int y) const;  ///< finest level, in single precision

    /// Bilinear at (u, v). If `texels` > 1, averages over about as many texels of the finest level, by interpolation between
    /// two mip levels.
    Vec2 sample(double u, double v, double texels = 1) const;

    struct Texel {
        float x, y;
    };
    /// The four texels around a point, and the interpolation weights. Locating texels and reading them are separate steps: a
    /// caller locates those of many points first, so that their cache misses overlap.
    struct Neighbours {
        const Texel* row[2];  ///< lower and upper row
        unsigned column[2];   ///< left and right column, as offsets from either row
        float x, y;
        Vec2 mixed() const;  ///< bilinear
    };
    /// Locates and prefetches the texels; |u| and |v| must be below kFarthest.
    Neighbours find(double u, double v) const { return find(levels_[0], u, v); }
    /// Bound of |u| and |v|: beyond it, doubles no longer resolve a texel of a large picture.
    static constexpr double kFarthest = 1e9;

  private:
    // Blocked storage: 4 x 2 texels share a cache line, 32 x 16 a page, so neighbours in the picture are near each other in
    // memory. The offset of a texel is the sum of an offset of its column and one of its row.
    struct alignas(4096) Page {
        Texel texels[512];
    };
    struct Level {
        int width, height;
        size_t first;       // index of the first texel
        unsigned row_size;  // texels in a row of pages

        static unsigned column(unsigned x) { return (x >> 5) * 512 + (x >> 2 & 7) * 8 + (x & 3); }
        size_t row(unsigned y) const {
            return first + static_cast<size_t>(y >> 4) * row_size + (y >> 1 & 7) * 64 + (y & 1) * 4;
        }
        size_t place(int x, int y) const { return row(static_cast<unsigned>(y)) + column(static_cast<unsigned>(x)); }
    };
    Level add_level(int width, int height);
    const Texel* texels() const { return pages_.data()->texels; }
    Texel* texels() { return pages_.data()->texels; }
    Neighbours find(const Level& level, double u, double v) const;

    std::vector<Level> levels_;
    std::vector<Page> pages_;
};

// Inline, since a step calls it once per contact.
inline GrainTexture::Neighbours GrainTexture::find(const Level& level, double u, double v) const {
    const auto wrapped = [](int i, int count) {
        return static_cast<unsigned>(i < 0 ? i + count : i >= count ? i - count : i);
    };
    u -= std::floor(u), v -= std::floor(v);
    const double x = u * level.width - 0.5, y = v * level.height - 0.5;
    const double floor_x = std::floor(x), floor_y = std::floor(y);
    const int i = static_cast<int>(floor_x), j = static_cast<int>(floor_y);
    const Texel* first = texels();
    const Neighbours found{{first + level.row(wrapped(j, level.height)), first + level.row(wrapped(j + 1, level.height))},
                           {Level::column(wrapped(i, level.width)), Level::column(wrapped(i + 1, level.width))},
                           static_cast<float>(x - floor_x),
                           static_cast<float>(y - floor_y)};
    for (const Texel* row : found.row)
        for (const unsigned column : found.column) __builtin_prefetch(row + column);
    return found;
}

inline Vec2 GrainTexture::Neighbours::mixed() const {
    const Texel &a = row[0][column[0]], &b = row[0][column[1]], &c = row[1][column[0]], &d = row[1][column[1]];
    const auto mix = [&](float Texel::*q) {
        const float below = a.*q + x * (b.*q - a.*q), above = c.*q + x * (d.*q - c.*q);
        return static_cast<double>(below + y * (above - below));
    };
    return {mix(&Texel::x), mix(&Texel::y)};
}

/// Pixels along an edge of the largest picture from which grain or a normal map is read: 2^28 pixels in all.
constexpr int kLargestSide = 16384;

/// Colour values 0..1 as in the file, row by row from the bottom left.
struct Pixels {
    int width = 0, height = 0, channels = 0;  ///< 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha
    std::vector<float> values;
};

enum class GrainEncoding {
    Along,       ///< (2r - 1, 2g - 1) is along the grain, alpha is the strength; blue is ignored
    GltfAcross,  ///< KHR_materials_anisotropy: (2r - 1, 2g - 1) is across the grain, blue is the strength
};

/// Shortest vector that counts as a direction. 8 bits cannot encode zero: 127 and 128 decode to +-0.004 (glTF 2.0, 3.1).
constexpr double kShortestTexel = 0.05;

/// Decodes a picture: directions are rotated by `rotation` [rad], strengths multiplied by `strength`. Throws an InputError
/// that starts with `what` for grey pictures, which hold no directions, and for sizes outside 1 to 16384 pixels.
std::shared_ptr<const GrainTexture> decode_grain(const Pixels& picture, GrainEncoding encoding, const std::string& what,
                                                 double rotation = 0, double strength = 1);
/// Inverse of decode_grain(), 8 bits a channel: 4 channels for Along, 3 for GltfAcross.
std::vector<std::uint8_t> encode_grain(const GrainTexture& texture, GrainEncoding encoding);

}  // namespace asperity::surface
