// Hertz in closed form against the check values of the specification, and its own identities.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/lab/contact/hertz.h"

namespace asperity::lab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Two steel spheres of 10 and 20 mm, 100 N. The expected values have seven digits.
TEST(Hertz, SteelSpheresHaveTheReferenceValues) {
    const Elastic steel{200e9, 0.3};
    const double modulus = contact_modulus(steel, steel), radius = contact_radius(0.01, 0.02);
    EXPECT_NEAR(modulus, 109.8901e9, 5e4);
    EXPECT_NEAR(radius, 6.66667e-3, 5e-9);
    const Hertz h = hertz_spheres(100, radius, modulus);
    EXPECT_NEAR(h.half_width, 0.165706e-3, 5e-10);
    EXPECT_NEAR(h.peak_pressure, 1.738870e9, 5e2);
    EXPECT_NEAR(h.approach, 4.118751e-6, 5e-13);
    EXPECT_NEAR(hertz_force(h.approach, radius, modulus), 100, 1e-12);
    EXPECT_NEAR(hertz_spheres(200, radius, modulus).area / h.area, std::pow(2, 2.0 / 3), 1e-14);
    // stiffness by differences: error of second order, 1e-8 relative
    const double d = 1e-4 * h.approach;
    const double slope =
        (hertz_force(h.approach + d, radius, modulus) - hertz_force(h.approach - d, radius, modulus)) / (2 * d);
    EXPECT_NEAR(slope / h.stiffness, 1, 1e-8);
}

TEST(Hertz, PressureIntegratesToTheForce) {
    const Hertz line = hertz_cylinders(1e5, 0.01, 1e11);
    // integral of p0 sqrt(1 - x^2/a^2) over the strip: p0 a pi/2
    EXPECT_NEAR(line.peak_pressure * line.half_width * std::numbers::pi / 2, 1e5, 1e-9);
    EXPECT_NEAR(line.peak_pressure, std::sqrt(1e5 * 1e11 / (std::numbers::pi * 0.01)), 1e-3);
    const Hertz spot = hertz_spheres(10, 0.01, 1e9);
    EXPECT_NEAR(2 * std::numbers::pi / 3 * spot.peak_pressure * spot.half_width * spot.half_width, 10, 1e-13);
}

TEST(Hertz, RigidAndFlatBodiesAreLimits) {
    EXPECT_NEAR(contact_modulus({1e9, 0.25}, {kInfinity, 0}), 1e9 / (1 - 0.0625), 1e-3);
    EXPECT_EQ(contact_radius(0.01, kInfinity), 0.01);
    EXPECT_NEAR(contact_radius(0.01, -0.02), 0.02, 1e-17);
    EXPECT_THROW(contact_modulus({kInfinity, 0}, {kInfinity, 0}), InputError);
    EXPECT_THROW(contact_radius(0.01, -0.01), InputError);
    EXPECT_THROW(contact_radius(kInfinity, kInfinity), InputError);
    EXPECT_THROW(hertz_spheres(-1, 1, 1), InputError);
    EXPECT_THROW(contact_modulus({1e9, 0.7}, {1e9, 0.3}), InputError);
}

}  // namespace
}  // namespace asperity::lab
