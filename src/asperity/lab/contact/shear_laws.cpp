#include "asperity/lab/contact/shear_laws.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "asperity/core/error.h"

namespace asperity::lab {
namespace {

double positive(const char* what, double value) {
    if (!(value > 0) || !std::isfinite(value))
        throw InputError(fmt::format("friction law: {} = {:g}: must be above 0 and finite", what, value));
    return value;
}

}  // namespace

double indentation_hardness(double yield_stress) { return 2.8 * positive("yield stress", yield_stress); }

double bowden_tabor(double shear_strength, double yield_stress) {
    return positive("shear strength", shear_strength) / indentation_hardness(yield_stress);
}

double junction_adhesion(std::span<const double> radii, double gamma_1, double gamma_2, double gamma_12) {
    double sum = 0;
    for (const double r : radii) sum += r;
    return 2 * std::numbers::pi * sum * (gamma_1 + gamma_2 - gamma_12);
}

double junction_shear(std::span<const double> areas, double shear_strength) {
    double sum = 0;
    for (const double a : areas) sum += a;
    return shear_strength * sum;
}

double shear_stress(const BinomialLaw& law, double pressure) { return pressure > 0 ? law.a + law.b * pressure : 0; }

double friction_coefficient(const BinomialLaw& law, std::span<const double> pressures) {
    double shear = 0, load = 0;
    for (const double p : pressures) shear += shear_stress(law, p), load += p;
    if (!(load > 0)) throw InputError("friction law: no pressure is above 0, so there is no coefficient of friction");
    return shear / load;
}

FacetForces facet_forces(std::span<const Facet> facets) {
    FacetForces sum;
    for (const Facet& f : facets) {
        const double c = std::cos(f.slope_x), s = std::sin(f.slope_x), across = std::cos(f.slope_y) * f.area;
        sum.normal += (f.pressure * c - f.shear * s) * across;
        sum.tangential += (f.pressure * s + f.shear * c) * across;
    }
    return sum;
}

double teeth_friction(double slope, double local_mu) { return std::tan(slope + std::atan(local_mu)); }

double atomic_friction(double areal_density, double slip_time, double speed, double area) {
    return areal_density / positive("slip time", slip_time) * speed * area;
}

}  // namespace asperity::lab
