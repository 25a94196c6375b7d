// Theories of rough contact and laws of micro-contacts, against the check values of the specification and known limits.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/lab/contact/hertz.h"
#include "asperity/lab/contact/rough_contact.h"
#include "asperity/lab/contact/shear_laws.h"

namespace asperity::lab {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(GaussianMoment, HasItsClosedForms) {
    for (const double t : {-2.0, -0.3, 0.0, 0.7, 3.0}) {
        const double tail = 0.5 * std::erfc(t / std::numbers::sqrt2), density = std::exp(-t * t / 2) / std::sqrt(2 * kPi);
        // F_0 = Q(t), F_1 = phi - t Q, F_2 = (1 + t^2) Q - t phi; quadrature promises 1e-12.
        EXPECT_NEAR(gaussian_moment(0, t), tail, 1e-12);
        EXPECT_NEAR(gaussian_moment(1, t), density - t * tail, 1e-12);
        EXPECT_NEAR(gaussian_moment(2, t), (1 + t * t) * tail - t * density, 1e-11);
    }
    // F_3/2(0) = 2^(1/4) Gamma(5/4)/sqrt(2 pi)
    EXPECT_NEAR(gaussian_moment(1.5, 0), std::pow(2, 0.25) * std::tgamma(1.25) / std::sqrt(2 * kPi), 1e-12);
}

TEST(GreenwoodWilliamson, IsASumOfHertzContacts) {
    const Asperities a{.radius = 1e-5, .density = 1e10, .sigma = 1e-6, .modulus = 1e11};
    // Nearly equal heights: with sigma far below the overlap every summit is the same Hertz contact.
    const Asperities equal{.radius = 1e-5, .density = 1e10, .sigma = 1e-9, .modulus = 1e11};
    const double overlap = 30e-9;
    const AsperityContact c = greenwood_williamson(equal, -overlap);
    const double each = hertz_force(overlap, 1e-5, 1e11);
    // E[(w + s)^1.5] = w^1.5 (1 + 3/8 sigma^2/w^2): 4.2e-4
    EXPECT_NEAR(c.pressure / (1e10 * each), 1 + 0.375 / 900, 1e-6);
    EXPECT_NEAR(c.area_fraction, 1e10 * kPi * 1e-5 * overlap, 1e-9);
    EXPECT_NEAR(c.density, 1e10, 1);
    // Area in proportion to load within a tenth over a decade: the theory's claim.
    const double d = distance_of(greenwood_williamson, a, 1e6), e = distance_of(greenwood_williamson, a, 1e7);
    const AsperityContact light = greenwood_williamson(a, d), heavy = greenwood_williamson(a, e);
    EXPECT_NEAR(light.pressure / 1e6, 1, 1e-9);
    EXPECT_NEAR(heavy.area_fraction / light.area_fraction / 10, 1, 0.15);
    EXPECT_NEAR(plasticity_index(a, 1e9), 100 * std::sqrt(0.1), 1e-12);
    EXPECT_THROW(distance_of(greenwood_williamson, a, 1e30), InputError);
}

TEST(GreenwoodTripp, AgreesWithTheIntegralOverMisalignment) {
    // Summits whose axes are r apart overlap by w - r^2/(4 R) and touch with the radius R/2 of the sum of both
    // curvatures; the pressure is the integral over all r < 2 sqrt(R w) of Hertz's force. Here by the trapezoid rule over
    // r and the heights.
    const Asperities a{.radius = 2e-5, .density = 5e9, .sigma = 1e-6, .modulus = 1e11};
    for (const double t : {0.5, 2.0}) {
        double sum = 0;
        const int steps = 1500;
        for (int i = 1; i < steps; ++i) {
            const double w = 6e-6 * i / steps, s = (w / a.sigma + t);
            double inner = 0;
            const double reach = 2 * std::sqrt(a.radius * w);
            for (int k = 1; k < 400; ++k) {
                const double r = reach * k / 400;
                inner += 2 * kPi * r * hertz_force(w - r * r / (4 * a.radius), a.radius / 2, a.modulus) * reach / 400;
            }
            sum += a.density * a.density * inner * std::exp(-s * s / 2) / std::sqrt(2 * kPi) * 6e-6 / steps / a.sigma;
        }
        // 400 points of the inner rule: 1e-4
        EXPECT_NEAR(greenwood_tripp(a, t * a.sigma).pressure / sum, 1, 1e-3) << t;
    }
}

TEST(SpectralTheories, HaveTheirSlopesAtSmallLoads) {
    EXPECT_NEAR(persson_area(1e-6, 1, 1) / 1e-6, std::sqrt(8 / kPi), 1e-9);
    EXPECT_NEAR(bush_gibson_thomas_area(1e-6, 1, 1) / 1e-6, std::sqrt(2 * kPi), 1e-12);
    EXPECT_NEAR(persson_area(10, 1, 1), 1, 1e-15);
    EXPECT_EQ(bush_gibson_thomas_area(10, 1, 1), 1);
    EXPECT_NEAR(westergaard_area(0.5 * westergaard_full_pressure(3, 0.1, 2), 3, 0.1, 2), 0.5, 1e-15);
    EXPECT_EQ(westergaard_area(1e9, 3, 0.1, 2), 1);
    EXPECT_THROW(persson_area(1, -1, 1), InputError);
}

TEST(BowdenTabor, HasTheYieldStressInItsDenominator) {
    EXPECT_NEAR(bowden_tabor(1 / std::numbers::sqrt3, 1), 0.206, 5e-4);  // von Mises
    EXPECT_NEAR(bowden_tabor(0.5, 1), 0.179, 5e-4);                      // Tresca
    EXPECT_EQ(indentation_hardness(100e6), 280e6);
    EXPECT_THROW(bowden_tabor(1, 0), InputError);
}

TEST(Junctions, AddUp) {
    const double radii[] = {1e-6, 2e-6}, areas[] = {1e-12, 3e-12};
    EXPECT_NEAR(junction_adhesion(radii, 0.05, 0.04, 0.03), 2 * kPi * 3e-6 * 0.06, 1e-20);
    EXPECT_NEAR(junction_shear(areas, 1e8), 4e-4, 1e-18);
    EXPECT_NEAR(atomic_friction(1e-7, 1e-12, 0.5, 2e-6), 0.1, 1e-16);
}

TEST(BinomialLaw, IsItsIntegralOverAKnownPressure) {
    // A Hertz spot: r = a + b p over pi a^2, so mu = b + a/mean pressure.
    const BinomialLaw law{5e6, 0.1};
    std::vector<double> pressures;
    const int n = 400;
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            const double u = 2.4 * (x + 0.5) / n - 1.2, v = 2.4 * (y + 0.5) / n - 1.2, s = 1 - u * u - v * v;
            pressures.push_back(s > 0 ? 1.5e9 * std::sqrt(s) : 0);
        }
    EXPECT_NEAR(friction_coefficient(law, pressures), 0.1 + 5e6 / 1e9,
                5e-6);  // the rim of the grid: 1e-3 of the second term
    EXPECT_EQ(shear_stress(law, 0), 0);
    EXPECT_EQ(shear_stress(law, 1e7), 6e6);
    EXPECT_THROW(friction_coefficient(law, std::vector<double>{0.0}), InputError);
}

TEST(Facets, OfOneSlopeGiveTheTangentOfTheSum) {
    // The check values of interlocking teeth: (slope in degrees, local mu) and F/N with six digits.
    const double rows[][3] = {{20, 0.1, 0.481495}, {30, 0.2, 0.878829}, {35, 0, 0.700208}, {10, 0.3, 0.502931}};
    for (const auto& [degrees, mu, expected] : rows) {
        const double th = degrees * kPi / 180;
        EXPECT_NEAR(teeth_friction(th, mu), expected, 5e-7);
        const Facet facets[] = {{2, th, 0.3, 7, 7 * mu}, {1, th, -0.2, 3, 3 * mu}};
        const FacetForces f = facet_forces(facets);
        EXPECT_NEAR(f.tangential / f.normal, expected, 5e-7);
    }
    // Without local friction, closed teeth under equal pressure on both flanks push neither way.
    const Facet pair[] = {{1, 0.4, 0, 5, 0}, {1, -0.4, 0, 5, 0}};
    EXPECT_NEAR(facet_forces(pair).tangential, 0, 1e-15);
}

}  // namespace
}  // namespace asperity::lab
