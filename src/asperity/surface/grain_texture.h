// A picture of grain: one axis and its strength per texel, filtered so that opposite directions never cancel.
#pragma once
#include <memory>
#include <vector>

#include "asperity/math/vec.h"

namespace asperity::surface {

/// Texels hold strength times (cos 2a, sin 2a), a the angle from the tangent (growing u) towards growing v. Sums of these are right for
/// axes: s and -s are the same point, and where directions disagree the strength shrinks. Repeats beyond 0..1. Mip-mapped.
class GrainTexture {
  public:
    /// Row by row from the bottom left; width * height of them, both at least 1.
    GrainTexture(int width, int height, const std::vector<Vec2>& double_angles);

    int width() const { return levels_[0].width; }
    int height() const { return levels_[0].height; }
    int level_count() const { return static_cast<int>(levels_.size()); }
    Vec2 texel(int x, int y) const;   ///< of the picture itself, as the constructor took it (in single precision)

    /// Bilinear at (u, v), averaged over about `texels` texels of the picture: between two mip levels where that is more than one.
    Vec2 sample(double u, double v, double texels = 1) const;

  private:
    struct Texel {
        float x, y;
    };
    struct Level {
        int width, height;
        size_t first;  // in texels_
    };
    Vec2 bilinear(const Level& level, double u, double v) const;

    std::vector<Level> levels_;
    std::vector<Texel> texels_;
};

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

/// The texture that a picture describes, its directions turned by `rotation` [rad], its strengths multiplied by `strength`. Throws
/// InputError that starts with `what` for grey pictures, which have no directions, and for sizes that are no picture's.
std::shared_ptr<const GrainTexture> decode_grain(const Pixels& picture, GrainEncoding encoding, const std::string& what, double rotation = 0,
                                                 double strength = 1);
/// The other way round, 8 bits a channel: 4 channels for Along, 3 for GltfAcross.
std::vector<std::uint8_t> encode_grain(const GrainTexture& texture, GrainEncoding encoding);

}  // namespace asperity::surface
