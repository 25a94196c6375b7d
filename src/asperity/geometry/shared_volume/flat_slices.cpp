// Slices of two cylinders are rectangles. Their shared region changes its form where a vertex of one passes a side of the
// other. With
//     z = bottom + (top - bottom) sin^2 t
// both widths are smooth functions of t. The integrand over t is smooth too, although the outline's share of the surface
// grows without bound towards the top of a cylinder. So Gauss points of t suffice between two such heights, even near a
// pole.
#include "asperity/geometry/shared_volume/detail/flat_slices.h"

#include <algorithm>
#include <array>

#include "asperity/geometry/common/detail/root_between.h"

namespace asperity::geometry::detail {
namespace {

constexpr double kFewSlices = 0.15;  // range of t below which four Gauss points have no visible error
constexpr double kNear = 1e-9;       // of the range: heights nearer than this count as one

using detail::half_width;
Four half_width(double r, const Four& h) { return root_of(larger_of((r - h) * (r + h), Four{})); }

/// Heights where the form of the shared region changes, from the lowest to the highest slice.
class Divisions {
  public:
    explicit Divisions(const FlatSlices& s) : s_(s), margin_(kNear * (s.high - s.low)) {
        // Leave out a pole that is farther from the slices than four times their range: it does no harm.
        const double reach = 4 * (s.high - s.low);
        bottom_ = larger(s.lower_pole, s.low - reach);
        all_ = smaller(s.upper_pole, s.high + reach) - bottom_;
        from_ = angle(s.low);
        to_ = angle(s.high);
        places_[0] = s.low, places_[1] = s.high;
        for (size_t k = 0; k < kLooks; k += 4) {
            const Four step{0, 1, 2, 3};
            Four t = from_ + (to_ - from_) / (kLooks - 1) * (static_cast<double>(k) + step);
            for (int lane = 0; lane < 4; ++lane) t[lane] = height(t[lane]);
            four(&looks_[k]) = t;
        }
        add_corners(s.bar_a, s.radius_a, s.z_a, s.bar_b, s.radius_b, s.z_b);
        add_corners(s.bar_b, s.radius_b, s.z_b, s.bar_a, s.radius_a, s.z_a);
        // Nearly parallel bars: also where both are equally wide, where the narrower one changes.
        constexpr double kAlong = 0.2;
        if (s.z_a != s.z_b && std::fabs(cross(s.bar_a.dir, s.bar_b.dir)) < kAlong)
            add(0.5 * ((s.radius_a - s.radius_b) * (s.radius_a + s.radius_b) / (s.z_b - s.z_a) + s.z_a + s.z_b));
        std::sort(places_.begin(), places_.begin() + count_);
    }
    int count() const { return count_; }
    double operator[](int k) const { return places_[static_cast<size_t>(k)]; }
    double margin() const { return margin_; }
    double bottom() const { return bottom_; }
    double all() const { return all_; }
    double angle(double z) const { return std::asin(std::sqrt(clamp((z - bottom_) / all_, 0, 1))); }

  private:
    static constexpr size_t kLooks = 16;
    double height(double t) const {
        const double sine = std::sin(t);
        return bottom_ + all_ * sine * sine;
    }
    void add(double z) {
        if (z > s_.low + margin_ && z < s_.high - margin_ && count_ < static_cast<int>(places_.size()))
            places_[static_cast<size_t>(count_++)] = z;
    }
    /// Adds the heights at which vertices of a bar, at (+-half, y) with |y| = w, cross the outline of the other bar.
    void add_corners(const Bar& bar, double r, double z_bar, const Bar& other, double r_other, double z_other) {
        const Vec2 across{cross(bar.dir, other.dir), dot(bar.dir, other.dir)};
        std::array<double, kLooks> widths, other_widths;
        for (size_t k = 0; k < kLooks; k += 4) {
            four(&widths[k]) = half_width(r, four(&looks_[k]) - z_bar);
            four(&other_widths[k]) = half_width(r_other, four(&looks_[k]) - z_other);
        }
        for (const double x : {-bar.half, bar.half}) {
            const Vec2 end = other.to_local(bar.place({x, 0}));
            // Crossing an end of the other bar: at a known width, which the bar has at two heights.
            for (const double limit : {-other.half, other.half}) {
                const double y = (limit - end.x) / across.x, up2 = r * r - y * y;
                if (!(up2 > 0)) continue;
                const double up = std::sqrt(up2), at = std::fabs(end.y + y * across.y);
                for (const double z : {z_bar - up, z_bar + up})
                    if (at <= half_width(r_other, z - z_other) + margin_) add(z);
            }
            // Crossing a side of the other bar: at a sign change.
            for (const double up : {-1.0, 1.0})
                for (const double side : {-1.0, 1.0}) {
                    const auto beyond = [&](double z) {
                        return end.y + up * half_width(r, z - z_bar) * across.y - side * half_width(r_other, z - z_other);
                    };
                    unsigned positive = 0;
                    std::array<double, kLooks> over;
                    for (size_t k = 0; k < kLooks; k += 4) {
                        four(&over[k]) = end.y + up * across.y * four(&widths[k]) - side * four(&other_widths[k]);
                        positive |= static_cast<unsigned>(bits(four(&over[k]) > Four{})) << k;
                    }
                    for (unsigned changes = (positive ^ positive >> 1) & ((1u << (kLooks - 1)) - 1); changes;
                         changes &= changes - 1) {
                        const size_t k = static_cast<size_t>(__builtin_ctz(changes));
                        const double z = root_between(beyond, looks_[k], looks_[k + 1], over[k], over[k + 1], margin_);
                        if (std::fabs(end.x + up * half_width(r, z - z_bar) * across.x) <= other.half + margin_) add(z);
                    }
                }
        }
    }
    const FlatSlices& s_;
    double margin_, bottom_, all_, from_, to_;
    std::array<double, kLooks> looks_;
    std::array<double, 48> places_;
    int count_ = 2;
};

}  // namespace

Vec2 FlatSlices::add_to(RoundPairSums& sums, double shrink_a) const {
    const Divisions divisions(*this);
    // Sums are about a vertex of the shared region in the middle of the thickest division, because the outermost divisions
    // may be empty.
    int thickest = 0;
    for (int k = 1; k + 1 < divisions.count(); ++k)
        if (divisions[k + 1] - divisions[k] > divisions[thickest + 1] - divisions[thickest]) thickest = k;
    const double middle = 0.5 * (divisions[thickest] + divisions[thickest + 1]);
    Bar a = bar_a, b = bar_b;
    a.w = shrink_a * half_width(radius_a, middle - z_a);
    b.w = half_width(radius_b, middle - z_b);
    BarIntersection shared;
    std::array<Vec2, 32> corners;
    intersect_bars(a, b, shared, corners.data(), static_cast<int>(corners.size()));

    FlatBars bars(bar_a, bar_b, shared.origin);
    double last = divisions[0], from = divisions.angle(last);
    for (int k = 1; k < divisions.count(); ++k) {
        if (!(divisions[k] - last > divisions.margin())) continue;
        const double to = divisions.angle(divisions[k]), half = 0.5 * (to - from), mean = 0.5 * (to + from),
                     sine = std::sin(mean), cosine = std::cos(mean);
        const auto add = [&](const Four& nodes, const Four& weights, int keep) {
            const FourSmallAngles turn(half * nodes);
            const Four c = 1 - turn.versine, st = sine * c + cosine * turn.sine, ct = cosine * c - sine * turn.sine,
                       z = divisions.bottom() + divisions.all() * st * st;
            const Four w_b = half_width(radius_b, z - z_b);
            bars.add(z, (2 * divisions.all() * half) * weights * st * ct, shrink_a * half_width(radius_a, z - z_a), w_b,
                     (z - z_b) / larger_of(w_b, all_four(1e-300)), keep, sums.points);
        };
        if (to - from > kFewSlices) {
            add(kOuterNodes, kOuterWeights, 9);  // keep points of the first and the last slice
            add(kInnerNodes, kInnerWeights, 2);
        } else {
            add(kFourNodes, kFourWeights, 9);
        }
        last = divisions[k];
        from = to;
    }
    bars.add_to(sums);
    return shared.origin;
}

}  // namespace asperity::geometry::detail
