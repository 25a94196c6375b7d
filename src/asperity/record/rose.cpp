// Polar plots: radius over direction, with circles at round radii and spokes every 30 degrees.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/record/detail/svg.h"
#include "asperity/record/plot.h"

namespace asperity::record {
namespace {

using detail::px;

struct Disc {
    double x, y, pixels, reach;  // centre and radius [pixels], radius [data]
    std::pair<double, double> at(double angle, double radius) const {
        const double r = pixels * radius / reach;
        return {x + r * std::cos(angle), y - r * std::sin(angle)};
    }
};

double angle_of(const RoseSeries& series, std::size_t i) {
    return series.angle.empty() ? 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(series.radius.size())
                                : series.angle[i];
}

/// A closed curve, or open curves where a radius is missing.
std::string draw(const RoseSeries& series, std::size_t index, const Disc& disc) {
    const char* dash = detail::series_dash(index);
    const std::string style = fmt::format("class=\"line\" stroke=\"{}\"{}", detail::series_color(index),
                                          *dash ? fmt::format(" stroke-dasharray=\"{}\"", dash) : "");
    const std::size_t count = series.radius.size();
    std::size_t gap = count;  // start behind a gap, so that the curve across the last point is not split
    for (std::size_t i = 0; i < count; ++i)
        if (!std::isfinite(series.radius[i])) gap = i;
    std::string out = fmt::format("<g class=\"series\"><title>{}</title>\n", detail::escaped(series.name)), points;
    const auto finish = [&](const char* shape) {
        if (points.empty()) return;
        points.pop_back();
        out += fmt::format("<{} {} points=\"{}\"/>\n", shape, style, points);
        points.clear();
    };
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t i = gap == count ? k : (gap + 1 + k) % count;
        if (!std::isfinite(series.radius[i])) {
            finish("polyline");
            continue;
        }
        const auto [x, y] = disc.at(angle_of(series, i), series.radius[i]);
        points += fmt::format("{},{} ", px(x), px(y));
    }
    finish(gap == count ? "polygon" : "polyline");
    return out + "</g>\n";
}

}  // namespace

std::string svg_rose(const RoseSpec& spec) {
    double reach = 0;
    for (const RoseSeries& s : spec.series) {
        if (!s.angle.empty() && s.angle.size() != s.radius.size())
            throw InputError(fmt::format("plot: series '{}' has {} angles and {} radii; both must be equal", s.name,
                                         s.angle.size(), s.radius.size()));
        for (std::size_t i = 0; i < s.radius.size(); ++i) {
            if (s.radius[i] < 0)
                throw InputError(
                    fmt::format("plot: series '{}' has radius {}; allowed are radii from 0", s.name, s.radius[i]));
            if (!s.angle.empty() && !std::isfinite(s.angle[i]))
                throw InputError(fmt::format("plot: series '{}' has an angle that is not finite", s.name));
            if (std::isfinite(s.radius[i])) reach = std::fmax(reach, s.radius[i]);
        }
    }
    if (spec.width < 200 || spec.width > 10000 || spec.height < 200 || spec.height > 10000)
        throw InputError(fmt::format("plot: {} by {} pixels; allowed is 200 to 10000 each way", spec.width, spec.height));
    if (reach == 0) reach = 1;

    const bool legend = spec.series.size() > 1;
    double legend_width = 0;
    for (const RoseSeries& s : spec.series)
        legend_width = std::fmax(legend_width, detail::text_width(detail::shortened(s.name, 20), 12));
    legend_width = legend ? std::fmin(legend_width + 48, 0.4 * spec.width) : 0;
    const double top = spec.title.empty() ? 34 : 64, bottom = spec.height - (spec.radius_label.empty() ? 30 : 48);
    Disc disc{};
    disc.pixels = 0.5 * std::fmin(bottom - top, spec.width - legend_width - 100);
    disc.x = 50 + disc.pixels, disc.y = 0.5 * (top + bottom);
    const auto ticks = detail::linear_ticks(0, 1.05 * reach, std::max(2, static_cast<int>(disc.pixels / 36)));
    disc.reach = std::fmax(1.05 * reach, ticks.values.back());

    std::string out = detail::svg_open(spec.width, spec.height, spec.title);
    if (!spec.title.empty())
        out += fmt::format("<text class=\"title\" x=\"24\" y=\"27\">{}</text>\n",
                           detail::escaped(detail::shortened(spec.title, static_cast<std::size_t>(spec.width / 9))));
    for (int degrees = 0; degrees < 360; degrees += 30) {
        const double angle = degrees * std::numbers::pi / 180;
        const auto [x, y] = disc.at(angle, disc.reach);
        const auto [lx, ly] = disc.at(angle, disc.reach * (1 + 16 / disc.pixels));
        const char* anchor = std::cos(angle) > 0.1 ? "start" : std::cos(angle) < -0.1 ? "end" : "middle";
        out += fmt::format("<line class=\"grid\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", px(disc.x), px(disc.y), px(x),
                           px(y));
        out += fmt::format("<text class=\"tick-angle\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}°</text>\n",
                           px(lx - 8 * std::cos(angle)), px(ly + 4), anchor, degrees);
    }
    for (const double r : ticks.values)
        if (r > 0)
            out += fmt::format("<circle class=\"grid\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", px(disc.x), px(disc.y),
                               px(disc.pixels * r / disc.reach));
    out += fmt::format("<circle class=\"axis\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", px(disc.x), px(disc.y), px(disc.pixels));
    for (std::size_t i = 0; i < spec.series.size(); ++i) out += draw(spec.series[i], i, disc);
    // Draw the radius labels last, on a free diagonal and with a white outline, so that they stay readable on the curves.
    for (std::size_t i = 0; i < ticks.values.size(); ++i) {
        if (!(ticks.values[i] > 0)) continue;
        const auto [x, y] = disc.at(75 * std::numbers::pi / 180, ticks.values[i]);
        out += fmt::format(
            "<text class=\"tick-r\" x=\"{}\" y=\"{}\" text-anchor=\"middle\" "
            "style=\"paint-order: stroke; stroke: #ffffff; stroke-width: 3px\">{}</text>\n",
            px(x), px(y + 4), ticks.labels[i]);
    }
    const std::string unit = spec.radius_label + (ticks.note.empty() ? "" : " " + ticks.note);
    if (!unit.empty())
        out += fmt::format("<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", px(disc.x),
                           spec.height - 10, detail::escaped(unit));
    for (std::size_t i = 0; legend && i < spec.series.size(); ++i) {
        const double x = spec.width - legend_width + 8, y = top + 8 + 20 * static_cast<double>(i);
        const char* dash = detail::series_dash(i);
        out += fmt::format("<line class=\"line\" stroke=\"{}\"{} x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n",
                           detail::series_color(i), *dash ? fmt::format(" stroke-dasharray=\"{}\"", dash) : "", px(x), px(y),
                           px(x + 20), px(y));
        out += fmt::format("<text class=\"legend\" x=\"{}\" y=\"{}\">{}</text>\n", px(x + 27), px(y + 4),
                           detail::escaped(detail::shortened(spec.series[i].name, 20)));
    }
    return out + "</svg>\n";
}

}  // namespace asperity::record
