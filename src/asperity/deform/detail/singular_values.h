// Singular values F = U diag(sigma) V^T of small matrices with U and V rotations: the smallest sigma carries the sign of det F.
// From the eigenvectors of the Green strain by Jacobi's method, which resolves nearly equal stretches to rounding.
#pragma once
#include <array>
#include <cmath>
#include <utility>

#include "asperity/deform/detail/invariants.h"

namespace asperity::deform {

/// Eigenvectors as columns of V and eigenvalues on the diagonal of S, which is symmetric on entry. Cyclic Jacobi; the sweeps
/// converge quadratically, and 4 are usual.
template <int Dim>
void diagonalise(Matrix<Dim, Dim>& S, Matrix<Dim, Dim>& V) {
    constexpr double kNegligible = 1e-34;  // square of the part of the off-diagonals that is rounding
    constexpr int kMostSweeps = 16;        // only numbers that are not finite get there
    V.setIdentity();
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        double off = 0;
        for (int p = 0; p < Dim; ++p)
            for (int q = p + 1; q < Dim; ++q) off += S(p, q) * S(p, q);
        if (off <= kNegligible * S.squaredNorm()) return;
        for (int p = 0; p < Dim; ++p)
            for (int q = p + 1; q < Dim; ++q) {
                const double b = S(p, q);
                if (b == 0) continue;
                // the smaller root of t^2 + 2 theta t - 1 = 0 with theta = (S_qq - S_pp)/(2 b)
                const double d = S(q, q) - S(p, p), root = std::sqrt(d * d + 4 * b * b);
                const double t = d >= 0 ? 2 * b / (d + root) : 2 * b / (d - root);
                const double c = 1 / std::sqrt(1 + t * t), s = t * c;
                S(p, p) -= t * b;
                S(q, q) += t * b;
                S(p, q) = S(q, p) = 0;
                for (int k = 0; k < Dim; ++k) {
                    if (k != p && k != q) {
                        const double x = S(k, p), y = S(k, q);
                        S(k, p) = S(p, k) = c * x - s * y;
                        S(k, q) = S(q, k) = s * x + c * y;
                    }
                    const double x = V(k, p), y = V(k, q);
                    V(k, p) = c * x - s * y;
                    V(k, q) = s * x + c * y;
                }
            }
    }
}

template <int Dim>
struct SingularValues {
    Matrix<Dim, Dim> U, V;  ///< rotations
    Vector<Dim> sigma;      ///< descending in size; the last may be negative
    Vector<Dim> strain;     ///< sigma - 1, accurate for small strain
};

template <int Dim>
SingularValues<Dim> singular_values(const Matrix<Dim, Dim>& G) {
    SingularValues<Dim> out;
    Matrix<Dim, Dim> E = green_strain(G), V;
    diagonalise(E, V);
    std::array<int, Dim> order;
    for (int i = 0; i < Dim; ++i) order[static_cast<std::size_t>(i)] = i;
    for (std::size_t i = 1; i < Dim; ++i)
        for (std::size_t k = i; k > 0 && E(order[k], order[k]) > E(order[k - 1], order[k - 1]); --k)
            std::swap(order[k], order[k - 1]);
    Vector<Dim> e;
    for (int i = 0; i < Dim; ++i) {
        const int from = order[static_cast<std::size_t>(i)];
        e[i] = E(from, from);
        out.V.col(i) = V.col(from);
    }
    if (out.V.determinant() < 0) out.V.col(Dim - 1) *= -1;

    const Matrix<Dim, Dim> FV = out.V + G * out.V;
    const double largest = FV.col(0).norm();
    out.U.col(0) = largest > 0 ? Vector<Dim>(FV.col(0) / largest) : Vector<Dim>(Vector<Dim>::Unit(0));
    if constexpr (Dim == 2) {
        out.U.col(1) << -out.U(1, 0), out.U(0, 0);
    } else {
        Vector<3> u = FV.col(1) - out.U.col(0).dot(FV.col(1)) * out.U.col(0);
        double size = u.norm();
        if (!(size > 1e-14 * largest)) {  // F squeezes space onto a line: any direction beside it
            int axis = 0;
            out.U.col(0).cwiseAbs().minCoeff(&axis);
            u = Vector<3>::Unit(axis) - out.U(axis, 0) * out.U.col(0);
            size = u.norm();
        }
        out.U.col(1) = u / size;
        out.U.col(2) = cross(out.U.col(0), out.U.col(1));
    }
    for (int i = 0; i < Dim; ++i) {
        out.sigma[i] = out.U.col(i).dot(FV.col(i));
        out.strain[i] = out.sigma[i] > 0.5 ? 2 * e[i] / (1 + std::sqrt(1 + 2 * e[i])) : out.sigma[i] - 1;
    }
    return out;
}

}  // namespace asperity::deform
