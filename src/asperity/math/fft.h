// Discrete Fourier transforms of any length, in one and two dimensions: for rough surfaces and for convolutions on the
// half-space.
#pragma once
#include <complex>
#include <span>
#include <vector>

namespace asperity {

/// Transforms of one length n >= 1; the tables are made once. forward: X_k = sum_j x_j exp(-2 pi i j k / n). inverse()
/// undoes
/// forward(), so it divides by n. Lengths that are powers of two take n log n operations; the others go through a
/// convolution of a power of two at least 2 n - 1 long (Bluestein, "A linear filtering approach to the computation of
/// discrete Fourier transform", IEEE Trans. Audio Electroacoust. 18, 1970), which takes some eight times as long.
class Fft {
  public:
    explicit Fft(int n);
    int size() const { return n_; }
    void forward(std::span<std::complex<double>> x) const { transform(x, false); }
    void inverse(std::span<std::complex<double>> x) const;

  private:
    friend class Fft2;
    /// Lines that are transformed side by side: one vector register of doubles, or two, for each step of all of them.
    static constexpr int kLanes = 8;
    void transform(std::span<std::complex<double>> x, bool conjugate) const;
    /// kLanes lines of a power of two: element k of line i at [k kLanes + i].
    void lanes(std::span<double> real, std::span<double> imaginary, bool conjugate) const;
    void power_of_two(std::span<std::complex<double>> x, bool conjugate) const;

    int n_ = 1, padded_ = 1;                    // padded_: the power of two that is transformed
    std::vector<std::complex<double>> roots_;   // exp(-2 pi i k / padded_), k < padded_/2
    std::vector<int> reversed_;                 // bit reversal
    std::vector<std::complex<double>> chirp_;   // exp(-pi i k^2 / n), k < n; empty for powers of two
    std::vector<std::complex<double>> filter_;  // transform of the conjugate chirp
};

/// Transforms of a grid, row by row with x fastest. Rows and columns are spread over the threads; same bits for any number.
class Fft2 {
  public:
    Fft2(int width, int height) : row_(width), column_(height) {}
    int width() const { return row_.size(); }
    int height() const { return column_.size(); }
    void forward(std::span<std::complex<double>> grid) const { transform(grid, false); }
    void inverse(std::span<std::complex<double>> grid) const { transform(grid, true); }

  private:
    void transform(std::span<std::complex<double>> grid, bool inverse) const;
    Fft row_, column_;
};

/// The smallest power of two that is at least n.
int power_of_two_at_least(int n);

}  // namespace asperity
