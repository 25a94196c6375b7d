#include "asperity/record/plot.h"

#include <fmt/format.h>

#include <cmath>

#include "asperity/core/error.h"
#include "asperity/record/detail/svg.h"

namespace asperity::record {
namespace {

using detail::px;

constexpr std::size_t kFewPoints = 30;  // up to this number each point gets a marker
constexpr std::size_t kLegendRows = 16;

/// Maps data to pixels along one axis.
struct Axis {
    double low = 0, high = 1;
    bool log = false;
    double pixel_low = 0, pixel_high = 1;

    /// Values beyond 1e300 would overflow the axis arithmetic; on a logarithmic axis values below 1e-300 would too.
    bool shows(double value) const { return std::fabs(value) <= 1e300 && (!log || value >= 1e-300); }
    double operator()(double value) const {
        const double s = log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
        return pixel_low + s * (pixel_high - pixel_low);
    }
};

struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    void add(double value) { low = std::min(low, value), high = std::max(high, value); }
    bool empty() const { return low > high; }
};

/// Widens a range without extent, so that a constant lies in the middle of its axis.
Range opened(Range r) {
    if (r.empty()) return {0, 1};
    const double size = std::fmax(std::fabs(r.low), std::fabs(r.high));
    if (r.high - r.low > std::fmax(1e-12 * size, 1e-290)) return r;
    const double room = size > 1e-290 ? 0.1 * size : 1;
    return {r.low - room, r.high + room};
}

/// The range of all points that both axes can show.
Range y_range(const PlotSpec& spec, const Axis& x, const Axis& y) {
    Range r;
    for (const PlotSeries& s : spec.series)
        for (std::size_t i = 0; i < s.y.size(); ++i)
            if (x.shows(s.x[i]) && y.shows(s.y[i])) r.add(s.y[i]);
    return r;
}

Axis choose_y_axis(const PlotSpec& spec, const Axis& x) {
    Axis axis;
    Range r = y_range(spec, x, axis);
    axis.log = spec.log_y.value_or(!r.empty() && r.low > 0 && r.high > 1e4 * r.low);
    if (axis.log) r = y_range(spec, x, axis);
    if (axis.log) {
        if (r.empty()) r = {0.1, 10};
        const double room = r.high > 1.5 * r.low ? std::pow(r.high / r.low, 0.04) : 2;
        axis.low = r.low / room, axis.high = r.high * room;
        return axis;
    }
    // An axis that almost reaches zero includes zero.
    if (!r.empty() && r.low > 0 && r.low < 0.3 * r.high) r.low = 0;
    if (!r.empty() && r.high < 0 && r.high > 0.3 * r.low) r.high = 0;
    const bool from_zero = r.low == 0, to_zero = r.high == 0;
    r = opened(r);
    const double room = 0.05 * (r.high - r.low);
    axis.low = from_zero && r.low == 0 ? 0 : r.low - room;
    axis.high = to_zero && r.high == 0 ? 0 : r.high + room;
    return axis;
}

Axis choose_x_axis(const PlotSpec& spec) {
    Axis axis;
    Range r;
    for (const PlotSeries& s : spec.series)
        for (const double x : s.x)
            if (axis.shows(x)) r.add(x);
    r = opened(r);
    axis.low = r.low, axis.high = r.high;
    return axis;
}

struct Point {
    double x, y;
};

/// The series in pixels, split at points that cannot be shown.
std::vector<std::vector<Point>> split_at_gaps(const PlotSeries& series, const Axis& x, const Axis& y) {
    std::vector<std::vector<Point>> out(1);
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (x.shows(series.x[i]) && y.shows(series.y[i]))
            out.back().push_back({x(series.x[i]), y(series.y[i])});
        else if (!out.back().empty())
            out.emplace_back();
    }
    if (out.back().empty()) out.pop_back();
    return out;
}

/// Keeps the first, lowest, highest and last point of each pixel column, in order: the same picture with far less text.
/// Curves that run backwards in x are returned unchanged.
std::vector<Point> thinned(const std::vector<Point>& points, double pixel_width) {
    if (static_cast<double>(points.size()) < 2 * pixel_width) return points;
    for (std::size_t i = 1; i < points.size(); ++i)
        if (points[i].x < points[i - 1].x) return points;
    std::vector<Point> out;
    for (std::size_t first = 0; first < points.size();) {
        std::size_t last = first, low = first, high = first;
        while (last + 1 < points.size() && std::floor(points[last + 1].x) == std::floor(points[first].x)) {
            ++last;
            if (points[last].y < points[low].y) low = last;
            if (points[last].y > points[high].y) high = last;
        }
        std::size_t previous = points.size();
        for (const std::size_t i : {first, std::min(low, high), std::max(low, high), last})
            if (i != previous) out.push_back(points[i]), previous = i;
        first = last + 1;
    }
    return out;
}

std::string stroke(std::size_t index) {
    const char* dash = detail::series_dash(index);
    return fmt::format("stroke=\"{}\"{}", detail::series_color(index),
                       *dash ? fmt::format(" stroke-dasharray=\"{}\"", dash) : "");
}

std::string marker(const Point& p, std::size_t index) {
    return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"{}\"/>\n", px(p.x), px(p.y), detail::series_color(index));
}

std::string draw_series(const PlotSeries& series, std::size_t index, const Axis& x, const Axis& y) {
    std::string out = fmt::format("<g class=\"series\"><title>{}</title>\n", detail::escaped(series.name));
    const auto parts = split_at_gaps(series, x, y);
    std::size_t count = 0;
    for (const auto& part : parts) count += part.size();
    for (const auto& part : parts) {
        if (part.size() > 1) {
            out += fmt::format("<polyline class=\"line\" {} points=\"", stroke(index));
            for (const Point& p : thinned(part, std::fabs(x.pixel_high - x.pixel_low)))
                fmt::format_to(std::back_inserter(out), "{},{} ", px(p.x), px(p.y));
            out.back() = '"';
            out += "/>\n";
        }
        if (part.size() == 1 || count <= kFewPoints)
            for (const Point& p : part) out += marker(p, index);
    }
    return out + "</g>\n";
}

void line(std::string& out, const char* kind, double x1, double y1, double x2, double y2) {
    fmt::format_to(std::back_inserter(out), "<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", kind, px(x1),
                   px(y1), px(x2), px(y2));
}

void text(std::string& out, const char* kind, double x, double y, const char* anchor, std::string_view content) {
    fmt::format_to(std::back_inserter(out), "<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", kind,
                   px(x), px(y), anchor, detail::escaped(content));
}

bool needs_legend(const PlotSpec& spec) {
    if (spec.series.size() > 1) return true;
    return spec.series.size() == 1 && !spec.series[0].name.empty() && spec.series[0].name != spec.y_label;
}

std::vector<std::string> legend_rows(const PlotSpec& spec, std::size_t limit) {
    std::vector<std::string> rows;
    for (const PlotSeries& s : spec.series) {
        if (rows.size() == limit && spec.series.size() > limit) break;
        rows.push_back(detail::shortened(s.name, 24));
    }
    return rows;
}

}  // namespace

std::string svg_plot(const PlotSpec& spec) {
    for (const PlotSeries& s : spec.series)
        if (s.x.size() != s.y.size())
            throw InputError(fmt::format("plot: series '{}' has {} x values and {} y values; both must be equal", s.name,
                                         s.x.size(), s.y.size()));
    if (spec.width < 200 || spec.width > 10000 || spec.height < 200 || spec.height > 10000)
        throw InputError(fmt::format("plot: {} by {} pixels; allowed is 200 to 10000 each way", spec.width, spec.height));

    // Axes, and the room for their labels and the legend.
    Axis x = choose_x_axis(spec), y = choose_y_axis(spec, x);
    const double top = spec.title.empty() ? 26 : 54, bottom = spec.height - (spec.x_label.empty() ? 34 : 54);
    const auto y_ticks = y.log ? detail::log_ticks(y.low, y.high, std::max(3, static_cast<int>((bottom - top) / 38)))
                               : detail::linear_ticks(y.low, y.high, std::max(3, static_cast<int>((bottom - top) / 38)));
    double widest = 0;
    for (const std::string& label : y_ticks.labels) widest = std::max(widest, detail::text_width(label, 12));
    const double left = 16 + (spec.y_label.empty() ? 0 : 20) + widest + 8;
    double right = spec.width - 28, legend_width = 0;
    const auto rows = legend_rows(spec, std::min(kLegendRows, static_cast<std::size_t>((bottom - top) / 20) - 1));
    const bool legend = needs_legend(spec);
    if (legend) {
        for (const std::string& row : rows) legend_width = std::max(legend_width, detail::text_width(row, 12));
        legend_width = std::min(30 + legend_width, 0.35 * spec.width);
        right -= legend_width + 6;
    }
    const auto x_ticks = detail::linear_ticks(x.low, x.high, std::max(2, static_cast<int>((right - left) / 80)));
    x.pixel_low = left, x.pixel_high = right;
    y.pixel_low = bottom, y.pixel_high = top;

    std::string out = detail::svg_open(spec.width, spec.height, spec.title);
    if (!spec.title.empty())
        text(out, "title", left, 27, "start", detail::shortened(spec.title, static_cast<std::size_t>(spec.width / 9)));

    // Grid, ticks and their labels.
    for (const double v : y_ticks.minor) line(out, "minor", left, y(v), right, y(v));
    for (std::size_t i = 0; i < y_ticks.values.size(); ++i) {
        const double at = y(y_ticks.values[i]);
        line(out, "grid", left, at, right, at);
        text(out, "tick-y", left - 8, at + 4, "end", y_ticks.labels[i]);
    }
    for (std::size_t i = 0; i < x_ticks.values.size(); ++i) {
        const double at = x(x_ticks.values[i]);
        line(out, "grid", at, top, at, bottom);
        line(out, "axis", at, bottom, at, bottom + 5);
        text(out, "tick-x", at, bottom + 19, "middle", x_ticks.labels[i]);
    }
    if (!y.log && y.low < 0 && y.high > 0) line(out, "axis", left, y(0), right, y(0));
    line(out, "axis", left, top, left, bottom);
    line(out, "axis", left, bottom, right, bottom);
    if (!y_ticks.note.empty()) text(out, "note", left, top - 8, "start", y_ticks.note);
    if (!x_ticks.note.empty()) text(out, "note", right, bottom + 35, "end", x_ticks.note);

    // Axis titles.
    if (!spec.x_label.empty()) text(out, "label", 0.5 * (left + right), spec.height - 14, "middle", spec.x_label);
    if (!spec.y_label.empty())
        out += fmt::format(
            "<text class=\"label\" transform=\"translate(20 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
            px(0.5 * (top + bottom)), detail::escaped(spec.y_label));

    for (std::size_t i = 0; i < spec.series.size(); ++i) out += draw_series(spec.series[i], i, x, y);
    if (out.find("<polyline") == std::string::npos && out.find("<circle") == std::string::npos)
        text(out, "label", 0.5 * (left + right), 0.5 * (top + bottom), "middle", "nothing to show");

    if (legend) {
        const double at = right + 16;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const double row = top + 8 + 20 * static_cast<double>(i);
            out += fmt::format("<line class=\"line\" {} x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", stroke(i), px(at),
                               px(row), px(at + 20), px(row));
            text(out, "legend", at + 27, row + 4, "start", rows[i]);
        }
        if (rows.size() < spec.series.size())
            text(out, "legend-more", at + 27, top + 12 + 20 * static_cast<double>(rows.size()), "start",
                 fmt::format("and {} more", spec.series.size() - rows.size()));
    }
    return out + "</svg>\n";
}

}  // namespace asperity::record
