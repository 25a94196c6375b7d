// The factor on the energy of two crossing edges, with its derivatives.
//
// It is h = m(|u x v|^2) psi(s) psi(t), with s and t the places of the closest points on the edges in [0, 1].
// m is the mollifier of Li et al. 2020, "Incremental Potential Contact", equation 24: it is 0 for parallel edges, whose
// closest points and direction jump. psi(s) = 30 s^2 (1 - s)^2 has mean 1 and goes smoothly to 0 at the ends, where the
// vertex takes over with its own contact. So a pair of edges acts only where both closest points are inside, and no force
// jumps there.
#pragma once
#include <Eigen/Geometry>  // cross()

#include "asperity/math/matrix.h"

namespace asperity::ipc {

/// Derivatives by the edges u = a1 - a0, v = b1 - b0 and the vector w = a0 - b0 between them.
struct EdgeFactor {
    double value = 0;
    Vector<9> gradient;
    Matrix<9, 9> hessian;
};

/// The mollifier acts while |u x v|^2 is below this share of the product of the squared lengths at rest: at angles below
/// 1.8 degrees. Larger: pairs at small angles become weak. Smaller: their curvature grows in inverse proportion.
constexpr double kParallelShare = 1e-3;

/// Edges count as parallel while |u x v|^2 is below this share of `parallel`: at angles below 1e-6, where the mollifier is
/// below 2e-9. Smaller: rounding decides the direction of their normal, and with it the gap.
constexpr double kNoNormal = 1e-9;
inline bool too_parallel(double squared_normal, double parallel) { return !(squared_normal > kNoNormal * parallel); }

/// `parallel`: kParallelShare times the product of the squared lengths at rest [m^4].
/// `order`: 0 for the value, 1 for the gradient too, 2 for the Hessian too.
void edge_factor(const Vector<3>& u, const Vector<3>& v, const Vector<3>& w, double parallel, int order, EdgeFactor& out);

}  // namespace asperity::ipc
