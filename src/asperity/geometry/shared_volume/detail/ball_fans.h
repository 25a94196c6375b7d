// Pieces of a ball's surface as fans of triangles from a pole to the steps of their border; see add_ball in
// round_in_solid.h.
#pragma once
#include "asperity/geometry/common/detail/four.h"
#include "asperity/geometry/shared_volume/detail/moments.h"

namespace asperity::geometry::detail {

/// int q^4 k dq and int q^6 k dq times sqrt(1 - c) with k^2 = (1 - c q^2)/(1 - c), for c up to 0.505: polynomials of best
/// fit, with errors below 7e-9.
inline Four fan_first(const Four& c) {
    return 0.19999999571797383 +
           c * (-0.071427743789953478 +
                c * (-0.013914573232303725 +
                     c * (-0.0053889683028240736 +
                          c * (-0.004547287990067552 + c * (0.0021220861948781015 - c * 0.0055625279748023312)))));
}
inline Four fan_third(const Four& c) {
    return 0.14285713892354193 +
           c * (-0.055554795283138472 +
                c * (-0.011387226579386903 +
                     c * (-0.0045387996726330678 +
                          c * (-0.0040197293545040833 + c * (0.0020086363332416038 - c * 0.0050656762703593385)))));
}

/// Fans from the pole of a ball to steps of its surface's border, four at a time. The third axis points from the pole into
/// the ball: r = (x, y, t).
class Fans {
  public:
    explicit Fans(double radius) : over_diameter_(0.5 / radius) {}
    /// `area` is twice that of the triangles from the pole to the steps, as seen along the third axis.
    void add(const Four& x, const Four& y, const Four& t, const Four& area) {
        const Four deep = larger_of(t, all_four(0)), c = deep * over_diameter_, inverse = 1 / (1 - c),
                   root = root_of(inverse);
        const Four w = deep * inverse * area, first = w * fan_first(c) * root, second = w * (1.0 / 6 - c * 0.125) * inverse,
                   mixed = w * fan_third(c) * root * deep, wd = w * deep;
        volume_ += w;
        x_sum_ += first * x;
        y_sum_ += first * y;
        t_sum_ += wd;
        xx_sum_ += second * x * x;
        xy_sum_ += second * x * y;
        yy_sum_ += second * y * y;
        xt_sum_ += mixed * x;
        yt_sum_ += mixed * y;
        tt_sum_ += wd * deep;
    }
    /// `a` and `b` are the axes of x and y; `up` points from the ball's centre to the pole.
    void add_to(Moments& moments, const Vec3& a, const Vec3& b, const Vec3& up) const {
        using M = Moments;
        const double xx = sum_of(xx_sum_), xy = sum_of(xy_sum_), yy = sum_of(yy_sum_), xt = sum_of(xt_sum_),
                     yt = sum_of(yt_sum_), tt = sum_of(tt_sum_);
        moments.volume += sum_of(volume_) / 12;
        moments.first += 0.25 * (sum_of(x_sum_) * a + sum_of(y_sum_) * b - sum_of(t_sum_) / 6 * up);
        const auto twice = [](const Vec3& p, const Vec3& q) { return M::turned(p, q) + M::turned(q, p); };
        moments.squares += 0.2 * (xx * scaled(a, a) + yy * scaled(b, b) + 0.125 * tt * scaled(up, up) +
                                  2 * (xy * scaled(a, b) - xt * scaled(a, up) - yt * scaled(b, up)));
        moments.products += 0.2 * (xx * M::turned(a) + yy * M::turned(b) + 0.125 * tt * M::turned(up) + xy * twice(a, b) -
                                   xt * twice(a, up) - yt * twice(b, up));
    }

  private:
    double over_diameter_;
    Four volume_{}, x_sum_{}, y_sum_{}, t_sum_{}, xx_sum_{}, xy_sum_{}, yy_sum_{}, xt_sum_{}, yt_sum_{}, tt_sum_{};
};

}  // namespace asperity::geometry::detail
