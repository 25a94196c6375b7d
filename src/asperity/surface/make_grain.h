// Grain textures from what people have: a formula, a photograph, strokes of a brush.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "asperity/surface/grain_texture.h"

namespace asperity::surface {

/// angle(u, v) [rad] at the middle of each texel, u and v from 0 to 1; none where it is not finite.
GrainTexture grain_from_function(int width, int height, const std::function<double(double u, double v)>& angle);

/// The grain of a photograph runs where its brightness changes least. With g the gradient, in double-angle form and blurred
/// over `sigma` pixels (the structure tensor; Bigün and Granlund 1987),
///     q = -blur(g_x^2 - g_y^2, 2 g_x g_y) / blur(|g|^2)
/// whose length, the coherence, is the strength: 1 where all edges are parallel, 0 where there is no direction or nothing to
/// see. `brightness` row by row from the bottom left; the picture is taken to repeat.
GrainTexture grain_from_photograph(int width, int height, std::span<const double> brightness, double sigma);

/// A line drawn with a round brush. Points from (0, 0), bottom left, to (1, 1); the width as a part of the picture's width.
struct Stroke {
    std::vector<Vec2> points;
    double width = 0.1;
};
/// Along the strokes, fading over the outer quarter of the brush; where strokes cross they are mixed. None between them.
GrainTexture grain_from_strokes(int width, int height, std::span<const Stroke> strokes);

/// How such a surface looks when it is brushed: grey noise smeared along the grain over `reach` texels (line integral
/// convolution, Cabral and Leedom 1993). One byte per texel, rows from the top.
std::vector<std::uint8_t> brushed_look(const GrainTexture& texture, double reach = 24);

}  // namespace asperity::surface
