// Random profiles: their energy, spectrum, slope and dependence on the seed.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/lab/surfaces/profile.h"
#include "asperity/math/fft.h"

namespace asperity::lab {
namespace {

double rms(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v * v;
    return std::sqrt(sum / static_cast<double>(values.size()));
}

/// Least-squares slope of log(power) over log(k) of the modes first..last of a whole period.
double spectral_slope(const std::vector<double>& heights, int first, int last) {
    std::vector<std::complex<double>> x(heights.begin(), heights.end());
    Fft(static_cast<int>(x.size())).forward(x);
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = first; k <= last; ++k) {
        const double a = std::log(k), b = std::log(std::norm(x[static_cast<std::size_t>(k)]));
        n += 1, sx += a, sy += b, sxx += a * a, sxy += a * b;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

TEST(Profile, PinkSlopeHasItsClosedForm) {
    // Energies proportional to 1/k on 3 <= k <= last: slope^2 = (2 pi sigma/period)^2 sum k / sum 1/k.
    // The protocol's table has 7.8, 2.2, 1.19 and .62, means of differences over windows of 24 profiles; the sums are 1
    // to 5 % above, as they have neither the smoothing of differences nor the scatter of windows.
    const double expected[][3] = {{1, 4096, 7.8}, {0.25, 1024, 2.2}, {0.125, 512, 1.19}, {0.0625, 256, 0.62}};
    for (const auto& [f_max, last, table] : expected) {
        ProfileSpec spec;
        spec.spectrum.f_max = f_max;
        double weights = 0;
        for (int k = 3; k <= static_cast<int>(last); ++k) weights += 1.0 / k;
        const double sum = last * (last + 1) / 2 - 3;
        const double slope = 2 * std::numbers::pi * 5 / 4096 * std::sqrt(sum / weights);
        EXPECT_NEAR(make_profile(spec).rms_slope() / slope, 1, 1e-12) << "f_max " << f_max;
        EXPECT_NEAR(slope / table, 1, 0.06) << "f_max " << f_max;
    }
}

TEST(Profile, SamplesOfAWholePeriodHaveTheDeviationAndSlopeAskedFor) {
    for (const SpectrumKind kind :
         {SpectrumKind::Uniform, SpectrumKind::Pink, SpectrumKind::SelfAffine, SpectrumKind::Gabor}) {
        ProfileSpec spec;
        spec.spectrum.kind = kind;
        spec.seed = 7;
        const Profile profile = make_profile(spec);
        const std::vector<double> heights = profile.sample(0, 1, 4096);
        // Parseval: exact for a trigonometric sum sampled above its Nyquist frequency; round-off of 512 terms of size 5.
        EXPECT_NEAR(rms(heights), 5, 1e-11) << name(kind);
        EXPECT_NEAR(profile.sigma(), 5, 1e-13) << name(kind);
        std::vector<double> slopes;
        for (int i = 0; i < 4096; ++i) slopes.push_back(profile.slope(i));
        EXPECT_NEAR(rms(slopes), profile.rms_slope(), 1e-11) << name(kind);
        const double step = 1e-4;  // error of central differences: step^2/6 h''' < 1e-8, round-off 5e-16/1e-4
        for (const double x : {0.3, 17.0, 2222.7})
            EXPECT_NEAR((profile.height(x + step) - profile.height(x - step)) / (2 * step), profile.slope(x), 1e-8);
    }
}

TEST(Profile, SpectrumFallsAsAskedFor) {
    for (const double exponent : {0.0, 1.0, 2.0}) {
        ProfileSpec spec;
        spec.spectrum.exponent = exponent;
        // Amplitudes are not random: only round-off is left, far below the 0.1 that a fit to random amplitudes would need.
        EXPECT_NEAR(spectral_slope(make_profile(spec).sample(0, 1, 4096), 3, 512), -exponent, 1e-9) << exponent;
    }
    ProfileSpec spec;
    spec.spectrum.kind = SpectrumKind::SelfAffine;
    spec.spectrum.hurst = 0.7;
    spec.spectrum.roll_off = 0.01;
    const std::vector<double> heights = make_profile(spec).sample(0, 1, 4096);
    EXPECT_NEAR(spectral_slope(heights, 3, 40), 0, 1e-9);       // 41/4096 > 0.01
    EXPECT_NEAR(spectral_slope(heights, 41, 512), -2.4, 1e-9);  // -(1 + 2 H)
}

TEST(Profile, SeedsGiveEqualBitsAndStreamsIndependentProfiles) {
    ProfileSpec spec;
    const std::vector<double> a = make_profile(spec).sample(0, 1, 4096);
    EXPECT_EQ(a, make_profile(spec).sample(0, 1, 4096));
    const auto correlation = [&](const std::vector<double>& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
        return sum / (25 * 4096);
    };
    // The correlation of independent phases has a deviation of sqrt(sum w_k^2 / 2) = 0.17 for pink energies w_k; 4 of those.
    spec.stream = 1;
    EXPECT_LT(std::fabs(correlation(make_profile(spec).sample(0, 1, 4096))), 0.7);
    spec.stream = 0, spec.seed = 2;
    EXPECT_LT(std::fabs(correlation(make_profile(spec).sample(0, 1, 4096))), 0.7);
}

TEST(Profile, ModeKeepsItsPhaseWhenTheBandGrows) {
    ProfileSpec wide;
    wide.spectrum.f_max = 0.25;
    const Profile a = make_profile({}), b = make_profile(wide);
    ASSERT_LT(a.modes().size(), b.modes().size());
    for (std::size_t i = 0; i < a.modes().size(); ++i) EXPECT_EQ(a.modes()[i].phase, b.modes()[i].phase);
}

TEST(Profile, RefusesBandsWithoutModesAndWrongNumbers) {
    ProfileSpec spec;
    spec.period = 4;
    EXPECT_THROW(make_profile(spec), InputError);  // no multiple of 1/4 in [1/1500, 1/8]
    spec = {};
    spec.sigma = -1;
    EXPECT_THROW(make_profile(spec), InputError);
    spec = {};
    spec.spectrum.f_max = 1e-9;
    EXPECT_THROW(make_profile(spec), InputError);
    spec = {};
    spec.spectrum.kind = SpectrumKind::Gabor;
    spec.spectrum.frequency = 3;
    EXPECT_THROW(make_profile(spec), InputError);
}

}  // namespace
}  // namespace asperity::lab
