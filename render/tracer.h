// The path tracer: computes the light that reaches each pixel.
#pragma once
#include <cstdint>

#include "render/camera.h"
#include "render/denoise.h"
#include "render/lighting.h"
#include "render/scene.h"

namespace asperity::render {

struct TraceSettings {
    int width, height;
    int samples;      ///< largest number per pixel; pixels with little noise stop at 8 or 16
    int max_bounces;  ///< bounces between surfaces after the first hit
    std::uint64_t seed;
    float fade_distance;  ///< ground fades into the haze over about this length [m]
};

/// Unidirectional path tracing. The sun is sampled by next-event estimation with multiple importance sampling (Veach 1997,
/// balance heuristic), the sky by the scattering of surfaces. The result does not depend on the number of threads, because a
/// pixel depends only on its own number.
std::vector<Pixel> trace(const Scene& scene, const Sky& sky, const Camera& camera, const TraceSettings& settings);

}  // namespace asperity::render
