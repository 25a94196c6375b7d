// See bars.h.
#include "asperity/geometry/shared_volume/detail/bars.h"

#include <array>

namespace asperity::geometry::detail {
namespace {

struct Range {
    double from, to;
};

/// The part of the line p + t d, t in [0, 1], within |x| <= half and |y| <= w.
Range in_rectangle(Vec2 p, Vec2 d, double half, double w) {
    Range r{0, 1};
    const auto clip = [&](double at, double step, double limit) {
        const double end = at + step;
        if (std::fabs(at) <= limit && std::fabs(end) <= limit) return;
        if ((at > limit && end > limit) || (at < -limit && end < -limit)) {
            r.to = -1;
            return;
        }
        const double inverse = 1 / step, t0 = (-limit - at) * inverse, t1 = (limit - at) * inverse;
        r = {larger(r.from, smaller(t0, t1)), smaller(r.to, larger(t0, t1))};
    };
    clip(p.x, d.x, half);
    clip(p.y, d.y, w);
    return r;
}
/// The part of the line in a disc about (0, 0).
Range in_disc(Vec2 p, Vec2 d, double w) {
    const double dd = dot(d, d), area = cross(p, d), root2 = w * w * dd - area * area;
    if (!(root2 > 0)) return {0, -1};
    const double middle = -dot(p, d), root = std::sqrt(root2);
    return {larger(0, (middle - root) / dd), smaller(1, (middle + root) / dd)};
}
/// The part of the line in a bar, in the bar's axes.
Range in_bar(Vec2 p, Vec2 d, const Bar& bar) {
    const Vec2 q = p + d;
    const double reach = bar.half + (bar.round ? bar.w : 0);
    if (smaller(p.y, q.y) > bar.w || larger(p.y, q.y) < -bar.w || smaller(p.x, q.x) > reach || larger(p.x, q.x) < -reach)
        return {0, -1};
    Range all = in_rectangle(p, d, bar.half, bar.w);
    if (!bar.round || (all.from <= 0 && all.to >= 1)) return all;
    for (const double end : {-bar.half, bar.half}) {
        const Range disc = in_disc({p.x - end, p.y}, d, bar.w);
        if (!(disc.from < disc.to)) continue;
        all = all.from < all.to ? Range{smaller(all.from, disc.from), larger(all.to, disc.to)} : disc;
    }
    return all;
}
bool inside(Vec2 p, const Bar& bar) {  // p in the bar's axes
    if (!bar.round) return std::fabs(p.x) <= bar.half && std::fabs(p.y) <= bar.w;
    const double over = larger(std::fabs(p.x) - bar.half, 0);
    return over * over + p.y * p.y <= bar.w * bar.w;
}

/// Sums pieces of an outline by Green's theorem.
class Outline {
  public:
    Outline(BarIntersection& out, Vec2* corners, int room) : out_(out), corners_(corners), room_(room) {}
    int count() const { return count_; }

    /// Adds the segment from a to b, counter-clockwise round the region. `of_b`: it belongs to the second bar; `side`: it is
    /// not a flat end.
    void straight(Vec2 a, Vec2 b, bool of_b, bool side) {
        push(a);
        a = a - out_.origin, b = b - out_.origin;
        out_.area.add_triangle(a, b, false);
        if (!of_b) return;
        const Vec2 d = b - a, n{d.y, -d.x}, middle = 0.5 * (a + b);
        out_.of_b.normal = out_.of_b.normal + n;
        out_.of_b.turning += cross(middle, n);
        if (!side) return;
        const double l = std::sqrt(dot(d, d));
        out_.of_b.length += l;
        out_.of_b.at = out_.of_b.at + l * middle;
    }
    /// Adds the arc about c from c + a to c + b, at most half a circle.
    void arc(Vec2 c, Vec2 a, Vec2 b, double w, bool of_b) {
        const double angle = std::atan2(cross(a, b), dot(a, b));
        if (!(angle > 0)) return;
        const int parts = 1 + static_cast<int>(angle * (3 / std::numbers::pi * 0.999999));
        const double half = angle / (2 * parts);
        const SmallAngle turn(half);
        const DiscSegment segment(w, half, false);
        Vec2 from = a;
        push(c + a);
        const Vec2 centre = c;
        c = c - out_.origin;
        for (int k = 0; k < parts; ++k) {
            const Vec2 middle = turn.turn(from), to = k + 1 < parts ? turn.turn(middle) : b;
            out_.area.add_triangle(c + from, c + to, false);
            segment.add_to(out_.area, c + 0.5 * (from + to), middle / w, false);
            if (half > kOutline) push(centre + middle);
            from = to;
        }
        if (!of_b) return;
        const Vec2 d = b - a, n{d.y, -d.x};
        out_.of_b.normal = out_.of_b.normal + n;
        out_.of_b.turning += cross(c, n);
        out_.of_b.length += w * angle;
        out_.of_b.at = out_.of_b.at + w * angle * c + w * n;
    }

  private:
    // half angle below which an arc's midpoint is not added to the outline's points
    static constexpr double kOutline = 0.15;

    void push(Vec2 p) {
        if (count_ == 0) out_.origin = p;
        if (count_ < room_) corners_[count_++] = p;
    }
    BarIntersection& out_;
    Vec2* corners_;
    int room_, count_ = 0;
};

/// A half-circle about c, on the side of the unit direction `dir`, from its right end to its left. The sine of the angle to
/// `dir` grows from -1 to 1 along it and orders its points.
class HalfCircle {
  public:
    HalfCircle(Vec2 c, Vec2 dir, double w) : c_(c), dir_(dir), w_(w) {}
    /// Adds the crossings with the line dot(n, p) = offset, n unit.
    void cross_line(Vec2 n, double offset) { add_both(n, (offset - dot(n, c_)) / w_); }
    void cross_circle(Vec2 middle, double radius) {
        const Vec2 between = middle - c_;
        const double d2 = dot(between, between), sum = w_ + radius;
        if (!(d2 > 0 && d2 < sum * sum)) return;
        const double inverse = 1 / std::sqrt(d2);
        add_both(inverse * between, 0.5 * (d2 + (w_ - radius) * sum) * inverse / w_);
    }
    /// Adds the pieces of the half-circle that lie in `bar`.
    void add_to(Outline& outline, const Bar& bar, bool of_b) const {
        Vec2 from{dir_.y, -dir_.x};
        for (int i = 0; i <= count_; ++i) {
            const Vec2 to = i < count_ ? crossings_[static_cast<size_t>(i)].at : Vec2{-dir_.y, dir_.x}, sum = from + to;
            const double s2 = dot(sum, sum);
            const Vec2 middle = s2 > 1e-24 ? (w_ / std::sqrt(s2)) * sum : w_ * dir_;
            if (inside(bar.to_local(c_ + middle), bar)) outline.arc(c_, w_ * from, w_ * to, w_, of_b);
            from = to;
        }
    }

  private:
    struct Crossing {
        double sine;
        Vec2 at;  // unit direction from c
    };
    /// Adds the points whose unit directions have the component h along n.
    void add_both(Vec2 n, double h) {
        if (!(h * h < 1)) return;
        const double root = std::sqrt(1 - h * h);
        add({h * n.x - root * n.y, h * n.y + root * n.x});
        add({h * n.x + root * n.y, h * n.y - root * n.x});
    }
    void add(Vec2 at) {
        if (!(dot(at, dir_) > 0)) return;
        const double sine = cross(dir_, at);
        size_t i = static_cast<size_t>(count_++);
        for (; i > 0 && crossings_[i - 1].sine > sine; --i) crossings_[i] = crossings_[i - 1];
        crossings_[i] = {sine, at};
    }
    Vec2 c_, dir_;
    double w_;
    std::array<Crossing, 8> crossings_;
    int count_ = 0;
};

double distance_to_bar_core(Vec2 p, const Bar& bar) {
    const Vec2 q = bar.to_local(p);
    const double x = larger(std::fabs(q.x) - bar.half, 0), y = bar.round ? q.y : larger(std::fabs(q.y) - bar.w, 0);
    return std::sqrt(x * x + y * y);
}

void add_outline(const Bar& bar, const Bar& other, bool of_b, Outline& outline) {
    // Vertices counter-clockwise from the lower left one, here and in the axes of the other bar.
    const Vec2 along = bar.half * bar.dir, across{-bar.w * bar.dir.y, bar.w * bar.dir.x};
    const std::array<Vec2, 4> corners{bar.centre - along - across, bar.centre + along - across, bar.centre + along + across,
                                      bar.centre - along + across};
    std::array<Vec2, 4> local;
    for (size_t i = 0; i < 4; ++i) local[i] = other.to_local(corners[i]);
    const auto straight = [&](size_t from, size_t to, bool side) {
        const Range r = in_bar(local[from], local[to] - local[from], other);
        if (!(r.from < r.to)) return;
        const Vec2 &p = corners[from], &q = corners[to], d = q - p;
        outline.straight(r.from > 0 ? p + r.from * d : p, r.to < 1 ? p + r.to * d : q, of_b, side);
    };
    straight(0, 1, true);
    straight(2, 3, true);
    for (const double side : {1.0, -1.0}) {
        if (!bar.round) {
            side > 0 ? straight(1, 2, false) : straight(3, 0, false);
            continue;
        }
        const Vec2 c = bar.place({side * bar.half, 0}), dir = side * bar.dir;
        if (distance_to_bar_core(c, other) >= bar.w + (other.round ? other.w : 0)) continue;  // out of reach
        HalfCircle half(c, dir, bar.w);
        const Vec2 sideways{-other.dir.y, other.dir.x};
        const double y = dot(sideways, other.centre), x = dot(other.dir, other.centre);
        half.cross_line(sideways, y + other.w);
        half.cross_line(sideways, y - other.w);
        for (const double end : {-other.half, other.half}) {
            if (other.round)
                half.cross_circle(other.place({end, 0}), other.w);
            else
                half.cross_line(other.dir, x + end);
        }
        half.add_to(outline, other, of_b);
    }
}

}  // namespace

double gap(const Bar& a, const Bar& b) {
    const double radii = (a.round ? a.w : 0) + (b.round ? b.w : 0);
    const Vec2 between = b.centre - a.centre;
    // Separation along the normals of both bars: exact unless two vertices are nearest.
    double apart = -1e300;
    const auto along = [&](Vec2 e) {
        const auto reach = [&](const Bar& bar) {
            return bar.half * std::fabs(dot(bar.dir, e)) + (bar.round ? 0 : bar.w * std::fabs(cross(bar.dir, e)));
        };
        apart = larger(apart, std::fabs(dot(between, e)) - reach(a) - reach(b));
    };
    for (const Bar* bar : {&a, &b}) {
        along(bar->dir);
        along({-bar->dir.y, bar->dir.x});
    }
    if (apart <= 0 || (!a.round && !b.round)) return apart - radii;
    // Vertex to vertex: the core ends of each round bar (the vertices of a flat one) against the outline of the other.
    double nearest = 1e300;
    const auto corners = [&](const Bar& of, const Bar& to) {
        for (const double x : {-of.half, of.half}) {
            const Vec2 end = of.place({x, 0}), up = of.direction({0, of.round ? 0 : of.w});
            nearest = smaller(nearest, distance_to_bar_core(end + up, to));
            if (!of.round) nearest = smaller(nearest, distance_to_bar_core(end - up, to));
        }
    };
    corners(a, b);
    corners(b, a);
    return larger(apart, nearest) - radii;
}

bool round_end_near(const Bar& bar, const Bar& other) {
    if (!bar.round) return false;
    for (const double side : {1.0, -1.0})
        if (distance_to_bar_core(bar.place({side * bar.half, 0}), other) < bar.w + (other.round ? other.w : 0)) return true;
    return false;
}

int intersect_bars(const Bar& a, const Bar& b, BarIntersection& out, Vec2* corners, int room) {
    Outline outline(out, corners, room);
    add_outline(a, b, false, outline);
    add_outline(b, a, true, outline);
    return outline.count();
}

}  // namespace asperity::geometry::detail
