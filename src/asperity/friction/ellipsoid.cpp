// Projection onto an ellipse or ellipsoid by the secular equation, and the closed forms of support and gauge.
#include "asperity/friction/ellipsoid.h"

#include <algorithm>
#include <limits>

namespace asperity::friction {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A semi-axis shorter than this fraction of the longest counts as zero: its square must stay a normal number.
constexpr double kFlat = 1e-100;
// A set smaller than this fraction of p counts as the origin: p divided by its size must not overflow.
constexpr double kVanishing = 1e-300;

// std::hypot with three arguments returns NaN for infinities.
double norm(const Vec3& v) { return std::hypot(std::hypot(v.x, v.y), v.z); }

/// The non-flat part of the problem, in units of the longest semi-axis: 0 < a <= 1, y = |p| >= 0.
struct Scaled {
    int count = 0;
    int coordinate[3];
    double a[3], y[3];
};

/// With x_i = a_i u_i the nearest point, Lagrange's condition x_i - y_i + t x_i/a_i^2 = 0 gives u_i = a_i y_i/(t + a_i^2). t
/// >= 0 is the root of the strictly decreasing G(t) = sum u_i^2 = 1.
///
/// Newton's method is applied to 1/sqrt(G) = 1: that function is concave and nearly straight, so the iterates rise to the
/// root from the left in a few steps (Reinsch 1971; More and Sorensen 1983, "Computing a trust region step"). No single term
/// may exceed 1, which gives the start. All terms over the smallest denominator give the upper end.
///
/// Error: stopping at |G - 1| <= c leaves |dx_i| <= c/2 a_i (u_i/(t + a_i^2))/sum_j(u_j^2/(t + a_j^2)). The sum is at least
/// u_i^2/(t + a_i^2) and at least 1/(t + 1), hence at least their geometric mean, so |dx_i| <= c/2 sqrt((1+t)/(t+a_i^2)) a_i
/// <= c: a few rounding errors of the longest semi-axis, for any shape of the set and any p.
void solve_secular(const Scaled& s, double u[3]) {
    double low = 0, sum = 0, smallest = 1;
    for (int i = 0; i < s.count; ++i) {
        low = std::max(low, s.a[i] * (s.y[i] - s.a[i]));
        sum += s.a[i] * s.y[i];
        smallest = std::min(smallest, s.a[i]);
    }
    double high = std::max(low, sum - smallest * smallest);
    double t = low;
    for (int iteration = 0; iteration < 64; ++iteration) {
        double G = 0, slope = 0;  // slope = -G'/2
        for (int i = 0; i < s.count; ++i) {
            const double inverse = 1 / (t + s.a[i] * s.a[i]);
            u[i] = s.a[i] * s.y[i] * inverse;
            G += u[i] * u[i];
            slope += u[i] * u[i] * inverse;
        }
        if (std::fabs(G - 1) <= 4 * kEpsilon) return;
        (G > 1 ? low : high) = t;
        double next = t + G * (std::sqrt(G) - 1) / slope;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (next == t) return;
        t = next;
    }
}

}  // namespace

Vec3 project_ellipsoid(const Vec3& axes, const Vec3& p) {
    const double longest = max_component(axes);
    if (longest <= kVanishing * max_component(abs(p))) return {};
    Scaled s;
    double G0 = 0;  // squared gauge of p
    for (int i = 0; i < 3; ++i) {
        const double a = axes[i] / longest;
        if (a <= kFlat) continue;
        const double y = std::fabs(p[i]) / longest;
        s.coordinate[s.count] = i;
        s.a[s.count] = a;
        s.y[s.count] = y;
        ++s.count;
        G0 += (y / a) * (y / a);
    }
    Vec3 x;
    if (G0 <= 1) {
        for (int k = 0; k < s.count; ++k) x[s.coordinate[k]] = p[s.coordinate[k]];
        return x;
    }
    if (s.count == 1) {  // a segment
        const int i = s.coordinate[0];
        x[i] = clamp(p[i], -axes[i], axes[i]);
        return x;
    }
    double u[3];
    solve_secular(s, u);
    for (int k = 0; k < s.count; ++k) {
        const int i = s.coordinate[k];
        x[i] = std::copysign(axes[i] * u[k], p[i]);
    }
    return x;
}

double support_ellipsoid(const Vec3& axes, const Vec3& d) { return norm(scaled(axes, d)); }

Vec3 support_point_ellipsoid(const Vec3& axes, const Vec3& d) {
    // f = D^2 d/|D d|, D = diag(axes), via the unit vector D d/|D d|, so that nothing is squared
    const Vec3 u = scaled(axes, d);
    const double s = norm(u);
    return s == 0 ? Vec3{} : scaled(axes, u / s);
}

double gauge_ellipsoid(const Vec3& axes, const Vec3& f) {
    Vec3 u;
    for (int i = 0; i < 3; ++i) u[i] = f[i] == 0 ? 0 : axes[i] > 0 ? f[i] / axes[i] : kInfinity;
    return norm(u);
}

GaugeDerivatives gauge_derivatives_ellipsoid(const Vec3& axes, const Vec3& f) {
    // g = |u|, u_i = f_i/a_i;   dg/df_i = (u_i/g)/a_i;   d2g/df_i df_j = (delta_ij - u_i u_j/g^2)/(g a_i a_j)
    Vec3 inverse_axes;
    for (int i = 0; i < 3; ++i) inverse_axes[i] = axes[i] > 0 ? 1 / axes[i] : 0;
    const Vec3 u = scaled(f, inverse_axes);
    const double g = norm(u);
    const Vec3 gradient = scaled(u / g, inverse_axes);
    const Mat3 hessian = (1 / g) * (Mat3::diagonal(scaled(inverse_axes, inverse_axes)) + -1.0 * outer(gradient, gradient));
    return {g, gradient, hessian};
}

}  // namespace asperity::friction
