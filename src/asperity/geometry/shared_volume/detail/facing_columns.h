// The prism between two triangles that face each other, seen along a direction u, where S of one body lies above T of the
// other.
#pragma once
#include "asperity/geometry/shared_volume/detail/moments.h"

namespace asperity::geometry::detail {

/// Axes across and along u.
struct ColumnAxes {
    Vec3 e, f, u;
    explicit ColumnAxes(const Vec3& direction) : e(any_tangent(direction)), f(cross(direction, e)), u(direction) {}
    Vec3 place(double x, double y, double z) const { return x * e + y * f + z * u; }
};

/// The overlap of the shadows of two triangles, a convex polygon. Each vertex stores T's height and the distance of S above
/// it.
struct ColumnCorner {
    double x, y, low, above;
};
class ColumnPolygon {
  public:
    /// Each of three sides, and each of the two height limits, adds at most one vertex.
    static constexpr int kRoom = 8;

    /// Returns false if the triangles share nothing with S between `least` and `most` above T. Both triangles are
    /// counter-clockwise seen from outside; T faces along -u and S along u.
    bool make(const Vec3 t[3], const Vec3 s[3], const ColumnAxes& axes, double raised, double least, double most) {
        double x[3], y[3], z[3];
        for (int i = 0; i < 3; ++i) x[i] = dot(axes.e, s[i]), y[i] = dot(axes.f, s[i]), z[i] = dot(axes.u, s[i]) + raised;
        const double x1 = x[1] - x[0], y1 = y[1] - y[0], x2 = x[2] - x[0], y2 = y[2] - y[0], twice = x1 * y2 - x2 * y1;
        if (!(twice > 0)) return false;  // S is seen edge-on
        // height of S: z0 + gx (x - x0) + gy (y - y0)
        const double gx = ((z[1] - z[0]) * y2 - (z[2] - z[0]) * y1) / twice,
                     gy = ((z[2] - z[0]) * x1 - (z[1] - z[0]) * x2) / twice;
        count_ = 3;
        double highest = -1e300, lowest = 1e300;
        for (int i = 0; i < 3; ++i) {
            ColumnCorner& c = corners_[i];
            c = {dot(axes.e, t[i]), dot(axes.f, t[i]), dot(axes.u, t[i]), 0};
            c.above = z[0] + gx * (c.x - x[0]) + gy * (c.y - y[0]) - c.low;
            highest = larger(highest, c.above);
            lowest = smaller(lowest, c.above);
        }
        if (highest < least || lowest > most) return false;
        for (int i = 0; i < 3; ++i) {
            const int k = i < 2 ? i + 1 : 0;
            const double dx = x[k] - x[i], dy = y[k] - y[i];
            if (!keep([&](const ColumnCorner& c) { return dx * (c.y - y[i]) - dy * (c.x - x[i]); })) return false;
        }
        if (lowest < least && !keep([&](const ColumnCorner& c) { return c.above - least; })) return false;
        return highest <= most || keep([&](const ColumnCorner& c) { return most - c.above; });
    }
    int size() const { return count_; }
    const ColumnCorner& operator[](int i) const { return corners_[i]; }
    /// Area of the polygon as seen along u.
    double area() const {
        double twice = 0;
        for (int i = 2; i < count_; ++i)
            twice += (corners_[i].x - corners_[0].x) * (corners_[i - 1].y - corners_[0].y) -
                     (corners_[i - 1].x - corners_[0].x) * (corners_[i].y - corners_[0].y);
        return 0.5 * twice;  // T is clockwise seen from above
    }

  private:
    /// Keeps the part with value >= 0. Returns false if no area is left.
    template <class Value>
    bool keep(const Value& value) {
        double v[kRoom];
        bool positive = false, negative = false;
        for (int i = 0; i < count_; ++i) {
            v[i] = value(corners_[i]);
            positive |= v[i] > 0;
            negative |= v[i] < 0;
        }
        if (!positive) return false;
        if (!negative) return true;
        ColumnCorner kept[kRoom];
        int n = 0;
        for (int i = 0; i < count_; ++i) {
            const int next = i + 1 < count_ ? i + 1 : 0;
            if (v[i] >= 0 && n < kRoom) kept[n++] = corners_[i];
            if (((v[i] > 0 && v[next] < 0) || (v[i] < 0 && v[next] > 0)) && n < kRoom) {
                const double s = v[i] / (v[i] - v[next]);
                const ColumnCorner &p = corners_[i], &q = corners_[next];
                kept[n++] = {p.x + s * (q.x - p.x), p.y + s * (q.y - p.y), p.low + s * (q.low - p.low),
                             p.above + s * (q.above - p.above)};
            }
        }
        count_ = n;
        for (int i = 0; i < n; ++i) corners_[i] = kept[i];
        return n >= 3;
    }

    int count_ = 0;
    ColumnCorner corners_[kRoom];
};

}  // namespace asperity::geometry::detail
