// Random deformations for the tests of materials and elements.
#pragma once
#include "asperity/core/random.h"
#include "asperity/math/matrix.h"

namespace asperity::deform {

template <int Dim>
Matrix<Dim, Dim> random_matrix(Random& random, double size) {
    Matrix<Dim, Dim> out;
    for (int i = 0; i < Dim; ++i)
        for (int j = 0; j < Dim; ++j) out(i, j) = random.uniform(-size, size);
    return out;
}

/// Gram-Schmidt on a random matrix; determinant +1.
template <int Dim>
Matrix<Dim, Dim> random_rotation(Random& random) {
    Matrix<Dim, Dim> Q = random_matrix<Dim>(random, 1);
    for (int pass = 0; pass < 2; ++pass)  // the second removes the rounding of the first
        for (int j = 0; j < Dim; ++j) {
            for (int k = 0; k < j; ++k) Q.col(j) -= Q.col(k).dot(Q.col(j)) * Q.col(k);
            Q.col(j).normalize();
        }
    if (Q.determinant() < 0) Q.col(0) *= -1;
    return Q;
}

/// G = F - I for F = U diag(stretches) V^T
template <int Dim>
Matrix<Dim, Dim> random_stretch(Random& random, double low, double high) {
    Vector<Dim> stretches;
    for (int i = 0; i < Dim; ++i) stretches[i] = random.uniform(low, high);
    return random_rotation<Dim>(random) * stretches.asDiagonal() * random_rotation<Dim>(random).transpose() -
           Matrix<Dim, Dim>::Identity();
}

}  // namespace asperity::deform
