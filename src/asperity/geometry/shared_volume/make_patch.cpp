// Patches from moments and outermost points; see make_patch.h.
#include "asperity/geometry/shared_volume/make_patch.h"

#include <cmath>

#include "asperity/geometry/shared_volume/outline.h"

namespace asperity::geometry {
namespace {

struct AreaIntegrals {
    double area = 0;
    Vec2 centre;
    double xx = 0, xy = 0, yy = 0;  // about the centre
};
AreaIntegrals integrate(const ConvexOutline& outline) {
    AreaIntegrals r;
    Vec2 first;
    for (int i = 1; i + 1 < outline.size(); ++i) {
        const Vec2 a = outline[i] - outline[0], b = outline[i + 1] - outline[0];
        const double double_area = cross(a, b);
        r.area += double_area / 2;
        first = first + double_area / 6 * (a + b);
        r.xx += double_area / 12 * (a.x * a.x + a.x * b.x + b.x * b.x);
        r.yy += double_area / 12 * (a.y * a.y + a.y * b.y + b.y * b.y);
        r.xy += double_area / 24 * (2 * a.x * a.y + a.x * b.y + b.x * a.y + 2 * b.x * b.y);
    }
    if (!(r.area > 0)) return r;
    const Vec2 c = first / r.area;
    r.xx -= r.area * c.x * c.x;
    r.yy -= r.area * c.y * c.y;
    r.xy -= r.area * c.x * c.y;
    r.centre = outline[0] + c;
    return r;
}

/// Principal axes of a symmetric 2 x 2 matrix, the larger one first; (1, 0) if both are equal.
struct Principal {
    Vec2 axis{1, 0};
    double large = 0, small = 0;
};
Principal principal(double xx, double xy, double yy) {
    const double mean = (xx + yy) / 2, half = (xx - yy) / 2, radius = std::sqrt(half * half + xy * xy);
    Principal p{{1, 0}, mean + radius, larger(mean - radius, 0)};
    if (radius > 1e-9 * mean) {  // half of the angle of (half, xy), in the form without cancellation
        const Vec2 v = half >= 0 ? Vec2{half + radius, xy} : Vec2{std::fabs(xy), xy < 0 ? half - radius : radius - half};
        p.axis = v / std::sqrt(dot(v, v));
    }
    return p;
}

constexpr double kCoverCosine = 0.5;  // cosine of 60 degrees: largest angle between a covered point's normal and the patch's
constexpr double kCoverMargin = 0.05;  // of the region's size: a covered point may lie this far outside the region
// an outline counts as an ellipse if all its vertices lie within this relative distance
constexpr double kRoundWithin = 0.03;
// fewest vertices of an outline that may become an ellipse; fewer are better kept as a polygon
constexpr int kRoundCorners = 12;

/// If the outline is an ellipse: sets it as the region, and the patch's centre to its middle.
bool set_round_region(const OverlapPart& part, const ConvexOutline& outline, const Vec2& moment_axes, Patch& patch) {
    if (outline.size() < kRoundCorners) return false;
    const AreaIntegrals r = integrate(outline);
    if (!(r.area > 0)) return false;
    const Principal p = principal(r.xx, r.xy, r.yy);
    // A regular polygon of N vertices on an ellipse: m / A = a^2/4 (2 + cos(2 pi/N))/3
    const double inscribed = (2 + std::cos(2 * 3.141592653589793 / outline.size())) / 3;
    double a = 2 * std::sqrt(p.large / r.area / inscribed), b = 2 * std::sqrt(p.small / r.area / inscribed);
    for (const Vec2& corner : outline) {
        const Vec2 d = corner - r.centre;
        const double x = dot(p.axis, d) / a, y = cross(p.axis, d) / b;
        if (std::fabs(std::sqrt(x * x + y * y) - 1) > kRoundWithin) return false;
    }
    // The second moments of a flat, untilted disc give the radius more accurately than 32 points on its rim.
    const bool even = part.curvature == OverlapPart::Curvature::Flat && length(r.centre) < 1e-3 * b;
    if (even) a = 2 * moment_axes.x, b = 2 * moment_axes.y;
    const Vec3 u = patch.u, w = patch.w();
    if (!even) patch.centre += r.centre.x * u + r.centre.y * w;
    patch.u = normalized(p.axis.x * u + p.axis.y * w);
    patch.region = EllipseRegion{a, b};
    return true;
}

void set_outline(const OverlapPart& part, double remaining, const Vec2& moment_axes, Patch& patch) {
    const Vec3 u = patch.u, w = patch.w();
    // Without the skin a curved contact is smaller: its width scales with the root of its depth. A straight line keeps its
    // length.
    const bool curved = part.curvature != OverlapPart::Curvature::Flat;
    const double shrink = curved ? std::sqrt(remaining) : 1;
    Vec2 line{dot(part.axis, u), dot(part.axis, w)};
    if (length(line) > 1e-9) line = line / length(line);
    FixedBuffer<Vec2, OverlapPart::kPoints> points;
    for (int i = 0; i < part.point_count; ++i) {
        const Vec3 d = part.points[static_cast<size_t>(i)] - patch.centre;
        const Vec2 p{dot(d, u), dot(d, w)};
        points.push(shrink * p + (1 - shrink) * dot(line, p) * line);
    }
    ConvexOutline outline;
    convex_outline({points.begin(), points.end()}, outline);
    patch.region = EllipseRegion{};  // a point, if the outline is unknown
    if (outline.empty() || set_round_region(part, outline, moment_axes, patch)) return;
    drop_corners(outline, PolygonRegion::kCapacity);
    PolygonRegion region;
    region.count = outline.size();
    for (int i = 0; i < region.count; ++i) region.corners[static_cast<size_t>(i)] = outline[i];
    patch.region = region;
}

Patch make_patch(const OverlapPart& part, double grown_a, double grown_b, const PatchOptions& options) {
    Patch patch;
    patch.normal = part.normal;
    patch.centre = part.centre - 0.5 * (grown_a - grown_b) * part.normal;
    // `profile` is the greatest depth over the mean depth: 1 for a sheet, 2 for caps and wedges, 3 for a pyramid. It is
    // assumed constant while the skin is removed. At first touch the gap is that of the deepest point.
    const double push = -dot(part.gradient, part.normal);
    const double mean = push > 0 ? part.volume / push : part.depth;
    const double profile = mean > 0 ? clamp(part.depth / mean, 1, 3) : 1;
    const double grown = profile * mean, depth = grown - grown_a - grown_b;
    patch.gap = depth > 0 ? -depth / profile : -depth;

    patch.u = any_tangent(part.normal);
    const Vec3 w = patch.w(), mu = part.second_moment * patch.u, mw = part.second_moment * w;
    const Principal p = principal(dot(patch.u, mu) / part.volume, dot(w, mu) / part.volume, dot(w, mw) / part.volume);
    const Vec2 axes{std::sqrt(p.large), std::sqrt(p.small)};
    if (options.region == PatchOptions::Region::Ellipse) {
        const bool curved = part.curvature != OverlapPart::Curvature::Flat;
        const double k = options.ellipse_constant > 0 ? options.ellipse_constant : curved ? 6 : 3;
        const double shrink = curved && grown > 0 ? std::sqrt(larger(depth, 0) / grown) : 1;
        patch.u = normalized(p.axis.x * patch.u + p.axis.y * w);
        patch.region = EllipseRegion{shrink * std::sqrt(k) * axes.x, shrink * std::sqrt(k) * axes.y};
    } else {
        set_outline(part, grown > 0 ? larger(depth, 0) / grown : 0, axes, patch);
    }
    return patch;
}

}  // namespace

void make_patches(const Overlap& overlap, const PatchOptions& options, PatchList& out) {
    out.count = 0;
    for (int i = 0; i < overlap.part_count; ++i)
        out.items[static_cast<size_t>(out.count++)] =
            make_patch(overlap.parts[static_cast<size_t>(i)], overlap.grown_a, overlap.grown_b, options);
}

bool covers(const Patch& patch, const Vec3& point, const Vec3& normal) {
    if (dot(normal, patch.normal) < kCoverCosine) return false;
    const Vec3 d = point - patch.centre;
    const Vec2 at{dot(d, patch.u), dot(d, patch.w())};
    if (const auto* e = std::get_if<EllipseRegion>(&patch.region))
        return std::hypot(at.x / larger(e->a, 1e-9), at.y / larger(e->b, 1e-9)) <= 1 + kCoverMargin;
    const auto& polygon = std::get<PolygonRegion>(patch.region);
    double size = 0;
    for (int i = 0; i < polygon.count; ++i) size = larger(size, length(polygon.corners[static_cast<size_t>(i)]));
    for (int i = 0; i < polygon.count; ++i) {
        const Vec2 from = polygon.corners[static_cast<size_t>(i)],
                   side = polygon.corners[static_cast<size_t>((i + 1) % polygon.count)] - from;
        if (cross(side, at - from) < -kCoverMargin * size * length(side)) return false;
    }
    return length(at) <= (1 + kCoverMargin) * size;
}

}  // namespace asperity::geometry
