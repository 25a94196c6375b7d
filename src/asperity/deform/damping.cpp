#include "asperity/deform/damping.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

#include "asperity/core/error.h"
#include "asperity/core/random.h"

namespace asperity::deform {

Rayleigh rayleigh(double w1, double z1, double w2, double z2) {
    if (!(w1 > 0) || !(w2 > w1) || !std::isfinite(w2))
        throw InputError(
            fmt::format("damping: frequencies {} and {} rad/s: both must be positive, the second above the first", w1, w2));
    if (!(z1 >= 0) || !(z2 >= 0))
        throw InputError(fmt::format("damping: ratios {} and {}: neither may be negative", z1, z2));
    const double scale = 2 / (w2 * w2 - w1 * w1);
    Rayleigh out{scale * w1 * w2 * (z1 * w2 - z2 * w1), scale * (z2 * w2 - z1 * w1)};
    // a ratio that falls or rises faster than one of the two parts alone
    const double rounding = 1e-14 * scale * (z1 + z2);
    if (out.mass < -rounding * w1 * w2 * w2 || out.stiffness < -rounding * w2)
        throw InputError(
            fmt::format("damping: ratios {} at {} rad/s and {} at {} rad/s need a negative coefficient; the quotient of the "
                        "ratios must be between {:.3g} and {:.3g}",
                        z1, w1, z2, w2, w1 / w2, w2 / w1));
    return {std::max(0.0, out.mass), std::max(0.0, out.stiffness)};
}

Rayleigh critical(double w0, double w1) { return {2 * w0 * w1 / (w0 + w1), 2 / (w0 + w1)}; }
Rayleigh critical_at(double highest) { return {0, 2 / highest}; }

double stable_step(double w, double z) { return 2 / (w * (std::sqrt(1 + z * z) + z)); }

namespace {

double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

/// The tridiagonal matrix of Lanczos' method and its basis.
class Lanczos {
  public:
    Lanczos(const Operator& stiffness, std::span<const double> mass) : stiffness_(stiffness) {
        Random random(7);
        root_.resize(mass.size());
        std::vector<double> start(mass.size(), 0);
        for (std::size_t i = 0; i < mass.size(); ++i) {
            root_[i] = mass[i] > 0 ? 1 / std::sqrt(mass[i]) : 0;
            if (mass[i] > 0) start[i] = random.normal(), ++free_;
        }
        x_.resize(mass.size());
        const double norm = std::sqrt(dot(start, start));
        if (free_ == 0) return;
        for (double& s : start) s /= norm;
        basis_.push_back(std::move(start));
    }
    int free() const { return free_; }

    /// One product. False if the basis is complete: its space is invariant.
    bool advance() {
        const std::vector<double>& v = basis_.back();
        std::vector<double> w(v.size());
        for (std::size_t i = 0; i < v.size(); ++i) x_[i] = root_[i] * v[i];
        stiffness_(x_, w);
        for (std::size_t i = 0; i < v.size(); ++i) w[i] *= root_[i];
        diagonal_.push_back(dot(v, w));
        for (int pass = 0; pass < 2; ++pass)  // twice is enough (Kahan, Parlett)
            for (const std::vector<double>& b : basis_) {
                const double part = dot(b, w);
                for (std::size_t i = 0; i < w.size(); ++i) w[i] -= part * b[i];
            }
        beside_.push_back(std::sqrt(dot(w, w)));
        double largest = 0;
        for (const double d : diagonal_) largest = std::max(largest, std::fabs(d));
        if (static_cast<int>(basis_.size()) == free_ || !(beside_.back() > 1e-13 * largest)) return false;
        for (double& entry : w) entry /= beside_.back();
        basis_.push_back(std::move(w));
        return true;
    }

    /// Eigenvalues so far, ascending, and bounds of their errors: the last entry of the eigenvector times the last beside_.
    void ritz(Eigen::VectorXd& values, Eigen::VectorXd& errors) const {
        const auto n = static_cast<Eigen::Index>(diagonal_.size());
        Eigen::VectorXd d(n), e(std::max<Eigen::Index>(n - 1, 0));
        for (Eigen::Index i = 0; i < n; ++i) d[i] = diagonal_[static_cast<std::size_t>(i)];
        for (Eigen::Index i = 0; i + 1 < n; ++i) e[i] = beside_[static_cast<std::size_t>(i)];
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
        solver.computeFromTridiagonal(d, e);
        values = solver.eigenvalues();
        errors = beside_.back() * solver.eigenvectors().row(n - 1).cwiseAbs().transpose();
    }

  private:
    const Operator& stiffness_;
    std::vector<double> root_, x_, diagonal_, beside_;
    std::vector<std::vector<double>> basis_;
    int free_ = 0;
};

}  // namespace

Extremes extreme_eigenvalues(const Operator& stiffness, std::span<const double> mass, int most_products, double tolerance,
                             double zero) {
    constexpr int kBetweenTests = 10;  // products: a test costs the cube of the basis' size
    Extremes out;
    Lanczos lanczos(stiffness, mass);
    if (lanczos.free() == 0) return out;
    bool complete = false;
    Eigen::VectorXd values, errors;
    while (!complete && out.products < most_products && !out.converged) {
        complete = !lanczos.advance();
        ++out.products;
        if (!complete && out.products % kBetweenTests != 0 && out.products < most_products) continue;
        lanczos.ritz(values, errors);
        const Eigen::Index last = values.size() - 1;
        out.highest = values[last];
        Eigen::Index low = 0;
        while (low < last && !(values[low] > zero * out.highest)) ++low;
        out.lowest = values[low];
        // a Ritz value's error is at most its residual, and at most the residual's square over the distance to the next
        const auto relative = [&](Eigen::Index k) {
            double gap = values[last] - values[0];
            if (k > 0) gap = std::min(gap, values[k] - values[k - 1]);
            if (k < last) gap = std::min(gap, values[k + 1] - values[k]);
            const double error = gap > errors[k] ? errors[k] * errors[k] / gap : errors[k];
            return values[k] > 0 ? error / values[k] : 0;
        };
        out.error = complete ? 0 : std::max(relative(last), relative(low));
        out.converged = complete || out.error <= tolerance;
    }
    return out;
}

template <int Dim>
Extremes extreme_eigenvalues(const Elements<Dim>& elements, std::span<const Vector<Dim>> x, std::span<const double> mass,
                             int most_products, double tolerance) {
    constexpr int N = Dim * (Dim + 1);
    std::vector<Matrix<N, N>> hessians(elements.nodes.size());
    for (int e = 0; e < elements.count(); ++e)
        elastic_hessian(elements, x, Projection::Clamp, e, hessians[static_cast<std::size_t>(e)]);
    const Operator product = [&](std::span<const double> in, std::span<double> out) {
        std::fill(out.begin(), out.end(), 0.0);
        for (std::size_t e = 0; e < hessians.size(); ++e) {
            Vector<N> local;
            for (std::size_t a = 0; a <= Dim; ++a)
                for (std::size_t d = 0; d < Dim; ++d)
                    local[static_cast<int>(a * Dim + d)] = in[static_cast<std::size_t>(elements.nodes[e][a]) * Dim + d];
            const Vector<N> force = hessians[e] * local;
            for (std::size_t a = 0; a <= Dim; ++a)
                for (std::size_t d = 0; d < Dim; ++d)
                    out[static_cast<std::size_t>(elements.nodes[e][a]) * Dim + d] += force[static_cast<int>(a * Dim + d)];
        }
    };
    std::vector<double> masses;
    for (const double m : mass) masses.insert(masses.end(), Dim, m);
    return extreme_eigenvalues(product, masses, most_products, tolerance);
}

template Extremes extreme_eigenvalues<2>(const Elements<2>&, std::span<const Vector<2>>, std::span<const double>, int,
                                         double);
template Extremes extreme_eigenvalues<3>(const Elements<3>&, std::span<const Vector<3>>, std::span<const double>, int,
                                         double);

}  // namespace asperity::deform
