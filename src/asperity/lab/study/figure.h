// A figure of means with error bars, as SVG.
#pragma once
#include <string>
#include <vector>

namespace asperity::lab {

struct FigureSeries {
    std::string name;
    std::vector<double> x, y, error;  ///< error: half of the bar; empty: none
    bool line = true, dashed = false, markers = true;
    int colour = 0;
};
struct Figure {
    std::string title, x_label, y_label;
    bool log_x = false;
    std::vector<FigureSeries> series;
};
std::string svg(const Figure& figure);

/// Text with the characters that HTML and SVG keep for themselves written out.
std::string escaped(const std::string& text);

}  // namespace asperity::lab
