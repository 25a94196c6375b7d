// What all plots share: escaped text, nice ticks, colours.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace asperity::record::detail {

/// Safe between tags and in attributes: markup escaped, control characters dropped, bytes that are no UTF-8 replaced by '?'.
std::string escaped(std::string_view text);
/// At most `limit` characters (code points), cut in the middle: numbered names differ at their ends.
std::string shortened(std::string_view text, std::size_t limit);
/// Width of the text in pixels, somewhat generous: fonts differ from machine to machine.
double text_width(std::string_view text, double font_size);

/// Okabe and Ito's colours for all kinds of colour vision, those first that stand out on white. Repeats after seven.
const char* series_color(std::size_t index);
/// Dash pattern of a stroke, empty for a plain one: changes each time the colours repeat.
const char* series_dash(std::size_t index);

/// Where an axis has its marks, and what is written there. A label stands for value = (label + offset) * factor.
struct Ticks {
    std::vector<double> values;
    std::vector<std::string> labels;
    std::vector<double> minor;  ///< logarithmic axes: grid lines without labels
    std::string note;           ///< the common factor and offset, such as "×10⁻³"; empty when there are none
};
/// Multiples of 1, 2 or 5 times a power of ten within [low, high], at most `limit` of them. low < high, both finite.
Ticks linear_ticks(double low, double high, int limit);
/// Powers of ten, 1-2-5 within them where there is room. 0 < low < high. With many decades every n-th has a label.
Ticks log_ticks(double low, double high, int limit);

/// Number for an SVG attribute: two decimals at most.
std::string px(double value);

/// Opens the document: size, white ground, the styles of text and lines.
std::string svg_open(int width, int height, std::string_view title);

}  // namespace asperity::record::detail
