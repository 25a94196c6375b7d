// Private to friction/: the operations of limit_surface.cpp on a convex polygon. Any number of vertices is allowed: none or
// one is a point, two are a segment. Repeated and collinear vertices do no harm.
#pragma once
#include "asperity/friction/limit_surface.h"

namespace asperity::friction {

/// The nearest point of `scale` times the hull of the vertices.
Vec2 project_polygon(std::span<const Vec2> corners, double scale, Vec2 p);
Vec2 support_point_polygon(std::span<const Vec2> corners, Vec2 d);
/// The gauge of the unscaled polygon and one subgradient (zero if the gauge is infinite).
struct PolygonGauge {
    double value;
    Vec2 gradient;
};
PolygonGauge gauge_polygon(std::span<const Vec2> corners, Vec2 f);
double area_polygon(std::span<const Vec2> corners);

}  // namespace asperity::friction
