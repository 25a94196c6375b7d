// Hooke's law in the small strain e = (G + G^T)/2:   psi = mu |e|^2 + lambda/2 (tr e)^2,   P = 2 mu e + lambda tr(e) I.
// The Hessian is constant and positive semidefinite as long as lambda + 2 mu/Dim >= 0, so no projection changes it.
#pragma once
#include "asperity/deform/material.h"

namespace asperity::deform {

template <int Dim>
struct LinearElastic {
    static double energy(const Lame& lame, const Matrix<Dim, Dim>& G) {
        const Matrix<Dim, Dim> e = 0.5 * (G + G.transpose());
        const double trace = e.trace();
        return lame.mu * e.squaredNorm() + 0.5 * lame.lambda * trace * trace;
    }
    static Matrix<Dim, Dim> stress(const Lame& lame, const Matrix<Dim, Dim>& G) {
        Matrix<Dim, Dim> out = lame.mu * (G + G.transpose());
        out.diagonal().array() += lame.lambda * G.trace();
        return out;
    }
    /// K_ab = mu (d_a . d_b) I + mu d_b d_a^T + lambda d_a d_b^T
    static void hessian(const Lame& lame, const Matrix<Dim, Dim>& directions, Matrix<Dim * Dim, Dim * Dim>& out) {
        for (int a = 0; a < Dim; ++a)
            for (int b = 0; b < Dim; ++b) {
                Matrix<Dim, Dim> local = lame.mu * directions.col(b) * directions.col(a).transpose() +
                                         lame.lambda * directions.col(a) * directions.col(b).transpose();
                local.diagonal().array() += lame.mu * directions.col(a).dot(directions.col(b));
                out.template block<Dim, Dim>(a * Dim, b * Dim) = local;
            }
    }
};

}  // namespace asperity::deform
