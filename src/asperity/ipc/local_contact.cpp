// Energy of contacts and its derivatives, with Hessians made positive semidefinite. For edges the energy is weight h(x)
// b(d(x)); for the others h is 1.
#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/core/parallel.h"
#include "asperity/ipc/collisions.h"
#include "asperity/ipc/edge_factor.h"

namespace asperity::ipc {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Collisions per partial sum of the energy; independent of the number of threads.
constexpr int kChunk = 256;

EdgeFactor factor_of(const Collision& c, std::span<const Vector<3>> x, int order) {
    const Vector<3>&a0 = x[at(c.vertices[0])], &a1 = x[at(c.vertices[1])], &b0 = x[at(c.vertices[2])],
          &b1 = x[at(c.vertices[3])];
    EdgeFactor out;
    edge_factor(a1 - a0, b1 - b0, a0 - b0, c.parallel, order, out);
    return out;
}

// From u = a1 - a0, v = b1 - b0, w = a0 - b0 to the vertices.
Vector<12> expand(const Vector<9>& g) {
    Vector<12> out;
    out << g.segment<3>(6) - g.segment<3>(0), g.segment<3>(0), -g.segment<3>(3) - g.segment<3>(6), g.segment<3>(3);
    return out;
}
Matrix<12, 12> expand(const Matrix<9, 9>& h) {
    Matrix<12, 9> rows;
    for (int k = 0; k < 9; ++k) rows.col(k) = expand(Vector<9>(h.col(k)));
    Matrix<12, 12> out;
    for (int k = 0; k < 12; ++k) out.col(k) = expand(Vector<9>(rows.row(k).transpose()));
    return out;
}

/// weight h b, by the product rule: with g = grad d,
///     H = weight (h (b' hess d + b'' g g^T) + b' (g grad h^T + grad h g^T) + b hess h).
/// Clamped: half of h b'' g g^T joins h b' hess d, whose eigenvalues are clamped, and the other half completes the mixed
/// terms to the square
///     h b''/2 (g + c grad h)(g + c grad h)^T,  c = 2 b' / (h b''),
/// which stands for b hess h too. It is not the nearest positive semidefinite matrix, but needs no eigenvalues of nine rows.
/// It differs from the exact Hessian by the square of gap over edge length, and by more near the ends of edges.
void edges_local(const Barrier& barrier, const Collision& c, std::span<const Vector<3>> x, const Separation<3>& s,
                 bool hessian, bool clamp, LocalContact<3>& out) {
    const EdgeFactor factor = factor_of(c, x, hessian && !clamp ? 2 : 1);
    const double gap = s.distance - c.thickness;
    out.gradient.setZero();
    if (hessian) out.hessian.setZero();
    if (!(factor.value > 0) || gap >= barrier.dhat) return;
    const double value = c.weight * barrier.value(gap), first = c.weight * barrier.first(gap);
    const Vector<12> by_factor = expand(factor.gradient), by_distance = distance_gradient(s);
    out.gradient = factor.value * first * by_distance + value * by_factor;
    if (!hessian) return;
    const double h_first = factor.value * first, h_second = factor.value * c.weight * barrier.second(gap);
    if (clamp) {
        out.hessian = energy_hessian(s, h_first, h_second / 2, true);
        const Vector<12> square = by_distance + 2 * first / h_second * by_factor;
        out.hessian.noalias() += h_second / 2 * square * square.transpose();
        return;
    }
    out.hessian = energy_hessian(s, h_first, h_second, false);
    out.hessian += value * expand(factor.hessian);
    const Matrix<12, 12> mixed = first * by_distance * by_factor.transpose();
    out.hessian += mixed + mixed.transpose();
}

template <int Dim>
double energy_of(const Barrier& barrier, const Collision& c, std::span<const Vector<Dim>> x) {
    const double value = c.weight * barrier.value(gap(c, x));
    if constexpr (Dim == 3)
        if (c.stencil == Stencil::EdgeEdge && value != 0) {
            const double factor = factor_of(c, x, 0).value;
            return factor > 0 ? factor * value : 0;  // not 0 times infinity
        }
    return value;
}

}  // namespace

template <int Dim>
void barrier_local(const Surface<Dim>&, const Barrier& barrier, const Collision& c, std::span<const Vector<Dim>> x,
                   bool hessian, LocalContact<Dim>& out, bool clamp) {
    const Separation<Dim> s = separation(c, x);
    out.count = s.count;
    out.vertices = c.vertices;
    if constexpr (Dim == 3)
        if (c.stencil == Stencil::EdgeEdge) return edges_local(barrier, c, x, s, hessian, clamp, out);
    const double gap = s.distance - c.thickness, first = c.weight * barrier.first(gap);
    out.gradient = first * distance_gradient(s);
    if (hessian) out.hessian = energy_hessian(s, first, c.weight * barrier.second(gap), clamp);
}

/// A point with a negative weight at a gap of zero has a nearer one with a positive weight: infinite together, not NaN.
template <int Dim>
double barrier_energy(const Surface<Dim>&, const Barrier& barrier, std::span<const Collision> collisions,
                      std::span<const Vector<Dim>> x) {
    const int count = static_cast<int>(collisions.size()), chunks = (count + kChunk - 1) / kChunk;
    thread_local std::vector<double> sums;
    std::vector<double>& parts = sums;  // this thread's, also within the loop
    parts.assign(at(chunks), 0);
    parallel_for(
        chunks,
        [&](int k) {
            double sum = 0;
            for (int i = k * kChunk; i < std::min(count, (k + 1) * kChunk); ++i) {
                const double part = energy_of(barrier, collisions[at(i)], x);
                sum += std::isinf(part) ? std::numeric_limits<double>::infinity() : part;
            }
            parts[at(k)] = sum;
        },
        1);
    double total = 0;
    for (const double part : parts) total += part;
    return total;
}

#define ASPERITY_INSTANTIATE(Dim)                                                                                         \
    template void barrier_local<Dim>(const Surface<Dim>&, const Barrier&, const Collision&, std::span<const Vector<Dim>>, \
                                     bool, LocalContact<Dim>&, bool);                                                     \
    template double barrier_energy<Dim>(const Surface<Dim>&, const Barrier&, std::span<const Collision>,                  \
                                        std::span<const Vector<Dim>>);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::ipc
