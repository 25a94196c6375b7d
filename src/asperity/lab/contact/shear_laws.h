// Laws of friction at a micro-contact and over rough facets, from tribology. The numbers T are those of the friction-lab
// thesis.
#pragma once
#include <span>

#include "asperity/math/vec.h"

namespace asperity::lab {

/// Bowden and Tabor: the softer body flows at 2.8 times its yield stress, so mu = tau_s/(2.8 sigma_y).        (T2.5)
/// The thesis has an elastic modulus in the place of the yield stress; with it metals would have mu near 1e-3.
double bowden_tabor(double shear_strength, double yield_stress);
/// Indentation hardness 2.8 sigma_y [Pa]: the cap of pressure of boundary elements.
double indentation_hardness(double yield_stress);

/// Adhesive junctions: pull-off force, sum of 2 pi r_i dgamma with dgamma = gamma_1 + gamma_2 - gamma_12 (T2.6,
/// T2.7).
double junction_adhesion(std::span<const double> radii, double gamma_1, double gamma_2, double gamma_12);
/// Sheared junctions: F = s sum A_i                                                                               (T2.8)
double junction_shear(std::span<const double> areas, double shear_strength);

/// Binomial law: shear stress r = a + b p of a facet in contact (p > 0), 0 elsewhere. b is 0.02 to 0.25; a is 2.5 to 30 MPa
/// between metals and 0.2 to 0.5 MPa between a metal and a polymer.                                              (T2.14)
struct BinomialLaw {
    double a = 0;  ///< [Pa]
    double b = 0;
};
double shear_stress(const BinomialLaw& law, double pressure);
/// mu of a smooth contact with these pressures on equal areas: sum r / sum p.
double friction_coefficient(const BinomialLaw& law, std::span<const double> pressures);

/// A facet of true area dA, whose normal leans by th_x in the direction of motion (positive opposes it) and th_y across.
struct Facet {
    double area = 0;                 ///< true [m^2]
    double slope_x = 0;              ///< th_x [rad]
    double slope_y = 0;              ///< th_y [rad]
    double pressure = 0, shear = 0;  ///< p and r [Pa]
};
/// N = sum (p cos th_x - r sin th_x) cos th_y dA,   F = sum (p sin th_x + r cos th_x) cos th_y dA           (T2.15, T2.16)
/// With dx dy instead of dA the cosines would go; dA is the true area here.
struct FacetForces {
    double normal = 0, tangential = 0;
};
FacetForces facet_forces(std::span<const Facet> facets);
/// Teeth of one slope with local friction mu: F/N = tan(th + atan mu). Infinite or negative where they lock.
double teeth_friction(double slope, double local_mu);

/// Viscous law of atoms: F = (areal density/slip time) v A                                                         (T2.2)
double atomic_friction(double areal_density, double slip_time, double speed, double area);

}  // namespace asperity::lab
