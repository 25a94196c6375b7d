/// Matchstick friction: an elliptic cone, turned and shaped by the grain of two surfaces.
/// Each surface has a grain: a tangent whose sign means nothing. Parallel grains slide easily along and hard across; crossed grains feel
/// isotropic. With theta in [0, pi/2] the angle between the grains,
///     d = 1 - 2 theta / pi                            1 parallel, 0 crossed              (M5)
///     t = (s_A + s_B)/|s_A + s_B|                     after flipping s_B to s_A's side   (M7)
///     mu_t = d mu_along  + (1 - d) mu                 along t, the mean grain            (M10)
///     mu_b = d mu_across + (1 - d) mu                 along b = n x t                    (M11)
///     (f_t / mu_t)^2 + (f_b / mu_b)^2 <= f_n^2                                           (M13)
/// and the drilling length is interpolated likewise. At theta = pi/2 the mean grain jumps by a quarter turn; the cone is a circle there, so
/// the force does not jump.
///
/// Source: Erleben, Macklin, Andrews, Kry, "The Matchstick Model for Anisotropic Friction Cones", CGF 2020.
/// Ours differs: atan2 for theta (acos loses half the digits near 0), a policy for one zero grain, which the source's text and its
/// Algorithm 1 answer differently, grains of partial strength, and a smooth blend. Verified in tests/verify/matchstick_test.cpp.
#pragma once
#include <optional>

#include "asperity/friction/cone_input.h"

namespace asperity::friction {

/// What one grain does against a surface without any.
enum class LoneGrain {
    Anisotropic,  ///< the grained surface alone sets the ellipse, d = 1 (the source's Section 6)
    Isotropic,    ///< as if the grains were crossed, d = 0 (the source's Algorithm 1, read literally)
};

enum class GrainBlend {
    Linear,      ///< d = 1 - 2 theta / pi, as in the source: has kinks at 0 and 90 degrees
    DoubleAngle  ///< d = (1 + q_A.q_B)/2 = cos^2 theta, q the double-angle forms: the same at 0, 45, 90 degrees, and smooth
};

struct Matchstick {
    double mu;                                ///< crossed grains, every direction
    double mu_along;                          ///< parallel grains, along the grain; not above mu_across
    double mu_across;                         ///< parallel grains, across the grain
    std::optional<double> drilling_parallel;  ///< [m]: drilling length of parallel grains; that of crossed ones is Law::drilling
    LoneGrain lone_grain = LoneGrain::Anisotropic;
    GrainBlend blend = GrainBlend::Linear;
};

/// `drilling` is that of crossed grains [m].
UnitCone cone(const Matchstick& law, double drilling, const ConeInput& in);

}  // namespace asperity::friction
