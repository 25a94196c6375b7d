// Convex polygons: nearest point, support, gauge, area. Each is one loop over the vertices.
#include "asperity/friction/polygon.h"

#include <algorithm>
#include <limits>

namespace asperity::friction {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// a + b = sum + error exactly (Knuth's TwoSum).
double two_sum(double a, double b, double& error) {
    const double sum = a + b;
    const double part = sum - a;
    error = (a - (sum - part)) + (b - part);
    return sum;
}

/// p.(end - start) as if computed in twice the precision (Ogita, Rump, Oishi 2005, "Accurate sum and dot product"). For a
/// distant point that projects into an edge this nearly vanishes; the plain product would have an error of |p| epsilon.
double dot_with_edge(Vec2 p, Vec2 start, Vec2 end) {
    double ex_low, ey_low, sum_low;
    const double ex = two_sum(end.x, -start.x, ex_low), ey = two_sum(end.y, -start.y, ey_low);
    const double x = p.x * ex, y = p.y * ey;
    const double x_low = std::fma(p.x, ex, -x), y_low = std::fma(p.y, ey, -y);
    const double sum = two_sum(x, y, sum_low);
    return sum + (sum_low + x_low + y_low + p.x * ex_low + p.y * ey_low);
}

Vec2 corner(std::span<const Vec2> corners, size_t i) { return corners[i < corners.size() ? i : i - corners.size()]; }

double largest_dot(std::span<const Vec2> corners, Vec2 d, size_t& best) {
    double largest = -kInfinity;
    for (size_t i = 0; i < corners.size(); ++i) {
        const double value = dot(corners[i], d);
        if (value > largest) largest = value, best = i;
    }
    return largest;
}

/// The position of p relative to an edge: distance along the edge from both ends, and height above the edge towards the
/// inside. All are multiplied by the length of the unscaled edge.
struct EdgeView {
    bool exists = false;
    double at_start = 0, at_end = 0, height = 0;
};
EdgeView view(Vec2 start, Vec2 end, double scale, Vec2 p) {
    const Vec2 e = end - start;
    if (e.x == 0 && e.y == 0) return {};
    const double along = dot_with_edge(p, start, end);
    return {true, along - scale * dot(start, e), along - scale * dot(end, e), cross(e, p - scale * start)};
}

}  // namespace

// Along the boundary the distance to p decreases while (p - x).edge > 0. So it is smallest where that sign changes from plus
// to minus: inside an edge or at a vertex. If p is outside there, convexity makes this the nearest point. A comparison of
// squared distances would have an error of |p| sqrt(epsilon), because a distance hardly changes near its minimum.
Vec2 project_polygon(std::span<const Vec2> corners, double scale, Vec2 p) {
    const size_t count = corners.size();
    if (count == 0 || scale <= 0) return {};

    EdgeView before;  // the previous edge of non-zero length
    for (size_t i = count; i-- > 0 && !before.exists;) before = view(corners[i], corner(corners, i + 1), scale, p);
    bool found = false;
    for (size_t i = 0; i < count; ++i) {
        const Vec2 start = corners[i], end = corner(corners, i + 1);
        const EdgeView edge = view(start, end, scale, p);
        if (!edge.exists) continue;
        if (before.at_end >= 0 && edge.at_start <= 0) {
            // p counts as inside here only if it is within 45 degrees of both inner normals, which happens at a nearly
            // straight vertex. The signs of the heights alone would be rounding noise beyond the tip of a thin polygon.
            found = true;
            const bool inside = before.height > std::fabs(before.at_end) && edge.height > std::fabs(edge.at_start);
            if (!inside) return scale * start;
        }
        if (edge.at_start > 0 && edge.at_end < 0) {
            found = true;
            // measured from the closer end, so that a long edge keeps its precision for points near either vertex
            const bool first_half = edge.at_start < -edge.at_end;
            const Vec2 e = end - start;
            const double s = (first_half ? edge.at_start : edge.at_end) / dot(e, e);
            if (edge.height < 0) return scale * (first_half ? start : end) + s * e;
        }
        before = edge;
    }
    if (found) return p;
    // A single vertex, a NaN, or a p so distant that rounding hides the sign change: the vertex furthest towards p.
    size_t best = 0;
    largest_dot(corners, p, best);
    return std::isnan(p.x) || std::isnan(p.y) ? p : scale * corners[best];
}

Vec2 support_point_polygon(std::span<const Vec2> corners, Vec2 d) {
    if (corners.empty() || (d.x == 0 && d.y == 0)) return {};
    size_t best = 0;
    return largest_dot(corners, d, best) > 0 ? corners[best] : Vec2{};  // the set contains the origin
}

// K = { f : N.f <= h for all edges }, N = (e.y, -e.x) the outward normal, h = cross(start, end) >= 0 twice the area of the
// triangle with the origin. The gauge is the largest N.f/h. An edge through the origin (h = 0) only excludes directions.
PolygonGauge gauge_polygon(std::span<const Vec2> corners, Vec2 f) {
    constexpr PolygonGauge unreachable{kInfinity, {}};
    if (f.x == 0 && f.y == 0) return {0, {}};
    PolygonGauge gauge{0, {}};
    bool flat = true;  // all vertices on one line through the origin
    for (size_t i = 0; i < corners.size(); ++i) {
        const Vec2 start = corners[i], end = corner(corners, i + 1), e = end - start;
        const double h = cross(start, end), N_f = cross(f, e);
        if (h > 4 * kEpsilon * length(start) * length(end)) {
            flat = false;
            if (N_f > gauge.value * h) gauge = {N_f / h, Vec2{e.y, -e.x} / h};
        } else if (N_f > 8 * kEpsilon * length(f) * length(e)) {
            return unreachable;
        }
    }
    if (!flat) return gauge;
    size_t best = 0;
    const double reach = largest_dot(corners, f, best);  // f is parallel to the line, or there is none
    if (!(reach > 0)) return unreachable;
    return {dot(f, f) / reach, f / reach};
}

double area_polygon(std::span<const Vec2> corners) {
    double twice = 0;
    for (size_t i = 0; i < corners.size(); ++i) twice += cross(corners[i], corner(corners, i + 1));
    return 0.5 * twice;
}

}  // namespace asperity::friction
