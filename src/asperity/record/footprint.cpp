#include "asperity/record/footprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asperity/record/detail/svg.h"

namespace asperity::record {
namespace {

using detail::px;

constexpr int kSide = 256, kGap = 40, kTop = 76;  // side of a square, gap and top margin [pixels]

/// Colour of a normal map: the unit normal (g, 1)/|(g, 1)|, mapped from -1..1 to 0..255.
std::string color_of(const Vec2& slope) {
    const double length = std::sqrt(slope.x * slope.x + slope.y * slope.y + 1);
    const auto channel = [&](double x) { return static_cast<int>(std::lround(127.5 * (x / length + 1))); };
    return fmt::format("#{:02x}{:02x}{:02x}", channel(slope.x), channel(slope.y), channel(1));
}

}  // namespace

std::vector<FootprintPoint> footprint_points(const surface::FootprintRequest& patch, int resolution) {
    // Sample each point as a footprint of its own with one ray. Its four directions give the slopes back: max(0, x) - max(0,
    // -x) = x.
    const surface::RaySampler ray(1);
    const Vec3 b = cross(patch.normal, patch.t);
    std::vector<FootprintPoint> points;
    for (int j = 0; j < resolution; ++j)
        for (int i = 0; i < resolution; ++i) {
            surface::FootprintRequest one = patch;
            one.directions = 4;
            one.width = patch.width / resolution;
            const Vec3 from_middle =
                ((i + 0.5) / resolution - 0.5) * patch.width * patch.t + ((j + 0.5) / resolution - 0.5) * patch.width * b;
            one.a.point = patch.a.point + from_middle;
            one.b.point = patch.b.point + from_middle;
            friction::FacetAverages found;
            ray.sample_one(one, found);
            points.push_back({found.covered > 0,
                              {found.a[2] - found.a[0], found.a[3] - found.a[1]},
                              {found.b[0] - found.b[2], found.b[1] - found.b[3]}});
        }
    return points;
}

std::string svg_footprint(const surface::FootprintRequest& patch, int resolution, const std::string& title,
                          const std::string& name_a, const std::string& name_b) {
    const std::vector<FootprintPoint> points = footprint_points(patch, resolution);
    const auto covered = std::count_if(points.begin(), points.end(), [](const FootprintPoint& p) { return p.covered; });
    const int width = 2 * kSide + 3 * kGap;
    std::string out = detail::svg_open(width, kTop + kSide + 40, title);
    out += fmt::format("<text class=\"title\" x=\"{}\" y=\"24\" text-anchor=\"middle\">{}</text>\n", width / 2,
                       detail::escaped(detail::shortened(title, 70)));
    out += fmt::format(
        "<text x=\"{}\" y=\"44\" text-anchor=\"middle\">{} of {} points lie on both surfaces; {:g} mm wide</text>\n",
        width / 2, covered, points.size(), 1000 * patch.width);
    const double cell = static_cast<double>(kSide) / resolution;
    for (const bool of_b : {false, true}) {
        const double left = of_b ? kSide + 2 * kGap : kGap;
        out += fmt::format(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n<g stroke=\"#cccccc\" stroke-width=\"0.5\">\n",
            px(left + kSide / 2.0), kTop - 8, detail::escaped(detail::shortened(of_b ? name_b : name_a, 30)));
        for (size_t k = 0; k < points.size(); ++k) {
            const auto i = static_cast<double>(k % static_cast<size_t>(resolution)),
                       j = static_cast<double>(k / static_cast<size_t>(resolution));
            out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", px(left + i * cell),
                               px(kTop + kSide - (j + 1) * cell), px(cell), px(cell),
                               points[k].covered ? color_of(of_b ? points[k].slope_b : points[k].slope_a) : "none");
        }
        out += "</g>\n";
    }
    return out + fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">t to the right, n x t up</text>\n</svg>\n",
                             width / 2, kTop + kSide + 24);
}

}  // namespace asperity::record
