// Private to friction/: ellipses and ellipsoids as one set, sum (f_i/a_i)^2 <= 1 over the axes that are not zero.
// An ellipse is the ellipsoid with a_z = 0; a zero semi-axis flattens the set, so that coordinate of a point is never used.
#pragma once
#include "asperity/friction/limit_surface.h"

namespace asperity::friction {

/// Nearest point of the disc of radius r in z = 0. The hot path of every solver on Coulomb friction.
inline Vec3 project_disc(double r, const Vec3& p) {
    if (r <= 0) return {};
    const double squared = p.x * p.x + p.y * p.y;
    const double r_squared = r * r;
    if (squared <= r_squared && r_squared > 1e-280) return {p.x, p.y, 0};
    if (squared < 1e280 && r_squared > 1e-280) {
        const double s = r / std::sqrt(squared);
        return {s * p.x, s * p.y, 0};
    }
    // squares that overflow or underflow: the same by hypot
    const double distance = std::hypot(p.x, p.y);
    return distance <= r ? Vec3{p.x, p.y, 0} : Vec3{r * (p.x / distance), r * (p.y / distance), 0};
}

/// Nearest point, by the secular equation.
Vec3 project_ellipsoid(const Vec3& axes, const Vec3& p);
double support_ellipsoid(const Vec3& axes, const Vec3& d);
Vec3 support_point_ellipsoid(const Vec3& axes, const Vec3& d);
double gauge_ellipsoid(const Vec3& axes, const Vec3& f);
/// Axes that are zero take no part: their derivatives are zero.
GaugeDerivatives gauge_derivatives_ellipsoid(const Vec3& axes, const Vec3& f);

}  // namespace asperity::friction
