// The energy that keeps the matrix A of an affine body near a rotation, k |A^T A - I|_F^2 (Lan et al. 2022, "Affine Body
// Dynamics", equation 6). Its unknowns are the columns of A, one after the other.
#pragma once
#include <span>

#include "asperity/math/matrix.h"

namespace asperity::deform {

template <int Dim>
struct AffineEnergy {
    Vector<Dim * Dim> gradient;
    Matrix<Dim * Dim, Dim * Dim> hessian;  ///< negative eigenvalues set to zero
};

/// `columns`: Dim columns of A. `stiffness`: k [J]. The Hessian is left as it was if `hessian` is false.
template <int Dim>
void orthogonality(std::span<const Vector<Dim>> columns, double stiffness, bool hessian, AffineEnergy<Dim>& out);
template <int Dim>
double orthogonality_energy(std::span<const Vector<Dim>> columns, double stiffness);

}  // namespace asperity::deform
