#include "asperity/lab/study/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace asperity::lab {
namespace {

constexpr double kWidth = 560, kHeight = 380, kLeft = 62, kRight = 16, kTop = 34, kBottom = 50;
constexpr const char* kColours[] = {"#1f5fa8", "#c8501e", "#2d8a4e", "#8a3fa0", "#b08a00", "#444444"};

/// 1, 2 or 5 times a power of ten, for about `count` ticks.
double tick_step(double range, int count) {
    const double rough = range / count, power = std::pow(10, std::floor(std::log10(rough)));
    for (const double f : {1.0, 2.0, 5.0})
        if (f * power >= rough) return f * power;
    return 10 * power;
}

}  // namespace

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

std::string svg(const Figure& figure) {
    const auto place = [&](double x) { return figure.log_x ? std::log10(x) : x; };
    double x_low = std::numeric_limits<double>::infinity(), x_high = -x_low, y_low = x_low, y_high = -x_low;
    for (const FigureSeries& s : figure.series)
        for (std::size_t i = 0; i < s.x.size(); ++i) {
            if (!std::isfinite(s.y[i])) continue;
            const double error = s.error.empty() || !std::isfinite(s.error[i]) ? 0 : s.error[i];
            x_low = std::min(x_low, place(s.x[i]));
            x_high = std::max(x_high, place(s.x[i]));
            y_low = std::min(y_low, s.y[i] - error);
            y_high = std::max(y_high, s.y[i] + error);
        }
    if (!(x_low <= x_high)) x_low = 0, x_high = 1, y_low = 0, y_high = 1;
    const auto widen = [](double& low, double& high, double share) {
        const double room = high > low ? share * (high - low) : 0.5;
        low -= room;
        high += room;
    };
    widen(x_low, x_high, 0.05);
    widen(y_low, y_high, 0.08);
    const auto named =
        std::count_if(figure.series.begin(), figure.series.end(), [](const auto& s) { return !s.name.empty(); });
    y_high += 0.055 * static_cast<double>(named) * (y_high - y_low);  // room for the legend
    const auto px = [&](double x) { return kLeft + (place(x) - x_low) / (x_high - x_low) * (kWidth - kLeft - kRight); };
    const auto py = [&](double y) {
        return kHeight - kBottom - (y - y_low) / (y_high - y_low) * (kHeight - kTop - kBottom);
    };
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"{2}\" y=\"20\" font-size=\"14\">{3}</text>\n",
        kWidth, kHeight, kLeft, escaped(figure.title));
    const double left = kLeft, right = kWidth - kRight, bottom = kHeight - kBottom;
    const double step = tick_step(y_high - y_low, 6);
    for (double y = std::ceil(y_low / step) * step; y <= y_high; y += step)
        out += fmt::format(
            "<line x1=\"{0}\" y1=\"{1:.1f}\" x2=\"{2}\" y2=\"{1:.1f}\" stroke=\"#dddddd\"/>\n"
            "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.3g}</text>\n",
            left, py(y), right, left - 6, py(y) + 4, std::fabs(y) < 1e-9 * step ? 0.0 : y);
    std::vector<double> ticks;
    if (figure.log_x) {
        for (double power = std::floor(x_low); power <= x_high; ++power)
            for (const double f : {1.0, 2.0, 5.0})
                if (const double x = f * std::pow(10, power); place(x) >= x_low && place(x) <= x_high) ticks.push_back(x);
    } else {
        const double x_step = tick_step(x_high - x_low, 7);
        for (double x = std::ceil(x_low / x_step) * x_step; x <= x_high; x += x_step)
            ticks.push_back(std::fabs(x) < 1e-9 * x_step ? 0.0 : x);
    }
    for (const double x : ticks)
        out += fmt::format(
            "<line x1=\"{0:.1f}\" y1=\"{1}\" x2=\"{0:.1f}\" y2=\"{2}\" stroke=\"#888888\"/>\n"
            "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4:.6g}</text>\n",
            px(x), bottom, bottom + 5, bottom + 19, x);
    out += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#888888\"/>\n"
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n"
        "<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        left, kTop, right - left, bottom - kTop, 0.5 * (left + right), kHeight - 10, escaped(figure.x_label),
        0.5 * (kTop + bottom), escaped(figure.y_label));
    double legend = kTop + 16;
    for (const FigureSeries& s : figure.series) {
        const char* colour = kColours[static_cast<std::size_t>(s.colour) % std::size(kColours)];
        const char* dash = s.dashed ? " stroke-dasharray=\"5 4\"" : "";
        std::string path;
        for (std::size_t i = 0; i < s.x.size(); ++i) {
            if (!std::isfinite(s.y[i])) continue;
            path += fmt::format("{}{:.1f} {:.1f} ", path.empty() ? "M" : "L", px(s.x[i]), py(s.y[i]));
            if (!s.error.empty() && std::isfinite(s.error[i]) && s.error[i] > 0)
                out += fmt::format(
                    "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}m-4 0h8M{3:.1f} {1:.1f}h8\" stroke=\"{4}\" fill=\"none\"/>\n",
                    px(s.x[i]), py(s.y[i] - s.error[i]), py(s.y[i] + s.error[i]), px(s.x[i]) - 4, colour);
            if (s.markers)
                out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\" stroke=\"{}\"/>\n", px(s.x[i]),
                                   py(s.y[i]), s.dashed ? "white" : colour, colour);
        }
        if (s.line && !path.empty())
            out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"{}/>\n", path, colour, dash);
        if (s.name.empty()) continue;
        out += fmt::format(
            "<line x1=\"{0}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\" stroke=\"{3}\" stroke-width=\"1.6\"{4}/>\n<text x=\"{5}\" "
            "y=\"{6}\">{7}</text>\n",
            left + 10, legend - 4, left + 36, colour, dash, left + 42, legend, escaped(s.name));
        legend += 16;
    }
    return out + "</svg>\n";
}

}  // namespace asperity::lab
