// The legend of a coloured picture: a bar of all colours with title, unit and ticks, in the upper right corner.
#pragma once
#include <string>
#include <vector>

#include "render/color_by.h"
#include "render/image.h"

namespace asperity::render {

/// Positions of the parts of the legend [pixels from the upper left], and their texts.
struct ColorBar {
    ColorBar(const ColorScale& scale, int width, int height);

    struct Tick {
        double value = 0;   ///< [m] or [Pa]
        std::string label;  ///< in the unit of the title
        float y = 0;
    };
    float unit = 1;                                ///< pixels per unit of the letters' grid
    std::string title;                             ///< with the unit: "von Mises stress [kPa]"; Latin-1
    std::vector<Tick> ticks;                       ///< multiples of 1, 2 or 5 times a power of ten within the scale
    int left = 0, top = 0, right = 0, bottom = 0;  ///< the bar; its top has the largest value
    int panel_left = 0, panel_top = 0, panel_right = 0, panel_bottom = 0;  ///< the light panel behind everything
};

void draw_color_bar(Image& image, const ColorScale& scale);

}  // namespace asperity::render
