// How far two moving simplices can go before they come too close: continuous collision detection by conservative
// advancement, after the additive CCD of Li et al. 2021, "Codimensional Incremental Potential Contact", algorithm 1.
//
// Vertices move from x along x + t d, with t in [0, t_max]. The limit is a t up to which the distance stays above
//     thickness + keep (distance at t = 0 - thickness),
// never a later one, for the exact motion of the given doubles; time_of_impact.cpp has the proof. The distance at the limit
// exceeds the bound by at most a thousandth of the difference between the distance at t = 0 and the bound, unless the cap on
// iterations ends the search. A caller that rounds x + t d to doubles moves the vertices by another half a unit in the last
// place: `keep` must leave more than that.
//
// The limit is 0 if the pair starts at a distance of at most the thickness, or at one that rounding hides: 1e-15 of the size
// of the pair, wherever the origin is. Zero lengths and areas are allowed. Sizes and displacements between 1e-75 and 1e75.
#pragma once
#include <array>

#include "asperity/math/matrix.h"

namespace asperity::ccd {

/// Vertices: the point, then the triangle. `keep` in [0, 1).
double point_triangle_limit(const std::array<Vector<3>, 4>& x, const std::array<Vector<3>, 4>& d, double thickness,
                            double keep, double t_max = 1);
/// Vertices: a0 a1, b0 b1.
double edge_edge_limit(const std::array<Vector<3>, 4>& x, const std::array<Vector<3>, 4>& d, double thickness, double keep,
                       double t_max = 1);
/// Vertices: the point, then the edge.
template <int Dim>
double point_edge_limit(const std::array<Vector<Dim>, 3>& x, const std::array<Vector<Dim>, 3>& d, double thickness,
                        double keep, double t_max = 1);
template <int Dim>
double point_point_limit(const std::array<Vector<Dim>, 2>& x, const std::array<Vector<Dim>, 2>& d, double thickness,
                         double keep, double t_max = 1);

}  // namespace asperity::ccd
