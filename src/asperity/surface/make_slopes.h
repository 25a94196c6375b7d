// Maps made from numbers: rough, brushed, toothed, threaded and embossed surfaces. All tile without seams, and the same seed
// gives the same map on every machine. Slopes and heights, not pictures: the 8 bits of a picture enter only where somebody
// reads one. docs/laws/normal-maps.md shows each of them.
#pragma once
#include <cstdint>
#include <functional>

#include "asperity/surface/normal_map.h"

namespace asperity::surface {

struct MapSize {
    int width = 256, height = 256;  ///< texels, at least 1
};

/// Each texel a draw of its own, normally distributed with these deviations along u and v, then levelled. No height field
/// has such slopes (neighbours would be related); it is what the closed form of ploughing assumes: mu_d = (2/pi) s_d /
/// sqrt(2 pi).
SlopeMap gaussian_slopes(MapSize size, Vec2 deviation, std::uint64_t seed);

/// Each texel's height a draw of its own, `deviation` and `pitch` in metres: slopes_of() has deviation / (pitch sqrt 2)
/// along u and v.
HeightMap rough_heights(MapSize size, double deviation, double pitch, std::uint64_t seed);

/// Heights that vary over `length` texels (deviation of the Gaussian blur) along u and v, scaled to have slopes of
/// `deviation` along the axis where they are steeper. A length of 0 leaves neighbours unrelated.
HeightMap smooth_heights(MapSize size, double deviation, Vec2 length, std::uint64_t seed);

/// Scratches along u, `length` texels long and one texel wide: slopes of `across` over them, across sqrt(1 -
/// exp(-1/length^2)) along them.
HeightMap brushed_heights(MapSize size, double across, double length, std::uint64_t seed);

/// Teeth that rise gently along the direction of the waves and fall steeply, angles from the plane [rad]. `waves` counts the
/// teeth over the tile along u and v (either may be negative or zero); so the teeth meet their copies at the border. Seen
/// from the tangent frame the direction is (waves_u / width, waves_v / height): texels are squares. Flanks end on texel
/// borders: tooth height and period are exact, and with them tan a tan b/(tan a + tan b), the mean slope of either flank
/// over the tile; with N texels a period the angles are off as the flank's width is rounded to a texel. Moving the toothed
/// body along the waves meets the steep flanks.
SlopeMap sawtooth_slopes(MapSize size, double gentle, double steep, int waves_u, int waves_v);
/// Waves along `direction` [rad from u] that are `period` texels long, as near as a tile of this size can have them.
struct Waves {
    int u = 0, v = 0;
};
Waves waves_of(MapSize size, double period, double direction);

/// The basic profile of ISO 68-1 on the side of a cylinder (u round it, v along the axis): flanks of 30 degrees from the
/// cross-section, 5/16 of the pitch each, a flat crest of 1/8 and a flat root of 1/4.
struct Thread {
    /// [m]; the diameter of the cylinder the map lies on; lead angle = atan(starts pitch/(pi diameter))
    double pitch = 0, diameter = 0;
    int turns = 8;                           ///< pitches along v, at least 1
    int starts = 1;                          ///< threads beside each other, at least 1
    bool left_handed = false;                ///< right-handed ones climb as u grows
    double half_angle = 0.5235987755982988;  ///< between flank and cross-section [rad]
};
SlopeMap thread_slopes(MapSize size, const Thread& thread);

/// Surfaces with the look of a material and slopes of .01, .15 and .6 (root mean square of both axes, exactly): long waves;
/// fibres and pores along u; a rough skin. Texels are taken as 1 m wide; scale heights and pitch together.
enum class Finish { Acrylic, Oak, Pvc };
HeightMap finish_heights(MapSize size, Finish finish, std::uint64_t seed);

/// An emblem that stands out: a ring round three peaks. Its borders are bevels of angle `bevel` [rad] and `width` of the
/// tile's width. Texels are taken as 1 m wide.
HeightMap emblem_heights(MapSize size, double bevel, double width = 0.02);

/// The same slope everywhere: a surface that resists one way only. None can be built; for tests of signs.
SlopeMap ramp_slopes(MapSize size, Vec2 slope);

/// height(x, y) [m] at the middle of each texel, x from 0 to `tile` [m] over the width, y likewise with the same pitch.
HeightMap heights_from_function(MapSize size, double tile, const std::function<double(double x, double y)>& height);

}  // namespace asperity::surface
