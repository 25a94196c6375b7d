// Plots as SVG text, drawn by ourselves: line plots of what a run wrote, and roses of limit sets.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace asperity::record {

struct PlotSeries {
    std::string name;
    std::vector<double> x, y;  ///< of equal length; a point that is not finite leaves a gap
};

struct PlotSpec {
    std::string title, x_label, y_label;
    std::vector<PlotSeries> series;
    std::optional<bool> log_y;      ///< unset: logarithmic when all values are positive and span more than 4 decades
    int width = 800, height = 480;  ///< pixels, 200 to 10000
};

/// Points that a logarithmic axis cannot show (y <= 0) leave gaps. Series of few points get markers; long ones are thinned
/// to what a pixel column can show (its first, lowest, highest and last point). Throws InputError for x and y of different
/// length and for sizes out of range.
std::string svg_plot(const PlotSpec& spec);

/// A plot of columns of DIR/steps.csv or, where that lacks them, DIR/bodies.csv: there one series for each body, or for
/// those named in `bodies`. bodies.csv also gives `speed` [m/s], `spin` [rad/s] and `height` (pz) [m]. Throws InputError
/// for unknown columns and bodies, with the known names and the nearest.
PlotSpec plot_from_run(const std::filesystem::path& dir, const std::vector<std::string>& y, const std::string& x = "time",
                       const std::vector<std::string>& bodies = {});

struct RoseSeries {
    std::string name;
    std::vector<double> angle;   ///< [rad], counter-clockwise from the right; empty: equal steps round the full circle
    std::vector<double> radius;  ///< >= 0; not finite: a gap
};

/// Radius over direction, such as the boundary of a limit set or mu(theta).
struct RoseSpec {
    std::string title, radius_label;
    std::vector<RoseSeries> series;
    int width = 560, height = 480;
};
std::string svg_rose(const RoseSpec& spec);

}  // namespace asperity::record
