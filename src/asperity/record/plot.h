// Plots as SVG text: line plots of a run's tables, and polar plots of limit sets.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace asperity::record {

struct PlotSeries {
    std::string name;
    std::vector<double> x, y;  ///< equal lengths; a point that is not finite leaves a gap
};

struct PlotSpec {
    std::string title, x_label, y_label;
    std::vector<PlotSeries> series;
    std::optional<bool> log_y;      ///< unset: logarithmic when all values are positive and span more than 4 decades
    int width = 800, height = 480;  ///< pixels, 200 to 10000
};

/// Points that a logarithmic axis cannot show (y <= 0) leave gaps. Short series get markers. Long series are thinned to the
/// first, lowest, highest and last point of each pixel column. Throws InputError for x and y of different lengths and for
/// sizes out of range.
std::string svg_plot(const PlotSpec& spec);

/// A plot of columns of DIR/steps.csv or, if it lacks them, of DIR/bodies.csv or DIR/forces.csv. From bodies.csv each body
/// gives one series, or only the bodies named in `bodies`; from forces.csv each pair, or only those with one of these
/// bodies. bodies.csv also offers `speed` [m/s], `spin` [rad/s] and `height` (pz) [m]; forces.csv `force` [N] and `torque`
/// [N m]. Throws InputError for unknown columns and bodies; it lists the known names and suggests the nearest.
PlotSpec plot_from_run(const std::filesystem::path& dir, const std::vector<std::string>& y, const std::string& x = "time",
                       const std::vector<std::string>& bodies = {});

struct RoseSeries {
    std::string name;
    std::vector<double> angle;   ///< [rad], counter-clockwise from the right; empty: equal steps round the full circle
    std::vector<double> radius;  ///< >= 0; a value that is not finite leaves a gap
};

/// A polar plot: radius over direction, such as the boundary of a limit set or mu(theta).
struct RoseSpec {
    std::string title, radius_label;
    std::vector<RoseSeries> series;
    int width = 560, height = 480;
};
std::string svg_rose(const RoseSpec& spec);

}  // namespace asperity::record
