// Image textures: bilinear filtering over a chain of halved copies, so that far away tiles average instead of flickering.
#pragma once
#include <filesystem>
#include <vector>

#include "render/float3.h"
#include "render/image.h"

namespace asperity::render {

enum class Encoding { Srgb, Linear };  ///< colours are stored sRGB, normal maps are plain numbers

/// Repeats in both directions. u runs along a row, v up: (0, 0) is the lower left corner of the picture, so that it stands
/// upright on the sides of a box, and a normal map with green = up has its green along dP/dv.
class Texture {
  public:
    Texture(const Image& image, Encoding encoding);
    /// `footprint`: edge of the area to average over, in tiles.
    Float3 at(double u, double v, float footprint) const;

  private:
    struct Level {
        int width, height;
        std::vector<Float3> texels;
        const Float3& texel(int x, int y) const { return texels[static_cast<std::size_t>(y * width + x)]; }
    };
    std::vector<Level> levels_;
};

float srgb_to_linear(float c);
float linear_to_srgb(float c);

}  // namespace asperity::render
