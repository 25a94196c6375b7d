// Singular values F = U diag(sigma) V^T of small matrices with U and V rotations: the smallest sigma carries the sign of
// det F. From the eigenvectors of the Green strain by Jacobi's method, which resolves nearly equal stretches to rounding.
#pragma once
#include <array>
#include <cmath>
#include <utility>

#include "asperity/deform/detail/invariants.h"

namespace asperity::deform {

/// Jacobi's rotation of axes P and Q, which makes S_PQ zero. The indices are constants, so that S and V stay in registers.
template <int P, int Q, int Dim>
void rotate_axes(Matrix<Dim, Dim>& S, Matrix<Dim, Dim>& V) {
    const double b = S(P, Q);
    if (b == 0) return;
    // the smaller root of t^2 + 2 theta t - 1 = 0 with theta = (S_QQ - S_PP)/(2 b)
    const double d = S(Q, Q) - S(P, P);
    const double t = 2 * b / (d + std::copysign(std::sqrt(d * d + 4 * b * b), d));
    const double c = 1 / std::sqrt(1 + t * t), s = t * c;
    S(P, P) -= t * b;
    S(Q, Q) += t * b;
    S(P, Q) = 0;
    if constexpr (Dim == 3) {  // the upper triangle alone
        constexpr int R = 3 - P - Q;
        double &p = R < P ? S(R, P) : S(P, R), &q = R < Q ? S(R, Q) : S(Q, R);
        const double x = p, y = q;
        p = c * x - s * y;
        q = s * x + c * y;
    }
    const Vector<Dim> x = V.col(P), y = V.col(Q);
    V.col(P) = c * x - s * y;
    V.col(Q) = s * x + c * y;
}

/// Eigenvectors as columns of V and eigenvalues on the diagonal of S, which is symmetric on entry; its lower triangle is not
/// used. Cyclic Jacobi; the sweeps converge quadratically, and 3 to 4 are usual.
template <int Dim>
void diagonalise(Matrix<Dim, Dim>& S, Matrix<Dim, Dim>& V) {
    // Square of the off-diagonals over that of all: they are left out with an error of 3e-16 of S. Smaller costs a sweep
    // more; larger shows in energies of small strain on top of large rotations.
    constexpr double kNegligible = 1e-31;
    constexpr int kMostSweeps = 16;  // only numbers that are not finite get there
    V.setIdentity();
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        double off = S(0, 1) * S(0, 1), all = S.diagonal().squaredNorm();
        if constexpr (Dim == 3) off += S(0, 2) * S(0, 2) + S(1, 2) * S(1, 2);
        if (off <= kNegligible * all) return;
        rotate_axes<0, 1>(S, V);
        if constexpr (Dim == 3) {
            rotate_axes<0, 2>(S, V);
            rotate_axes<1, 2>(S, V);
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
