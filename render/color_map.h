// A map from numbers to colours for scalar fields.
#pragma once
#include "render/float3.h"

namespace asperity::render {

/// Linear RGB for x in 0 .. 1, from dark violet over teal to yellow. The curve is defined in Oklab (B. Ottosson, "A
/// perceptual color space for image processing", 2020) and run through at constant speed, so equal steps of x look equally
/// large. Lightness rises all the way, so the order also shows in grey and with any colour blindness.
Float3 color_map(float x);

}  // namespace asperity::render
