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

void Fft::lanes(std::span<double> real, std::span<double> imaginary, bool conjugate) const {
    constexpr std::size_t kWide = kLanes;
    const auto n = index(padded_);
    for (std::size_t i = 0; i < n; ++i)
        if (const auto j = index(reversed_[i]); i < j)
            for (std::size_t lane = 0; lane < kWide; ++lane) {
                std::swap(real[i * kWide + lane], real[j * kWide + lane]);
                std::swap(imaginary[i * kWide + lane], imaginary[j * kWide + lane]);
            }
    for (std::size_t half = 1; half < n; half *= 2) {
        const std::size_t stride = n / (2 * half);
        for (std::size_t first = 0; first < n; first += 2 * half)
            for (std::size_t k = 0; k < half; ++k) {
                const double c = roots_[k * stride].real(),
                             s = conjugate ? -roots_[k * stride].imag() : roots_[k * stride].imag();
                double* const re = &real[(first + k) * kWide];
                double* const im = &imaginary[(first + k) * kWide];
                double* const odd_re = re + half * kWide;
                double* const odd_im = im + half * kWide;
                for (std::size_t lane = 0; lane < kWide; ++lane) {
                    const double a = c * odd_re[lane] - s * odd_im[lane], b = c * odd_im[lane] + s * odd_re[lane];
                    odd_re[lane] = re[lane] - a, odd_im[lane] = im[lane] - b;
                    re[lane] += a, im[lane] += b;
                }
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
    // Lines of `fft.size()` elements that are `step` apart begin at first + i apart, i < count. They go in groups: side
    // by side where the length is a power of two and there are several, one by one otherwise.
    const auto all_lines = [&](const Fft& fft, std::size_t step, std::size_t apart, std::size_t count) {
        constexpr std::size_t kGroup = Fft::kLanes;
        const auto n = index(fft.size());
        if (n == 1) return;
        parallel_for(
            static_cast<int>((count + kGroup - 1) / kGroup),
            [&](int group) {
                const std::size_t first = index(group) * kGroup, lines = std::min(kGroup, count - first);
                if (!fft.chirp_.empty() || lines == 1) {
                    std::vector<Complex> line(n);
                    for (std::size_t i = first; i < first + lines; ++i) {
                        for (std::size_t k = 0; k < n; ++k) line[k] = grid[k * step + i * apart];
                        inverse ? fft.inverse(line) : fft.forward(line);
                        for (std::size_t k = 0; k < n; ++k) grid[k * step + i * apart] = line[k];
                    }
                    return;
                }
                std::vector<double> real(n * kGroup, 0.0), imaginary(n * kGroup, 0.0);
                const double scale = inverse ? 1.0 / static_cast<double>(n) : 1.0;
                for (std::size_t k = 0; k < n; ++k)
                    for (std::size_t i = 0; i < lines; ++i) {
                        const Complex& value = grid[k * step + (first + i) * apart];
                        real[k * kGroup + i] = value.real(), imaginary[k * kGroup + i] = value.imag();
                    }
                fft.lanes(real, imaginary, inverse);
                for (std::size_t k = 0; k < n; ++k)
                    for (std::size_t i = 0; i < lines; ++i)
                        grid[k * step + (first + i) * apart] = {scale * real[k * kGroup + i],
                                                                scale * imaginary[k * kGroup + i]};
            },
            2);
    };
    all_lines(row_, 1, w, h);
    all_lines(column_, w, 1, w);
}

}  // namespace asperity
