// Stable neo-Hookean energy (Smith, De Goes, Kim 2018, "Stable Neo-Hookean Flesh Simulation", equation 14):
//     psi = m/2 (I_C - 3) + l/2 (J - a)^2 - m/2 ln(I_C + 1),   a = 1 + 3 m/(4 l),  m = 4/3 mu,  l = lambda + 5/6 mu
// with I_C = |F|^2 in 3D and |F|^2 + 1 in plane strain. m and l are such that small strain obeys Hooke's law with mu,
// lambda. Minus its rest value, with p = |F|^2 - Dim = 2 tr E and j = J - 1, it is
//     psi = m/2 (p/4 - ln(1 + p/4)) - 3 m/8 (4 I2(E) + 8 det E) + (3 m/8 + l/2) j^2
//     P = m (3 (F - cof F)/4 + p/(4 (4 + p)) F) + l j cof F
#pragma once
#include "asperity/deform/detail/principal_hessian.h"

namespace asperity::deform {

template <int Dim>
struct StableNeoHookean {
    static Lame fitted(const Lame& lame) { return {4 * lame.mu / 3, lame.lambda + 5 * lame.mu / 6}; }

    static double energy(const Lame& lame, const Matrix<Dim, Dim>& G) {
        const auto [m, l] = fitted(lame);
        const Stretch<Dim> s(G);
        const double j = s.j();
        return 0.5 * m * x_minus_log1p(0.5 * s.E.trace()) - 0.375 * m * s.second + (0.375 * m + 0.5 * l) * j * j;
    }

    static Matrix<Dim, Dim> stress(const Lame& lame, const Matrix<Dim, Dim>& G) {
        const auto [m, l] = fitted(lame);
        const Stretch<Dim> s(G);
        const Matrix<Dim, Dim> F = Matrix<Dim, Dim>::Identity() + G;
        const double p = 2 * s.E.trace();
        Matrix<Dim, Dim> difference = G + G.transpose();  // F - cof F
        difference.diagonal().array() -= G.trace();
        if constexpr (Dim == 3) difference -= cofactor(G);
        return m * (0.75 * difference + p / (4 * (4 + p)) * F) + l * s.j() * cofactor(F);
    }

    /// K_ab = m (1 - 1/N) (d_a . d_b) I + 2 m/N^2 f_a f_b^T + l c_a c_b^T + (l j - 3 m/4) [F (d_a x d_b)]_x, where
    /// N = 4 + p, f = F d, c = cof F d and [w]_x has the entries epsilon_ikn w_n.
    static void hessian(const Lame& lame, const Matrix<Dim, Dim>& G, const Matrix<Dim, Dim>& directions,
                        Matrix<Dim * Dim, Dim * Dim>& out) {
        const auto [m, l] = fitted(lame);
        const Stretch<Dim> s(G);
        const Matrix<Dim, Dim> F = Matrix<Dim, Dim>::Identity() + G;
        const Matrix<Dim, Dim> f = F * directions, c = cofactor(F) * directions;
        const double N = 4 + 2 * s.E.trace(), swap = l * s.j() - 0.75 * m;
        for (int a = 0; a < Dim; ++a)
            for (int b = 0; b <= a; ++b) {
                Matrix<Dim, Dim> local =
                    2 * m / (N * N) * f.col(a) * f.col(b).transpose() + l * c.col(a) * c.col(b).transpose();
                local.diagonal().array() += m * (1 - 1 / N) * directions.col(a).dot(directions.col(b));
                if constexpr (Dim == 3) {
                    const Vector<3> w = swap * (F * cross(directions.col(a), directions.col(b)));
                    local(0, 1) += w[2], local(1, 0) -= w[2];
                    local(1, 2) += w[0], local(2, 1) -= w[0];
                    local(2, 0) += w[1], local(0, 2) -= w[1];
                } else {
                    const double w = swap * (directions(0, a) * directions(1, b) - directions(1, a) * directions(0, b));
                    local(0, 1) += w, local(1, 0) -= w;
                }
                out.template block<Dim, Dim>(a * Dim, b * Dim) = local;
                if (b != a) out.template block<Dim, Dim>(b * Dim, a * Dim) = local.transpose();
            }
    }

    static PrincipalHessian<Dim> principal(const Lame& lame, const SingularValues<Dim>& svd) {
        const auto [m, l] = fitted(lame);
        PrincipalHessian<Dim> out;
        const Vector<Dim>& sigma = svd.sigma;
        const double N = sigma.squaredNorm() + (4 - Dim), j = sigma.prod() - 1, swap = l * j - 0.75 * m;
        const Vector<Dim> cofactors = cofactor(Matrix<Dim, Dim>(sigma.asDiagonal())).diagonal();
        out.scaling = 2 * m / (N * N) * sigma * sigma.transpose() + l * cofactors * cofactors.transpose();
        for (int i = 0; i < Dim; ++i) {
            out.scaling(i, i) += m * (1 - 1 / N);
            for (int k = i + 1; k < Dim; ++k) {
                const double third = other_stretch<Dim>(sigma, i, k);
                out.scaling(i, k) += swap * third;
                out.scaling(k, i) = out.scaling(i, k);
                out.flip(i, k) = m * (1 - 1 / N) - swap * third;
                out.twist(i, k) = m * (1 - 1 / N) + swap * third;
            }
        }
        return out;
    }
};

}  // namespace asperity::deform
