// The input and output of a friction law for one contact, and the construction of tangent frames from directions.
#pragma once
#include "asperity/friction/limit_surface.h"

namespace asperity::friction {

struct FacetAverages;  // averages over a footprint: friction/ploughing.h

/// All data that a law may use. World axes.
struct ConeInput {
    Vec3 point;   ///< [m]
    Vec3 normal;  ///< unit, from A to B
    /// Grain directions: tangents without a sign, or zero for none. The length is the strength of the grain, 0 to 1. A
    /// surface of strength s acts as if a fraction s of it had the grain and the rest had none.
    Vec3 grain_a, grain_b;
    Vec3 slip;                ///< tangential part of v_B - v_A, surface velocities included [m/s]
    double normal_force = 0;  ///< of the last step [N]
    Vec3 previous_t;       ///< t of the last step, or zero; keeps the axes steady for laws without a direction of their own
    bool swapped = false;  ///< A has the second material of the pair; for laws that distinguish the two
    const FacetAverages* facets = nullptr;  ///< slopes of both surfaces, for ploughing laws; null: smooth
    /// storage for the vertices of a polygon; must live as long as the limit surface is used
    std::span<Vec2> corners;
};

/// A law's ellipsoid before the wrappers: t along the first axis, semi-axes along t and b = n x t [-] and about n [m].
struct UnitCone {
    Vec3 t;
    double mu_t, mu_b, drill;
};

// A direction with a shorter tangential part counts as none. This suits procedural fields; textures have their own.
constexpr double kShortestDirection = 1e-6;

/// Sets t to the normalised tangential part of v; returns false if there is none.
inline bool set_tangent(Vec3& t, const Vec3& v, const Vec3& n) {
    const Vec3 tangent = v - dot(v, n) * n;
    const double square = length_squared(tangent), l = std::sqrt(square);
    if (!(l > kShortestDirection)) return false;
    if (square > 0.8 * length_squared(v)) {  // no cancellation
        t = tangent / l;
        return true;
    }
    const Vec3 rough = tangent / l;
    t = normalized(rough - dot(rough, n) * n);  // twice is enough: v near n had lost up to 6 digits
    return true;
}

/// A tangent for contacts without a direction: the last step's axis, or any.
inline Vec3 kept_tangent(const Vec3& previous_t, const Vec3& normal) {
    const Vec3 tangent = previous_t - dot(previous_t, normal) * normal;
    const double off = 1 - length_squared(tangent);
    // the usual case: 1/sqrt(1 - off) to rounding, without a square root
    if (std::abs(off) < 1e-5) return (1 + off * (0.5 + 0.375 * off)) * tangent;
    Vec3 t;
    return set_tangent(t, previous_t, normal) ? t : any_tangent(normal);
}
inline Vec3 kept_tangent(const ConeInput& in) { return kept_tangent(in.previous_t, in.normal); }

// Directions without a sign are stored in double-angle form, (cos 2x, sin 2x) for the direction at angle x. Then s and -s
// are the same vector, and mixtures are plain sums.

/// The double-angle form of (x, y), times |(x, y)|^2.
inline Vec2 double_angle(double x, double y) { return {x * x - y * y, 2 * x * y}; }
/// The unit direction of a double-angle vector q != 0, with x >= 0 or y > 0; half-angle formulas without cancellation.
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
