// Normal maps: conversion between pictures, slopes and heights. docs/laws/normal-maps.md explains the conventions.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "asperity/surface/grain_texture.h"
#include "asperity/surface/slope_map.h"

namespace asperity::surface {

/// How to decode a picture.
struct NormalMapReading {
    double scale = 1;         ///< factor on x and y of the normals and so on slopes, as glTF's normalTexture.scale
    bool green_down = false;  ///< DirectX: green grows down the picture; glTF, OpenGL and Blender: up
    bool level = false;       ///< subtracts the mean slope: see level()
};

/// m = 2 rgb - 1 per texel, slope = scale (m.x, m.y)/m.z. Steeper slopes are cut to kSteepestSlope. Texels that face
/// backwards (m.z <= 0) get weight 0. Alpha is ignored. No 8-bit value encodes zero: 128, which all programs write for it,
/// decodes to a slope of 1/255 = 0.0039.
/// Throws an InputError that starts with `what` for grey pictures, which are height maps, for sizes outside 1 to 16384
/// pixels, for a scale that is not finite, and where most texels face backwards, since that is no normal map.
SlopeMap decode_normal_map(const Pixels& picture, const std::string& what, const NormalMapReading& reading = {});

/// RGB, green up, rows from the top, `bits` 8 or 16 a channel; 16 bits as two bytes, the high byte first, as in PNG. Each
/// component of the unit normal is off by at most 1/255 or 1/65535. Weights and salience are lost; back-facing texels come
/// out flat.
std::vector<std::uint8_t> encode_normal_map(const SlopeMap& map, int bits);

/// Heights over a periodic tile, row by row from the bottom left.
struct HeightMap {
    int width = 0, height = 0;
    double pitch = 1;             ///< distance between texels [m]
    std::vector<double> heights;  ///< [m]
};
/// Minus the gradient, by central differences over the periodic tile. The mean slope is zero up to rounding and cut texels.
SlopeMap slopes_of(const HeightMap& map);
/// Heights from a grey picture, or from the luma of a coloured one: black is 0, white is `height_scale` [m].
HeightMap heights_of(const Pixels& picture, double height_scale, double pitch, const std::string& what);

/// Subtracts the mean slope over the texels with weight. A periodic surface has mean slope zero. 8 bits (0.0039 too much),
/// resizing and image filters spoil this; friction is then stronger in one direction than in the opposite one.
void level(SlopeMap& map);
/// Cuts slopes steeper than kSteepestSlope to it. Texels with slopes that are not finite get weight 0.
void cut_steep(SlopeMap& map);

struct SlopeStatistics {
    Vec2 mean, deviation;  ///< along u and v, over the texels with weight; the deviation is about the mean
    double steepest = 0;   ///< length of the steepest slope
    double backward = 0;   ///< fraction of texels with weight 0
    double cut = 0;        ///< fraction of texels as steep as kSteepestSlope
    /// Correlation of d slope_u/dv with d slope_v/du: 1 for the slopes of a height field, -1 with green upside down, 0 for
    /// unrelated slopes.
    double integrability = 0;
};
SlopeStatistics statistics(const SlopeMap& map);

/// Mean absolute deviation from the mean height, and root mean square deviation [m].
struct Roughness {
    double ra = 0, rq = 0;
};
Roughness roughness(const HeightMap& map);

/// Root mean square error of slopes encoded in 8 bits a channel, relative to the root mean square slope; 0 for a flat map.
/// Nearly flat maps lose much, since a quantisation step is 1/127.5. So do steep maps, since blue has few levels left.
double quantisation_error(const SlopeMap& map);

}  // namespace asperity::surface
