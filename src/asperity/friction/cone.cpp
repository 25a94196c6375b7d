#include "asperity/friction/cone.h"

#include <algorithm>
#include <cmath>

namespace asperity::friction {
namespace {

constexpr double kRootTolerance = 1e-15;  // relative to the upper end of the bracket

/// |f| <= mu n. Outside, (n, |f|) projects to (1, mu) (n + mu |f|)/(1 + mu^2).
ConePoint project_round(double mu, double n, const Vec3& f) {
    const double side = std::hypot(f.x, f.y);
    if (side <= mu * n) return {n, {f.x, f.y, 0}};
    if (mu * side <= -n) return {0, {}};
    const double nearest = (n + mu * side) / (1 + mu * mu), shrink = side > 0 ? mu * nearest / side : 0;
    return {nearest, {shrink * f.x, shrink * f.y, 0}};
}

/// The derivative by n of (|n - n0|^2 + dist(f, n K)^2)/2:  slope(n) = n - n0 - h_K(f - P_nK(f)), because growth of the set
/// by dn moves its boundary by h_K(outward normal) dn. It increases by at least 1 per unit of n.
struct Slope {
    const LimitSet& set;
    double n0;
    Vec3 f;

    double at(double n) const { return n - n0 - support(set, f - project(set, f, n)); }
};

/// Root of an increasing function in a < b with values below and above zero. False position; the value at an end that does
/// not move is lowered as in Anderson and Bjoerck, "A new high order method of regula falsi type", BIT 1973. Exact once both
/// ends are on one piece of a piecewise linear function, as for polygons.
double rising_root(const Slope& slope, double a, double at_a, double b, double at_b) {
    const double width = kRootTolerance * b;
    for (int k = 0; k < 100 && b - a > width; ++k) {
        double c = b - at_b * (b - a) / (at_b - at_a);
        if (!(c > a && c < b)) c = 0.5 * (a + b);
        if (k % 8 == 7) c = 0.5 * (a + b);  // guarantees a few digits per eight steps for any function
        if (c == a || c == b) return c;
        const double at_c = slope.at(c);
        if (at_c == 0) return c;
        const auto shrink = [&](double replaced) {
            const double factor = 1 - at_c / replaced;
            return factor > 0 ? factor : 0.5;
        };
        if (at_c > 0) {
            at_a *= shrink(at_b);
            b = c;
            at_b = at_c;
        } else {
            at_b *= shrink(at_a);
            a = c;
            at_a = at_c;
        }
    }
    return -at_a < at_b ? a : b;
}

}  // namespace

ConePoint project_cone(const LimitSet& set, double n, const Vec3& f) {
    const auto* circle = std::get_if<Ellipse>(&set);
    if (circle && circle->t == circle->b) return project_round(circle->t, n, f);
    const Vec3 used = dimension(set) == 3 ? f : Vec3{f.x, f.y, 0};
    const double reach = support(set, used);
    if (n + reach <= 0) return {0, {}};
    // slope(low) <= 0 <= slope(high), as 0 <= h_K(f - P f) <= h_K(f)
    const double low = std::max(n, 0.0), high = n + reach;
    const Slope slope{set, n, used};
    const double at_low = slope.at(low), at_high = slope.at(high);
    // keeps a NaN
    if (!std::isfinite(at_low) || !std::isfinite(at_high)) return {at_low + at_high, {at_low, at_low, at_low}};
    const double nearest = at_low >= 0 ? low : at_high <= 0 ? high : rising_root(slope, low, at_low, high, at_high);
    return {nearest, project(set, used, nearest)};
}

}  // namespace asperity::friction
