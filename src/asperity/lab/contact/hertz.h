// Hertz: two smooth elastic bodies pressed together, without friction or adhesion.
#pragma once

namespace asperity::lab {

/// Young's modulus [Pa], infinite for a rigid body, and Poisson's ratio.
struct Elastic {
    double young = 0, poisson = 0;
};

/// 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b                                                             (T2.11)
double contact_modulus(const Elastic& a, const Elastic& b);
/// 1/R = 1/R_a + 1/R_b; infinity is flat, negative is hollow. Throws InputError unless 1/R > 0.
double contact_radius(double radius_a, double radius_b);

/// Spheres (T2.9 to T2.13): a = (3 F R/(4 E*))^(1/3), p(r) = p0 sqrt(1 - r^2/a^2), p0 = 3F/(2 pi a^2), and the approach
/// delta = a^2/R.
/// Parallel cylinders, F per unit of length: a = sqrt(4 F R/(pi E*)), p(x) = p0 sqrt(1 - x^2/a^2), p0 = 2F/(pi a). Their
/// approach depends on the size of the bodies, so it is not given.
/// Source: Johnson, "Contact Mechanics", 1985, 4.2. The numbers T are those of the friction-lab thesis.
struct Hertz {
    double radius = 0;         ///< R [m]
    double modulus = 0;        ///< E* [Pa]
    double half_width = 0;     ///< a [m]: radius of the contact, half the width of the strip
    double peak_pressure = 0;  ///< p0 [Pa]
    double mean_pressure = 0;  ///< [Pa]
    double area = 0;           ///< [m^2]; cylinders: per unit of length [m]
    double approach = 0;       ///< delta [m]; spheres only
    double stiffness = 0;      ///< dF/d delta = 2 E* a [N/m]; spheres only
};
/// Throw InputError for values that are not above 0.
Hertz hertz_spheres(double force, double radius, double modulus);
Hertz hertz_cylinders(double force_per_length, double radius, double modulus);
/// Force of spheres at a given approach: 4/3 E* sqrt(R) delta^1.5.
double hertz_force(double approach, double radius, double modulus);

}  // namespace asperity::lab
