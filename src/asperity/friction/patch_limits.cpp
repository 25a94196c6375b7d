#include "asperity/friction/patch_limits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/friction/contensou.h"

namespace asperity::friction {
namespace {

constexpr double kPi = std::numbers::pi;

size_t at(int i) { return static_cast<size_t>(i); }
Vec2 corner(const PressureRegion& r, int i) { return r.corners[at(i % r.count)]; }

/// Extent of the set along t and b.
Vec2 extent(const LimitSet& set) {
    return {std::fmax(support(set, {1, 0, 0}), support(set, {-1, 0, 0})),
            std::fmax(support(set, {0, 1, 0}), support(set, {0, -1, 0}))};
}

/// Removes the drilling axis, which is meant for point contacts; a patch has its own spin bound.
LimitSet without_drilling(const LimitSet& set) {
    const auto* e = std::get_if<Ellipsoid>(&set);
    return e ? LimitSet(Ellipse{e->t, e->b}) : set;
}

/// The nearest point to p of the flat cone between the rays along c and d.
Vec3 project_wedge(const Vec3& p, const Vec3& c, const Vec3& d) {
    const double cc = dot(c, c), cd = dot(c, d), dd = dot(d, d), pc = dot(p, c), pd = dot(p, d);
    const double det = cc * dd - cd * cd;
    if (det > 0) {
        const double s = (pc * dd - pd * cd) / det, t = (pd * cc - pc * cd) / det;
        if (s >= 0 && t >= 0) return s * c + t * d;
    }
    const double s = larger(pc / cc, 0.0), t = larger(pd / dd, 0.0);
    return s * pc >= t * pd ? s * c : t * d;  // |p|^2 - |p - s c|^2 = s p.c
}

/// Projection onto the cone over a polygon: the point itself, or its projection onto the nearest side.
ConePoint project_over_polygon(const PressureRegion& r, double n, Vec2 m) {
    const Vec3 p{n, m.x, m.y};
    bool inside = r.count > 2;
    for (int i = 0; i < r.count && inside; ++i) {
        const Vec2 c = corner(r, i), edge = corner(r, i + 1) - c;
        inside = cross(edge, m - n * c) >= 0;
    }
    if (inside && n >= 0) return {n, {m.x, m.y, 0}};
    Vec3 best;
    double gain = 0;  // decrease of the squared distance compared to the apex
    const int sides = r.count > 2 ? r.count : 1;
    for (int i = 0; i < sides; ++i) {
        const Vec2 c = corner(r, i), d = corner(r, i + 1);
        const Vec3 q = project_wedge(p, {1, c.x, c.y}, {1, d.x, d.y});
        if (const double g = 2 * dot(p, q) - dot(q, q); g > gain) {
            gain = g;
            best = q;
        }
    }
    if (p != p) return {n + m.x + m.y, {m.x, m.y, 0}};  // keeps a NaN
    return {best.x, {best.y, best.z, 0}};
}

}  // namespace

double mean_radius(double a, double b) {
    const double big = std::fmax(std::fabs(a), std::fabs(b)), small = std::fmin(std::fabs(a), std::fabs(b));
    if (big == 0) return 0;
    // perimeter = 2 pi/agm (a^2 - sum 2^(k-1) (a_k^2 - b_k^2)), k from 0 (Gauss)
    double x = big, y = small, sum = 0.5 * (big - small) * (big + small), power = 1;
    if (small < 1e-9 * big) return 4 * big / (3 * kPi);  // flat: the perimeter is 4 a to within (b/a)^2 log
    for (int i = 0; i < 40 && x - y > 1e-16 * x; ++i) {
        const double c = 0.5 * (x - y), mean = 0.5 * (x + y);
        y = std::sqrt(x * y);
        x = mean;
        sum += power * c * c;
        power *= 2;
    }
    return 2.0 / 3 * (big * big - sum) / x;
}

double mean_radius(const PressureRegion& polygon) {
    if (polygon.count == 1) return length(polygon.corners[0]);
    if (polygon.count == 2) {  // a line c + s e
        const Vec2 c = polygon.corners[0], d = polygon.corners[1], e = d - c;
        const double l = length(e);
        if (l == 0) return length(c);
        const double h = std::fabs(cross(c, e)) / l, from = dot(c, e) / l, to = dot(d, e) / l;
        const auto integral = [&](double s) {
            return 0.5 * (s * std::hypot(s, h) + (h > 0 ? h * h * std::asinh(s / h) : 0));
        };
        return (integral(to) - integral(from)) / l;
    }
    // sum over the triangles of each side with the origin: the integral of r^3/3 over the angle, r = h/cos
    double sum = 0, area = 0;
    for (int i = 0; i < polygon.count; ++i) {
        const Vec2 c = corner(polygon, i), d = corner(polygon, i + 1), e = d - c;
        const double l = length(e), twice = cross(c, d);
        area += 0.5 * twice;
        if (l == 0 || twice == 0) continue;
        const double h = twice / l, from = dot(c, e) / l, to = dot(d, e) / l;
        const auto integral = [&](double s) { return s * std::hypot(s, h) + h * h * std::asinh(s / std::fabs(h)); };
        sum += h / 6 * (integral(to) - integral(from));
    }
    return area != 0 ? sum / area : 0;
}

PatchLimits::PatchLimits(const PressureRegion& region, const LimitSet& planar, SpinModel model, double angle, double unit)
    : region_(region),
      planar_(without_drilling(planar)),
      model_(model),
      cos_(std::cos(angle)),
      sin_(std::sin(angle)),
      drag_(extent(planar)),
      unit_(unit) {
    region_.a /= unit;
    region_.b /= unit;
    for (int i = 0; i < region_.count; ++i) region_.corners[at(i)] = region_.corners[at(i)] / unit;

    // drag at the point d when the patch spins about its centre: |D (n x d)|, in the law's axes (-d_b, d_t)
    const auto stretched = [&](Vec2 d) {
        const Vec2 l = in_law_axes(d);
        return Vec2{-drag_.x * l.y, drag_.y * l.x};
    };
    if (region_.count == 0) {
        half_ = {region_.a, region_.b};
        // columns of the matrix that maps the unit disc to the stretched ellipse
        const Vec2 p = stretched({region_.a, 0}), q = stretched({0, region_.b});
        const double sum = std::hypot(p.x + q.y, p.y - q.x), difference = std::hypot(p.x - q.y, p.y + q.x);
        mean_drag_ = mean_radius(0.5 * (sum + difference), 0.5 * (sum - difference));
    } else {
        Vec2 low = region_.corners[0], high = low;
        PressureRegion turned = region_;
        for (int i = 0; i < region_.count; ++i) {
            const Vec2 c = region_.corners[at(i)];
            low = {smaller(low.x, c.x), smaller(low.y, c.y)};
            high = {larger(high.x, c.x), larger(high.y, c.y)};
            turned.corners[at(i)] = stretched(c);
        }
        middle_ = 0.5 * (low + high);
        half_ = 0.5 * (high - low);
        mean_drag_ = mean_radius(turned);
    }
}

PatchLimits::PatchLimits(const PressureRegion& region, const LimitSet& planar, std::span<const PatchCell> cells,
                         double angle, double unit)
    : PatchLimits(region, planar, SpinModel::Integral, angle, unit) {
    cells_ = cells;
    drag_ = {};
    for (const PatchCell& c : cells) {
        const double most = larger(c.set.t, c.set.b);
        drag_ = {larger(drag_.x, most), larger(drag_.y, most)};
    }
}

PatchIntegral PatchLimits::integral(Vec2 d) const {
    const Vec2 centre = held_ ? held_centre_ : d;
    return {cells_, centre, cos_, sin_, unit_};
}

/// The nearest point of n R.
Vec2 PatchLimits::project_region(Vec2 m, double n) const {
    const Polygon polygon{{region_.corners.data(), at(region_.count)}, 1};
    const Vec3 p =
        region_.count > 0 ? project(polygon, {m.x, m.y, 0}, n) : project(Ellipse{region_.a, region_.b}, {m.x, m.y, 0}, n);
    return {p.x, p.y};
}

ConePoint PatchLimits::project_pressing(double n, Vec2 m) const {
    if (region_.rolls) {
        n = larger(n, 0.0);
        const Vec2 p = project_region(m, n);
        return {n, {p.x, p.y, 0}};
    }
    if (region_.count > 0) return project_over_polygon(region_, n, m);
    return project_cone(Ellipse{region_.a, region_.b}, n, {m.x, m.y, 0});
}

double PatchLimits::reach(Vec2 g) const {
    if (region_.count == 0) return std::hypot(region_.a * g.x, region_.b * g.y);
    double most = dot(region_.corners[0], g);
    for (int i = 1; i < region_.count; ++i) most = larger(most, dot(region_.corners[at(i)], g));
    return most;
}

PatchLimits::Side PatchLimits::facing_side(Vec2 d) const {
    Side most{0, 0};  // gauge = 1 - (distance of d to the side) / (distance of the centre to it)
    for (int i = 0; i < region_.count; ++i) {
        const Vec2 c = corner(region_, i), edge = corner(region_, i + 1) - c;
        const double centre = cross(c, edge);
        if (centre > 0 && cross(d, edge) > most.gauge * centre) most = {i, cross(d, edge) / centre};
    }
    return most;
}

double PatchLimits::gauge_of(Vec2 d) const {
    constexpr double inf = std::numeric_limits<double>::infinity();
    if (region_.count == 0) return gauge(Ellipse{region_.a, region_.b}, {d.x, d.y, 0});
    if (region_.count > 2) return facing_side(d).gauge;
    if (region_.count == 1) return d.x == 0 && d.y == 0 ? 0 : inf;
    const Vec2 c = region_.corners[0], e = region_.corners[1] - c;
    const double along = dot(d, e), end = larger(std::fabs(dot(c, e)), std::fabs(dot(c + e, e)));
    return end > 0 ? std::fabs(along) / end : inf;
}

bool PatchLimits::may_press_at(Vec2 d, double tolerance) const {
    if (region_.count == 0) {
        const Vec3 p = project(Ellipse{region_.a, region_.b}, {d.x, d.y, 0}, 1);
        return std::hypot(p.x - d.x, p.y - d.y) <= tolerance;
    }
    if (region_.count > 2) {
        for (int i = 0; i < region_.count; ++i) {
            const Vec2 c = corner(region_, i), edge = corner(region_, i + 1) - c;
            if (cross(edge, d - c) < -tolerance * length(edge)) return false;
        }
        return true;
    }
    const Vec2 c = region_.corners[0], e = corner(region_, 1) - c;
    const double l2 = dot(e, e), s = l2 > 0 ? clamp(dot(d - c, e) / l2, 0.0, 1.0) : 0;
    return length(d - c - s * e) <= tolerance;
}

double PatchLimits::spin_bound(Vec2 d) const {
    if (held_) return held_spin_;
    if (model_ == SpinModel::Integral) return integral(d).support({0, 0, 1});
    if (model_ != SpinModel::FourCorner) {
        if (mean_drag_ == 0) return 0;
        if (region_.count > 2) return spin_bound_of_polygon(d);
        return mean_drag_ * clamp(1 - gauge_of(d), 0.0, 1.0);
    }
    const double x = half_.x > 0 ? clamp((d.x - middle_.x) / half_.x, -1.0, 1.0) : 0,
                 y = half_.y > 0 ? clamp((d.y - middle_.y) / half_.y, -1.0, 1.0) : 0;
    double sum = 0;
    for (const double i : {-1.0, 1.0})
        for (const double k : {-1.0, 1.0}) {
            const Vec2 arm = in_law_axes(Vec2{middle_.x + i * half_.x, middle_.y + k * half_.y} - d);
            sum += 0.25 * (1 + i * x) * (1 + k * y) * std::hypot(drag_.x * arm.y, drag_.y * arm.x);  // (11) to (13)
        }
    return sum;
}

double PatchLimits::spin_bound_of_polygon(Vec2 d) const {
    const Side side = facing_side(d);
    if (side.gauge < 1e-300) return mean_drag_;  // d is at the centre; avoids 1/0
    const Vec2 c = corner(region_, side.from), edge = corner(region_, side.from + 1) - c, e = in_law_axes(edge);
    // where the ray through d leaves R, as a fraction of the side
    const double s = clamp(dot((1 / side.gauge) * d - c, edge) / dot(edge, edge), 0.0, 1.0);
    // mean of |r| over a line of half length h: h/2
    const double at_edge = 0.5 * smaller(s, 1 - s) * std::hypot(drag_.x * e.y, drag_.y * e.x);
    const double rho = smaller(side.gauge, 1.0);
    return (1 - rho) * mean_drag_ + rho * at_edge;
}

const Ellipse* PatchLimits::shared(double spin) const {
    return model_ == SpinModel::Contensou && spin > 0 ? std::get_if<Ellipse>(&planar_) : nullptr;
}

Vec3 PatchLimits::project_friction(const Vec3& p, double n, Vec2 d) const {
    if (!(n > 0)) return {};
    if (model_ == SpinModel::Integral) return n * integral(d).project((1 / n) * p);
    const double spin = spin_bound(d);
    if (const Ellipse* e = shared(spin)) {
        if (!is_disc(*e)) return project(Ellipsoid{e->t, e->b, spin}, p, n);
        const double size = n * e->t;                                       // mu N
        return size * project_disc_set(1.5 * spin / e->t, (1 / size) * p);  // spin = 2/3 mu R at this d, (1 - rho) R
    }
    const Vec3 f = project(planar_, p, n);
    return {f.x, f.y, clamp(p.z, -n * spin, n * spin)};
}

double PatchLimits::drag(const Vec3& slip, Vec2 d) const {
    if (model_ == SpinModel::Integral) return integral(d).support(slip);
    const double spin = spin_bound(d);
    if (const Ellipse* e = shared(spin)) {
        if (!is_disc(*e)) return support(Ellipsoid{e->t, e->b, spin}, slip);
        const double v = std::hypot(slip.x, slip.y), rim = 1.5 * spin / e->t * std::fabs(slip.z);
        if (v == 0 && rim == 0) return 0;
        const DiscForce f = disc_force(v, rim);
        return e->t * (f.force * v + f.torque * rim);
    }
    return support(planar_, {slip.x, slip.y, 0}) + spin * std::fabs(slip.z);
}

PatchLimits PatchLimits::held_at(Vec2 centre) const {
    PatchLimits out = *this;
    out.held_spin_ = spin_bound(centre);
    out.held_ = true;
    out.held_centre_ = centre;
    return out;
}

/// The distance to n R x (s n) K is a convex function of n. The derivative of half its square is
///     phi(n) = n - n_0 - h_R(m_0 - P(m_0)) - s h_K(x_0 - P(x_0)),
/// with h the support functions and P the projections onto n R and s n K. phi is increasing and vanishes at the nearest
/// point. If it is not negative at n = 0, the nearest point is the apex of the cone.
void PatchLimits::project_held(double& n, Vec2& m, Vec3& x, double stretch) const {
    const double n_0 = n;
    const Vec2 m_0 = m;
    const Vec3 x_0 = x;
    const auto phi = [&](double at_n) {
        m = project_region(m_0, at_n);
        x = project_friction(x_0, stretch * at_n, {});
        return at_n - n_0 - reach(m_0 - m) - stretch * drag(x_0 - x, {});
    };
    double low = 0, high = n_0 > 0 ? n_0 : 0, at_low = -n_0 - reach(m_0) - stretch * drag(x_0, {});
    if (!(at_low < 0)) {  // in the polar cone
        n = at_low != at_low ? at_low : 0;
        m = {};
        x = {};
        return;
    }
    double at_high = phi(high);
    if (at_high >= 0) {  // inside, except for rounding
        n = high;
        return;
    }
    low = high;
    at_low = at_high;
    high = n_0 + reach(m_0) + stretch * drag(x_0, {});
    at_high = phi(high);
    // false position; the value at an end that does not move is halved (Illinois); bisection in every eighth step
    n = high;
    int side = 0;
    for (int i = 0; i < 100 && high - low > 4e-16 * high && at_high > 0; ++i) {
        n = i % 8 == 7 ? 0.5 * (low + high) : low + (high - low) * (-at_low / (at_high - at_low));
        if (!(n > low && n < high)) n = 0.5 * (low + high);
        if (!(n > low && n < high)) break;
        const double value = phi(n);
        if (value == 0) return;
        if (value < 0) {
            low = n;
            at_low = value;
            if (side == -1) at_high *= 0.5;
            side = -1;
        } else {
            high = n;
            at_high = value;
            if (side == 1) at_low *= 0.5;
            side = 1;
        }
    }
    phi(n);
}

}  // namespace asperity::friction
