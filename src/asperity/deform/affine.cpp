#include "asperity/deform/affine.h"

#include "asperity/deform/detail/principal_hessian.h"

namespace asperity::deform {
namespace {

/// A - I
template <int Dim>
Matrix<Dim, Dim> displacement_of(std::span<const Vector<Dim>> columns) {
    Matrix<Dim, Dim> G;
    for (int k = 0; k < Dim; ++k) {
        G.col(k) = columns[static_cast<std::size_t>(k)];
        G(k, k) -= 1;
    }
    return G;
}

}  // namespace

template <int Dim>
double orthogonality_energy(std::span<const Vector<Dim>> columns, double stiffness) {
    return 4 * stiffness * green_strain(displacement_of<Dim>(columns)).squaredNorm();  // A^T A - I = 2 E
}

/// Gradient 4 k A (A^T A - I). By singular values psi = k sum (sigma_i^2 - 1)^2, so that
/// scaling_ii = 4 k (3 s_i^2 - 1), flip_ij = 4 k (s_i^2 + s_i s_j + s_j^2 - 1) and
/// twist_ij = 4 k (s_i^2 - s_i s_j + s_j^2 - 1).
template <int Dim>
void orthogonality(std::span<const Vector<Dim>> columns, double stiffness, bool hessian, AffineEnergy<Dim>& out) {
    const Matrix<Dim, Dim> G = displacement_of<Dim>(columns);
    const Matrix<Dim, Dim> E = green_strain(G);
    const Matrix<Dim, Dim> gradient = 8 * stiffness * (E + G * E);
    for (int k = 0; k < Dim; ++k) out.gradient.template segment<Dim>(k * Dim) = gradient.col(k);
    if (!hessian) return;
    const SingularValues<Dim> svd = singular_values(G);
    const Vector<Dim>& s = svd.sigma;
    PrincipalHessian<Dim> principal;
    principal.scaling.setZero();
    for (int i = 0; i < Dim; ++i) {
        principal.scaling(i, i) = 4 * stiffness * (3 * s[i] * s[i] - 1);
        for (int j = i + 1; j < Dim; ++j) {
            const double squares = s[i] * s[i] + s[j] * s[j] - 1;
            principal.flip(i, j) = 4 * stiffness * (squares + s[i] * s[j]);
            principal.twist(i, j) = 4 * stiffness * (squares - s[i] * s[j]);
        }
    }
    principal.project(Projection::Clamp);
    principal.contract(svd, Matrix<Dim, Dim>::Identity(), out.hessian);
    out.hessian = (0.5 * (out.hessian + out.hessian.transpose())).eval();
}

template void orthogonality<2>(std::span<const Vector<2>>, double, bool, AffineEnergy<2>&);
template void orthogonality<3>(std::span<const Vector<3>>, double, bool, AffineEnergy<3>&);
template double orthogonality_energy<2>(std::span<const Vector<2>>, double);
template double orthogonality_energy<3>(std::span<const Vector<3>>, double);

}  // namespace asperity::deform
