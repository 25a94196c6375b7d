#include "asperity/math/fft.h"

#include <numbers>

#include "asperity/core/assert.h"
#include "asperity/core/parallel.h"

namespace asperity {
namespace {

using Complex = std::complex<double>;

Complex root(double turns) {
    const double angle = -2 * std::numbers::pi * turns;
    return {std::cos(angle), std::sin(angle)};
}

/// Without the tests for infinities of operator*, which cost more than the product.
Complex times(const Complex& a, const Complex& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

int power_of_two_at_least(int n) {
    ASPERITY_ASSERT(n <= 1 << 30);
    int power = 1;
    while (power < n) power *= 2;
    return power;
}

Fft::Fft(int n) : n_(n) {
    ASPERITY_ASSERT(n >= 1 && n <= 1 << 28);
    const bool power = power_of_two_at_least(n) == n;
    padded_ = power ? n : power_of_two_at_least(2 * n - 1);
    roots_.resize(index(padded_ / 2));
    for (int k = 0; k < padded_ / 2; ++k) roots_[index(k)] = root(static_cast<double>(k) / padded_);
    reversed_.assign(index(padded_), 0);
    for (int i = 1; i < padded_; ++i) reversed_[index(i)] = reversed_[index(i / 2)] / 2 + (i % 2 != 0 ? padded_ / 2 : 0);
    if (power) return;
    // j k = (j^2 + k^2 - (k - j)^2)/2 turns the transform into a convolution with the conjugate chirp.
    chirp_.resize(index(n));
    for (int k = 0; k < n; ++k) {
        const auto square = static_cast<std::int64_t>(k) * k % (2 * static_cast<std::int64_t>(n));  // exact phase
        chirp_[index(k)] = root(static_cast<double>(square) / (2.0 * n));
    }
    filter_.assign(index(padded_), Complex(0));
    for (int k = 0; k < n; ++k) {
        filter_[index(k)] = std::conj(chirp_[index(k)]);
        if (k > 0) filter_[index(padded_ - k)] = filter_[index(k)];
    }
    power_of_two(filter_, false);
}

void Fft::power_of_two(std::span<Complex> x, bool conjugate) const {
    const auto n = x.size();
    for (std::size_t i = 0; i < n; ++i)
        if (const auto j = index(reversed_[i]); i < j) std::swap(x[i], x[j]);
    for (std::size_t half = 1; half < n; half *= 2) {
        const std::size_t stride = n / (2 * half);
        for (std::size_t first = 0; first < n; first += 2 * half)
            for (std::size_t k = 0; k < half; ++k) {
                const Complex w = conjugate ? std::conj(roots_[k * stride]) : roots_[k * stride];
                const Complex odd = times(w, x[first + half + k]), even = x[first + k];
                x[first + k] = even + odd;
                x[first + half + k] = even - odd;
            }
    }
}

void Fft::transform(std::span<Complex> x, bool conjugate) const {
    ASPERITY_ASSERT(x.size() == index(n_));
    if (chirp_.empty()) return power_of_two(x, conjugate);
    // The inverse transform is the conjugate of the transform of the conjugate.
    std::vector<Complex> padded(index(padded_), Complex(0));
    for (std::size_t k = 0; k < x.size(); ++k) padded[k] = times(conjugate ? std::conj(x[k]) : x[k], chirp_[k]);
    power_of_two(padded, false);
    for (std::size_t k = 0; k < padded.size(); ++k) padded[k] = times(padded[k], filter_[k]);
    power_of_two(padded, true);
    for (std::size_t k = 0; k < x.size(); ++k) {
        const Complex y = times(padded[k], chirp_[k]) / static_cast<double>(padded_);
        x[k] = conjugate ? std::conj(y) : y;
    }
}

void Fft::inverse(std::span<Complex> x) const {
    transform(x, true);
    for (Complex& value : x) value /= static_cast<double>(n_);
}

void Fft2::transform(std::span<Complex> grid, bool inverse) const {
    const auto w = index(width()), h = index(height());
    ASPERITY_ASSERT(grid.size() == w * h);
    const auto apply = [inverse](const Fft& fft, std::span<Complex> line) {
        inverse ? fft.inverse(line) : fft.forward(line);
    };
    parallel_for(
        height(), [&](int y) { apply(row_, grid.subspan(index(y) * w, w)); }, 8);
    // Columns by groups of eight, so that each cache line is read once.
    constexpr int kGroup = 8;
    parallel_for((width() + kGroup - 1) / kGroup,
                 [&](int group) {
                     const std::size_t first = index(group) * kGroup, count = std::min<std::size_t>(kGroup, w - first);
                     std::vector<Complex> lines(count * h);
                     for (std::size_t y = 0; y < h; ++y)
                         for (std::size_t i = 0; i < count; ++i) lines[i * h + y] = grid[y * w + first + i];
                     for (std::size_t i = 0; i < count; ++i) apply(column_, std::span(lines).subspan(i * h, h));
                     for (std::size_t y = 0; y < h; ++y)
                         for (std::size_t i = 0; i < count; ++i) grid[y * w + first + i] = lines[i * h + y];
                 },
                 2);
}

}  // namespace asperity
