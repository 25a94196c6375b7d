// Private to friction/: ellipses and ellipsoids as one set, sum (f_i/a_i)^2 <= 1 over the non-zero semi-axes. An ellipse has
// a_z = 0. A zero semi-axis flattens the set, and that coordinate of a point is ignored.
#pragma once
#include "asperity/friction/limit_surface.h"

namespace asperity::friction {

/// The nearest point of the disc of radius r in z = 0. Most projections of Coulomb friction are this one.
inline Vec3 project_disc(double r, const Vec3& p) {
    if (r <= 0) return {};
    const double squared = p.x * p.x + p.y * p.y;
    const double r_squared = r * r;
    if (squared <= r_squared && r_squared > 1e-280) return {p.x, p.y, 0};
    if (squared < 1e280 && r_squared > 1e-280) {
        const double s = r / std::sqrt(squared);
        return {s * p.x, s * p.y, 0};
    }
    // squares that overflow or underflow: hypot instead
    const double distance = std::hypot(p.x, p.y);
    return distance <= r ? Vec3{p.x, p.y, 0} : Vec3{r * (p.x / distance), r * (p.y / distance), 0};
}

/// Nearest point, by the secular equation.
Vec3 project_ellipsoid(const Vec3& axes, const Vec3& p);
double support_ellipsoid(const Vec3& axes, const Vec3& d);
Vec3 support_point_ellipsoid(const Vec3& axes, const Vec3& d);
double gauge_ellipsoid(const Vec3& axes, const Vec3& f);
/// Zero semi-axes are ignored: their derivatives are zero.
GaugeDerivatives gauge_derivatives_ellipsoid(const Vec3& axes, const Vec3& f);

}  // namespace asperity::friction
