// A picture of grain: one axis and its strength per texel, filtered so that opposite directions never cancel.
#pragma once
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "asperity/math/vec.h"

namespace asperity::surface {

/// Texels hold strength times (cos 2a, sin 2a), a the angle from the tangent (growing u) towards growing v. Sums of these
/// are right for axes: s and -s are the same point, and where directions disagree the strength shrinks. Repeats beyond 0..1.
/// Mip-mapped.
class GrainTexture {
  public:
    /// Row by row from the bottom left; width * height of them, both at least 1.
    GrainTexture(int width, int height, const std::vector<Vec2>& double_angles);

    int width() const { return levels_[0].width; }
    int height() const { return levels_[0].height; }
    int level_count() const { return static_cast<int>(levels_.size()); }
    Vec2 texel(int x, int y) const;  ///< of the picture itself, as the constructor took it (in single precision)

    /// Bilinear at (u, v), averaged over about `texels` texels of the picture: between two mip levels where that is more
    /// than one.
    Vec2 sample(double u, double v, double texels = 1) const;

    struct Texel {
        float x, y;
    };
    /// Four neighbours, and how far the place lies from the first towards the others. Where to look and what is there are
    /// two questions, so that many can ask the first before any asks the second: the texels of a large picture are far away
    /// in memory, and arrive together.
    struct Neighbours {
        const Texel* row[2];  ///< lower and upper
        unsigned column[2];   ///< left and right, as distances from either
        float x, y;
        Vec2 mixed() const;  ///< bilinear
    };
    /// |u| and |v| below kFarthest; fetches the texels ahead
    Neighbours find(double u, double v) const { return find(levels_[0], u, v); }
    /// beyond that, texture coordinates have no digits left for a place in the picture
    static constexpr double kFarthest = 1e9;

  private:
    // Neighbours in the picture are neighbours in memory, in both directions: 4 x 2 texels share a line of the cache, 32 x
    // 16 a page. Where a texel lies is the sum of what its column and its row say.
    struct alignas(4096) Page {
        Texel texels[512];
    };
    struct Level {
        int width, height;
        size_t first;       // texel of the first page
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

// Inline: a step asks once per contact.
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

/// Colour values 0..1 as a file has them, row by row from the bottom left.
struct Pixels {
    int width = 0, height = 0, channels = 0;  ///< 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha
    std::vector<float> values;
};

enum class GrainEncoding {
    Along,       ///< (2r - 1, 2g - 1) is along the grain, alpha the strength; blue is not read
    GltfAcross,  ///< KHR_materials_anisotropy: (2r - 1, 2g - 1) is across it, blue the strength
};

/// Shorter directions than this mean none: 8 bits cannot say zero, 127 and 128 are 0.004 beside it (spec 3.1).
constexpr double kShortestTexel = 0.05;

/// The texture that a picture describes, its directions turned by `rotation` [rad], its strengths multiplied by `strength`.
/// Throws InputError that starts with `what` for grey pictures, which have no directions, and for sizes that are no
/// picture's.
std::shared_ptr<const GrainTexture> decode_grain(const Pixels& picture, GrainEncoding encoding, const std::string& what,
                                                 double rotation = 0, double strength = 1);
/// The other way round, 8 bits a channel: 4 channels for Along, 3 for GltfAcross.
std::vector<std::uint8_t> encode_grain(const GrainTexture& texture, GrainEncoding encoding);

}  // namespace asperity::surface
