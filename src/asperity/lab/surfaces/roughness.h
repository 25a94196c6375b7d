// The numbers of a rough surface: heights, slopes, spectrum, autocorrelation, and how slopes depend on the scale.
#pragma once
#include <optional>

#include "asperity/lab/surfaces/topography.h"

namespace asperity::lab {

/// ISO 25178-2 for maps; for profiles the ISO 21920-2 numbers of the same meaning (Rq, Ra, Rsk, Rku, Rdq). The mean is
/// removed first; remove tilt and form before (filter.h).
struct Roughness {
    double sq = 0;     ///< root mean square height
    double sa = 0;     ///< mean absolute height
    double ssk = 0;    ///< skewness, 0 for a Gaussian surface
    double sku = 0;    ///< kurtosis, 3 for a Gaussian surface
    double sz = 0;     ///< highest minus lowest
    double sdq = 0;    ///< root mean square gradient
    double nayak = 0;  ///< m0 m4/m2^2 of the spectral moments of profiles: 1.5 for a narrow band, large for a broad one
    /// Shortest distance at which the autocorrelation falls to 0.2. Empty if it does not within half the map.
    std::optional<double> sal;
    /// Maps: sal over the longest such distance: 1 isotropic, 0 a perfect lay. Empty if either is.
    std::optional<double> str;
    /// Maps: direction of the lay [rad, in [0, pi)]: across the waves that have the most energy, in sectors of 11 degrees.
    double std = 0;
};
/// Gradients and curvatures of periodic maps are exact, from the transform. Others use central differences of sixth
/// order: 0.2 % low for waves of 8 pixels (EUR 15178 EN uses the same for Sdq). Throws InputError as check_complete().
Roughness roughness(const Topography& map, const std::string& where = "roughness");

/// Power spectral density, averaged over all modes with |f| in a bin, 20 bins a decade. Maps [unit^4], integral over the
/// plane of frequencies = Sq^2; profiles [unit^3], integral over f > 0 = Rq^2.
struct RadialSpectrum {
    std::vector<double> frequency, power;
    double exponent = 0;  ///< slope of log power over log frequency, by least squares over the bins, weighted by their modes
};
/// Only modes with |f| in [f_min, f_max]; f_max = 0: up to 1/(2 pixel). Topographies that are not periodic are levelled by a
/// plane and weighted by a Hann window, and the lowest two frequencies, which it smears, are left out. The exponent needs
/// two bins with power; it is NaN otherwise.
RadialSpectrum radial_spectrum(const Topography& map, double f_min = 0, double f_max = 0);

/// Energy of a map in `count` sectors of direction over [0, pi), the first centred on x: fractions of the whole.
std::vector<double> angular_spectrum(const Topography& map, int count = 180);

/// Autocorrelation over the distance in every direction (maps) or along x (profiles), 1 at distance 0.
struct Autocorrelation {
    std::vector<double> distance, mean, least, most;  ///< over the directions
};
Autocorrelation autocorrelation(const Topography& map);

/// Root mean square of (h(x + l) - h(x))/l over all x, both axes of a map: the slope at the scale l. At l = one pixel it
/// is the slope of differences; it falls as l^(H - 1) for a self-affine surface.
struct ScaleSlopes {
    std::vector<double> scale, slope;
};
ScaleSlopes scale_dependent_slope(const Topography& map);

}  // namespace asperity::lab
