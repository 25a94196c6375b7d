// Image textures with bilinear filtering over a chain of halved copies, so that distant tiles are averaged and do not alias.
#pragma once
#include <filesystem>
#include <vector>

#include "asperity/surface/slope_map.h"
#include "render/float3.h"
#include "render/image.h"

namespace asperity::render {

/// Repeats in both directions. u runs along a row, v upwards: (0, 0) is the lower left of the picture, so the picture is
/// upright on the sides of a box.
class Texture {
  public:
    explicit Texture(const Image& image);  ///< colours in sRGB
    /// Unit normals of the facets, along dP/du, dP/dv and outwards.
    explicit Texture(const surface::SlopeMap& map);
    /// `footprint`: edge length of the area to average over, in tiles.
    Float3 at(double u, double v, float footprint) const;

  private:
    void add_coarse_levels();
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
