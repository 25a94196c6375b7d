// What a friction law is told about one contact, what it answers, and how directions become frames.
#pragma once
#include "asperity/friction/limit_surface.h"

namespace asperity::friction {

struct FacetAverages;  // of a patch: friction/ploughing.h

/// Everything a law may look at. World axes.
struct ConeInput {
    Vec3 point;   ///< [m]
    Vec3 normal;  ///< unit, from A to B
    /// Structure directions: tangents whose sign means nothing, or zero for none. The length is the strength of the grain, 0
    /// to 1: a surface of strength s acts as if a part s of it had the grain and the rest none.
    Vec3 grain_a, grain_b;
    Vec3 slip;                ///< tangential part of v_B - v_A, surface velocities included [m/s]
    double normal_force = 0;  ///< of the last step [N]
    Vec3 previous_t;          ///< t of the last step, or zero: laws without a direction of their own keep their axes still
    bool swapped = false;     ///< A is the second material of the pair: for laws that tell the two apart
    const FacetAverages* facets = nullptr;  ///< slopes of both surfaces, for laws that plough; null: smooth
    /// room for the corners of a polygon, which lives as long as the limit surface is used
    std::span<Vec2> corners;
};

/// A law's ellipsoid before its wrappers: t along the first axis, semi-axes along t and b = n x t [-] and about n [m].
struct UnitCone {
    Vec3 t;
    double mu_t, mu_b, drill;
};

// A direction whose tangent part is shorter than this has none (spec 3.1: 1e-6 for procedural fields; textures have their
// own bound).
constexpr double kShortestDirection = 1e-6;

/// Turns t along the tangent part of v, if there is one.
inline bool aim(Vec3& t, const Vec3& v, const Vec3& n) {
    const Vec3 tangent = v - dot(v, n) * n;
    const double square = length_squared(tangent), l = std::sqrt(square);
    if (!(l > kShortestDirection)) return false;
    if (square > 0.8 * length_squared(v)) {  // nothing was lost
        t = tangent / l;
        return true;
    }
    const Vec3 rough = tangent / l;
    t = normalized(rough - dot(rough, n) * n);  // twice is enough: v close to n had lost up to 6 digits
    return true;
}

/// Last step's axis, or any: for contacts without a direction.
inline Vec3 kept_tangent(const Vec3& previous_t, const Vec3& normal) {
    const Vec3 tangent = previous_t - dot(previous_t, normal) * normal;
    const double off = 1 - length_squared(tangent);
    // nearly always: 1/sqrt(1 - off) to rounding, and no root to wait for
    if (std::abs(off) < 1e-5) return (1 + off * (0.5 + 0.375 * off)) * tangent;
    Vec3 t;
    return aim(t, previous_t, normal) ? t : any_tangent(normal);
}
inline Vec3 kept_tangent(const ConeInput& in) { return kept_tangent(in.previous_t, in.normal); }

// Directions that are axes live best in double-angle form, (cos 2x, sin 2x) for a direction at angle x: s and -s are the
// same point, and mixtures of them are plain sums.

/// The double-angle form of (x, y), times |(x, y)|^2.
inline Vec2 double_angle(double x, double y) { return {x * x - y * y, 2 * x * y}; }
/// The direction of a double-angle vector q != 0, unit, with x >= 0 or y > 0; by half-angle formulas that lose no digits.
inline Vec2 half_angle(Vec2 q, double l) {  // l = |q|
    const double c2 = q.x / l, s2 = q.y / l;
    if (c2 >= 0) {
        const double c = std::sqrt(0.5 * (1 + c2));
        return {c, 0.5 * s2 / c};
    }
    const double s = std::sqrt(0.5 * (1 - c2));
    return {0.5 * s2 / s, s};
}
inline Vec2 half_angle(Vec2 q) { return half_angle(q, std::sqrt(q.x * q.x + q.y * q.y)); }

}  // namespace asperity::friction
