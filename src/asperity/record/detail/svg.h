// Common parts of all plots: escaped text, ticks, colours.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace asperity::record::detail {

/// Text that is safe between tags and in attributes: markup escaped, control characters dropped, invalid UTF-8 replaced
/// by '?'.
std::string escaped(std::string_view text);
/// At most `limit` characters (code points). Cut in the middle, because numbered names differ at their ends.
std::string shortened(std::string_view text, std::size_t limit);
/// Estimated width of the text in pixels, rounded up, because fonts differ between machines.
double text_width(std::string_view text, double font_size);

/// Colours of Okabe and Ito, distinguishable with colour blindness, strongest contrast to white first. Repeats after seven.
const char* series_color(std::size_t index);
/// Dash pattern of a stroke, empty for a solid line. The pattern changes each time the colours repeat.
const char* series_dash(std::size_t index);

/// Tick positions and labels of an axis. A label stands for value = (label + offset) * factor.
struct Ticks {
    std::vector<double> values;
    std::vector<std::string> labels;
    std::vector<double> minor;  ///< logarithmic axes: grid lines without labels
    std::string note;           ///< common factor and offset, such as "×10⁻³"; empty when there are none
};
/// Multiples of 1, 2 or 5 times a power of ten within [low, high], at most `limit` of them. Needs low < high, both finite.
Ticks linear_ticks(double low, double high, int limit);
/// Powers of ten, with 1-2-5 in between if there is room. Needs 0 < low < high. With many decades only every n-th has a
/// label.
Ticks log_ticks(double low, double high, int limit);

/// A number for an SVG attribute, with at most two decimals.
std::string px(double value);

/// Opens the document: size, white background, styles of text and lines.
std::string svg_open(int width, int height, std::string_view title);

}  // namespace asperity::record::detail
