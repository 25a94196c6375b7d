// How far nodes may move before an element inverts: the first root of det(D_s + t dD) = 0, a cubic in t (2D: a quadratic).
#include <algorithm>
#include <cmath>

#include "asperity/deform/detail/chunk_results.h"
#include "asperity/deform/detail/invariants.h"
#include "asperity/deform/elements.h"

namespace asperity::deform {
namespace {

/// c[0] + c[1] t + c[2] t^2 + c[3] t^3
struct Cubic {
    double c[4] = {};
    double operator()(double t) const { return ((c[3] * t + c[2]) * t + c[1]) * t + c[0]; }
};

/// A bound below the first t in (0, 1] with p(t) <= tolerance, 1 if there is none; p(0) > tolerance. Between its stationary
/// points p is monotone, so the first of these intervals with a change of sign holds the first root.
double first_root(const Cubic& p, double tolerance) {
    double ends[3] = {1, 1, 1};
    const double a = 3 * p.c[3], b = p.c[2], c = p.c[1];  // p' = a t^2 + 2 b t + c
    const double discriminant = b * b - a * c;
    if (discriminant >= 0) {
        const double q = -(b + std::copysign(std::sqrt(discriminant), b));
        const double roots[2] = {a != 0 ? q / a : 1, q != 0 ? c / q : 1};
        for (int k = 0; k < 2; ++k)
            if (roots[k] > 0 && roots[k] < 1) ends[k] = roots[k];
        if (ends[0] > ends[1]) std::swap(ends[0], ends[1]);
    }
    double low = 0;
    for (const double end : ends) {
        if (p(end) > tolerance) {
            low = end;
            continue;
        }
        double high = end;
        for (int k = 0; k < 60 && high - low > 1e-15 * high; ++k) {
            const double middle = 0.5 * (low + high);
            (p(middle) > tolerance ? low : high) = middle;
        }
        return low;
    }
    return 1;
}

Cubic determinant_along(const Matrix<2, 2>& A, const Matrix<2, 2>& B) {
    return {{A.determinant(), cofactor(A).cwiseProduct(B).sum(), B.determinant(), 0}};
}
Cubic determinant_along(const Matrix<3, 3>& A, const Matrix<3, 3>& B) {
    return {{A.determinant(), cofactor(A).cwiseProduct(B).sum(), cofactor(B).cwiseProduct(A).sum(), B.determinant()}};
}

template <int Dim>
double element_limit(const Elements<Dim>& elements, std::span<const Vector<Dim>> x, std::span<const Vector<Dim>> direction,
                     std::size_t e) {
    const auto& nodes = elements.nodes[e];
    Matrix<Dim, Dim> edges, change;
    for (int a = 0; a < Dim; ++a) {
        const auto node = static_cast<std::size_t>(nodes[static_cast<std::size_t>(a) + 1]);
        edges.col(a) = x[node] - x[static_cast<std::size_t>(nodes[0])];
        change.col(a) = direction[node] - direction[static_cast<std::size_t>(nodes[0])];
    }
    const Cubic p = determinant_along(edges, change);
    // Each determinant is a sum of products of one entry per column, and each product has a few rounding errors.
    const double size = std::pow(edges.cwiseAbs().maxCoeff() + change.cwiseAbs().maxCoeff(), Dim);
    const double tolerance = std::min(64 * std::numeric_limits<double>::epsilon() * size, 0.5 * p.c[0]);
    double least = p.c[0];
    for (int k = 1; k < 4; ++k) least += std::min(p.c[k], 0.0);
    return least > tolerance ? 1 : first_root(p, tolerance);
}

}  // namespace

template <int Dim>
double inversion_limit(const Elements<Dim>& elements, std::span<const Vector<Dim>> x,
                       std::span<const Vector<Dim>> direction) {
    const auto chunk = [&](int first, int last) {
        double least = 1;
        for (int k = first; k < last; ++k) {
            const auto e = static_cast<std::size_t>(k);
            if (!forbids_inversion(elements.materials[static_cast<std::size_t>(elements.material[e])].model)) continue;
            least = std::min(least, element_limit(elements, x, direction, e));
        }
        return least;
    };
    return join_chunks(elements.count(), 1, chunk, [](double a, double b) { return std::min(a, b); });
}

template double inversion_limit<2>(const Elements<2>&, std::span<const Vector<2>>, std::span<const Vector<2>>);
template double inversion_limit<3>(const Elements<3>&, std::span<const Vector<3>>, std::span<const Vector<3>>);

}  // namespace asperity::deform
