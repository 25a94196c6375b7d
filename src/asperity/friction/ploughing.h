/// Ploughing friction: the slopes of two rough surfaces, direction by direction.
/// A facet with slope g (its unit normal m over m.n_out, without the normal part; minus the gradient of a height field) that
/// is pushed along d resists like a cone that ploughs:
///     mu_d = (2/pi) max(0, g.d)                                                                            (A3 to A5)
/// B slides over A along d: B's facets plough where they face along d, A's where they face against it. Averaged over a patch
/// P that both cover,
///     mu_k = mu_0 + k_A (2/pi) <max(0, -g_A.d_k)>_P + k_B (2/pi) <max(0, g_B.d_k)>_P                       (A6 to A8)
/// As a function of d this is convex and homogeneous: the support function of a convex set, the drag of sliding along d. So
/// the forces on B that the patch can carry are those with -f.d_k <= mu_k f_n for all k: a box for four directions, a
/// polygon for more. N directions give the smallest polygon with these sides around the true set.
///
/// Symmetry: mu(d) - mu(-d) = (2/pi) (k_B <g_B> - k_A <g_A>).d, and <g> = 0 over whole periods of any height field. Ratchets
/// feel the same both ways under the source's average, however steep one side of their teeth: that side is narrower in
/// proportion. FacetWeight says what to do.
///
/// Source: Andrews, Nassif, Erleben, Kry, "Coupling Friction with Visual Appearance", Proc. ACM CGIT 4(3), 2021. Corrected
/// here: acos in (A6); A resists along -d because it moves along -d relative to B, not because of the shared normal; (A8)
/// with mu_0, k_A, k_B; the upper bounds of (A9), which were negative; nothing is cut at 1 as 8-bit channels do. Ours:
/// polygons, weights other than Projected. Verified in tests/unit/friction/ploughing_test.cpp and
/// tests/verify/ploughing_test.cpp.
#pragma once
#include <array>
#include <span>

#include "asperity/friction/cone_input.h"

namespace asperity::friction {

enum class FacetWeight {
    Projected,  ///< each facet counts by its area seen along the normal: the source's average
    /// by its own area, 1/(m.n_out) times that: steep sides of teeth count in full, so teeth have a hard and an easy way
    TrueArea,
    Salience  ///< as Projected, with each facet's resistance times the map's own strength there
};

constexpr int kMostDirections = 32;

/// What was found in the patch of one contact. d_k = cos(2 pi k/N) t + sin(2 pi k/N) n x t.
struct FacetAverages {
    Vec3 t;              ///< unit, in the tangent plane
    double covered = 0;  ///< part of the patch that both surfaces cover, 0..1
    /// <max(0, -g_A.d_k)> and <max(0, g_B.d_k)>; zero where nothing is covered
    std::array<double, kMostDirections> a{}, b{};
};

struct Ploughing {
    double mu_0 = 0;          ///< friction of smooth surfaces, every direction
    double k_a = 1, k_b = 1;  ///< how much the slopes of the first and of the second material count
    FacetWeight weight = FacetWeight::Projected;
    int directions = 16;  ///< 4: a box in the contact's frame; an even number from 6 to kMostDirections: a polygon
};

/// Unit vectors (cos, sin)(2 pi k/count), k < count; count even, 4..kMostDirections. Opposite ones are opposite to the last
/// bit.
std::span<const Vec2> plough_directions(int count);

/// mu_k for the law's directions. `swapped`: A is the second material.
void plough_coefficients(const Ploughing& law, const FacetAverages& facets, bool swapped, std::span<double> mu);

/// { f : -f.d_k <= mu_k }, all mu_k >= 0: a Rectangle for four directions, else a polygon whose corners go to `room`
/// (mu.size() of them at most). A half-plane that cuts nothing off is lowered in `mu` until it touches.
LimitSet plough_set(std::span<double> mu, std::span<Vec2> room);

/// Without facets, or without anything covered, mu_0 in every direction. The scale is that of the wrappers.
LimitSurface plough_surface(const Ploughing& law, const ConeInput& in, double scale);

}  // namespace asperity::friction
