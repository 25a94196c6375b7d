// The light of a picture: a large soft sun, and a sky from a warm horizon to a blue zenith.
#pragma once
#include "render/float3.h"

namespace asperity::render {

/// Radiance in linear RGB; 1 = a white sheet of paper under the open sky. The sun's azimuth is relative to the view, so
/// shadows fall to the side and slightly away from the viewer in every picture.
struct Lighting {
    Float3 sun{4.2f, 3.55f, 2.70f};  ///< irradiance of a surface facing the sun
    float sun_radius_deg = 4;        ///< larger gives softer shadows; the real sun has 0.27
    float sun_azimuth_deg = 112;     ///< from the viewing direction, counter-clockwise seen from above: 90 is left
    float sun_elevation_deg = 40;
    Float3 horizon{0.86f, 0.84f, 0.82f};
    Float3 zenith{0.27f, 0.39f, 0.62f};
    Float3 below{0.62f, 0.58f, 0.54f};  ///< below the horizon, where no ground plane covers it
    Float3 glow{0.40f, 0.29f, 0.18f};   ///< a broad warm halo round the sun, like a studio soft box
    /// Equal radiance from all directions and no sun. A white surface is invisible in it (white furnace test).
    static Lighting uniform(float radiance);
};

/// Lighting with precomputed directions, for the inner loop.
class Sky {
  public:
    Sky(const Lighting& lighting, const Float3& viewing_direction);
    const Float3& sun_direction() const { return sun_direction_; }
    bool has_sun() const { return sun_pdf_ > 0; }
    Float3 sun_radiance() const { return sun_radiance_; }
    /// Density of sample_sun() over solid angle [1/sr]; 0 outside the disc.
    float sun_pdf(const Float3& direction) const { return dot(direction, sun_direction_) >= sun_cosine_ ? sun_pdf_ : 0; }
    Float3 sample_sun(float u, float v) const;
    /// The sky without the sun.
    Float3 radiance(const Float3& direction) const;
    /// Colour that distant ground fades into along `direction`.
    Float3 haze(const Float3& direction) const { return radiance({direction.x, direction.y, std::max(direction.z, 0.0f)}); }

  private:
    Lighting light_;
    Float3 sun_direction_, sun_radiance_;
    float sun_cosine_ = 1, sun_pdf_ = 0;
};

}  // namespace asperity::render
