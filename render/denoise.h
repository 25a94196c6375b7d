// Takes the grain out of a picture without touching its edges and textures.
#pragma once
#include <vector>

#include "render/float3.h"

namespace asperity::render {

/// What the path tracer knows of one pixel. Its colour is irradiance * albedo + background.
struct Pixel {
    Float3 irradiance;        ///< light per albedo: smooth where the surface is, free of texture
    Float3 albedo;            ///< 0 where only the sky is seen
    Float3 background;        ///< sky and haze, exact
    Float3 normal, position;  ///< means over the pixel
    float variance = 0;       ///< of the luminance of `irradiance`
    float depth = 0;          ///< 0: sky
    Float3 color() const { return irradiance * albedo + background; }
};

/// Smooths `irradiance` by an edge-avoiding a-trous wavelet filter (Dammertz et al., HPG 2010) whose tolerance for changes
/// in brightness follows the measured variance (Schied et al., "SVGF", HPG 2017), and stops at changes of normal and of
/// plane.
void denoise(std::vector<Pixel>& pixels, int width, int height, float pixel_spread);

}  // namespace asperity::render
