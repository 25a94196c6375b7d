// What a convex polygon shares with a disc about (0, 0): a polygon of chords and, between chords and arcs, flat segments of the disc. Moments are summed about a
// point of the region, and those of the segments by series in which nothing cancels, so that slivers keep their digits however flat they are.
#pragma once
#include <cmath>
#include <numbers>

#include "asperity/geometry/detail/four.h"
#include "asperity/math/vec.h"

namespace asperity::geometry::detail {

/// sin x and 1 - cos x for |x| <= pi/6 by their series; what is left out is below 1e-13 of them.
template <class T>
T sine_series(const T& x, const T& q) {
    return x * (1 - q * (1 / 6.0) * (1 - q * (1 / 20.0) * (1 - q * (1 / 42.0) * (1 - q * (1 / 72.0) * (1 - q * (1 / 110.0))))));
}
template <class T>
T versine_series(const T& q) {
    return q * 0.5 * (1 - q * (1 / 12.0) * (1 - q * (1 / 30.0) * (1 - q * (1 / 56.0) * (1 - q * (1 / 90.0) * (1 - q * (1 / 132.0))))));
}
struct SmallAngle {
    double sine, versine;
    explicit SmallAngle(double x) : sine(sine_series(x, x * x)), versine(versine_series(x * x)) {}
    SmallAngle(double s, double v) : sine(s), versine(v) {}
    Vec2 turn(Vec2 v) const { return {v.x - versine * v.x - sine * v.y, v.y + sine * v.x - versine * v.y}; }
};
struct FourSmallAngles {
    Four sine, versine;
    explicit FourSmallAngles(const Four& x) : sine(sine_series(x, Four(x * x))), versine(versine_series(Four(x * x))) {}
    SmallAngle operator[](int lane) const { return {sine[lane], versine[lane]}; }
};

/// int of 1, x, y, xx, xy, yy, xxx, xxy, xyy, yyy.
struct PlaneMoments {
    double area = 0;
    Vec2 first;
    double xx = 0, xy = 0, yy = 0, xxx = 0, xxy = 0, xyy = 0, yyy = 0;

    /// About a point that lies at -d as seen from the present origin; not the third ones.
    PlaneMoments moved(Vec2 d) const {
        PlaneMoments m;
        m.area = area;
        m.first = first + area * d;
        m.xx = xx + d.x * (2 * first.x + area * d.x);
        m.yy = yy + d.y * (2 * first.y + area * d.y);
        m.xy = xy + d.x * first.y + d.y * first.x + area * d.x * d.y;
        return m;
    }
    /// The triangle (0, 0), b, c: int u^i v^j = D i! j!/(i + j + 2)! where a point is u b + v c, D = det(b c)
    void add_triangle(Vec2 b, Vec2 c, bool cubic) {
        const double D = cross(b, c), D6 = D * (1 / 6.0), D12 = D * (1 / 12.0), D24 = D * (1 / 24.0);
        area += 0.5 * D;
        first = first + D6 * (b + c);
        xx += D12 * (b.x * b.x + b.x * c.x + c.x * c.x);
        yy += D12 * (b.y * b.y + b.y * c.y + c.y * c.y);
        xy += D24 * (b.x * (2 * b.y + c.y) + c.x * (b.y + 2 * c.y));
        if (!cubic) return;
        const double D20 = D * (1 / 20.0), D60 = D * (1 / 60.0);
        const auto cube = [](double p, double q) { return (p + q) * (p * p + q * q); };
        const auto mixed = [](double p, double q, double r, double s) { return r * (3 * p * p + 2 * p * q + q * q) + s * (p * p + 2 * p * q + 3 * q * q); };
        xxx += D20 * cube(b.x, c.x);
        yyy += D20 * cube(b.y, c.y);
        xxy += D60 * mixed(b.x, c.x, b.y, c.y);
        xyy += D60 * mixed(b.y, c.y, b.x, c.x);
    }
};

/// Moments of a segment of a disc with the half angle b <= pi/6, by series in b^2 that leave 3e-9; s along the chord from its middle, h above it.
struct DiscSegment {
    double area, h, hh, ss, hhh, hss;
    DiscSegment(double radius, double b, bool cubic) {
        const double q = b * b, R2 = radius * radius, b3 = q * b, b5 = b3 * q, b7 = b5 * q;
        const auto series = [q](double c0, double c1, double c2, double c3, double c4, double c5) { return c0 + q * (c1 + q * (c2 + q * (c3 + q * (c4 + q * c5)))); };
        area = R2 * b3 * series(2.0 / 3, -2.0 / 15, 4.0 / 315, -2.0 / 2835, 4.0 / 155925, -4.0 / 6081075);
        h = R2 * radius * b5 * series(2.0 / 15, -11.0 / 315, 17.0 / 3780, -461.0 / 1247400, 8303.0 / 389188800, -24911.0 / 27243216000);
        hh = R2 * R2 * b7 * series(4.0 / 105, -4.0 / 315, 4.0 / 1925, -64.0 / 289575, 1208.0 / 70945875, -404.0 / 402026625);
        ss = R2 * R2 * b5 * series(2.0 / 15, -4.0 / 63, 2.0 / 135, -68.0 / 31185, 124.0 / 552825, -8.0 / 467775);
        hhh = hss = 0;
        if (!cubic) return;
        const double R5 = R2 * R2 * radius;
        hhh = R5 * b7 * q * series(4.0 / 315, -2.0 / 385, 67.0 / 64350, -7727.0 / 56756700, 18617.0 / 1429428000, -121727.0 / 125707982400);
        hss = R5 * b7 * series(2.0 / 105, -1.0 / 105, 167.0 / 69300, -6493.0 / 16216200, 73067.0 / 1513512000, -688117.0 / 154378224000);
    }
    /// Any half angle, of which sine and cosine are known: closed forms where nothing cancels any more.
    DiscSegment(double radius, double sine, double cosine) : DiscSegment(radius, 0, false) {
        const double b = std::atan2(sine, cosine);
        if (cosine > 0 && sine < 0.5) {
            *this = DiscSegment(radius, b, false);
            return;
        }
        const double R2 = radius * radius, sector = b - sine * cosine, cube = 2.0 / 3 * sine * sine * sine, chord = radius * cosine;
        area = R2 * sector;
        const double first = R2 * radius * cube, second = R2 * R2 / 4 * (sector + 3 * cube * cosine);  // from the centre of the disc
        h = first - chord * area;
        hh = second - chord * (2 * first - chord * area);
        ss = R2 * R2 / 4 * (sector - cube * cosine);
    }
    /// The middle of the chord at m, `up` the unit direction away from it.
    void add_to(PlaneMoments& sum, Vec2 m, Vec2 up, bool cubic) const {
        const Vec2 s{-up.y, up.x};
        sum.area += area;
        sum.first = sum.first + area * m + h * up;
        sum.xx += area * m.x * m.x + 2 * h * m.x * up.x + hh * up.x * up.x + ss * s.x * s.x;
        sum.yy += area * m.y * m.y + 2 * h * m.y * up.y + hh * up.y * up.y + ss * s.y * s.y;
        sum.xy += area * m.x * m.y + h * (m.x * up.y + m.y * up.x) + hh * up.x * up.y + ss * s.x * s.y;
        if (!cubic) return;
        // (m + h up + s across)^3, odd powers of s dropped
        const auto cubed = [&](double m1, double m2, double m3, double u1, double u2, double u3, double s1, double s2, double s3) {
            return area * m1 * m2 * m3 + h * (m1 * m2 * u3 + m1 * u2 * m3 + u1 * m2 * m3) + hh * (m1 * u2 * u3 + u1 * m2 * u3 + u1 * u2 * m3) + hhh * u1 * u2 * u3 +
                   ss * (m1 * s2 * s3 + s1 * m2 * s3 + s1 * s2 * m3) + hss * (u1 * s2 * s3 + s1 * u2 * s3 + s1 * s2 * u3);
        };
        sum.xxx += cubed(m.x, m.x, m.x, up.x, up.x, up.x, s.x, s.x, s.x);
        sum.xxy += cubed(m.x, m.x, m.y, up.x, up.x, up.y, s.x, s.x, s.y);
        sum.xyy += cubed(m.x, m.y, m.y, up.x, up.y, up.y, s.x, s.y, s.y);
        sum.yyy += cubed(m.y, m.y, m.y, up.y, up.y, up.y, s.y, s.y, s.y);
    }
};

/// Its moments about `origin()`, third ones if Cubic. A sink has
///     begin(p)          the origin, before all else
///     corner(p)         corners of the polygon
///     on_circle(p)      points of the outline on the circle: where the polygon enters it, but not where it leaves it, which is where its neighbour enters
///     arc(x, y, dx, dy) four points of the circle and the pieces of it they stand for, counter-clockwise: Gauss points, eight to at most 60 degrees
template <bool Cubic, class Sink>
class DiscRegion {
  public:
    DiscRegion(double radius, Sink& sink) : r_(radius), sink_(sink) {}

    const PlaneMoments& moments() const { return moments_; }
    Vec2 origin() const { return first_; }

    /// Counter-clockwise corners. False where nothing is shared.
    bool share(const Vec2* corners, int count) {
        const double rr = r_ * r_;
        // connected: the last edge ended inside the disc, where this one begins. Corners on the circle itself may count as inside and have no edge that does.
        bool inside = true, connected = false, starts_at_corner = false, doubtful = false;
        Vec2 from, to;
        bool in_from = dot(corners[0], corners[0]) <= rr;
        const bool in_first = in_from;
        for (int i = 0; i < count; ++i) {
            const Vec2 p = corners[i], q = corners[i + 1 < count ? i + 1 : 0], d = q - p;
            const bool in_to = i + 1 < count ? dot(q, q) <= rr : in_first;
            const double area = cross(p, d);
            inside = inside && area >= 0;
            double t0 = 0, t1 = 1;
            bool meets = true;
            if (!in_from || !in_to) {
                const double dd = dot(d, d), root2 = rr * dd - area * area;
                meets = root2 > 0;
                if (meets) {
                    const double middle = -dot(p, d), root = std::sqrt(root2);
                    meets = middle + root > 0 && middle - root < dd;
                    if (!in_from) t0 = larger(0, (middle - root) / dd);
                    if (!in_to) t1 = smaller(1, (middle + root) / dd);
                    meets = meets && t0 < t1;
                }
            }
            if (meets) {
                const Vec2 a = in_from ? p : p + t0 * d, b = in_to ? q : p + t1 * d;
                if (pieces_ == 0) {
                    first_ = a;
                    starts_at_corner = i == 0 && in_from;
                    sink_.begin(a);
                } else if (!connected) {
                    if (in_order(last_, a))
                        arc(last_, a, false);
                    else
                        doubtful = true, from = last_, to = a;
                }
                straight(a, b, in_from);
            }
            connected = meets && in_to;
            in_from = in_to;
        }
        if (pieces_ == 0) {
            if (inside) circle();
            return inside;
        }
        if (!(connected && starts_at_corner)) {
            if (in_order(last_, first_))
                arc(last_, first_, false);
            else
                doubtful = true, from = last_, to = first_;
        }
        // Almost a whole circle, which a corner or side just dips into; else two points are in the wrong order by rounding.
        if (doubtful && inside && straight_ < r_) arc(from, to, true);
        return true;
    }

    /// All of a polygon that is known to lie in the disc.
    void all(const Vec2* corners, int count) {
        first_ = corners[0];
        sink_.begin(first_);
        for (int i = 0; i < count; ++i) sink_.corner(corners[i]);
        for (int i = 1; i + 1 < count; ++i) moments_.add_triangle(corners[i] - first_, corners[i + 1] - first_, Cubic);
    }

  private:
    static constexpr double kOutline = std::numbers::pi / 12;  // between points of the outline
    static constexpr double kShort = 0.3;  // half an angle: four Gauss points leave 5e-8 of its third wave, eight at 30 degrees nothing

    bool in_order(Vec2 a, Vec2 b) const { return cross(a, b) >= 0 || dot(a, b) < 0.9 * r_ * r_; }
    void straight(Vec2 a, Vec2 b, bool at_corner) {
        if (pieces_++ > 0) moments_.add_triangle(a - first_, b - first_, Cubic);
        if (at_corner)
            sink_.corner(a);
        else
            sink_.on_circle(a);
        straight_ += std::fabs(b.x - a.x) + std::fabs(b.y - a.y);
        last_ = b;
    }
    /// Periodic: evenly spaced points are as good as Gauss points, up to eleven waves.
    void circle() {
        constexpr int kAround = 12;
        static const SmallAngle step(kOutline);
        first_ = {};
        moments_.area = std::numbers::pi * r_ * r_;
        moments_.xx = moments_.yy = 0.25 * r_ * r_ * moments_.area;
        sink_.begin(first_);
        Vec2 at{1, 0};
        Four x{}, y{};
        for (int k = 0; k < 2 * kAround; ++k) {
            sink_.on_circle(r_ * at);
            const int lane = k / 2 % 4;
            if (k % 2 == 0) x[lane] = r_ * at.x, y[lane] = r_ * at.y;
            if (k % 8 == 7) sink_.arc(x, y, -2 * kOutline * y, 2 * kOutline * x);
            at = step.turn(at);
        }
    }
    void arc(Vec2 a, Vec2 b, bool long_way) {
        double angle = std::atan2(cross(a, b), dot(a, b));
        if (angle < 0 || long_way) angle += 2 * std::numbers::pi;
        const int parts = 1 + static_cast<int>(angle * (3 / std::numbers::pi * 0.999999));
        const double half = angle / (2 * parts);
        // Eight points; four where the arc is so short that they leave no more.
        static constexpr Four kFour{-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526}, kFourWeights{0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};
        static constexpr Four kInner{-0.5255324099163290, -0.1834346424956498, 0.1834346424956498, 0.5255324099163290}, kInnerWeights{0.3137066458778873, 0.3626837833783620, 0.3626837833783620, 0.3137066458778873};
        static constexpr Four kOuter{-0.9602898564975363, -0.7966664774136267, 0.7966664774136267, 0.9602898564975363}, kOuterWeights{0.1012285362903763, 0.2223810344533745, 0.2223810344533745, 0.1012285362903763};
        const bool is_short = half < kShort;
        const int steps = 1 + static_cast<int>(angle * (0.999999 / kOutline));
        const FourSmallAngles turns(Four{half, angle / steps, 0, 0}), nodes(half * (is_short ? kFour : kInner));
        const SmallAngle edge = turns[0], stride = turns[1];
        const DiscSegment segment(r_, half, Cubic);
        // Points of the outline, between the ends.
        Vec2 along = a;
        for (int k = 1; k < steps; ++k) along = stride.turn(along), sink_.on_circle(along);

        const auto add_points = [&](const FourSmallAngles& at, const Four& weights, Vec2 middle) {
            const Four cosine = r_ * (1 - at.versine), sine = r_ * at.sine, x = cosine * middle.x - sine * middle.y, y = cosine * middle.y + sine * middle.x, share = half * weights;
            sink_.arc(x, y, -share * y, share * x);
        };
        Vec2 middle = edge.turn(a / r_), from = a;
        for (int k = 0; k < parts; ++k) {
            const Vec2 end = edge.turn(middle), to = k + 1 < parts ? r_ * end : b;
            moments_.add_triangle(from - first_, to - first_, Cubic);
            segment.add_to(moments_, 0.5 * (from + to) - first_, middle, Cubic);
            add_points(nodes, is_short ? kFourWeights : kInnerWeights, middle);
            if (!is_short) add_points(FourSmallAngles(half * kOuter), kOuterWeights, middle);
            from = to;
            middle = edge.turn(end);
        }
        last_ = b;
    }

    double r_;
    Sink& sink_;
    PlaneMoments moments_;
    int pieces_ = 0;
    double straight_ = 0;
    Vec2 first_, last_;
};

}  // namespace asperity::geometry::detail
