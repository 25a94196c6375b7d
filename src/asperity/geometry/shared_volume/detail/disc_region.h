// The region shared by a convex polygon and a disc about (0, 0): a polygon of chords, and disc segments between chords and
// arcs. Moments are summed about a point of the region. Those of the segments use series without cancellation, so that
// slivers keep their digits however flat they are.
#pragma once
#include "asperity/geometry/shared_volume/detail/plane_moments.h"

namespace asperity::geometry::detail {

/// Moments about `origin()`, up to degree three if Cubic. A sink has
///     begin(p)          the origin; called first
///     corner(p)         a vertex of the polygon
///     on_circle(p)      a point of the outline on the circle: where the polygon enters it (where it leaves,
///                       the adjacent polygon enters and adds the point)
///     arc(x, y, dx, dy) four points of the circle and the steps that they represent, counter-clockwise: eight Gauss points
///                       for at most 60 degrees
template <bool Cubic, class Sink>
class DiscRegion {
  public:
    DiscRegion(double radius, Sink& sink) : r_(radius), sink_(sink) {}

    const PlaneMoments& moments() const { return moments_; }
    Vec2 origin() const { return first_; }

    /// Takes counter-clockwise vertices. Returns false if nothing is shared.
    bool share(const Vec2* corners, int count) {
        const double rr = r_ * r_;
        // connected: the last edge ended inside the disc, where this edge begins. Vertices on the circle itself may count as
        // inside although neither of their edges does.
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
        // Either almost a whole circle, into which a vertex or side just dips, or two points in the wrong order by rounding.
        if (doubtful && inside && straight_ < r_) arc(from, to, true);
        return true;
    }

    /// Takes the whole polygon, known to lie in the disc.
    void all(const Vec2* corners, int count) {
        first_ = corners[0];
        sink_.begin(first_);
        for (int i = 0; i < count; ++i) sink_.corner(corners[i]);
        for (int i = 1; i + 1 < count; ++i) moments_.add_triangle(corners[i] - first_, corners[i + 1] - first_, Cubic);
    }

  private:
    static constexpr double kOutline = std::numbers::pi / 12;  // angle between points of the outline
    // Half angle below which four Gauss points suffice: their error is 5e-8 of the third harmonic. Eight at 30 degrees have
    // none.
    static constexpr double kShort = 0.3;

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
    /// Periodic integrand: evenly spaced points are as good as Gauss points, up to eleven harmonics.
    void circle() {
        constexpr int kAround = 12;
        static const SmallAngle step(kOutline);
        first_ = {};
        moments_.set_disc(r_);
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
        // Eight points; four if the arc is short enough for them.
        const bool is_short = half < kShort;
        const int steps = 1 + static_cast<int>(angle * (0.999999 / kOutline));
        const FourSmallAngles turns(Four{half, angle / steps, 0, 0}), nodes(half * (is_short ? kFourNodes : kInnerNodes));
        const SmallAngle edge = turns[0], stride = turns[1];
        const DiscSegment segment(r_, half, Cubic);
        // Points of the outline between the ends.
        Vec2 along = a;
        for (int k = 1; k < steps; ++k) along = stride.turn(along), sink_.on_circle(along);

        const auto add_points = [&](const FourSmallAngles& at, const Four& weights, Vec2 middle) {
            const Four cosine = r_ * (1 - at.versine), sine = r_ * at.sine, x = cosine * middle.x - sine * middle.y,
                       y = cosine * middle.y + sine * middle.x, share = half * weights;
            sink_.arc(x, y, -share * y, share * x);
        };
        Vec2 middle = edge.turn(a / r_), from = a;
        for (int k = 0; k < parts; ++k) {
            const Vec2 end = edge.turn(middle), to = k + 1 < parts ? r_ * end : b;
            moments_.add_triangle(from - first_, to - first_, Cubic);
            segment.add_to(moments_, 0.5 * (from + to) - first_, middle, Cubic);
            add_points(nodes, is_short ? kFourWeights : kInnerWeights, middle);
            if (!is_short) add_points(FourSmallAngles(half * kOuterNodes), kOuterWeights, middle);
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
