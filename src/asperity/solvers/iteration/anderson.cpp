#include "asperity/solvers/iteration/anderson.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/assert.h"

namespace asperity::solvers {
namespace {

// Squared sine of the smallest angle between a difference column and the span of the earlier ones. Below it the column is
// rounding noise and gets no coefficient.
constexpr double kRankTolerance = 1e-8;

/// sum a_i b_i in four interleaved partial sums. They are independent and so fill a vector register; their order is fixed.
template <class A, class B>
double dot(std::span<A> a, std::span<B> b) {
    double part[4] = {};
    const size_t whole = a.size() / 4 * 4;
    for (size_t i = 0; i < whole; i += 4)
        for (size_t k = 0; k < 4; ++k) part[k] += static_cast<double>(a[i + k]) * static_cast<double>(b[i + k]);
    for (size_t i = whole; i < a.size(); ++i) part[0] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return (part[0] + part[1]) + (part[2] + part[3]);
}

}  // namespace

void Anderson::start(std::span<const double> weight, int depth) {
    size_ = weight.size();
    depth_ = depth;
    count_ = 0;
    weight_.resize(size_);
    for (size_t i = 0; i < size_; ++i) weight_[i] = std::sqrt(weight[i]);
    for (auto* v : {&f_, &last_f_, &last_g_}) v->resize(size_);
    for (auto* v : {&dF_, &dG_}) v->resize(size_ * static_cast<size_t>(depth));
    const auto m = static_cast<size_t>(depth);
    gram_.resize(m * m);
    factor_.resize(m * m);
    rhs_.resize(m);
    gamma_.resize(m);
}

void Anderson::extrapolate(std::span<const double> x, std::span<double> gx) {
    ASPERITY_ASSERT(x.size() == size_ && gx.size() == size_);
    for (size_t i = 0; i < size_; ++i) f_[i] = weight_[i] * (gx[i] - x[i]);  // weighted: the plain norm is the wanted one
    if (count_ > 0) {
        // The newest differences replace the oldest. Only their row of the Gram matrix is recomputed.
        const int slot = (count_ - 1) % depth_;
        const std::span<float> df = column(dF_, slot), dg = column(dG_, slot);
        for (size_t i = 0; i < size_; ++i) {
            df[i] = static_cast<float>(f_[i] - last_f_[i]);
            dg[i] = static_cast<float>(gx[i] - last_g_[i]);
        }
        const int used = std::min(count_, depth_);
        for (int j = 0; j < used; ++j) {
            const double g = dot(df, column(dF_, j));
            gram_[static_cast<size_t>(slot * depth_ + j)] = gram_[static_cast<size_t>(j * depth_ + slot)] = g;
            rhs_[static_cast<size_t>(j)] = dot(column(dF_, j), std::span<double>(f_));
        }
    }
    std::copy(f_.begin(), f_.end(), last_f_.begin());
    std::copy(gx.begin(), gx.end(), last_g_.begin());
    const int used = std::min(count_, depth_);
    ++count_;
    if (used == 0) return;

    // gamma by Cholesky on the Gram matrix scaled to a unit diagonal; columns with a pivot below kRankTolerance get zero
    const auto at = [&](std::vector<double>& a, int i, int j) -> double& { return a[static_cast<size_t>(i * depth_ + j)]; };
    const auto scale = [&](int i) {
        const double d = at(gram_, i, i);
        return d > 0 ? 1 / std::sqrt(d) : 0;
    };
    for (int i = 0; i < used; ++i) {
        for (int j = 0; j <= i; ++j) {
            double s = at(gram_, i, j) * scale(i) * scale(j);
            for (int k = 0; k < j; ++k) s -= at(factor_, i, k) * at(factor_, j, k);
            if (i == j)
                at(factor_, i, i) = s > kRankTolerance ? std::sqrt(s) : 0;
            else
                at(factor_, i, j) = at(factor_, j, j) > 0 ? s / at(factor_, j, j) : 0;
        }
    }
    for (int i = 0; i < used; ++i) {
        double s = rhs_[static_cast<size_t>(i)] * scale(i);
        for (int k = 0; k < i; ++k) s -= at(factor_, i, k) * gamma_[static_cast<size_t>(k)];
        gamma_[static_cast<size_t>(i)] = at(factor_, i, i) > 0 ? s / at(factor_, i, i) : 0;
    }
    for (int i = used - 1; i >= 0; --i) {
        double s = gamma_[static_cast<size_t>(i)];
        for (int k = i + 1; k < used; ++k) s -= at(factor_, k, i) * gamma_[static_cast<size_t>(k)];
        gamma_[static_cast<size_t>(i)] = at(factor_, i, i) > 0 ? s / at(factor_, i, i) : 0;
    }
    for (int j = 0; j < used; ++j) {
        const double g = gamma_[static_cast<size_t>(j)] * scale(j);
        if (g == 0) continue;
        const std::span<const float> dg = column(dG_, j);
        for (size_t i = 0; i < size_; ++i) gx[i] -= g * static_cast<double>(dg[i]);
    }
}

}  // namespace asperity::solvers
