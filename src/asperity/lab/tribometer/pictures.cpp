#include "asperity/lab/tribometer/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/deform/stress.h"
#include "asperity/record/plot.h"

namespace asperity::lab {
namespace {

struct Colour {
    int r, g, b;
};

/// Dark blue through green and yellow to red, for 0 to 1.
Colour colour(double s) {
    static constexpr double kStops[6][3] = {{40, 30, 90},   {45, 85, 150},  {35, 140, 140},
                                            {120, 195, 80}, {245, 205, 60}, {215, 60, 30}};
    s = std::clamp(std::isfinite(s) ? s : 1.0, 0.0, 1.0) * 5;
    const int k = std::min(4, static_cast<int>(s));
    const double f = s - k;
    const auto mix = [&](int c) {
        return static_cast<int>(std::lround(kStops[k][c] + f * (kStops[k + 1][c] - kStops[k][c])));
    };
    return {mix(0), mix(1), mix(2)};
}

}  // namespace

void Film::add(const Tribometer& tribometer, const Sample& sample) {
    if (!frames_.empty() && std::fabs(sample.slide - frames_.back().slide) < every_) return;
    if (static_cast<int>(frames_.size()) >= kMost) return;
    const implicit::World<2>& world = tribometer.world();
    if (frames_.empty()) triangles_ = world.model.elements.nodes;
    Frame& frame = frames_.emplace_back();
    frame.x = world.state.nodes.x;
    frame.slide = sample.slide;
    frame.push = sample.push;
    for (int e = 0; e < world.model.elements.count(); ++e)
        frame.stress.push_back(tribometer.modulus() * deform::stress<2>(world.model.elements, frame.x, e).von_mises);
}

Film::Window Film::whole() const {
    Window w{1e300, 1e300, -1e300, -1e300};
    for (const Frame& frame : frames_)
        for (const Vector<2>& p : frame.x) {
            w.left = std::min(w.left, p[0]);
            w.right = std::max(w.right, p[0]);
            w.bottom = std::min(w.bottom, p[1]);
            w.top = std::max(w.top, p[1]);
        }
    return w;
}

/// The stress that 1 % of the triangles of the last frame exceed: colours are in proportion to its square root.
double Film::top_stress() const {
    std::vector<double> all = frames_.back().stress;
    if (all.empty()) return 1;
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(all.size() - 1));
    std::nth_element(all.begin(), at, all.end());
    return *at > 0 ? *at : 1;
}

std::string Film::svg() const {
    if (frames_.empty()) return {};
    const Window all = whole();
    const double top = top_stress();
    constexpr double kWidth = 1200, kMargin = 12;
    // The place of the highest stress at the end
    const Frame& last = frames_.back();
    const std::size_t worst =
        static_cast<std::size_t>(std::max_element(last.stress.begin(), last.stress.end()) - last.stress.begin());
    const Vector<2> hot = last.x[static_cast<std::size_t>(triangles_[worst][0])];
    const double half = 0.06 * (all.right - all.left);
    const double strip = (all.top - all.bottom) / (all.right - all.left) * kWidth;
    const double panel = (kWidth - kMargin) / 2, panel_height = 0.6 * panel;
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        kWidth, strip + panel_height + 90);
    int clip = 0;
    const auto draw = [&](const Frame& frame, const Window& w, double x0, double y0, double width, double height,
                          const std::string& text) {
        const double scale = width / (w.right - w.left);
        out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x0, y0 - 5, text);
        out += fmt::format(
            "<clipPath id=\"c{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/></clipPath>\n", clip,
            x0, y0, width, height);
        out += fmt::format("<g clip-path=\"url(#c{})\" stroke-width=\"0.3\">\n", clip++);
        for (std::size_t e = 0; e < triangles_.size(); ++e) {
            std::string points;
            bool inside = false;
            for (const int node : triangles_[e]) {
                const Vector<2>& p = frame.x[static_cast<std::size_t>(node)];
                inside = inside || (p[0] > w.left && p[0] < w.right && p[1] > w.bottom && p[1] < w.top);
                points +=
                    fmt::format("{:.2f},{:.2f} ", x0 + (p[0] - w.left) * scale, y0 + height - (p[1] - w.bottom) * scale);
            }
            if (!inside) continue;
            const Colour c = colour(std::sqrt(frame.stress[e] / top));
            const std::string fill = fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b);
            out += fmt::format("<polygon points=\"{}\" fill=\"{}\" stroke=\"{}\"/>\n", points, fill, fill);
        }
        out += "</g>\n";
    };
    draw(last, all, 0, 24, kWidth, strip,
         fmt::format("von Mises stress after a slide of {:.1f}; force over weight {:.3f}", last.slide, last.push));
    const double y = strip + 54;
    const auto around = [&](double x, double height) {
        const double tall = 2 * half * panel_height / panel;
        return Window{x - half, height - tall / 2, x + half, height + tall / 2};
    };
    draw(frames_.front(), around(hot[0], hot[1]), 0, y, panel, panel_height, "the same place before the push");
    draw(last, around(hot[0], hot[1]), panel + kMargin, y, panel, panel_height, "and at the end");
    const double bar = y + panel_height + 14;
    for (int i = 0; i < 200; ++i) {
        const Colour c = colour(i / 199.0);
        out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"1.6\" height=\"10\" fill=\"#{:02x}{:02x}{:02x}\"/>\n",
                           40 + 1.5 * i, bar, c.r, c.g, c.b);
    }
    out += fmt::format(
        "<text x=\"26\" y=\"{0:.1f}\">0</text><text x=\"346\" y=\"{0:.1f}\">{1:.3g}, colours by the square "
        "root</text>\n</svg>\n",
        bar + 10, top);
    return out;
}

std::vector<unsigned char> Film::picture(int index, int width, int& height) const {
    const Window w = whole();
    const Frame& frame = frames_[static_cast<std::size_t>(index)];
    const double scale = width / (w.right - w.left), top = top_stress();
    height = std::max(2, static_cast<int>(std::ceil((w.top - w.bottom) * scale)) / 2 * 2);
    std::vector<unsigned char> out(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3, 255);
    for (std::size_t e = 0; e < triangles_.size(); ++e) {
        std::array<Vector<2>, 3> p;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vector<2>& x = frame.x[static_cast<std::size_t>(triangles_[e][k])];
            p[k] = {(x[0] - w.left) * scale, (w.top - x[1]) * scale};
        }
        const auto [low_x, high_x] = std::minmax({p[0][0], p[1][0], p[2][0]});
        const auto [low_y, high_y] = std::minmax({p[0][1], p[1][1], p[2][1]});
        const Colour c = colour(std::sqrt(frame.stress[e] / top));
        const auto side = [](const Vector<2>& a, const Vector<2>& b, const Vector<2>& q) {
            return (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0]);
        };
        for (int j = std::max(0, static_cast<int>(low_y)); j <= std::min(height - 1, static_cast<int>(high_y)); ++j)
            for (int i = std::max(0, static_cast<int>(low_x)); i <= std::min(width - 1, static_cast<int>(high_x)); ++i) {
                const Vector<2> q{i + 0.5, j + 0.5};
                const double a = side(p[0], p[1], q), b = side(p[1], p[2], q), d = side(p[2], p[0], q);
                if (!((a >= 0 && b >= 0 && d >= 0) || (a <= 0 && b <= 0 && d <= 0))) continue;
                unsigned char* to =
                    &out[(static_cast<std::size_t>(j) * static_cast<std::size_t>(width) + static_cast<std::size_t>(i)) * 3];
                to[0] = static_cast<unsigned char>(c.r);
                to[1] = static_cast<unsigned char>(c.g);
                to[2] = static_cast<unsigned char>(c.b);
            }
    }
    return out;
}

std::string svg_of_curve(const std::string& title, const std::vector<Sample>& curve) {
    record::PlotSpec spec;
    spec.title = title;
    spec.x_label = "slide [units]";
    spec.y_label = "force over weight";
    record::PlotSeries& series = spec.series.emplace_back();
    series.name = "mu(S)";
    for (const Sample& s : curve) {
        series.x.push_back(s.slide);
        series.y.push_back(s.push);
    }
    spec.log_y = false;
    return record::svg_plot(spec);
}

}  // namespace asperity::lab
