// With A = u.u, B = u.v, C = v.v, D = u.w, E = v.w:  s = S/X, t = T/X, S = BE - CD, T = AE - BD, X = AC - B^2 = |u x v|^2.
// The chain rule goes from (S, T, X) over (A, B, C, D, E) to the nine coordinates.
#include "asperity/ipc/edge_factor.h"

namespace asperity::ipc {
namespace {

/// A function of a numerator and X, with its derivatives.
struct Part {
    double value, by_n, by_x, by_nn, by_nx, by_xx;
};

/// psi(numerator / X).
Part window(double place, double x) {
    Part p{};
    if (!(place > 0 && place < 1)) return p;
    const double rest = place * (1 - place);
    const double first = 60 * rest * (1 - 2 * place), second = 60 * (1 - 6 * rest);
    p.value = 30 * rest * rest;
    p.by_n = first / x;
    p.by_x = -first * place / x;
    p.by_nn = second / (x * x);
    p.by_nx = -(second * place + first) / (x * x);
    p.by_xx = (second * place + 2 * first) * place / (x * x);
    return p;
}

}  // namespace

void edge_factor(const Vector<3>& u, const Vector<3>& v, const Vector<3>& w, double parallel, int order, EdgeFactor& out) {
    const Vector<3> normal = u.cross(v);
    const double x = normal.squaredNorm();
    out.value = 0;
    if (order > 0) out.gradient.setZero();
    if (order > 1) out.hessian.setZero();
    if (too_parallel(x, parallel)) return;
    const Part s = window(-normal.dot(w.cross(v)) / x, x), t = window(-normal.dot(w.cross(u)) / x, x);
    double m = 1, m1 = 0, m2 = 0;
    if (x < parallel) {
        const double y = x / parallel;
        m = y * (2 - y);
        m1 = 2 * (1 - y) / parallel;
        m2 = -2 / (parallel * parallel);
    }
    out.value = m * s.value * t.value;
    if (order < 1) return;

    // by (S, T, X)
    const Vector<3> outer{m * s.by_n * t.value, m * s.value * t.by_n,
                          m1 * s.value * t.value + m * (s.by_x * t.value + s.value * t.by_x)};
    // by (A, B, C, D, E)
    const double A = u.dot(u), B = u.dot(v), C = v.dot(v), D = u.dot(w), E = v.dot(w);
    Matrix<3, 5> jacobian;
    jacobian << 0, E, -D, -C, B,  //
        E, -D, 0, -B, A,          //
        C, -2 * B, A, 0, 0;
    const Vector<5> g = jacobian.transpose() * outer;
    // by (u, v, w)
    Matrix<5, 9> products;
    products.setZero();
    products.block<1, 3>(0, 0) = 2 * u.transpose();
    products.block<1, 3>(1, 0) = v.transpose();
    products.block<1, 3>(1, 3) = u.transpose();
    products.block<1, 3>(2, 3) = 2 * v.transpose();
    products.block<1, 3>(3, 0) = w.transpose();
    products.block<1, 3>(3, 6) = u.transpose();
    products.block<1, 3>(4, 3) = w.transpose();
    products.block<1, 3>(4, 6) = v.transpose();
    out.gradient = products.transpose() * g;
    if (order < 2) return;

    Matrix<3, 3> second;
    second(0, 0) = m * s.by_nn * t.value;
    second(1, 1) = m * s.value * t.by_nn;
    second(0, 1) = second(1, 0) = m * s.by_n * t.by_n;
    second(0, 2) = second(2, 0) = m1 * s.by_n * t.value + m * (s.by_nx * t.value + s.by_n * t.by_x);
    second(1, 2) = second(2, 1) = m1 * s.value * t.by_n + m * (s.value * t.by_nx + s.by_x * t.by_n);
    second(2, 2) = m2 * s.value * t.value + 2 * m1 * (s.by_x * t.value + s.value * t.by_x) +
                   m * (s.by_xx * t.value + 2 * s.by_x * t.by_x + s.value * t.by_xx);
    Matrix<5, 5> middle = jacobian.transpose() * second * jacobian;
    const auto add = [&](int i, int j, double value) {
        middle(i, j) += value;
        middle(j, i) += value;
    };
    add(1, 4, outer[0]);  // S = BE - CD
    add(2, 3, -outer[0]);
    add(0, 4, outer[1]);  // T = AE - BD
    add(1, 3, -outer[1]);
    add(0, 2, outer[2]);  // X = AC - B^2
    middle(1, 1) -= 2 * outer[2];
    out.hessian = products.transpose() * middle * products;
    const auto add_block = [&](int i, int j, double value) {
        out.hessian.block<3, 3>(3 * i, 3 * j).diagonal().array() += value;
        if (i != j) out.hessian.block<3, 3>(3 * j, 3 * i).diagonal().array() += value;
    };
    add_block(0, 0, 2 * g[0]);
    add_block(0, 1, g[1]);
    add_block(1, 1, 2 * g[2]);
    add_block(0, 2, g[3]);
    add_block(1, 2, g[4]);
}

}  // namespace asperity::ipc
