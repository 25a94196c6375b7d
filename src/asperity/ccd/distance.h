// Closest points of two simplices: point and point, point and edge, point and triangle, edge and edge; zero lengths and
// areas allowed.
//
// The squared distance is that of the two points that the weights name, so it is never below the true one by more than
// rounding. Coordinates enter as differences only. The error of the distance is a few roundings of the size of the pair,
// 1e-15 of it, also for nearly parallel edges and slivers (distance.cpp says why). Sizes between 1e-75 and 1e75, so that no
// fourth power leaves the doubles.
#pragma once
#include <array>

#include "asperity/math/matrix.h"

namespace asperity::ccd {

/// Weights of the vertices in the order of the arguments. Those of either simplex sum to 1, and none is negative; exactly 0
/// says that the closest point lies on a part of the simplex without that vertex.
template <int Dim, int Count>
struct Closest {
    double squared = 0;
    Vector<Dim> difference;  ///< closest point of the first simplex minus that of the second
    std::array<double, static_cast<std::size_t>(Count)> weights;
};

template <int Dim>
Closest<Dim, 2> point_point(const Vector<Dim>& p, const Vector<Dim>& q);
template <int Dim>
Closest<Dim, 3> point_edge(const Vector<Dim>& p, const Vector<Dim>& a, const Vector<Dim>& b);
Closest<3, 4> point_triangle(const Vector<3>& p, const Vector<3>& a, const Vector<3>& b, const Vector<3>& c);
Closest<3, 4> edge_edge(const Vector<3>& a0, const Vector<3>& a1, const Vector<3>& b0, const Vector<3>& b1);

}  // namespace asperity::ccd
