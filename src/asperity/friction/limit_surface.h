// Limit surfaces: the convex set K of friction forces per unit of normal force, and the operations that solvers need.
#pragma once
#include <span>
#include <variant>

#include "asperity/math/vec.h"

namespace asperity::friction {

// A friction force f is a Vec3 in the surface's axes: f.x along t, f.y along b, f.z the drilling torque (per unit normal
// force, a length [m]). Planar sets lie in z = 0: they ignore the z of a point or direction and return z = 0. All sets are
// closed, convex and contain the origin; n K is K scaled by n >= 0. Nothing here allocates or throws. The maths:
// docs/limit-surfaces.md.

/// (f.x/t)^2 + (f.y/b)^2 <= 1. Semi-axes >= 0; a zero semi-axis flattens the set. A circle if both are equal.
struct Ellipse {
    double t, b;
};
/// -t_minus <= f.x <= t_plus, -b_minus <= f.y <= b_plus; all four >= 0.
struct Rectangle {
    double t_minus, t_plus, b_minus, b_plus;
};
/// Convex, vertices counter-clockwise, origin inside or on the boundary. The set is `scale` times the hull of the vertices,
/// which are owned by the maker of the law.
struct Polygon {
    std::span<const Vec2> corners;
    double scale = 1;
};
/// (f.x/t)^2 + (f.y/b)^2 + (f.z/drill)^2 <= 1; `drill` is a length [m]: the torque bound per unit normal force.
struct Ellipsoid {
    double t, b, drill;
};
using LimitSet = std::variant<Ellipse, Rectangle, Polygon, Ellipsoid>;

/// The result of a friction law for one contact: the axes and the set. b = n x t; both unit, world axes.
struct LimitSurface {
    Vec3 t, b;
    LimitSet set = Ellipse{0, 0};
};

/// 2 for planar sets, 3 with a drilling axis.
int dimension(const LimitSet& set);
/// The nearest point of n K to p. Exact to 1e-12 of the size of n K, for aspect ratios up to 1e6, scales 1e-9 to 1e9 and any
/// distance of p. A p inside is returned unchanged. n <= 0 gives zero.
inline Vec3 project(const LimitSet& set, const Vec3& p, double n);
/// The same without the fast path for circles.
Vec3 project_any(const LimitSet& set, const Vec3& p, double n);
/// max over K of f.d: the drag per unit normal force and unit speed when sliding along d (maximum dissipation).
double support(const LimitSet& set, const Vec3& d);
/// A point of K that attains the support; a smooth set has exactly one unless d = 0 (then the origin).
Vec3 support_point(const LimitSet& set, const Vec3& d);

/// min { s >= 0 : f in s K }: below 1 inside, 1 on the boundary; infinite if no multiple of K contains f.
double gauge(const LimitSet& set, const Vec3& f);
struct GaugeDerivatives {
    double value;
    Vec3 gradient;  ///< at a vertex of the boundary: one of the subgradients
    Mat3 hessian;   ///< zero for polyhedral sets
};
/// f must not be the origin, and no semi-axis may be zero.
GaugeDerivatives gauge_derivatives(const LimitSet& set, const Vec3& f);

/// Whether the distance of f from n K is at most relative_tolerance times the radius of n K.
bool contains(const LimitSet& set, const Vec3& f, double n, double relative_tolerance = 1e-12);
/// Area of the planar section f.z = 0 [-].
double area(const LimitSet& set);
/// K scaled by s >= 0. The vertices of a polygon are shared, not copied.
LimitSet scaled(const LimitSet& set, double s);

enum class Fit { Inscribed, Circumscribed };
/// Replaces the planar section by a polygon with `count` >= 3 vertices on the boundary (Inscribed) or `count` tangent sides
/// (Circumscribed). Sets that are polygons give their own vertices. Returns the number of vertices written (<= out.size()).
/// Ellipses use equal steps of the parameter angle, so the inscribed error is cos(pi/count) in every direction.
int facets(const LimitSet& set, int count, Fit fit, std::span<Vec2> out);

// Most contacts in every sweep need the projection onto a circle: inline, and without a square root for points inside.
inline Vec3 project(const LimitSet& set, const Vec3& p, double n) {
    const auto* e = std::get_if<Ellipse>(&set);
    const double size2 = p.x * p.x + p.y * p.y, radius = e ? n * e->t : 0;
    if (!e || e->t != e->b || !(size2 > 1e-280 && size2 < 1e280) || !(radius > 1e-140 && radius < 1e140))
        return project_any(set, p, n);
    if (size2 <= radius * radius) return {p.x, p.y, 0};
    const double shrink = radius / std::sqrt(size2);
    return {shrink * p.x, shrink * p.y, 0};
}

}  // namespace asperity::friction
