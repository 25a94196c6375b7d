// Convex outlines; see outline.h.
#include "asperity/geometry/outline.h"

#include <algorithm>

namespace asperity::geometry {
namespace {

double size_of(Vec2 v) { return std::sqrt(dot(v, v)); }  // std::hypot takes three times as long, and there is nothing here that would overflow

}  // namespace

// Andrew's monotone chain: the lower side from left to right, then the upper side back.
void convex_outline(std::span<Vec2> points, ConvexOutline& out) {
    out.clear();
    if (points.empty()) return;
    std::sort(points.begin(), points.end(), [](Vec2 a, Vec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    double extent = 0;
    for (const Vec2& p : points) extent = larger(extent, size_of(p - points[0]));
    const double near = 1e-9 * extent;
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
    if (outline.size() <= most) return;
    FixedBuffer<double, 2 * kMostOutlinePoints + 2> losses;  // of area, without the corner
    const auto loss = [&](int i) {
        const Vec2 a = outline[i > 0 ? i - 1 : outline.size() - 1], b = outline[i], c = outline[i + 1 < outline.size() ? i + 1 : 0];
        return cross(b - a, c - a);
    };
    for (int i = 0; i < outline.size(); ++i) losses.push(loss(i));
    while (outline.size() > most) {
        int least = 0;
        for (int i = 1; i < outline.size(); ++i)
            if (losses[i] < losses[least]) least = i;
        for (int i = least; i + 1 < outline.size(); ++i) outline[i] = outline[i + 1], losses[i] = losses[i + 1];
        outline.resize_down(outline.size() - 1);
        const int after = least < outline.size() ? least : 0, before = least > 0 ? least - 1 : outline.size() - 1;
        losses[after] = loss(after);
        losses[before] = loss(before);
    }
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
