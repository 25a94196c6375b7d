// Fixed corotated energy (Stomakhin, Howes, Schroeder, Teran 2012, "Energetically Consistent Invertible Elasticity"):
//     psi = mu sum (sigma_i - 1)^2 + lambda/2 (J - 1)^2,    P = 2 mu (F - R) + lambda (J - 1) cof F,    R = U V^T
// sigma are the singular values with signs, so that inverted elements are pushed back.
#pragma once
#include <algorithm>

#include "asperity/deform/detail/principal_hessian.h"

namespace asperity::deform {

template <int Dim>
struct FixedCorotated {
    /// The rotation R turns infinitely fast where two stretches cancel, sigma_i + sigma_j = 0: a valley that only strongly
    /// inverted elements reach. Sums are kept above this; a smaller bound gives larger entries of the exact Hessian there.
    static constexpr double kLeastSum = 1e-6;

    static double energy(const Lame& lame, const Matrix<Dim, Dim>& G) {
        const double j = Stretch<Dim>(G).j();
        return lame.mu * singular_values<Dim>(G).strain.squaredNorm() + 0.5 * lame.lambda * j * j;
    }

    static Matrix<Dim, Dim> stress(const Lame& lame, const Matrix<Dim, Dim>& G) {
        const SingularValues<Dim> svd = singular_values<Dim>(G);
        const Matrix<Dim, Dim> F = Matrix<Dim, Dim>::Identity() + G;
        return 2 * lame.mu * (svd.U * svd.strain.asDiagonal() * svd.V.transpose()) +
               lame.lambda * Stretch<Dim>(G).j() * cofactor(F);
    }

    static void hessian(const Lame& lame, const Matrix<Dim, Dim>& G, const Matrix<Dim, Dim>& directions,
                        Matrix<Dim * Dim, Dim * Dim>& out) {
        const SingularValues<Dim> svd = singular_values<Dim>(G);
        principal(lame, svd).contract(svd, directions, out);
    }

    static PrincipalHessian<Dim> principal(const Lame& lame, const SingularValues<Dim>& svd) {
        PrincipalHessian<Dim> out;
        const double j = determinant_minus_one(Matrix<Dim, Dim>(svd.strain.asDiagonal()));
        const Vector<Dim> cofactors = cofactor(Matrix<Dim, Dim>(svd.sigma.asDiagonal())).diagonal();
        out.scaling = lame.lambda * cofactors * cofactors.transpose();
        for (int i = 0; i < Dim; ++i) {
            out.scaling(i, i) += 2 * lame.mu;
            for (int k = i + 1; k < Dim; ++k) {
                const double third = lame.lambda * j * other_stretch<Dim>(svd.sigma, i, k);
                out.scaling(i, k) += third;
                out.scaling(k, i) = out.scaling(i, k);
                out.flip(i, k) = 2 * lame.mu - third;
                const double sum = std::max(kLeastSum, svd.sigma[i] + svd.sigma[k]);
                out.twist(i, k) = 2 * lame.mu * (svd.strain[i] + svd.strain[k]) / sum + third;
            }
        }
        return out;
    }
};

}  // namespace asperity::deform
