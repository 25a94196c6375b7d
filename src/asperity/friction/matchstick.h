/// Matchstick friction: an elliptic cone whose axes and size depend on the grain of both surfaces. Each surface has a grain:
/// a tangent without a sign. Surfaces with parallel grains slide easily along and hard across the grain; crossed grains give
/// isotropic friction. With theta in [0, pi/2] the angle between the grains,
///     d = 1 - 2 theta / pi                            1 parallel, 0 crossed              (M5)
///     t = (s_A + s_B)/|s_A + s_B|                     after flipping s_B to s_A's side   (M7)
///     mu_t = d mu_along  + (1 - d) mu                 along t, the mean grain            (M10)
///     mu_b = d mu_across + (1 - d) mu                 along b = n x t                    (M11)
///     (f_t / mu_t)^2 + (f_b / mu_b)^2 <= f_n^2                                           (M13)
/// The drilling length is interpolated in the same manner. At theta = pi/2 the mean grain jumps by a quarter turn; the cone
/// is a circle there, so the force does not jump.
///
/// (Mn) is equation n of the source: Erleben, Macklin, Andrews, Kry, "The Matchstick Model for Anisotropic Friction Cones",
/// CGF 2020. Ours differs:
/// atan2 for theta (acos loses half the digits near 0); a choice for a single grain, where the source's text and its
/// Algorithm 1 differ; grains of partial strength; a smooth blend. Verified in tests/verify/matchstick_test.cpp.
#pragma once
#include <numbers>
#include <optional>

#include "asperity/friction/cone_input.h"

namespace asperity::friction {

/// The effect of a grain against a surface without one.
enum class LoneGrain {
    Anisotropic,  ///< the single grain sets the ellipse, d = 1 (the source's Section 6)
    Isotropic,    ///< as if the grains were crossed, d = 0 (the source's Algorithm 1, taken literally)
};

enum class GrainBlend {
    Linear,      ///< d = 1 - 2 theta / pi, as in the source: has kinks at 0 and 90 degrees
    DoubleAngle  ///< d = (1 + q_A.q_B)/2 = cos^2 theta, q the double-angle forms: equal at 0, 45, 90 degrees, and smooth
};

struct Matchstick {
    double mu;         ///< crossed grains, every direction
    double mu_along;   ///< parallel grains, along the grain; not above mu_across
    double mu_across;  ///< parallel grains, across the grain
    /// [m]: drilling length for parallel grains; the one for crossed grains is Law::drilling
    std::optional<double> drilling_parallel;
    LoneGrain lone_grain = LoneGrain::Anisotropic;
    GrainBlend blend = GrainBlend::Linear;
};

/// The mean direction of two grains, and their degree of alignment d.
struct MeanGrain {
    Vec3 t;
    double d;
};
/// M5 and M7, for two unit tangents a, b in the plane normal to n.
inline MeanGrain mean_grain(GrainBlend blend, const Vec3& a, const Vec3& b, const Vec3& n) {
    const double c = dot(a, b);
    const Vec3 sum = a + (c < 0 ? -1.0 : 1.0) * b;  // |sum|^2 >= 2: safe to normalise
    if (blend == GrainBlend::DoubleAngle) return {normalized(sum), c * c};
    const double theta = std::atan2(std::fabs(dot(n, cross(a, b))), std::fabs(c));
    return {normalized(sum), 1 - 2 / std::numbers::pi * theta};
}
/// For grains of any strength and direction.
MeanGrain mean_of_any(const Matchstick& law, const ConeInput& in);

/// `drilling` is the drilling length for crossed grains [m].
inline UnitCone cone(const Matchstick& law, double drilling, const ConeInput& in) {
    // The usual case: grains of full strength that are unit tangents already, as from surface::sample(). To normalise them
    // again would leave a similar error: three products and two sums of numbers up to 1, each rounded by 1.1e-16.
    const auto is_unit_tangent = [&](const Vec3& s) {
        return std::fabs(dot(s, s) - 1) < 1e-15 && std::fabs(dot(s, in.normal)) < 1e-15;
    };
    const MeanGrain m = is_unit_tangent(in.grain_a) && is_unit_tangent(in.grain_b)
                            ? mean_grain(law.blend, in.grain_a, in.grain_b, in.normal)
                            : mean_of_any(law, in);
    return {m.t, lerp(law.mu, law.mu_along, m.d), lerp(law.mu, law.mu_across, m.d),  // M10, M11
            lerp(drilling, law.drilling_parallel.value_or(drilling), m.d)};
}

}  // namespace asperity::friction
