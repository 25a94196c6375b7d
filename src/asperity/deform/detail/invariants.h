// Invariants of F = I + G that keep their relative accuracy near the rest state and near rotations. The energies are sums of
// terms that are quadratic in the Green strain E = (F^T F - I)/2, so that an error of E enters multiplied by E.
#pragma once
#include <cmath>
#include <limits>

#include "asperity/math/matrix.h"

namespace asperity::deform {

inline Vector<3> cross(const Vector<3>& a, const Vector<3>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <int Dim>
Matrix<Dim, Dim> green_strain(const Matrix<Dim, Dim>& G) {
    return 0.5 * (G + G.transpose() + G.transpose() * G);
}

/// Second invariant ((tr A)^2 - tr(A^2))/2; in 2D it is the determinant.
template <int Dim>
double second_invariant(const Matrix<Dim, Dim>& A) {
    double sum = 0;
    for (int i = 0; i < Dim; ++i)
        for (int j = i + 1; j < Dim; ++j) sum += A(i, i) * A(j, j) - A(i, j) * A(j, i);
    return sum;
}

inline double third_invariant(const Matrix<2, 2>&) { return 0; }
inline double third_invariant(const Matrix<3, 3>& A) {
    return A(0, 0) * (A(1, 1) * A(2, 2) - A(1, 2) * A(2, 1)) - A(0, 1) * (A(1, 0) * A(2, 2) - A(1, 2) * A(2, 0)) +
           A(0, 2) * (A(1, 0) * A(2, 1) - A(1, 1) * A(2, 0));
}

/// det(I + A) - 1
template <int Dim>
double determinant_minus_one(const Matrix<Dim, Dim>& A) {
    return A.trace() + second_invariant(A) + third_invariant(A);
}

inline Matrix<2, 2> cofactor(const Matrix<2, 2>& A) {
    Matrix<2, 2> out;
    out << A(1, 1), -A(1, 0), -A(0, 1), A(0, 0);
    return out;
}
inline Matrix<3, 3> cofactor(const Matrix<3, 3>& A) {
    Matrix<3, 3> out;
    out.col(0) = cross(A.col(1), A.col(2));
    out.col(1) = cross(A.col(2), A.col(0));
    out.col(2) = cross(A.col(0), A.col(1));
    return out;
}

/// x - ln(1 + x) without cancellation. With r = x/(2 + x), ln(1 + x) = 2 (r + r^3/3 + r^5/5 + ...) and x - 2 r = r x.
inline double x_minus_log1p(double x) {
    if (std::fabs(x) > 0.2) return x - std::log1p(x);
    // |r| <= 1/9: the first term left out is below 2 r^19/19, 1e-16 of the result
    const double r = x / (2 + x), s = r * r;
    double sum = 0;
    for (int k = 17; k >= 3; k -= 2) sum = sum * s + 1.0 / k;
    return r * (x - 2 * s * sum);
}

/// Volume change of F = I + G and its strain.
template <int Dim>
struct Stretch {
    Matrix<Dim, Dim> E;      ///< Green strain
    double determinant = 0;  ///< J
    double squared = 0;      ///< J^2 - 1, accurate for small E
    double second = 0;       ///< 4 I2(E) + 8 det E = J^2 - 1 - 2 tr E
    explicit Stretch(const Matrix<Dim, Dim>& G) : E(green_strain(G)), determinant(1 + determinant_minus_one(G)) {
        second = 4 * second_invariant(E) + 8 * third_invariant(E);
        squared = 2 * E.trace() + second;
    }
    /// J - 1. Below J^2 = 1/2 the way over J^2 has no advantage.
    double j() const { return determinant > 0 && squared > -0.5 ? squared / (1 + std::sqrt(1 + squared)) : determinant - 1; }
    /// ln J; not a number for J <= 0
    double log() const {
        if (!(determinant > 0)) return std::numeric_limits<double>::quiet_NaN();
        return squared > -0.5 ? 0.5 * std::log1p(squared) : std::log(determinant);
    }
};

}  // namespace asperity::deform
