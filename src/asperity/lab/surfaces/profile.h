// Rough profiles: sums of cosines with random phases, for the two-dimensional lab.
#pragma once
#include <vector>

#include "asperity/lab/surfaces/spectrum.h"

namespace asperity::lab {

/// The defaults are those of the lab's protocol (docs/lab.md): pink, on [1/1500, 1/8] cycles per unit, period 4096, a
/// deviation of 5 units.
struct ProfileSpec {
    Spectrum spectrum;
    double sigma = 5;          ///< root mean square height over the whole period
    double period = 4096;      ///< [units]; modes are multiples of 1/period
    std::uint64_t seed = 1;    ///< equal seeds give equal bits
    std::uint64_t stream = 0;  ///< independent profiles of one seed: 0 for the lower body, 1 for the upper one
};

/// h(x) = sum_k a_k cos(2 pi f_k x + phi_k), which has mean 0 over its period.
///
/// Normalised by spectral energy: a_k^2/2 is proportional to the spectrum's power at f_k, and sum_k a_k^2/2 = sigma^2. The
/// deviation of the whole period is sigma to rounding; that of a window shorter than the period differs from seed to seed,
/// as it should: scaling each window to the same deviation would change the surfaces with the largest waves most.
class Profile {
  public:
    struct Mode {
        double frequency, amplitude, phase;  ///< [cycles/unit], [units], [rad]
    };

    double height(double x) const;
    double slope(double x) const;
    /// Heights at first + i step, i < count.
    std::vector<double> sample(double first, double step, int count) const;

    double sigma() const;      ///< root mean square height over the period
    double rms_slope() const;  ///< root mean square slope over the period: sqrt(sum (2 pi f_k a_k)^2 / 2)
    double period() const { return period_; }
    const std::vector<Mode>& modes() const { return modes_; }

  private:
    friend Profile make_profile(const ProfileSpec& spec);
    std::vector<Mode> modes_;
    double period_ = 1;
};

/// Throws InputError for values out of range, and for a band without a mode or with more than a million.
Profile make_profile(const ProfileSpec& spec);

}  // namespace asperity::lab
