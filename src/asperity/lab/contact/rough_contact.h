// Statistical theories of rough contact: what the real contact area and the mean gap are at a given pressure.
#pragma once

namespace asperity::lab {

// Asperities (Greenwood and Williamson, Proc. R. Soc. A 295, 1966): summits of one radius R, `density` per area, with
// heights of deviation sigma (Gaussian), each a Hertz contact. With t = d/sigma, d the distance of the summits' mean
// plane, and
//     F_n(t) = 1/sqrt(2 pi) int_t^inf (s - t)^n exp(-s^2/2) ds:
// pressure = 4/3 density E* R^1/2 sigma^3/2 F_3/2,  area fraction = pi density R sigma F_1,
// contacts per area = density F_0.
struct Asperities {
    double radius = 0;   ///< [m]
    double density = 0;  ///< [1/m^2]
    double sigma = 0;    ///< of the summits' heights [m]
    double modulus = 0;  ///< E* [Pa]
};
struct AsperityContact {
    double pressure = 0, area_fraction = 0, density = 0;
};
AsperityContact greenwood_williamson(const Asperities& a, double distance);
/// Two rough surfaces whose summits need not meet face to face (Greenwood and Tripp, Proc. I. Mech. E. 185, 1970):
/// `a.sigma` is the deviation of the sum of both surfaces' summit heights, both have the radius and the density of `a`.
///     pressure = 16 sqrt(2) pi/15 (density R sigma)^2 E* sqrt(sigma/R) F_5/2,  area fraction = pi^2 (density R sigma)^2 F_2
AsperityContact greenwood_tripp(const Asperities& a, double distance);
/// The distance at which a theory gives this pressure; up to 40 sigma apart. Throws InputError for pressures it does not
/// reach.
double distance_of(AsperityContact (*theory)(const Asperities&, double), const Asperities& a, double pressure);
/// F_n(t), n > -1, by quadrature to 1e-12.
double gaussian_moment(double n, double t);
/// Greenwood and Williamson's plasticity index E*/H sqrt(sigma/R): below 0.6 elastic, above 1 plastic.
double plasticity_index(const Asperities& a, double hardness);

/// Contact area by the spectrum (Persson, J. Chem. Phys. 115, 2001), in the form for pressure over E* and root mean
/// square slope: area = erf(sqrt(2) P), P = pressure/(E* slope); at small loads sqrt(8/pi) P.
double persson_area(double pressure, double modulus, double slope);
/// Bush, Gibson, Thomas (Wear 35, 1975), asymptotic: area = sqrt(2 pi) P. An upper bound of what is measured; at most 1.
double bush_gibson_thomas_area(double pressure, double modulus, double slope);

/// Westergaard (1939): h = amplitude cos(2 pi x/wavelength), plane strain. Full contact at p* = pi E* amplitude/wavelength;
/// below, the strips of contact cover (2/pi) asin(sqrt(p/p*)) of the surface.
double westergaard_full_pressure(double modulus, double amplitude, double wavelength);
double westergaard_area(double pressure, double modulus, double amplitude, double wavelength);

}  // namespace asperity::lab
