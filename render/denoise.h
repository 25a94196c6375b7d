// Removes the noise of a picture and keeps its edges and textures.
#pragma once
#include <vector>

#include "render/float3.h"

namespace asperity::render {

/// Result of the path tracer for one pixel. Its colour is irradiance * albedo + background.
struct Pixel {
    Float3 irradiance;        ///< light divided by albedo: smooth on smooth surfaces, without texture
    Float3 albedo;            ///< 0 if only the sky is seen
    Float3 background;        ///< sky and haze, exact
    Float3 normal, position;  ///< means over the pixel
    float variance = 0;       ///< variance of the luminance of `irradiance`
    float depth = 0;          ///< 0: sky
    Float3 color() const { return irradiance * albedo + background; }
};

/// Smooths `irradiance` by an edge-avoiding a-trous wavelet filter (Dammertz et al., HPG 2010). Its tolerance for brightness
/// differences follows the measured variance (Schied et al., "SVGF", HPG 2017). It stops at changes of normal and of plane.
void denoise(std::vector<Pixel>& pixels, int width, int height, float pixel_spread);

}  // namespace asperity::render
