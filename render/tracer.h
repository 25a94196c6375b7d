// The path tracer: how much light reaches each pixel.
#pragma once
#include <cstdint>

#include "render/camera.h"
#include "render/denoise.h"
#include "render/lighting.h"
#include "render/scene.h"

namespace asperity::render {

struct TraceSettings {
    int width, height;
    int samples;      ///< most per pixel; calm pixels stop at 8 or 16
    int max_bounces;  ///< of light between surfaces, after the first
    std::uint64_t seed;
    float fade_distance;  ///< ground fades into the haze over about this length [m]
};

/// Unidirectional, with next-event estimation to the sun by multiple importance sampling (Veach 1997, balance heuristic) and
/// the sky by the surfaces' own scattering. The same bytes on any number of threads: a pixel depends on its own number
/// alone.
std::vector<Pixel> trace(const Scene& scene, const Sky& sky, const Camera& camera, const TraceSettings& settings);

}  // namespace asperity::render
