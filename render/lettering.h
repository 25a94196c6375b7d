// Letters as strokes of a round pen, for legends. Needs no font file, so pictures are the same on every machine.
#pragma once
#include <string_view>

#include "render/image.h"

namespace asperity::render {

struct Rgb {
    std::uint8_t r = 0, g = 0, b = 0;
};

/// Heights in units of the grid on which the letters are drawn: capitals are 6 high, with 2 below the line.
constexpr float kCapital = 6, kDescender = 2;

/// Whether there is a letter for the sign.
bool is_known(char sign);
/// Width of the text in units of the grid.
float text_width(std::string_view text);

/// Draws with the left end of the base line at (x, y) [pixels from the upper left]. `unit`: pixels per unit of the grid.
/// Knows digits, the signs + - . [ ], the micro sign as '\xb5', and the letters of the legends; others become a box.
void draw_text(Image& image, float x, float y, float unit, std::string_view text, Rgb color);

/// Mixes `color` into a pixel; nothing happens outside the picture.
void blend(Image& image, int x, int y, Rgb color, float opacity);

}  // namespace asperity::render
