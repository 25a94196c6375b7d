// Slices of round bodies: a plane along the axis of a ball, cylinder or capsule meets it in a bar, a rectangle whose ends
// are flat or half-circles. What two bars share is bounded by pieces of their outlines, straight ones and arcs; by Green's
// theorem the pieces are summed in any order.
#pragma once
#include "asperity/geometry/shared_volume/detail/round_pair.h"

namespace asperity::geometry::detail {

struct Bar {
    Vec2 centre, dir;  // unit
    double half;       // length
    bool round;
    double w = 0;  // half its width, and the radius of its round ends

    Vec2 to_local(Vec2 p) const {
        const Vec2 d = p - centre;
        return {dot(dir, d), cross(dir, d)};
    }
    Vec2 direction(Vec2 p) const { return {p.x * dir.x - p.y * dir.y, p.x * dir.y + p.y * dir.x}; }
    Vec2 place(Vec2 p) const { return centre + direction(p); }
};

/// Of the bar in which a plane at the height h over its axis meets a body of radius r.
inline double half_width(double r, double h) { return std::sqrt(larger((r - h) * (r + h), 0)); }

/// How far two bars are apart; negative where they overlap, then not their depth.
double gap(const Bar& a, const Bar& b);

/// Whether a round end of the bar comes near the other.
bool round_end_meets(const Bar& bar, const Bar& other);

/// Moments of what both share, and the outline of b inside a, about a point of it.
struct SharedBars {
    Vec2 origin;
    PlaneMoments area;
    OutlineSums of_b;
};
/// `corners` gets the ends of all pieces: `room` points at most, returns how many; 0 where nothing is shared.
int share_bars(const Bar& a, const Bar& b, SharedBars& out, Vec2* corners, int room);

}  // namespace asperity::geometry::detail
