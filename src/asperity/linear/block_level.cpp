#include "asperity/linear/block_level.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "asperity/core/parallel.h"

namespace asperity::linear {
namespace {

/// Rows per chunk of a loop: a few microseconds, against 0.2 to hand one over.
constexpr int kRows = 256;
/// Steps of the Lanczos method. With 12, the largest Ritz value of elastic meshes is >= 0.97 of the largest eigenvalue.
constexpr int kLanczos = 12;
/// The smoother's upper bound over the largest Ritz value. An eigenvalue above the bound would be amplified.
constexpr double kMargin = 1.1;
/// The part of the spectrum that the smoother damps, as upper over lower end. Above it the coarse level sees too little
/// damped modes; below it, modes that the coarse level cannot represent stay.
constexpr double kBand = 12;

template <int B>
using Segment = Eigen::Map<Vector<B>>;
template <int B>
using ConstSegment = Eigen::Map<const Vector<B>>;
template <int B>
using ConstBlock = Eigen::Map<const Matrix<B, B>>;

}  // namespace

double dot(std::span<const double> a, std::span<const double> b, std::vector<double>& scratch) {
    constexpr std::size_t kChunk = 2048;
    const std::size_t chunks = (a.size() + kChunk - 1) / kChunk;
    scratch.resize(std::max(scratch.size(), chunks));
    parallel_for(
        static_cast<int>(chunks),
        [&](int c) {
            const std::size_t first = static_cast<std::size_t>(c) * kChunk, end = std::min(a.size(), first + kChunk);
            double sum[4] = {0, 0, 0, 0};
            std::size_t i = first;
            for (; i + 4 <= end; i += 4)
                for (std::size_t k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
            for (; i < end; ++i) sum[0] += a[i] * b[i];
            scratch[static_cast<std::size_t>(c)] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        },
        4);
    double sum = 0;
    for (std::size_t c = 0; c < chunks; ++c) sum += scratch[c];
    return sum;
}

template <int B>
bool BlockLevel<B>::set_matrix(const BlockPattern& pattern, std::span<const double> values) {
    if (!(pattern == pattern_) || graph_.start.empty()) {
        pattern_ = pattern;
        graph_of_pattern(pattern_, graph_);
    }
    const auto n = static_cast<std::size_t>(size());
    off_.resize(graph_.neighbour.size() * kSquare + 1);
    off_.back() = 0;
    diagonal_.resize(n * kSquare);
    inverse_.resize(n * kSquare);
    std::atomic<bool> positive{true};
    parallel_for(
        size(),
        [&](int node) {
            const auto i = static_cast<std::size_t>(node);
            for (int e = graph_.start[i]; e < graph_.start[i + 1]; ++e) {
                const auto k = static_cast<std::size_t>(e);
                const ConstBlock<B> from(values.data() + static_cast<std::size_t>(graph_.entry[k]) * kSquare);
                Eigen::Map<Matrix<B, B>> to(off_.data() + k * kSquare);
                if (graph_.neighbour[k] < node)
                    to = from;
                else
                    to = from.transpose();
            }
            const ConstBlock<B> stored(values.data() + static_cast<std::size_t>(pattern_.start[i + 1] - 1) * kSquare);
            const Matrix<B, B> whole = stored.template selfadjointView<Eigen::Lower>();
            Eigen::Map<Matrix<B, B>>(diagonal_.data() + i * kSquare) = whole;
            const Eigen::LLT<Eigen::Matrix<double, B, B>> llt(whole);
            Eigen::Matrix<double, B, B> inverse = Eigen::Matrix<double, B, B>::Identity();
            llt.solveInPlace(inverse);
            if (llt.info() != Eigen::Success || !inverse.allFinite()) positive.store(false, std::memory_order_relaxed);
            Eigen::Map<Matrix<B, B>>(inverse_.data() + i * kSquare) = 0.5 * (inverse + inverse.transpose());
        },
        kRows);
    return positive;
}

template <int B>
template <class F>
void BlockLevel<B>::for_rows(const double* x, const F& f) const {
    parallel_for(
        size(),
        [&](int node) {
            const auto i = static_cast<std::size_t>(node);
            if constexpr (B == 3) {
                // The fourth lane is the next column's first value, and is dropped. One sum per column hides latency.
                using Loose = double __attribute__((vector_size(32), aligned(8), may_alias));
                const auto load = [](const double* at) { return Quad(*reinterpret_cast<const Loose*>(at)); };
                Quad a{}, b{}, c{};
                const double* block = off_.data() + static_cast<std::size_t>(graph_.start[i]) * kSquare;
                for (int e = graph_.start[i]; e < graph_.start[i + 1]; ++e, block += kSquare) {
                    const double* at = x + static_cast<std::size_t>(graph_.neighbour[static_cast<std::size_t>(e)]) * B;
                    a = add_product(a, load(block), all_of(at[0]));
                    b = add_product(b, load(block + 3), all_of(at[1]));
                    c = add_product(c, load(block + 6), all_of(at[2]));
                }
                const Quad sum = (a + b) + c;
                f(node,
                  Vector<B>(ConstBlock<B>(diagonal(node)) * ConstSegment<B>(x + i * B) + Vector<B>(sum[0], sum[1], sum[2])));
            } else {
                Vector<B> sum = ConstBlock<B>(diagonal(node)) * ConstSegment<B>(x + i * B);
                for (int e = graph_.start[i]; e < graph_.start[i + 1]; ++e)
                    sum.noalias() +=
                        ConstBlock<B>(off_diagonal(e)) *
                        ConstSegment<B>(x + static_cast<std::size_t>(graph_.neighbour[static_cast<std::size_t>(e)]) * B);
                f(node, sum);
            }
        },
        kRows);
}

template <int B>
void BlockLevel<B>::multiply(const double* x, double* y) const {
    for_rows(x, [&](int i, const Vector<B>& sum) { Segment<B>(y + static_cast<std::size_t>(i) * B) = sum; });
}

template <int B>
void BlockLevel<B>::residual(const double* b, const double* x, double* y) const {
    for_rows(x, [&](int i, const Vector<B>& sum) {
        const auto at = static_cast<std::size_t>(i) * B;
        Segment<B>(y + at) = ConstSegment<B>(b + at) - sum;
    });
}

template <int B>
void BlockLevel<B>::scale(const double* x, double* y) const {
    parallel_for(
        size(),
        [&](int i) {
            const auto at = static_cast<std::size_t>(i) * B;
            Segment<B>(y + at).noalias() = ConstBlock<B>(inverse(i)) * ConstSegment<B>(x + at);
        },
        kRows * 4);
}

/// The three-term recurrence of Chebyshev's polynomials for D^-1 A (Saad 2003, algorithm 12.1), two steps of it.
template <int B>
void BlockLevel<B>::smooth(const double* b, double* x, bool from_zero) {
    const double upper = kMargin * spectrum_.largest, lower = upper / kBand;
    const double centre = 0.5 * (upper + lower), radius = 0.5 * (upper - lower);
    const double sigma = centre / radius, next = 1 / (2 * sigma - 1 / sigma);
    direction_.resize(unknowns());
    next_.resize(unknowns());
    const auto first = [&](int i, const Vector<B>& r) {
        Segment<B>(direction_.data() + static_cast<std::size_t>(i) * B) = ConstBlock<B>(inverse(i)) * r / centre;
    };
    if (from_zero) {
        parallel_for(
            size(), [&](int i) { first(i, ConstSegment<B>(b + static_cast<std::size_t>(i) * B)); }, kRows);
        std::copy(direction_.begin(), direction_.end(), x);
    } else {
        for_rows(x,
                 [&](int i, const Vector<B>& sum) { first(i, ConstSegment<B>(b + static_cast<std::size_t>(i) * B) - sum); });
        parallel_for(
            static_cast<int>(unknowns()), [&](int i) { x[i] += direction_[static_cast<std::size_t>(i)]; }, 4096);
    }
    for_rows(x, [&](int i, const Vector<B>& sum) {
        const auto at = static_cast<std::size_t>(i) * B;
        const Vector<B> r = ConstSegment<B>(b + at) - sum;
        Segment<B>(next_.data() + at) =
            (next / sigma) * ConstSegment<B>(direction_.data() + at) + (2 * next / radius) * (ConstBlock<B>(inverse(i)) * r);
    });
    parallel_for(
        static_cast<int>(unknowns()), [&](int i) { x[i] += next_[static_cast<std::size_t>(i)]; }, 4096);
}

/// Conjugate gradients with D^-1 build the Lanczos matrix from their coefficients (Saad 2003, section 6.7.3). The start has
/// all frequencies: a fixed sequence of numbers without pattern.
template <int B>
void BlockLevel<B>::estimate_spectrum() {
    const std::size_t n = unknowns();
    std::vector<double> r(n), z(n), p(n), product(n), scratch, main, side;
    std::uint64_t state = 0x9e3779b97f4a7c15U;
    for (double& v : r) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        v = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
    }
    // D^(1/2) times such a vector would be the start in scaled unknowns; D times it has the same frequencies and needs no
    // root.
    parallel_for(
        size(),
        [&](int i) {
            const auto at = static_cast<std::size_t>(i) * B;
            const Vector<B> start = ConstSegment<B>(r.data() + at);
            Segment<B>(r.data() + at) = ConstBlock<B>(diagonal(i)) * start;
        },
        kRows);
    spectrum_ = {1, 1, true};
    double rz_before = 0, step_before = 0;
    for (int k = 0; k < kLanczos; ++k) {
        scale(r.data(), z.data());
        const double rz = dot(r, z, scratch);
        if (!(rz > 0)) break;
        const double beta = k == 0 ? 0 : rz / rz_before;
        for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + beta * p[i];
        multiply(p.data(), product.data());
        const double curvature = dot(p, product, scratch);
        if (!(curvature > 0)) {
            spectrum_.positive = false;
            return;
        }
        const double step = rz / curvature;
        main.push_back(1 / step + (k == 0 ? 0 : beta / step_before));
        if (k > 0) side.push_back(std::sqrt(beta) / step_before);
        for (std::size_t i = 0; i < n; ++i) r[i] -= step * product[i];
        rz_before = rz;
        step_before = step;
        if (rz <= 1e-24 * main.front()) break;
    }
    if (main.empty()) return;
    const auto steps = static_cast<Eigen::Index>(main.size());
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen;
    eigen.computeFromTridiagonal(Eigen::Map<const Eigen::VectorXd>(main.data(), steps),
                                 Eigen::Map<const Eigen::VectorXd>(side.data(), steps - 1), Eigen::EigenvaluesOnly);
    spectrum_.smallest = eigen.eigenvalues().minCoeff();
    spectrum_.largest = eigen.eigenvalues().maxCoeff();
}

template class BlockLevel<2>;
template class BlockLevel<3>;
template class BlockLevel<6>;

}  // namespace asperity::linear
