// Follows the path of solutions of w = M z + q + z0 e from large z0 to z0 = 0, one pivot per linear piece. Ties are resolved
// lexicographically by the rows of the inverse of the basis, so that no basis occurs twice. If no variable can leave, the
// path is a secondary ray. Source: Cottle, Pang, Stone, "The Linear Complementarity Problem", 1992, algorithms 4.4.5 and
// 4.9.
#include "asperity/solvers/reference/lemke.h"

#define EIGEN_MPL2_ONLY
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace asperity::solvers {
namespace {

constexpr double kPivot = 1e-10;    // relative to the column's largest entry: anything below is rounding
constexpr double kTie = 1e-12;      // relative difference of two ratios that counts as a tie, because rounding can cause it
constexpr double kArrived = 1e-13;  // relative to the first z0: counts as zero

}  // namespace

/// The row whose variable reaches zero first as `entering` grows; -1 if none does.
int Lemke::leaving_row(int entering) const {
    const auto at = [&](int row, int column) {
        return tableau_[static_cast<size_t>(row) * static_cast<size_t>(width_) + static_cast<size_t>(column)];
    };
    double largest = 0;
    for (int i = 0; i < size_; ++i) largest = std::max(largest, std::fabs(at(i, entering)));
    int best = -1;
    for (int i = 0; i < size_; ++i) {
        if (!(at(i, entering) > kPivot * largest)) continue;
        if (best < 0) {
            best = i;
            continue;
        }
        // compare (right-hand side, row of the inverse)/entry lexicographically
        const double a = at(i, entering), b = at(best, entering);
        for (int k = -1; k < size_; ++k) {
            const int column = k < 0 ? width_ - 1 : k;
            const double mine = at(i, column) / a, theirs = at(best, column) / b;
            if (std::fabs(mine - theirs) <= kTie * std::max(std::fabs(mine), std::fabs(theirs)) + 1e-300) {
                if (k < 0 && basic_[static_cast<size_t>(i)] == 2 * size_) {  // z0 may leave, which ends the path
                    best = i;
                    break;
                }
                if (k < 0 && basic_[static_cast<size_t>(best)] == 2 * size_) break;
                continue;
            }
            if (mine < theirs) best = i;
            break;
        }
    }
    return best;
}

void Lemke::pivot(int row, int entering) {
    const auto width = static_cast<size_t>(width_);
    double* chosen = &tableau_[static_cast<size_t>(row) * width];
    const double inverse = 1 / chosen[entering];
    for (size_t k = 0; k < width; ++k) chosen[k] *= inverse;
    chosen[entering] = 1;
    for (int i = 0; i < size_; ++i) {
        double* other = &tableau_[static_cast<size_t>(i) * width];
        const double factor = other[entering];
        if (i == row || factor == 0) continue;
        for (size_t k = 0; k < width; ++k) other[k] -= factor * chosen[k];
        other[entering] = 0;
    }
    basic_[static_cast<size_t>(row)] = entering;
    ++pivots_;
}

/// Recomputes the basic z from M and q, because the tableau has accumulated the rounding errors of all pivots.
bool Lemke::polish(std::span<const double> m, std::span<const double> q, std::span<double> z) const {
    std::vector<int> in;
    for (const int variable : basic_)
        if (variable >= size_ && variable < 2 * size_) in.push_back(variable - size_);
    const auto count = static_cast<Eigen::Index>(in.size());
    Eigen::MatrixXd a(count, count);
    Eigen::VectorXd b(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const auto row = static_cast<size_t>(in[static_cast<size_t>(i)]);
        const double* from = &m[row * static_cast<size_t>(size_)];
        for (Eigen::Index k = 0; k < count; ++k) a(i, k) = from[in[static_cast<size_t>(k)]];
        b(i) = -q[row];
    }
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(a);
    Eigen::VectorXd x = lu.solve(b);
    x += lu.solve(b - a * x);
    if (!x.allFinite()) return false;
    std::fill(z.begin(), z.end(), 0.0);
    for (Eigen::Index i = 0; i < count; ++i) z[static_cast<size_t>(in[static_cast<size_t>(i)])] = std::max(x(i), 0.0);
    return true;
}

LemkeEnd Lemke::solve(std::span<const double> m, std::span<const double> q, std::span<double> z, int max_pivots,
                      const Deadline& deadline) {
    size_ = static_cast<int>(q.size());
    width_ = 2 * size_ + 2;
    pivots_ = 0;
    const auto n = q.size(), width = static_cast<size_t>(width_);
    for (const double value : m)
        if (!std::isfinite(value)) return LemkeEnd::NotFinite;
    for (const double value : q)
        if (!std::isfinite(value)) return LemkeEnd::NotFinite;
    if (std::all_of(q.begin(), q.end(), [](double value) { return value >= 0; })) {
        std::fill(z.begin(), z.end(), 0.0);
        return LemkeEnd::Solved;
    }
    tableau_.assign(n * width, 0);
    basic_.resize(n);
    for (size_t i = 0; i < n; ++i) {
        double* row = &tableau_[i * width];
        row[i] = 1;
        for (size_t k = 0; k < n; ++k) row[n + k] = -m[i * n + k];
        row[2 * n] = -1;
        row[width - 1] = q[i];
        basic_[i] = static_cast<int>(i);
    }
    // z0 stays in this row until it leaves the basis
    const int start = static_cast<int>(std::min_element(q.begin(), q.end()) - q.begin());
    const double arrived = -kArrived * q[static_cast<size_t>(start)];
    int row = start, entering = 2 * size_;
    for (;;) {
        const int leaving = basic_[static_cast<size_t>(row)];
        pivot(row, entering);
        // If z0 and other variables reach zero together, rounding may select one of the others, and the path would continue
        // beyond its end.
        if (leaving == 2 * size_ || tableau_[static_cast<size_t>(start) * width + width - 1] <= arrived) break;
        if (pivots_ >= max_pivots) return LemkeEnd::PivotLimit;
        if (deadline.passed()) return LemkeEnd::TimeLimit;
        entering = leaving < size_ ? leaving + size_ : leaving - size_;  // the complement of the variable that left
        row = leaving_row(entering);
        if (row < 0) return LemkeEnd::Ray;
    }
    std::vector<double> from_tableau(n, 0);
    for (size_t i = 0; i < n; ++i)
        if (basic_[i] >= size_ && basic_[i] < 2 * size_)
            from_tableau[static_cast<size_t>(basic_[i] - size_)] = std::max(tableau_[i * width + width - 1], 0.0);
    if (!polish(m, q, z)) std::copy(from_tableau.begin(), from_tableau.end(), z.begin());
    return LemkeEnd::Solved;
}

}  // namespace asperity::solvers
