#include "render/lighting.h"

namespace asperity::render {

Lighting Lighting::uniform(float radiance) {
    Lighting light;
    light.sun = light.glow = {};
    light.horizon = light.zenith = light.below = constant(radiance);
    return light;
}

Sky::Sky(const Lighting& lighting, const Float3& viewing_direction) : light_(lighting) {
    const float rad = pi / 180;
    // A view straight down has no azimuth; any value will do.
    const float azimuth = std::atan2(viewing_direction.y, viewing_direction.x) + lighting.sun_azimuth_deg * rad;
    const float elevation = lighting.sun_elevation_deg * rad;
    sun_direction_ = {std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth), std::sin(elevation)};
    if (max_component(lighting.sun) > 0) {
        const float radius = lighting.sun_radius_deg * rad;
        sun_cosine_ = std::cos(radius);
        const float half = std::sin(0.5f * radius);
        sun_pdf_ = 1 / (4 * pi * half * half);  // 2 pi (1 - cos r), without cancellation
        sun_radiance_ = lighting.sun * sun_pdf_;
    }
}

Float3 Sky::sample_sun(float u, float v) const {
    const float z = 1 - u * (1 - sun_cosine_), r = std::sqrt(std::max(0.0f, 1 - z * z)), phi = 2 * pi * v;
    return Basis(sun_direction_).to_world({r * std::cos(phi), r * std::sin(phi), z});
}

Float3 Sky::radiance(const Float3& d) const {
    // Above the horizon the square root puts most of the change near it, as air does. Below, the change is fast and ends
    // early.
    const Float3 base = d.z >= 0 ? mix(light_.horizon, light_.zenith, std::sqrt(std::min(d.z, 1.0f)))
                                 : mix(light_.horizon, light_.below, std::min(1.0f, -4 * d.z));
    const float c = std::max(0.0f, dot(d, sun_direction_)), c2 = c * c, c4 = c2 * c2;
    return base + (c4 * c2) * light_.glow;
}

}  // namespace asperity::render
