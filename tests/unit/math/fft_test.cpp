// Discrete Fourier transforms against their sum, for lengths of every kind.
#include <gtest/gtest.h>

#include <numbers>

#include "asperity/core/random.h"
#include "asperity/core/threads.h"
#include "asperity/math/fft.h"

namespace asperity {
namespace {

using Complex = std::complex<double>;

std::vector<Complex> noise(int n) {
    Random random(static_cast<std::uint64_t>(n));
    std::vector<Complex> x;
    for (int i = 0; i < n; ++i) x.emplace_back(random.normal(), random.normal());
    return x;
}

TEST(Fft, AgreesWithTheSumForEveryLength) {
    for (const int n : {1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 64, 97, 100, 128, 243, 256}) {
        const std::vector<Complex> x = noise(n);
        std::vector<Complex> y = x;
        const Fft fft(n);
        fft.forward(y);
        for (int k = 0; k < n; ++k) {
            Complex sum = 0;
            for (int j = 0; j < n; ++j) {
                const double angle = -2 * std::numbers::pi * ((static_cast<long>(j) * k) % n) / n;
                sum += x[static_cast<std::size_t>(j)] * Complex(std::cos(angle), std::sin(angle));
            }
            // n terms of size 1; measured 4e-13 at most (n = 243)
            EXPECT_LT(std::abs(y[static_cast<std::size_t>(k)] - sum), 4e-12) << "n " << n << ", k " << k;
        }
        fft.inverse(y);
        for (int j = 0; j < n; ++j)
            EXPECT_LT(std::abs(y[static_cast<std::size_t>(j)] - x[static_cast<std::size_t>(j)]), 1e-13);
    }
}

TEST(Fft, GridIsTransformedAlongBothAxesWithTheSameBitsOnAnyThreads) {
    const int w = 20, h = 32;
    const std::vector<Complex> x = noise(w * h);
    const Fft2 fft(w, h);
    std::vector<Complex> one = x, two = x;
    fft.forward(one);
    set_thread_count(3);
    fft.forward(two);
    set_thread_count(1);
    EXPECT_EQ(one, two);
    // one coefficient by its sum
    Complex sum = 0;
    for (int j = 0; j < h; ++j)
        for (int i = 0; i < w; ++i)
            sum += x[static_cast<std::size_t>(j * w + i)] *
                   std::polar(1.0, -2 * std::numbers::pi * (3.0 * i / w + 5.0 * j / h));
    EXPECT_LT(std::abs(one[5 * 20 + 3] - sum), 1e-11);
    fft.inverse(two);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LT(std::abs(two[i] - x[i]), 1e-13);
}

}  // namespace
}  // namespace asperity
