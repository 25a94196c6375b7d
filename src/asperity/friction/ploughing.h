/// Ploughing friction: direction-dependent coefficients from the slopes of two rough surfaces. A facet with slope g (minus
/// the gradient of a height field; the tangential part of its unit normal m over m.n_out) that is pushed along d resists
/// like a ploughing cone:
///     mu_d = (2/pi) max(0, g.d)                                                                            (A3 to A5)
/// When B slides over A along d, B's facets that face along d plough, and A's facets that face against d. Averaged over a
/// footprint P that both surfaces cover,
///     mu_k = mu_0 + k_A (2/pi) <max(0, -g_A.d_k)>_P + k_B (2/pi) <max(0, g_B.d_k)>_P                       (A6 to A8)
/// As a function of d this is convex and homogeneous, so it is the support function of a convex set: the drag of sliding
/// along d. The contact can carry the forces on B with -f.d_k <= mu_k f_n for all k: a box for four directions, a polygon
/// for more. N directions give the smallest polygon around the true set with these side directions.
///
/// Symmetry: mu(d) - mu(-d) = (2/pi) (k_B <g_B> - k_A <g_A>).d, and <g> = 0 over whole periods of any height field. So with
/// the source's average a ratchet has the same friction both ways, however steep one side of its teeth is: a steeper side is
/// proportionally narrower. FacetWeight offers alternatives.
///
/// Source: Andrews, Nassif, Erleben, Kry, "Coupling Friction with Visual Appearance", Proc. ACM CGIT 4(3), 2021. Corrected
/// here: acos in (A6); A resists along -d because it moves along -d relative to B, not because of the shared normal; (A8)
/// with mu_0, k_A, k_B; the upper bounds of (A9), which were negative. Slopes are not clipped at 1 as in 8-bit channels.
/// Ours: polygons, weights other than Projected. Verified in tests/unit/friction/ploughing_test.cpp and
/// tests/verify/ploughing_test.cpp.
#pragma once
#include <array>
#include <span>

#include "asperity/friction/cone_input.h"

namespace asperity::friction {

enum class FacetWeight {
    Projected,  ///< weight: the facet's area projected along the normal (the source's average)
    /// weight: its true area, 1/(m.n_out) times that. Steep sides of teeth then count more, so a ratchet has a hard
    /// direction
    TrueArea,
    Salience  ///< as Projected, with each facet's resistance times the map's own strength there
};

constexpr int kMostDirections = 32;

/// Averages over the footprint of one contact. d_k = cos(2 pi k/N) t + sin(2 pi k/N) n x t.
struct FacetAverages {
    Vec3 t;              ///< unit, in the tangent plane
    double covered = 0;  ///< fraction of the footprint that both surfaces cover, 0..1
    /// <max(0, -g_A.d_k)> and <max(0, g_B.d_k)>; zero if nothing is covered
    std::array<double, kMostDirections> a{}, b{};
};

struct Ploughing {
    double mu_0 = 0;          ///< coefficient of smooth surfaces, in every direction [-]
    double k_a = 1, k_b = 1;  ///< factors on the slopes of the first and the second material [-]
    FacetWeight weight = FacetWeight::Projected;
    int directions = 16;  ///< 4: a box in the contact's frame; an even number from 6 to kMostDirections: a polygon
};

/// Unit vectors (cos, sin)(2 pi k/count), k < count; count even, 4..kMostDirections. Opposite ones are bitwise opposite.
std::span<const Vec2> plough_directions(int count);

/// mu_k for the law's directions. `swapped`: surface A has the second material.
void plough_coefficients(const Ploughing& law, const FacetAverages& facets, bool swapped, std::span<double> mu);

/// { f : -f.d_k <= mu_k }, all mu_k >= 0: a Rectangle for four directions, else a polygon with at most mu.size() vertices,
/// stored in `room`. Lowers the `mu` of a half-plane that cuts nothing off until it touches the set.
LimitSet plough_set(std::span<double> mu, std::span<Vec2> room);

/// mu_0 in every direction if there are no facets or nothing is covered. `scale` is the product of the law's wrappers.
LimitSurface plough_surface(const Ploughing& law, const ConeInput& in, double scale);

}  // namespace asperity::friction
