// Power spectra of rough surfaces: how the variance of the heights is spread over frequencies.
#pragma once
#include <cstdint>
#include <string>

#include "asperity/math/vec.h"

namespace asperity::lab {

/// The shape of a spectrum. Frequencies are in cycles per unit of length; S below is the power spectral density of a profile
/// over f, or of a height map over (f_x, f_y) with f its length, up to a factor that the wanted deviation decides.
enum class SpectrumKind {
    Uniform,     ///< S = 1
    Pink,        ///< S = f^-exponent
    SelfAffine,  ///< S = max(f, roll_off)^-(1 + 2 hurst) for profiles, ^-(2 + 2 hurst) for maps
    Gabor,       ///< S = exp(-2 pi |f -+ F|^2 / bandwidth^2), F of length `frequency` in `direction`
};
// Source: friction-lab thesis, 3.3 and Fig 3.3 (uniform, pink, Gabor); Persson et al., J. Phys.: Condens. Matter 17
// (2005) R1 for the self-affine spectrum with roll-off and cut-off. Gabor: the spectrum of sparse Gabor convolution
// (Lagae et al. 2009) with the kernel exp(-pi bandwidth^2 x^2) cos(2 pi F.x), in the limit of infinitely many kernels.

struct Spectrum {
    SpectrumKind kind = SpectrumKind::Pink;
    double f_min = 1.0 / 1500, f_max = 1.0 / 8;  ///< [cycles/unit] no power outside this band
    double exponent = 1;                         ///< pink
    double hurst = 0.8;                          ///< self-affine, in [0, 1]
    double roll_off = 0;                         ///< self-affine [cycles/unit]: S is flat below; 0: no roll-off
    double frequency = 0.05, bandwidth = 0.02;   ///< Gabor [cycles/unit]
    double direction = 0;                        ///< Gabor [rad], of the waves' normal, from x
};

/// S at a frequency of a profile, f > 0, and at one of a map. Zero outside the band.
double power(const Spectrum& spectrum, double f);
double power(const Spectrum& spectrum, Vec2 f);

/// Throws InputError for values out of range; `where` starts the message.
void check(const Spectrum& spectrum, const std::string& where);

SpectrumKind spectrum_kind(const std::string& name, const std::string& where);  ///< throws InputError for unknown names
const char* name(SpectrumKind kind);

/// A phase in [0, 2 pi) that depends on nothing but its arguments. So a mode keeps its phase when the band or the resolution
/// changes, and all modes are independent.
double random_phase(std::uint64_t seed, std::uint64_t stream, int k_x, int k_y);

}  // namespace asperity::lab
