// Convex hulls in a plane; see outline.h.
#include "asperity/geometry/shared_volume/outline.h"

#include <algorithm>

#include "asperity/geometry/common/detail/four.h"

namespace asperity::geometry {
namespace {

// std::hypot takes three times as long, and nothing here can overflow.
double size_of(Vec2 v) { return std::sqrt(dot(v, v)); }

/// Whether the points are already the vertices of a convex outline, counter-clockwise. `count` leaves out repetitions of the
/// first point at the end; `leftmost` is the index of the leftmost point.
struct InOrder {
    bool yes = false;
    size_t count, leftmost = 0;
    explicit InOrder(std::span<const Vec2> points) : count(points.size()) {
        for (size_t i = 1; i < count; ++i)
            if (comes_before(points[i], points[leftmost])) leftmost = i;
        double extent2 = 0;
        for (const Vec2& p : points) extent2 = larger(extent2, dot(p - points[leftmost], p - points[leftmost]));
        const double near2 = kNear * kNear * extent2;
        while (count > 1 && leftmost != count - 1 &&
               dot(points[count - 1] - points[0], points[count - 1] - points[0]) <= near2)
            --count;
        if (count < 3) return;
        // Convex if all turns are left and the outline winds once: exactly one vertex is left of both its neighbours.
        int to_the_left = 0;
        Vec2 a = points[count - 2], b = points[count - 1];
        for (size_t i = 0; i < count; ++i) {
            const Vec2 c = points[i], way = c - a;
            const double left = cross(b - a, way);
            if (!(left > 0 && left * left > near2 * dot(way, way))) return;
            to_the_left += comes_before(b, a) && comes_before(b, c);
            a = b, b = c;
        }
        yes = to_the_left == 1;
    }
    static bool comes_before(Vec2 a, Vec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
    static constexpr double kNear = 1e-9;  // of the extent
};

}  // namespace

// Andrew's monotone chain: the lower side from left to right, then the upper side back.
void convex_outline(std::span<Vec2> points, ConvexOutline& out) {
    out.clear();
    if (points.empty()) return;
    if (const InOrder order(points); order.yes) {  // usual for the outermost points of an overlap
        for (size_t i = 0, k = order.leftmost; i < order.count; ++i, k = k + 1 < order.count ? k + 1 : 0)
            out.push(points[k]);
        return;
    }
    std::sort(points.begin(), points.end(), InOrder::comes_before);
    double extent = 0;
    for (const Vec2& p : points) extent = larger(extent, size_of(p - points[0]));
    const double near = InOrder::kNear * extent;
    const auto turns_left = [&](int base, Vec2 p) {
        while (out.size() >= base + 2) {
            const Vec2 a = out[out.size() - 2], b = out[out.size() - 1];
            if (cross(b - a, p - a) > near * size_of(p - a)) break;
            out.resize_down(out.size() - 1);
        }
        if (out.size() == base + 1 && size_of(p - out[out.size() - 1]) <= near) return;
        out.push(p);
    };
    for (const Vec2& p : points) turns_left(0, p);
    const int lower = out.size();
    for (size_t i = points.size() - 1; i-- > 0;) turns_left(lower - 1, points[i]);
    if (out.size() > 1) out.resize_down(out.size() - 1);  // the first point again
}

void drop_corners(ConvexOutline& outline, int most) {
    const int count = outline.size();
    if (count <= most) return;
    // Area lost with each vertex. Removed vertices and the padding to a multiple of four get a larger value than any loss.
    constexpr int kRoom = 2 * kMostOutlinePoints + 4;
    constexpr double kGone = 1e300;
    double losses[kRoom];
    int before[kRoom], after[kRoom];
    const auto loss = [&](int i) {
        const Vec2 a = outline[before[i]], b = outline[i], c = outline[after[i]];
        return cross(b - a, c - a);
    };
    for (int i = 0; i < count; ++i) {
        before[i] = i > 0 ? i - 1 : count - 1;
        after[i] = i + 1 < count ? i + 1 : 0;
        losses[i] = loss(i);
    }
    for (int i = count; i % 4 != 0; ++i) losses[i] = kGone;
    for (int left = count; left > most; --left) {
        detail::Four least = detail::four(losses);
        for (int i = 4; i < count; i += 4) least = detail::smaller_of(detail::four(losses + i), least);
        const detail::Four lowest = detail::all_four(smaller(smaller(least[0], least[1]), smaller(least[2], least[3])));
        int drop = 0, found = 0;
        while (!(found = detail::bits(detail::four(losses + drop) <= lowest))) drop += 4;
        drop += __builtin_ctz(static_cast<unsigned>(found));
        losses[drop] = kGone;
        const int a = before[drop], b = after[drop];
        after[a] = b;
        before[b] = a;
        losses[a] = loss(a);
        losses[b] = loss(b);
    }
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (losses[i] < kGone) outline[kept++] = outline[i];
    outline.resize_down(kept);
}

Vec2 centroid(const ConvexOutline& outline) {
    if (outline.size() <= 2) return outline.size() == 1 ? outline[0] : 0.5 * (outline[0] + outline[1]);
    Vec2 sum;
    double area = 0;
    for (int i = 1; i + 1 < outline.size(); ++i) {
        const Vec2 a = outline[i] - outline[0], b = outline[i + 1] - outline[0];
        const double part = cross(a, b);
        area += part;
        sum = sum + part / 3 * (a + b);
    }
    return outline[0] + sum / area;
}

}  // namespace asperity::geometry
