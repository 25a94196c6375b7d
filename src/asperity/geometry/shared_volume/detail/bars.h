// Slices of round bodies. A plane parallel to the axis of a ball, cylinder or capsule cuts it in a bar: a rectangle whose
// ends are flat or half-circles. The region that two bars share is bounded by straight pieces and arcs of their outlines.
// Green's theorem allows to sum these pieces in any order.
#pragma once
#include "asperity/geometry/shared_volume/detail/round_pair.h"

namespace asperity::geometry::detail {

struct Bar {
    Vec2 centre, dir;  // dir is unit
    double half;       // half its length without round ends
    bool round;
    double w = 0;  // half its width; also the radius of its round ends

    Vec2 to_local(Vec2 p) const {
        const Vec2 d = p - centre;
        return {dot(dir, d), cross(dir, d)};
    }
    Vec2 direction(Vec2 p) const { return {p.x * dir.x - p.y * dir.y, p.x * dir.y + p.y * dir.x}; }
    Vec2 place(Vec2 p) const { return centre + direction(p); }
};

/// Half width of the bar in which a plane at the height h over its axis cuts a body of radius r.
inline double half_width(double r, double h) { return std::sqrt(larger((r - h) * (r + h), 0)); }

/// Distance between two bars; negative if they overlap, but then not the penetration depth.
double gap(const Bar& a, const Bar& b);

/// Whether a round end of `bar` comes near the other bar.
bool round_end_near(const Bar& bar, const Bar& other);

/// Moments of the shared region, and the outline of b inside a, about a point of the region.
struct BarIntersection {
    Vec2 origin;
    PlaneMoments area;
    OutlineSums of_b;
};
/// Writes the ends of all pieces of the outline to `corners`, at most `room`. Returns their number; 0 if the bars share
/// nothing.
int intersect_bars(const Bar& a, const Bar& b, BarIntersection& out, Vec2* corners, int room);

}  // namespace asperity::geometry::detail
