// Angles of eight vectors.
#pragma once
#include "asperity/math/int_lanes.h"

namespace asperity {

/// std::atan2 with an absolute error below 3e-7; 0 for the zero vector.
[[gnu::always_inline]] inline Lanes atan2(Lanes y, Lanes x) {
    const Lanes far = magnitude(x), high = magnitude(y), large = max(far, high), small = min(far, high);
    const LaneInts some = large > 0;
    const Lanes slope = keep(some, small / large);  // 0 .. 1
    // beyond tan(pi/8): relative to the diagonal
    const LaneInts beyond = slope > 0.41421356F;
    const Lanes r = beyond ? (slope - 1.0F) / (slope + 1.0F) : slope, z = r * r;
    // atan r = r + r^3 p(z), with p interpolating at Chebyshev points of 0 .. tan^2(pi/8); error 3e-8
    Lanes p = mul_add(z, all_lanes(0.0852049217F), all_lanes(-0.140241429F));
    p = mul_add(z, p, all_lanes(0.199912384F));
    p = mul_add(z, p, all_lanes(-0.333332866F));
    Lanes angle = mul_add(r * z, p, r) + keep(beyond, all_lanes(0.785398163F));
    angle = high > far ? 1.57079633F - angle : angle;
    angle = x < 0 ? 3.14159265F - angle : angle;
    return y < 0 ? -angle : angle;
}

}  // namespace asperity
