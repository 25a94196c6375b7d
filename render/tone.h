// Converts light to the eight bits of a picture file.
#pragma once
#include "render/texture.h"

namespace asperity::render {

/// Maps light to 0 .. 1 by a sigmoid over its logarithm, like photographic film, cut off where it reaches white:
///     f(x) = (1 + k / w^c) x^c / (x^c + k),   contrast c = 1.25, shoulder k = 0.52, white at w = 3.
/// Applied per channel, so that highlights turn white instead of staying coloured.
inline float film_curve(float x) {
    constexpr float contrast = 1.25f, k = 0.52f, white = 3.948f;  // white = 3^1.25
    const float p = std::min(std::pow(std::max(x, 0.0f), contrast), white);
    return (1 + k / white) * p / (p + k);
}
inline Float3 film_curve(const Float3& c) { return {film_curve(c.x), film_curve(c.y), film_curve(c.z)}; }

}  // namespace asperity::render
