// Generates maps: rough, brushed, toothed, threaded and embossed surfaces. All maps are periodic without seams, and a seed
// gives the same map on every machine. The results are slopes or heights in floating point; the 8 bits of a picture are not
// involved. docs/laws/normal-maps.md shows each map.
#pragma once
#include <cstdint>
#include <functional>

#include "asperity/surface/normal_map.h"

namespace asperity::surface {

struct MapSize {
    int width = 256, height = 256;  ///< texels, at least 1
};

/// Independent normally distributed slopes per texel, with these deviations along u and v, then levelled. No height field
/// has such slopes, since those of neighbours would be correlated. The closed form of ploughing assumes them: mu_d = (2/pi)
/// s_d / sqrt(2 pi).
SlopeMap gaussian_slopes(MapSize size, Vec2 deviation, std::uint64_t seed);

/// Independent normally distributed heights per texel, `deviation` and `pitch` in metres. slopes_of() then has a deviation
/// of deviation / (pitch sqrt 2) along u and v.
HeightMap rough_heights(MapSize size, double deviation, double pitch, std::uint64_t seed);

/// Heights with a correlation length of `length` texels (deviation of the Gaussian blur) along u and v. They are scaled so
/// that the steeper of the two axes has slopes of `deviation`. A length of 0 leaves neighbours uncorrelated.
HeightMap smooth_heights(MapSize size, double deviation, Vec2 length, std::uint64_t seed);

/// Scratches along u, `length` texels long and one texel wide. Slopes have a deviation of `across` across the scratches, and
/// of across sqrt(1 - exp(-1/length^2)) along them.
HeightMap brushed_heights(MapSize size, double across, double length, std::uint64_t seed);

/// Teeth that rise gently along the direction of the waves and fall steeply; angles from the plane [rad]. `waves_u` and
/// `waves_v` count the teeth over the tile along u and v, so that the pattern is periodic. Either may be negative or zero.
/// In the tangent frame the waves run along (waves_u / width, waves_v / height), since texels are square. Flanks end on
/// texel borders. The tooth height and period are therefore exact, and so is tan a tan b/(tan a + tan b), the mean slope of
/// either flank over the tile. The flank angles are not: the width of a flank is rounded to whole texels. A toothed body
/// that moves along the waves engages with its steep flanks.
SlopeMap sawtooth_slopes(MapSize size, double gentle, double steep, int waves_u, int waves_v);
/// The angles of the gentle and the steep sides of that map [rad]. They differ from those asked for, because each side
/// covers a whole number of the texels of a period.
Vec2 sawtooth_flanks(MapSize size, double gentle, double steep, int waves_u, int waves_v);
/// Wave counts of waves along `direction` [rad from u] with a period of `period` texels, rounded to whole waves per tile.
struct Waves {
    int u = 0, v = 0;
};
Waves waves_of(MapSize size, double period, double direction);

/// The basic profile of ISO 68-1 on the side of a cylinder (u around it, v along the axis). Flanks are 30 degrees from the
/// cross-section and 5/16 of the pitch wide; the flat crest is 1/8 wide, the flat root 1/4.
struct Thread {
    /// [m]; diameter of the cylinder that carries the map; lead angle = atan(starts pitch/(pi diameter))
    double pitch = 0, diameter = 0;
    int turns = 8;                           ///< number of pitches along v, at least 1
    int starts = 1;                          ///< number of parallel threads, at least 1
    bool left_handed = false;                ///< a right-handed thread climbs as u grows
    double half_angle = 0.5235987755982988;  ///< between flank and cross-section [rad]
};
SlopeMap thread_slopes(MapSize size, const Thread& thread);

/// Height maps that look like a material, with slopes of exactly .01, .15 and .6 (root mean square over both axes). Acrylic:
/// long waves. Oak: fibres and pores along u. Pvc: a rough skin. A texel counts as 1 m wide; scale heights and pitch
/// together.
enum class Finish { Acrylic, Oak, Pvc };
HeightMap finish_heights(MapSize size, Finish finish, std::uint64_t seed);

/// A raised emblem: a ring around three peaks. Its borders are bevels of angle `bevel` [rad] and of `width` as a fraction of
/// the tile's width. A texel counts as 1 m wide.
HeightMap emblem_heights(MapSize size, double bevel, double width = 0.02);

/// One slope for every texel: a surface that resists in one direction only. No real surface has such slopes; used to test
/// signs.
SlopeMap ramp_slopes(MapSize size, Vec2 slope);

/// height(x, y) [m] at the centre of each texel. x runs from 0 to `tile` [m] over the width; y has the same pitch.
HeightMap heights_from_function(MapSize size, double tile, const std::function<double(double x, double y)>& height);

}  // namespace asperity::surface
