#include "asperity/record/cone.h"

#include <fmt/format.h>
#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/record/plot.h"

namespace asperity::record {
namespace {

using std::numbers::pi;

std::string shifted(std::string svg, int x) { return svg.insert(svg.find("<svg") + 4, fmt::format(" x=\"{}\"", x)); }

}  // namespace

std::vector<ConeRow> cone_rows(const friction::LimitSet& set, int count) {
    std::vector<ConeRow> rows;
    for (int i = 0; i < count; ++i) {
        const double angle = 2 * pi * i / count;
        const Vec3 d{std::cos(angle), std::sin(angle), 0};
        const double gauge = friction::gauge(set, d);
        ConeRow row{angle, std::isfinite(gauge) && gauge > 0 ? 1 / gauge : 0, friction::support(set, d),
                    length(friction::support_point(set, d)), std::numeric_limits<double>::quiet_NaN()};
        if (row.hold > 0) {
            // The slip direction is the outward normal (maximum dissipation).
            const Vec3 out = friction::gauge_derivatives(set, d).gradient;
            row.slip_angle = std::atan2(out.y, out.x);
        }
        rows.push_back(row);
    }
    return rows;
}

std::string svg_cone(const friction::LimitSet& set, const std::string& title) {
    const std::vector<ConeRow> rows = cone_rows(set, 720);
    RoseSpec rose{title, "per unit of load; 0° is along t", {{"limit surface", {}, {}}, {"drag", {}, {}}}};
    PlotSpec plot{"Slip against push",
                  "push, degrees from t",
                  "slip, degrees from t",
                  {{"slip", {}, {}}, {"isotropic", {0, 90}, {0, 90}}}};
    plot.log_y = false;
    plot.width = 480;
    for (const ConeRow& row : rows) {
        rose.series[0].radius.push_back(row.hold);
        rose.series[1].radius.push_back(row.drag);
        if (row.angle > pi / 2 + 1e-9) continue;
        plot.series[0].x.push_back(degrees(row.angle));
        plot.series[0].y.push_back(degrees(row.slip_angle));
    }
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"480\" viewBox=\"0 0 {0} 480\">\n{1}{2}</svg>\n",
        560 + plot.width, svg_rose(rose), shifted(svg_plot(plot), 560));
}

}  // namespace asperity::record
