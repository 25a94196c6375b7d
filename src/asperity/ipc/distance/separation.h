// The vector between the closest points of two primitives (points, lines, planes), with all that derivatives of the distance
// need. One form serves every pair, in two and three dimensions.
//
// r = sum_i w_i x_i is the difference of the closest points: weights w of the first primitive sum to 1, those of the second
// to -1. The closest points slide along the primitives by `parameters` lengths beta_k, chosen so that the derivatives
// t_k = dr/dbeta_k are orthonormal; at the minimum they are orthogonal to r. By the envelope theorem (N: Kronecker product)
//     grad d = w N n,       n = r / d
//     hess d^2/2 = w w^T N I - sum_k F_k F_k^T,       F_k = w N t_k + d w_k' N n,       w_k' = dw/dbeta_k
#pragma once
#include <Eigen/Geometry>  // cross()
#include <array>

#include "asperity/math/matrix.h"

namespace asperity::ipc {

template <int Dim>
struct Separation {
    int count = 0;       ///< of vertices, those of the first primitive first
    int parameters = 0;  ///< 0 to Dim - 1
    double distance = 0;
    Vector<Dim> normal;                            ///< n; zero where the primitives meet and have no normal
    std::array<double, 4> weight{};                ///< w
    std::array<Vector<Dim>, 2> tangent;            ///< orthonormal, orthogonal to n; the first `parameters` are the t_k
    std::array<std::array<double, 4>, 2> slope{};  ///< w_k' [1/m]
};

/// d^2 and its derivatives, block by block in the order of the vertices. Entries beyond the last vertex are zero.
template <int Dim>
Vector<4 * Dim> squared_distance_gradient(const Separation<Dim>& s);
template <int Dim>
Matrix<4 * Dim, 4 * Dim> squared_distance_hessian(const Separation<Dim>& s);

template <int Dim>
Vector<4 * Dim> distance_gradient(const Separation<Dim>& s);
/// first * hess d + second * grad d grad d^T; with `clamp` its nearest positive semidefinite matrix. `first` and `second`
/// are the derivatives of an energy E(d), so this is the Hessian of the energy.
template <int Dim>
Matrix<4 * Dim, 4 * Dim> energy_hessian(const Separation<Dim>& s, double first, double second, bool clamp);

}  // namespace asperity::ipc
