// See flat_bars.h.
#include "asperity/geometry/shared_volume/detail/flat_bars.h"

namespace asperity::geometry::detail {

/// Integrals in the current slices: over the area, and along the outline of the second bar.
struct FlatBars::Slice {
    Four area{}, x{}, y{}, xx{}, xy{}, yy{};
    Four nx{}, ny{}, turning{}, length{}, at_x{}, at_y{};
};

/// Green's theorem: adds the sides of `bar`, clipped by `other`, counter-clockwise.
template <bool OfB>
void FlatBars::add_sides(const Bar& bar, const Four& w, const Bar& other, const Four& w_other, const Four& z, int keep,
                         KeptList<Vec3>& points, Slice& s) const {
    const Vec2 along{dot(other.dir, bar.dir), cross(other.dir, bar.dir)}, across{-along.y, along.x},
        middle = other.to_local(bar.centre), here = bar.centre - origin_, up{-bar.dir.y, bar.dir.x};
    const Four none{}, one = all_four(1);
    // Clips the line p + t d, in the axes of the other bar, to |coordinate| <= limit.
    const auto clip = [&](const Four& p, const Four& d, const Four& limit, Four& from, Four& to) {
        const Four size = larger_of(d, -d), inverse = 1 / (size > all_four(1e-300) ? d : all_four(1e-300)),
                   t0 = (-limit - p) * inverse, t1 = (limit - p) * inverse;
        from = larger_of(smaller_of(t0, t1), from);
        to = smaller_of(larger_of(t0, t1), to);
    };
    // Adds the side between two vertices given in the axes of `bar`.
    const auto add = [&](double x0, const Four& y0, double x1, const Four& y1, bool side) {
        const Four px = middle.x + x0 * along.x + y0 * across.x, py = middle.y + x0 * along.y + y0 * across.y;
        const Four dx = (x1 - x0) * along.x + (y1 - y0) * across.x, dy = (x1 - x0) * along.y + (y1 - y0) * across.y;
        Four from = none, to = one;
        clip(px, dx, all_four(other.half), from, to);
        clip(py, dy, w_other, from, to);
        const FourFlags some = from < to;
        if (!bits(some)) return;
        from = some ? from : none;
        to = some ? to : none;
        const Four lx0 = x0 + from * (x1 - x0), ly0 = y0 + from * (y1 - y0), lx1 = x0 + to * (x1 - x0),
                   ly1 = y0 + to * (y1 - y0);
        const Four ax = here.x + lx0 * bar.dir.x + ly0 * up.x, ay = here.y + lx0 * bar.dir.y + ly0 * up.y,
                   bx = here.x + lx1 * bar.dir.x + ly1 * up.x, by = here.y + lx1 * bar.dir.y + ly1 * up.y;
        const Four D = some ? ax * by - ay * bx : none, sx = ax + bx, sy = ay + by, third = D * (1 / 6.0),
                   twelfth = D * (1 / 24.0);
        s.area += 0.5 * D;
        s.x += third * sx;
        s.y += third * sy;
        s.xx += twelfth * (ax * ax + bx * bx + sx * sx);
        s.yy += twelfth * (ay * ay + by * by + sy * sy);
        s.xy += twelfth * (ax * ay + bx * by + sx * sy);
        for (int left = bits(some) & keep; left; left &= left - 1) {
            const int lane = __builtin_ctz(static_cast<unsigned>(left));
            points.push_back({ax[lane], ay[lane], z[lane]});
        }
        if (!OfB) return;
        const Four ex = some ? bx - ax : none, ey = some ? by - ay : none;
        s.nx += ey;
        s.ny -= ex;
        s.turning -= 0.5 * (sx * ex + sy * ey);
        if (!side) return;
        const Four l = (to - from) * std::fabs(x1 - x0);
        s.length += l;
        s.at_x += 0.5 * l * sx;
        s.at_y += 0.5 * l * sy;
    };
    const double h = bar.half;
    add(-h, -w, h, -w, true);
    add(h, w, -h, w, true);
    add(h, -w, h, w, false);
    add(-h, w, -h, -w, false);
}

void FlatBars::add(const Four& z, const Four& dz, const Four& w_a, const Four& w_b, const Four& tilt, int keep,
                   KeptList<Vec3>& points) {
    Slice s;
    add_sides<false>(a_, w_a, b_, w_b, z, keep, points, s);
    add_sides<true>(b_, w_b, a_, w_a, z, keep, points, s);
    const Four area = dz * s.area, x = dz * s.x, y = dz * s.y, nx = dz * s.nx, ny = dz * s.ny, leaning = dz * tilt;
    volume_ += area;
    x_ += x;
    y_ += y;
    z_ += z * area;
    xx_ += dz * s.xx;
    yy_ += dz * s.yy;
    zz_ += z * z * area;
    yz_ += z * y;
    zx_ += z * x;
    xy_ += dz * s.xy;
    nx_ += nx;
    ny_ += ny;
    nz_ += leaning * s.length;
    tx_ += leaning * s.at_y - z * ny;
    ty_ += z * nx - leaning * s.at_x;
    tz_ += dz * s.turning;
}

void FlatBars::add_to(RoundPairSums& sums) const {
    sums.volume.add({sum_of(volume_),
                     {sum_of(x_), sum_of(y_), sum_of(z_)},
                     {sum_of(xx_), sum_of(yy_), sum_of(zz_)},
                     {sum_of(yz_), sum_of(zx_), sum_of(xy_)}});
    sums.surface.add({{sum_of(nx_), sum_of(ny_), sum_of(nz_)}, {sum_of(tx_), sum_of(ty_), sum_of(tz_)}});
}

}  // namespace asperity::geometry::detail
