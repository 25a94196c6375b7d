// Private to friction/: what limit_surface.cpp asks of a convex polygon. Any number of corners: none or one is a point, two
// a segment; repeated and collinear corners are harmless.
#pragma once
#include "asperity/friction/limit_surface.h"

namespace asperity::friction {

/// Nearest point of `scale` times the hull of the corners.
Vec2 project_polygon(std::span<const Vec2> corners, double scale, Vec2 p);
Vec2 support_point_polygon(std::span<const Vec2> corners, Vec2 d);
/// The gauge of the unscaled polygon and one subgradient (zero where the gauge is infinite).
struct PolygonGauge {
    double value;
    Vec2 gradient;
};
PolygonGauge gauge_polygon(std::span<const Vec2> corners, Vec2 f);
double area_polygon(std::span<const Vec2> corners);

}  // namespace asperity::friction
