// A ball with a cylinder or capsule, in slices across the axis. In each slice both are discs and share a lens of two
// segments. At the height z the round body has the radius rho: r along its mantle, sqrt(r^2 - (z - z_end)^2) at round ends.
// The ball has w = sqrt(R^2 - (z - z_ball)^2), and the centres are D apart. The slices are divided at the ends of the mantle
// and where one disc starts or ceases to lie inside the other. The latter are w = |r - D| and w = r + D along the mantle,
// and the extreme heights of the circle in which the ball crosses a round end.
#include <algorithm>

#include "asperity/geometry/shared_volume/detail/round_pair.h"

namespace asperity::geometry::detail {
namespace {

struct Lens {
    PlaneMoments area;
    OutlineSums of_ball;
    int count = 0;
    std::array<Vec2, 8> points;  // of its outline

    void add_point(Vec2 p) { points[static_cast<size_t>(count++)] = p; }
    /// Adds a whole disc about m.
    void add_disc(Vec2 m, double r, bool ball) {
        area.set_disc(r);
        area = area.moved(m);
        constexpr double kHalf = std::numbers::sqrt2 / 2;
        for (const Vec2& d : {Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1}, Vec2{kHalf, kHalf}, Vec2{-kHalf, kHalf},
                              Vec2{-kHalf, -kHalf}, Vec2{kHalf, -kHalf}})
            add_point(m + r * d);
        if (!ball) return;
        of_ball.length = 2 * std::numbers::pi * r;
        of_ball.at = of_ball.length * m;
    }
    /// Sets the lens of the discs of radius rho about (x, 0) and w about (x + D, 0). Returns false if they share nothing.
    bool set(double x, double rho, double D, double w) {
        if (D >= rho + w) return false;
        if (D <= std::fabs(rho - w)) {
            w <= rho ? add_disc({x + D, 0}, w, true) : add_disc({x, 0}, rho, false);
            return true;
        }
        // half the chord
        const double q = 0.5 / D * std::sqrt((rho + w - D) * (rho + w + D) * (D + rho - w) * (D + w - rho));
        const double to_a = 0.5 * (D + (rho - w) * (rho + w) / D), to_b = D - to_a;
        const DiscSegment of_a(rho, q / rho, to_a / rho), of_b(w, q / w, to_b / w);
        const Vec2 chord{x + to_a, 0};
        of_a.add_to(area, chord, {1, 0}, false);
        of_b.add_to(area, chord, {-1, 0}, false);
        of_ball.normal = {-2 * q, 0};
        of_ball.length = 2 * w * std::atan2(q, to_b);
        of_ball.at = {of_ball.length * (x + D) - 2 * q * w, 0};
        add_point({chord.x, q});
        add_point({chord.x, -q});
        add_point({x + rho, 0});
        add_point({x + D - w, 0});
        if (to_a < 0) add_point({x, rho}), add_point({x, -rho});
        if (to_b < 0) add_point({x + D, w}), add_point({x + D, -w});
        return true;
    }
};

}  // namespace

void overlap_ball_slices(const Shape& shape_a, const Pose& pose_a, const Sphere& sphere, const Vec3& at, double skin,
                         Overlap& out) {
    out.grown_a = out.grown_b = skin;
    const PlacedRound a{revolved(shape_a, skin), pose_a}, b{{sphere.radius + skin, 0, true}, {at, {}}};
    const double r = a.body.radius, half = a.body.half, R = b.body.radius;
    const Vec3 axis = a.axis(), between = at - pose_a.position;
    const double level = dot(axis, between);
    const Vec3 beside = between - level * axis;
    const double D = length(beside);
    if (D >= r + R) return;
    // Axes: z along the axis from the height of the ball's centre, x from the axis to the ball.
    const Vec3 x = D > 1e-12 * R ? beside / D : any_tangent(axis);
    const double low = -half - level, high = half - level;  // ends of the mantle
    const double first = larger(-R, low - (a.body.balls ? r : 0)), last = smaller(R, high + (a.body.balls ? r : 0));
    if (!(first < last)) return;

    std::array<double, 20> cuts;
    int count = 0;
    const auto cut = [&](double z) {
        if (z > first && z < last) cuts[static_cast<size_t>(count++)] = z;
    };
    cuts[static_cast<size_t>(count++)] = first;
    cut(low);
    cut(high);
    for (const double w : {std::fabs(r - D), r + D})
        if (w < R)
            for (const double side : {-1.0, 1.0}) cut(side * std::sqrt((R - w) * (R + w)));
    if (a.body.balls)
        // the circle where two balls cross: its centre and its reach along z
        for (const double end : {low, high}) {
            const double d2 = D * D + end * end, share = 0.5 * (1 + (R - r) * (R + r) / d2), q2 = R * R - share * share * d2;
            if (!(d2 > 0) || !(q2 > 0)) continue;
            for (const double side : {-1.0, 1.0}) cut(share * end + side * std::sqrt(q2 / d2) * D);
        }
    cuts[static_cast<size_t>(count++)] = last;
    std::sort(cuts.begin(), cuts.begin() + count);

    RoundPairSums sums{{}, {}, round_pair_points()};
    const auto radius_at = [&](double z) {
        const double over = z > high ? z - high : z < low ? low - z : 0;
        return over > 0 ? std::sqrt(larger((r - over) * (r + over), 0)) : r;
    };
    const auto overlapping = [&](int k) {
        const double from = cuts[static_cast<size_t>(k)], to = cuts[static_cast<size_t>(k + 1)], z = 0.5 * (from + to);
        return to - from > 1e-12 * R && radius_at(z) + std::sqrt((R - z) * (R + z)) > D;
    };
    double from_all = 1e300, to_all = -1e300;
    for (int k = 0; k + 1 < count; ++k)
        if (overlapping(k))
            from_all = smaller(from_all, cuts[static_cast<size_t>(k)]), to_all = cuts[static_cast<size_t>(k + 1)];
    const double all = to_all - from_all, base = 0.5 * (from_all + to_all);
    if (!(all > 0)) return;
    // Sums are about a point inside the shared volume: between both surfaces in the middle slice.
    const double shift = 0.5 * (radius_at(base) + D - std::sqrt((R - base) * (R + base)));
    const Pose frame{at - (D - shift) * x + base * axis, quaternion(transposed(Mat3{{x, cross(axis, x), axis}}))};
    for (int k = 0; k + 1 < count; ++k) {
        if (!overlapping(k)) continue;
        const double from = cuts[static_cast<size_t>(k)], to = cuts[static_cast<size_t>(k + 1)];
        for_slices(from, to, (to - from) / all, [&](double z, double dz, bool outermost) {
            const double w = std::sqrt((R - z) * (R + z));
            Lens lens;
            if (!lens.set(-shift, radius_at(z), D, w)) return;
            sums.add_slice(lens.area, lens.of_ball, z - base, z / w, dz);
            if (!outermost) return;
            for (int p = 0; p < lens.count; ++p)
                sums.points.push_back(
                    {lens.points[static_cast<size_t>(p)].x, lens.points[static_cast<size_t>(p)].y, z - base});
        });
    }
    set_round_pair(a, b, sums, frame, out);
}

}  // namespace asperity::geometry::detail
