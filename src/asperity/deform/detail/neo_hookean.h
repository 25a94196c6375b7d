// Neo-Hookean energy with ln J (Bonet and Wood, "Nonlinear Continuum Mechanics for Finite Element Analysis", 6.27):
//     psi = mu/2 (|F|^2 - Dim) - mu ln J + lambda/2 ln^2 J
//         = -mu/2 (4 I2(E) + 8 det E) + mu/2 (q - ln(1 + q)) + lambda/8 ln^2(1 + q),      q = J^2 - 1
//     P = mu (F - F^-T) + lambda ln J F^-T = F^-T (2 mu E + lambda ln J I)
// The second lines are the same functions without differences of large numbers. Plane strain is F_33 = 1.
#pragma once
#include "asperity/deform/detail/principal_hessian.h"

namespace asperity::deform {

template <int Dim>
struct NeoHookean {
    static double energy(const Lame& lame, const Matrix<Dim, Dim>& G) {
        const Stretch<Dim> s(G);
        if (!(s.determinant > 0)) return std::numeric_limits<double>::infinity();
        const double log = s.log();
        const double rest = s.squared > -0.5 ? x_minus_log1p(s.squared) : s.squared - 2 * log;
        return 0.5 * lame.mu * (rest - s.second) + 0.5 * lame.lambda * log * log;
    }

    static Matrix<Dim, Dim> stress(const Lame& lame, const Matrix<Dim, Dim>& G) {
        const Stretch<Dim> s(G);
        Matrix<Dim, Dim> inner = 2 * lame.mu * s.E;
        inner.diagonal().array() += lame.lambda * s.log();
        const Matrix<Dim, Dim> F = Matrix<Dim, Dim>::Identity() + G;
        return cofactor(F) * inner / s.determinant;
    }

    /// K_ab = mu (d_a . d_b) I + (mu - lambda ln J) h_b h_a^T + lambda h_a h_b^T with h_a = F^-T d_a
    static void hessian(const Lame& lame, const Matrix<Dim, Dim>& G, const Matrix<Dim, Dim>& directions,
                        Matrix<Dim * Dim, Dim * Dim>& out) {
        const Stretch<Dim> s(G);
        const Matrix<Dim, Dim> F = Matrix<Dim, Dim>::Identity() + G;
        const Matrix<Dim, Dim> h = cofactor(F) * directions / s.determinant;
        const double swap = lame.mu - lame.lambda * s.log();
        for (int a = 0; a < Dim; ++a)
            for (int b = 0; b <= a; ++b) {
                const double diagonal = lame.mu * directions.col(a).dot(directions.col(b));
                for (int i = 0; i < Dim; ++i)
                    for (int k = 0; k < Dim; ++k) {
                        const double value =
                            swap * h(i, b) * h(k, a) + lame.lambda * h(i, a) * h(k, b) + (i == k ? diagonal : 0);
                        out(a * Dim + i, b * Dim + k) = value;
                        out(b * Dim + k, a * Dim + i) = value;
                    }
            }
    }

    static PrincipalHessian<Dim> principal(const Lame& lame, const SingularValues<Dim>& svd) {
        PrincipalHessian<Dim> out;
        const Vector<Dim> inverse = svd.sigma.cwiseInverse();
        const double growth = determinant_minus_one(Matrix<Dim, Dim>(svd.strain.asDiagonal()));
        const double swap = lame.mu - lame.lambda * std::log1p(growth);
        out.scaling = lame.lambda * inverse * inverse.transpose();
        for (int i = 0; i < Dim; ++i) {
            out.scaling(i, i) += lame.mu + swap * inverse[i] * inverse[i];
            for (int j = i + 1; j < Dim; ++j) {
                out.flip(i, j) = lame.mu + swap * inverse[i] * inverse[j];
                out.twist(i, j) = lame.mu - swap * inverse[i] * inverse[j];
            }
        }
        return out;
    }
};

}  // namespace asperity::deform
