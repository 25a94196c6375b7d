// Normal maps as pictures and as numbers: slopes out of colours, out of heights, and back. docs/laws/normal-maps.md tells
// the conventions.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "asperity/surface/grain_texture.h"
#include "asperity/surface/slope_map.h"

namespace asperity::surface {

/// How a picture is to be read.
struct NormalMapReading {
    double scale = 1;         ///< multiplies x and y of the normals, as glTF's normalTexture.scale: slopes grow by it
    bool green_down = false;  ///< DirectX: green grows down the picture; glTF, OpenGL and Blender: up
    bool level = false;       ///< takes the mean slope away: see level()
};

/// m = 2 rgb - 1 per texel, slope = scale (m.x, m.y)/m.z; steeper ones are cut to kSteepestSlope, those that face backwards
/// (m.z <= 0) weigh nothing. Alpha is not read. No 8-bit value means zero: 128, which all programs write for it, is a slope
/// of 1/255 = 0.0039. Throws InputError that starts with `what` for grey pictures, which are height maps, for sizes that are
/// no picture's, for a scale that is no number, and where most texels face backwards: that is no normal map.
SlopeMap decode_normal_map(const Pixels& picture, const std::string& what, const NormalMapReading& reading = {});

/// RGB, green up, rows from the top, `bits` 8 or 16 a channel; 16 as two bytes, the higher one first, as PNG has them. Each
/// component of the unit normal is off by at most 1/255 or 1/65535. Weights and salience do not fit into a picture;
/// back-facing texels come out flat.
std::vector<std::uint8_t> encode_normal_map(const SlopeMap& map, int bits);

/// Heights over a tile that repeats, row by row from the bottom left.
struct HeightMap {
    int width = 0, height = 0;
    double pitch = 1;             ///< from texel to texel [m]
    std::vector<double> heights;  ///< [m]
};
/// Minus the gradient by central differences over the repeating tile, so the mean slope is zero but for rounding and cut
/// texels.
SlopeMap slopes_of(const HeightMap& map);
/// Of a grey picture (or the brightness of a coloured one): black is 0, white is `height_scale` [m].
HeightMap heights_of(const Pixels& picture, double height_scale, double pitch, const std::string& what);

/// Takes the mean slope away, over the texels that count: what a surface must have that comes back to its height after a
/// tile, and what 8 bits (0.0039 too much), resizing and filters of pictures spoil. Without it friction is stronger one way
/// than the other.
void level(SlopeMap& map);
/// Cuts slopes that are steeper than kSteepestSlope. Slopes that are not finite weigh nothing.
void cut_steep(SlopeMap& map);

struct SlopeStatistics {
    Vec2 mean, deviation;  ///< along u and v, over the texels that count; the deviation is about the mean
    double steepest = 0;   ///< length of the steepest slope
    double backward = 0;   ///< share of texels that do not count
    double cut = 0;        ///< share of texels as steep as kSteepestSlope
    /// Correlation of d slope_u/dv with d slope_v/du. The slopes of a height field have 1; with green upside down -1;
    /// unrelated ones 0.
    double integrability = 0;
};
SlopeStatistics statistics(const SlopeMap& map);

/// Mean distance from the mean height, and its root mean square [m].
struct Roughness {
    double ra = 0, rq = 0;
};
Roughness roughness(const HeightMap& map);

/// What 8 bits a channel cost: the root mean square of the error of the slopes over that of the slopes; 0 for a flat map.
/// Nearly flat maps lose much, for a step is 1/127.5, and so do steep ones, for blue has few levels left.
double loss_in_8_bits(const SlopeMap& map);

}  // namespace asperity::surface
