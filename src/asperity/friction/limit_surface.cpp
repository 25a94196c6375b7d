// The operations on limit sets, by type of set. Circles are tested first because they are the most frequent.
#include "asperity/friction/limit_surface.h"

#include <algorithm>
#include <limits>
#include <numbers>

#include "asperity/friction/ellipsoid.h"
#include "asperity/friction/polygon.h"

namespace asperity::friction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec3 axes(const Ellipse& e) { return {e.t, e.b, 0}; }
Vec3 axes(const Ellipsoid& e) { return {e.t, e.b, e.drill}; }
// Removes z, which planar sets ignore and which may be infinite.
Vec3 planar(const Vec3& f) { return {f.x, f.y, 0}; }
Vec2 section(const Vec3& f) { return {f.x, f.y}; }

/// The gauge of x in the interval [-minus, plus].
double interval_gauge(double x, double minus, double plus) {
    if (x == 0) return 0;
    const double side = x > 0 ? plus : minus;
    return side > 0 ? std::fabs(x) / side : kInfinity;
}
double interval_end(double d, double minus, double plus) { return d > 0 ? plus : d < 0 ? -minus : 0; }

/// The largest distance of a point of K from the origin.
double radius(const LimitSet& set) {
    if (const auto* e = std::get_if<Ellipse>(&set)) return std::max(e->t, e->b);
    if (const auto* e = std::get_if<Ellipsoid>(&set)) return max_component(axes(*e));
    if (const auto* r = std::get_if<Rectangle>(&set))
        return std::hypot(std::max(r->t_minus, r->t_plus), std::max(r->b_minus, r->b_plus));
    const Polygon& polygon = *std::get_if<Polygon>(&set);
    double largest = 0;
    for (const Vec2& c : polygon.corners) largest = std::max(largest, length(c));
    return polygon.scale * largest;
}

}  // namespace

int dimension(const LimitSet& set) { return std::holds_alternative<Ellipsoid>(set) ? 3 : 2; }

Vec3 project_any(const LimitSet& set, const Vec3& p, double n) {
    if (n <= 0) return {};
    if (const auto* e = std::get_if<Ellipse>(&set))
        return e->t == e->b ? project_disc(n * e->t, p) : project_ellipsoid(n * axes(*e), planar(p));
    if (const auto* e = std::get_if<Ellipsoid>(&set)) return project_ellipsoid(n * axes(*e), p);
    if (const auto* r = std::get_if<Rectangle>(&set))
        return {clamp(p.x, -n * r->t_minus, n * r->t_plus), clamp(p.y, -n * r->b_minus, n * r->b_plus), 0};
    const Polygon& polygon = *std::get_if<Polygon>(&set);
    const Vec2 q = project_polygon(polygon.corners, n * polygon.scale, section(p));
    return {q.x, q.y, 0};
}

Vec3 support_point(const LimitSet& set, const Vec3& d) {
    if (const auto* e = std::get_if<Ellipse>(&set)) return support_point_ellipsoid(axes(*e), planar(d));
    if (const auto* e = std::get_if<Ellipsoid>(&set)) return support_point_ellipsoid(axes(*e), d);
    if (const auto* r = std::get_if<Rectangle>(&set))
        return {interval_end(d.x, r->t_minus, r->t_plus), interval_end(d.y, r->b_minus, r->b_plus), 0};
    const Polygon& polygon = *std::get_if<Polygon>(&set);
    const Vec2 q = polygon.scale * support_point_polygon(polygon.corners, section(d));
    return {q.x, q.y, 0};
}

double support(const LimitSet& set, const Vec3& d) {
    if (const auto* e = std::get_if<Ellipse>(&set)) return support_ellipsoid(axes(*e), planar(d));
    if (const auto* e = std::get_if<Ellipsoid>(&set)) return support_ellipsoid(axes(*e), d);
    return dot(support_point(set, d), planar(d));
}

double gauge(const LimitSet& set, const Vec3& f) {
    if (const auto* e = std::get_if<Ellipse>(&set)) return gauge_ellipsoid(axes(*e), planar(f));
    if (const auto* e = std::get_if<Ellipsoid>(&set)) return gauge_ellipsoid(axes(*e), f);
    if (const auto* r = std::get_if<Rectangle>(&set))
        return std::max(interval_gauge(f.x, r->t_minus, r->t_plus), interval_gauge(f.y, r->b_minus, r->b_plus));
    const Polygon& polygon = *std::get_if<Polygon>(&set);
    if (!(polygon.scale > 0)) return f.x == 0 && f.y == 0 ? 0 : kInfinity;
    return gauge_polygon(polygon.corners, section(f)).value / polygon.scale;
}

GaugeDerivatives gauge_derivatives(const LimitSet& set, const Vec3& f) {
    if (const auto* e = std::get_if<Ellipse>(&set)) {
        ASPERITY_ASSERT(e->t > 0 && e->b > 0 && (f.x != 0 || f.y != 0));
        return gauge_derivatives_ellipsoid(axes(*e), planar(f));
    }
    if (const auto* e = std::get_if<Ellipsoid>(&set)) {
        ASPERITY_ASSERT(e->t > 0 && e->b > 0 && e->drill > 0 && f != Vec3{});
        return gauge_derivatives_ellipsoid(axes(*e), f);
    }
    if (const auto* r = std::get_if<Rectangle>(&set)) {
        const double x = interval_gauge(f.x, r->t_minus, r->t_plus), y = interval_gauge(f.y, r->b_minus, r->b_plus);
        ASPERITY_ASSERT(std::max(x, y) > 0 && std::max(x, y) < kInfinity);
        return x >= y ? GaugeDerivatives{x, {x / f.x, 0, 0}, {}} : GaugeDerivatives{y, {0, y / f.y, 0}, {}};
    }
    const Polygon& polygon = *std::get_if<Polygon>(&set);
    ASPERITY_ASSERT(polygon.scale > 0);
    const PolygonGauge g = gauge_polygon(polygon.corners, section(f));
    return {g.value / polygon.scale, {g.gradient.x / polygon.scale, g.gradient.y / polygon.scale, 0}, {}};
}

bool contains(const LimitSet& set, const Vec3& f, double n, double relative_tolerance) {
    const Vec3 used = dimension(set) == 3 ? f : planar(f);
    const Vec3 gap = used - project(set, used, n);
    return std::hypot(std::hypot(gap.x, gap.y), gap.z) <= relative_tolerance * std::max(n, 0.0) * radius(set);
}

double area(const LimitSet& set) {
    if (const auto* e = std::get_if<Ellipse>(&set)) return std::numbers::pi * e->t * e->b;
    if (const auto* e = std::get_if<Ellipsoid>(&set)) return std::numbers::pi * e->t * e->b;
    if (const auto* r = std::get_if<Rectangle>(&set)) return (r->t_minus + r->t_plus) * (r->b_minus + r->b_plus);
    const Polygon& polygon = *std::get_if<Polygon>(&set);
    return polygon.scale * polygon.scale * area_polygon(polygon.corners);
}

LimitSet scaled(const LimitSet& set, double s) {
    if (const auto* e = std::get_if<Ellipse>(&set)) return Ellipse{s * e->t, s * e->b};
    if (const auto* e = std::get_if<Ellipsoid>(&set)) return Ellipsoid{s * e->t, s * e->b, s * e->drill};
    if (const auto* r = std::get_if<Rectangle>(&set))
        return Rectangle{s * r->t_minus, s * r->t_plus, s * r->b_minus, s * r->b_plus};
    const Polygon& polygon = *std::get_if<Polygon>(&set);
    return Polygon{polygon.corners, s * polygon.scale};
}

int facets(const LimitSet& set, int count, Fit fit, std::span<Vec2> out) {
    const auto room = [&](size_t wanted) {
        ASPERITY_ASSERT(out.size() >= wanted);
        return std::min(wanted, out.size());
    };
    if (const auto* polygon = std::get_if<Polygon>(&set)) {
        const size_t written = room(polygon->corners.size());
        for (size_t i = 0; i < written; ++i) out[i] = polygon->scale * polygon->corners[i];
        return static_cast<int>(written);
    }
    if (const auto* r = std::get_if<Rectangle>(&set)) {
        const Vec2 corners[4] = {
            {-r->t_minus, -r->b_minus}, {r->t_plus, -r->b_minus}, {r->t_plus, r->b_plus}, {-r->t_minus, r->b_plus}};
        const size_t written = room(4);
        std::copy_n(corners, written, out.begin());
        return static_cast<int>(written);
    }
    ASPERITY_ASSERT(count >= 3);
    const auto* ellipse = std::get_if<Ellipse>(&set);
    const Vec3 a = ellipse ? axes(*ellipse) : axes(*std::get_if<Ellipsoid>(&set));
    const size_t written = room(static_cast<size_t>(count));
    const double step = 2 * std::numbers::pi / static_cast<double>(written);
    // Tangent sides touch at the angles of the inscribed vertices; they intersect half a step further, and further out.
    const bool outside = fit == Fit::Circumscribed;
    const double stretch = outside ? 1 / std::cos(0.5 * step) : 1;
    for (size_t j = 0; j < written; ++j) {
        const double angle = step * (static_cast<double>(j) + (outside ? 0.5 : 0));
        out[j] = {stretch * a.x * std::cos(angle), stretch * a.y * std::sin(angle)};
    }
    return static_cast<int>(written);
}

}  // namespace asperity::friction
