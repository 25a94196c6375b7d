// Hessian of an isotropic energy psi(sigma) by F, in the frame of the singular vectors, where it falls apart into blocks of
// one and Dim (Smith, De Goes, Kim 2019, "Analytic Eigensystems for Isotropic Distortion Energies"). With dF = U D V^T:
//     sum_ij scaling_ij D_ii D_jj + sum_{i<j} flip_ij (D_ij + D_ji)^2/2 + twist_ij (D_ij - D_ji)^2/2
//     scaling_ij = d2psi/(dsigma_i dsigma_j),  flip_ij = (psi_i - psi_j)/(sigma_i - sigma_j),
//     twist_ij = (psi_i + psi_j)/(sigma_i + sigma_j);  flips and twists are eigenvalues.
#pragma once
#include "asperity/deform/detail/singular_values.h"
#include "asperity/deform/material.h"

namespace asperity::deform {

template <int Dim>
struct PrincipalHessian {
    Matrix<Dim, Dim> scaling;      ///< symmetric
    Matrix<Dim, Dim> flip, twist;  ///< entries i < j

    void project(Projection projection) {
        if (projection == Projection::None) return;
        const auto mend = [&](double value) { return value >= 0 ? value : projection == Projection::Clamp ? 0 : -value; };
        for (int i = 0; i < Dim; ++i)
            for (int j = i + 1; j < Dim; ++j) {
                flip(i, j) = mend(flip(i, j));
                twist(i, j) = mend(twist(i, j));
            }
        if (is_positive()) return;
        Matrix<Dim, Dim> values = scaling, vectors;
        diagonalise(values, vectors);
        scaling.setZero();
        for (int k = 0; k < Dim; ++k) scaling += mend(values(k, k)) * vectors.col(k) * vectors.col(k).transpose();
    }

    /// Block (a, b) of `out`: the Hessian contracted with columns a and b of `directions`, as in energy_hessian().
    void contract(const SingularValues<Dim>& svd, const Matrix<Dim, Dim>& directions,
                  Matrix<Dim * Dim, Dim * Dim>& out) const {
        const Matrix<Dim, Dim> d = svd.V.transpose() * directions;
        Matrix<Dim, Dim> same = scaling, crossed;  // coefficients of D_ij D_ij and of D_ij D_ji
        for (int i = 0; i < Dim; ++i)
            for (int j = i + 1; j < Dim; ++j) {
                same(i, j) = same(j, i) = 0.5 * (flip(i, j) + twist(i, j));
                crossed(i, j) = crossed(j, i) = 0.5 * (flip(i, j) - twist(i, j));
            }
        for (int a = 0; a < Dim; ++a)
            for (int b = 0; b <= a; ++b) {
                Matrix<Dim, Dim> local;
                for (int i = 0; i < Dim; ++i)
                    for (int k = 0; k < Dim; ++k) {
                        double sum = 0;
                        if (i == k)
                            for (int j = 0; j < Dim; ++j) sum += same(i, j) * d(j, a) * d(j, b);
                        else
                            sum = scaling(i, k) * d(i, a) * d(k, b) + crossed(i, k) * d(k, a) * d(i, b);
                        local(i, k) = sum;
                    }
                const Matrix<Dim, Dim> half = svd.U * local;
                const Matrix<Dim, Dim> block = half * svd.U.transpose();
                out.template block<Dim, Dim>(a * Dim, b * Dim) = block;
                if (b != a) out.template block<Dim, Dim>(b * Dim, a * Dim) = block.transpose();
            }
    }

  private:
    /// Leading minors all positive: the usual case needs no eigenvalues.
    bool is_positive() const {
        const double second = scaling(0, 0) * scaling(1, 1) - scaling(0, 1) * scaling(1, 0);
        if (!(scaling(0, 0) > 0 && second > 0)) return false;
        if constexpr (Dim == 3) return third_invariant(scaling) > 0;
        return true;
    }
};

/// The stretch that is neither i nor j; 1 in 2D.
template <int Dim>
double other_stretch(const Vector<Dim>& sigma, int i, int j) {
    if constexpr (Dim == 3)
        return sigma[3 - i - j];
    else
        return static_cast<void>(sigma), static_cast<void>(i), static_cast<void>(j), 1.0;
}

}  // namespace asperity::deform
