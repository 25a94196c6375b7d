// Two cylinders or capsules in slices parallel to both axes. In each slice a body is a bar of constant length with the half
// width
//     w = sqrt(r^2 - h^2),   h the height of the slice over the body's axis
// The area that two bars share, and its moments, have closed forms; Gauss points sum them across the slices. With the height
// as sin^2 of the variable, the area is smooth where it vanishes. The slices are divided where a vertex of one bar passes
// the outline of the other. For nearly parallel bars they are also divided where both bars are equally wide, where the
// narrower one changes. Two cylinders, whose bars have no round ends, are handled by flat_slices.cpp.
#include <algorithm>
#include <array>

#include "asperity/geometry/common/detail/root_between.h"
#include "asperity/geometry/shared_volume/detail/flat_slices.h"

namespace asperity::geometry::detail {
namespace {

// Scale of the first body: breaks ties between coincident surfaces consistently.
constexpr double kShrink = 1 - 1e-13;

/// Both bodies in axes whose z counts the slices.
struct Slices {
    Revolved a, b;
    Bar bar_a, bar_b;
    double z_a, z_b;  // of the axes
    double low = 0, high = 0;
    // heights where the later body begins and where the earlier one ends; the shared slices lie between them
    double lower_pole = 0, upper_pole = 0;
    double core_gap = 0;  // gap of the centre lines, if both have round ends

    void set(double z) {
        bar_a.w = half_width(a.radius, z - z_a);
        bar_b.w = half_width(b.radius, z - z_b);
    }
    double gap_at(double z) {
        set(z);
        return a.balls && b.balls ? core_gap - bar_a.w - bar_b.w : gap(bar_a, bar_b);
    }
    /// Finds where overlap ends, between a height `in` with overlap and a height `out` without. The result is accurate to
    /// 1e-3 of its distance from `in`; the error of the volume is a power of that. A relative tolerance is needed, because
    /// the shared slices may be far thinner than the search range.
    double border(double in, double out) {
        const double start = in;
        double f_in = gap_at(in), f_out = gap_at(out);
        int side = 0;
        // The Illinois rule, as in root_between(), with iterates kept off the ends so that both ends converge.
        for (int go = 0; go < 40 && std::fabs(out - in) > 1e-3 * std::fabs(out - start); ++go) {
            const double share = clamp(f_in / (f_in - f_out), kOffEnds, 1 - kOffEnds), z = in + share * (out - in),
                         f = gap_at(z);
            if (f < 0) {
                if (side < 0) f_out *= 0.5;
                in = z, f_in = f, side = -1;
            } else {
                if (side > 0) f_in *= 0.5;
                out = z, f_out = f, side = 1;
            }
        }
        return out;
    }
    static constexpr double kOffEnds = 0.02;
    /// Finds the range of slices in which the bars overlap. The gap is a convex function of the height.
    bool find_range() {
        core_gap = gap(bar_a, bar_b);  // the bars have no width yet
        low = larger(z_a - a.radius, z_b - b.radius);
        high = smaller(z_a + a.radius, z_b + b.radius);
        if (!(low < high)) return false;
        lower_pole = low, upper_pole = high;
        constexpr double kGolden = 0.6180339887498949;
        double from = low, to = high, x0 = to - kGolden * (to - from), x1 = from + kGolden * (to - from), g0 = gap_at(x0),
               g1 = gap_at(x1);
        for (int go = 0; g0 >= 0 && g1 >= 0; ++go) {
            if (go == 60) return false;
            if (g0 < g1) {
                to = x1, x1 = x0, g1 = g0;
                x0 = to - kGolden * (to - from), g0 = gap_at(x0);
            } else {
                from = x0, x0 = x1, g0 = g1;
                x1 = from + kGolden * (to - from), g1 = gap_at(x1);
            }
        }
        const double in = g0 < g1 ? x0 : x1;
        if (gap_at(low) > 0) low = border(in, from);
        if (gap_at(high) > 0) high = border(in, to);
        return low < high;
    }
    /// Finds where vertices of a bar with flat ends cross the outline of the other bar, whose ends are round. Crossings show
    /// as sign changes between eleven heights.
    template <class F>
    void for_corner_crossings(bool of_a, const F& found) {
        const Bar &bar = of_a ? bar_a : bar_b, &other = of_a ? bar_b : bar_a;
        if (bar.round) return;
        const double r_bar = of_a ? a.radius : b.radius, r_other = of_a ? b.radius : a.radius, z_bar = of_a ? z_a : z_b,
                     z_other = of_a ? z_b : z_a;
        std::array<double, kLooks + 1> heights, widths, other_widths;
        for (size_t k = 0; k <= kLooks; ++k) {
            heights[k] = low + (high - low) * looks()[k];
            widths[k] = half_width(r_bar, heights[k] - z_bar);
            other_widths[k] = half_width(r_other, heights[k] - z_other);
        }
        const Vec2 across{cross(bar.dir, other.dir), dot(bar.dir, other.dir)};  // of the bar, in the axes of the other
        for (const double x : {-bar.half, bar.half}) {
            const Vec2 end = other.to_local(bar.place({x, 0}));
            for (const double y : {-1.0, 1.0}) {
                const auto outside = [&](double w, double w_other) {
                    const Vec2 p = end + y * w * across;
                    const double over = std::fabs(p.x) - other.half;
                    return over > 0 ? std::sqrt(over * over + p.y * p.y) - w_other : std::fabs(p.y) - w_other;
                };
                double before = outside(widths[0], other_widths[0]);
                for (size_t k = 1; k <= kLooks; ++k) {
                    const double now = outside(widths[k], other_widths[k]);
                    if ((before > 0) != (now > 0)) {
                        const auto at = [&](double z) {
                            return outside(half_width(r_bar, z - z_bar), half_width(r_other, z - z_other));
                        };
                        found(root_between(at, heights[k - 1], heights[k], before, now, 1e-9 * (high - low)));
                    }
                    before = now;
                }
            }
        }
    }
    static constexpr size_t kLooks = 10;
    static const std::array<double, kLooks + 1>& looks() {
        static const std::array<double, kLooks + 1> places = [] {
            std::array<double, kLooks + 1> p;
            for (size_t k = 0; k <= kLooks; ++k)
                p[k] = 0.5 - 0.5 * std::cos(std::numbers::pi * static_cast<double>(k) / kLooks);
            return p;
        }();
        return places;
    }
    /// Finds the extreme heights of the circle in which a round end crosses the mantle or a round end of the other body.
    /// There its arc enters or leaves the outline, whose length changes like the root of the height from there.
    template <class F>
    void for_circle_extremes(bool of_a, const F& found) const {
        const Bar &bar = of_a ? bar_a : bar_b, &other = of_a ? bar_b : bar_a;
        if (!bar.round) return;
        const double r = of_a ? a.radius : b.radius, r_other = of_a ? b.radius : a.radius, z = of_a ? z_a : z_b,
                     z_other = of_a ? z_b : z_a, rise = z_other - z;
        for (const double x : {-bar.half, bar.half}) {
            const Vec2 end = other.to_local(bar.place({x, 0}));
            const double over = other.round ? larger(std::fabs(end.x) - other.half, 0) : 0,
                         apart2 = over * over + end.y * end.y;
            const double d2 = apart2 + rise * rise, share = 0.5 * (1 + (r - r_other) * (r + r_other) / d2),
                         q2 = r * r - share * share * d2;
            if (!(d2 > 0) || !(q2 > 0)) continue;
            const double reach = std::sqrt(q2 / d2 * apart2);
            found(z + share * rise - reach);
            found(z + share * rise + reach);
        }
    }
    /// Whether a round end of either body takes part.
    bool round_end_takes_part() {
        bar_a.w = half_width(a.radius, clamp(z_a, low, high) - z_a);
        bar_b.w = half_width(b.radius, clamp(z_b, low, high) - z_b);
        return round_end_near(bar_a, bar_b) || round_end_near(bar_b, bar_a);
    }
    /// The height at which both bars are equally wide.
    double equal_width() const {
        return z_a == z_b ? 1e300 : 0.5 * ((a.radius - b.radius) * (a.radius + b.radius) / (z_b - z_a) + z_a + z_b);
    }
};

/// A point of the first slice, to which the sums refer.
struct Origin {
    bool known = false;
    Vec2 at;
};
void sum_between(Slices& s, double low, double high, Origin& origin, RoundPairSums& sums) {
    for_slices(low, high, (high - low) / (s.high - s.low), [&](double z, double dz, bool outermost) {
        s.set(z);
        s.bar_a.w *= kShrink;
        BarIntersection shared;
        std::array<Vec2, 32> corners;
        const int count = intersect_bars(s.bar_a, s.bar_b, shared, corners.data(), static_cast<int>(corners.size()));
        if (count == 0) return;
        if (!origin.known) origin = {true, shared.origin};
        const Vec2 d = shared.origin - origin.at;
        sums.add_slice(shared.area.moved(d), shared.of_b.moved(d), z, (z - s.z_b) / larger(s.bar_b.w, 1e-300), dz);
        if (!outermost) return;
        for (int k = 0; k < count; ++k)
            sums.points.push_back(
                {corners[static_cast<size_t>(k)].x - origin.at.x, corners[static_cast<size_t>(k)].y - origin.at.y, z});
    });
}

/// Sums over divided slices; at least one body has round ends. `sine` is that of the angle between the axes.
void sum_divided(Slices& s, double sine, Origin& origin, RoundPairSums& sums) {
    constexpr double kAlong = 0.2, kThick = 0.8, kInner = 0.45;
    std::array<double, 24> cuts;
    int count = 0;
    const double margin = 1e-9 * (s.high - s.low);  // at the top of a body the last 1e-4 of its height has 1e-2 of its width
    const auto cut = [&](double z) {
        if (z > s.low + margin && z < s.high - margin && count < 22) cuts[static_cast<size_t>(count++)] = z;
    };
    cuts[static_cast<size_t>(count++)] = s.low;
    s.for_corner_crossings(true, cut);
    s.for_corner_crossings(false, cut);
    if (sine < kAlong) cut(s.equal_width());
    // Round ends: divide at the extreme height nearest to the middle; if there is none and the slices are thick, halve them.
    const double all = s.high - s.low;
    bool divided = false;
    for (int k = 1; k < count; ++k) divided |= std::fabs(cuts[static_cast<size_t>(k)]) < kInner * all;
    if (!divided && s.round_end_takes_part()) {
        double best = 1e300;
        const auto nearest = [&](double z) {
            if (std::fabs(z) < std::fabs(best)) best = z;
        };
        s.for_circle_extremes(true, nearest);
        s.for_circle_extremes(false, nearest);
        if (std::fabs(best) < kInner * all)
            cut(best);
        else if (all > kThick * smaller(s.a.radius, s.b.radius))
            cut(0);
    }
    cuts[static_cast<size_t>(count++)] = s.high;
    std::sort(cuts.begin(), cuts.begin() + count);
    for (int k = 0; k + 1 < count; ++k)
        if (cuts[static_cast<size_t>(k + 1)] - cuts[static_cast<size_t>(k)] > margin)
            sum_between(s, cuts[static_cast<size_t>(k)], cuts[static_cast<size_t>(k + 1)], origin, sums);
}

/// The point on the centre line of `near` that is nearest to the centre line of `far`.
Vec2 nearest_on_axis(const Bar& near, const Bar& far) {
    const auto onto = [](const Bar& bar, Vec2 p) {
        return bar.centre + clamp(dot(bar.dir, p - bar.centre), -bar.half, bar.half) * bar.dir;
    };
    Vec2 p = onto(near, far.centre);
    for (int go = 0; go < 3; ++go) p = onto(near, onto(far, p));
    return p;
}

}  // namespace

void overlap_slices(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b, const Pose& pose_b, double skin,
                    Overlap& out) {
    out.grown_a = out.grown_b = skin;
    const Revolved a = revolved(shape_a, skin), b = revolved(shape_b, skin);
    const Vec3 between = pose_b.position - pose_a.position;
    const double reach_a = std::hypot(a.radius, a.end()), reach_b = std::hypot(b.radius, b.end());
    if (length_squared(between) >= (reach_a + reach_b) * (reach_a + reach_b)) return;
    // Axes: e across the slices, x along an axis.
    const Vec3 axis_a = rotate(pose_a.orientation, {0, 0, 1}), axis_b = rotate(pose_b.orientation, {0, 0, 1});
    const Vec3 x = a.half > 0 ? axis_a : axis_b, crossed = a.half > 0 && b.half > 0 ? cross(axis_a, axis_b) : Vec3{};
    const double sine = length(crossed);
    const Vec3 beside = between - dot(between, x) * x;
    constexpr double kParallel = 1e-9;
    const Vec3 e = sine > kParallel                               ? crossed / sine
                   : length(beside) > 1e-12 * (reach_a + reach_b) ? normalized(beside)
                                                                  : any_tangent(x);
    const Vec3 y = cross(e, x);
    const Mat3 to_frame{{x, y, e}};
    const Quat turn = quaternion(transposed(to_frame));
    const auto flat = [&](const Vec3& v) { return Vec2{dot(x, v), dot(y, v)}; };
    const auto bar_of = [&](const Revolved& body, const Vec3& axis, const Vec3& at) {
        const Vec2 d = body.half > 0 ? flat(axis) : Vec2{1, 0};
        return Bar{flat(at), d / length(d), body.half, body.balls};
    };
    Slices s{a, b, bar_of(a, axis_a, {}), bar_of(b, axis_b, between), 0, dot(e, between)};
    if (!s.find_range()) return;
    // Shift the origin to a point in the smaller body near the shared volume.
    const Vec2 middle = a.radius < b.radius ? nearest_on_axis(s.bar_a, s.bar_b) : nearest_on_axis(s.bar_b, s.bar_a);
    const double level = 0.5 * (s.low + s.high);
    s.bar_a.centre = s.bar_a.centre - middle;
    s.bar_b.centre = s.bar_b.centre - middle;
    s.z_a -= level, s.z_b -= level, s.low -= level, s.high -= level, s.lower_pole -= level, s.upper_pole -= level;
    s.bar_a.half *= kShrink;
    RoundPairSums sums{{}, {}, round_pair_points()};
    Origin origin;
    if (a.balls || b.balls)
        sum_divided(s, sine, origin, sums);
    else
        origin.at =
            FlatSlices{s.bar_a, s.bar_b, a.radius, b.radius, s.z_a, s.z_b, s.low, s.high, s.lower_pole, s.upper_pole}.add_to(
                sums, kShrink);
    const Vec2 place = middle + origin.at;
    const Pose frame{pose_a.position + place.x * x + place.y * y + level * e, turn};
    set_round_pair({a, pose_a}, {b, pose_b}, sums, frame, out);
}

}  // namespace asperity::geometry::detail
