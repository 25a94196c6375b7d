// Makes grain textures from a formula, a photograph or brush strokes.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "asperity/surface/grain_texture.h"

namespace asperity::surface {

/// angle(u, v) [rad] at the centre of each texel, u and v from 0 to 1. Not finite: no grain.
GrainTexture grain_from_function(int width, int height, const std::function<double(double u, double v)>& angle);

/// Takes the grain of a photograph as the direction in which its brightness changes least. With g the gradient, in
/// double-angle form and blurred over `sigma` pixels (the structure tensor; Bigün and Granlund 1987),
///     q = -blur(g_x^2 - g_y^2, 2 g_x g_y) / blur(|g|^2)
/// The length of q, the coherence, is the strength: 1 where all edges are parallel, 0 where there is no preferred direction
/// or no contrast. `brightness` is row by row from the bottom left; the picture is taken as periodic.
GrainTexture grain_from_photograph(int width, int height, std::span<const double> brightness, double sigma);

/// A polyline drawn with a round brush. Points from (0, 0), bottom left, to (1, 1); `width` as a fraction of the picture's
/// width.
struct Stroke {
    std::vector<Vec2> points;
    double width = 0.1;
};
/// Grain along the strokes, fading over the outer quarter of the brush. Crossing strokes are averaged. No grain elsewhere.
GrainTexture grain_from_strokes(int width, int height, std::span<const Stroke> strokes);

/// Picture of a surface brushed along the grain: grey noise smeared over `reach` texels (line integral convolution, Cabral
/// and Leedom 1993). One byte per texel, rows from the top.
std::vector<std::uint8_t> brushed_look(const GrainTexture& texture, double reach = 24);

}  // namespace asperity::surface
