#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/deform/damping.h"
#include "asperity/deform/meshes/generators.h"

namespace asperity::deform {
namespace {

TEST(Damping, CoefficientsGiveTheRatiosAtTheirFrequencies) {
    const Rayleigh r = rayleigh(10, 0.05, 200, 0.02);
    EXPECT_NEAR(r.ratio(10), 0.05, 1e-16);
    EXPECT_NEAR(r.ratio(200), 0.02, 1e-16);
    EXPECT_EQ(rayleigh(1, 0.5, 4, 2).mass, 0);  // in proportion to the frequency: stiffness alone
    EXPECT_EQ(rayleigh(1, 0.5, 4, 0.125).stiffness, 0);
    EXPECT_THROW(rayleigh(1, 0.5, 4, 3), InputError);
    EXPECT_THROW(rayleigh(4, 0.5, 4, 0.5), InputError);
    EXPECT_THROW(rayleigh(1, -0.5, 4, 0.5), InputError);
}

TEST(Damping, TheTopModeIsCriticalAndLowerModesAreOverDamped) {
    const Rayleigh r = critical(50, 41);
    EXPECT_NEAR(r.ratio(50), 1, 1e-15);
    EXPECT_NEAR(r.ratio(41), 1, 1e-15);
    for (double w = 0.5; w < 41; w += 0.5) EXPECT_GT(r.ratio(w), 1);
    for (double w = 0.5; w < 50; w += 0.5) EXPECT_GT(critical(50, 50).ratio(w), 1);
    EXPECT_NEAR(critical(7, 7).ratio(7), 1, 1e-15);
    EXPECT_NEAR(critical_at(50).ratio(50), 1, 1e-15);
    EXPECT_EQ(critical_at(50).mass, 0);
}

TEST(Damping, ACriticalMassReturnsWithoutOvershoot) {
    // x'' + (alpha + beta w^2) x' + w^2 x = 0 with alpha + beta w^2 = 2 w: x = (1 + w t) e^{-w t}
    const double w = 5;
    const Rayleigh r = critical_at(w);
    const double c = r.mass + r.stiffness * w * w;
    EXPECT_NEAR(c, 2 * w, 1e-14);
    double x = 1, v = 0;
    constexpr double h = 1e-5;
    for (double t = 0; t < 3; t += h) {
        v += h * (-w * w * x - c * v);
        x += h * v;
        ASSERT_GT(x, 0);
        ASSERT_NEAR(x, (1 + w * (t + h)) * std::exp(-w * (t + h)), 2 * w * h);  // first order
    }
}

TEST(Damping, StableStepHasTheTabulatedLimits) {
    for (const auto& [z, limit] : {std::pair{0.0, 2.0}, {.1, 1.8100}, {.5, 1.2361}, {1.0, .8284}}) {
        EXPECT_NEAR(stable_step(3, z) * 3, limit, 5e-5) << z;
        // symplectic Euler itself, just below and above the limit
        for (const double factor : {0.999, 1.001}) {
            const double h = factor * stable_step(1, z);
            double x = 1, v = 0;
            for (int k = 0; k < 20000 && std::fabs(x) < 1e9; ++k) {
                v += h * (-x - 2 * z * v);
                x += h * v;
            }
            EXPECT_EQ(std::fabs(x) < 1e3, factor < 1) << z;
        }
    }
}

TEST(Damping, ExtremesOfAChainOfMassesHaveTheirClosedForm) {
    // n masses between n - 1 springs: L_k = 4 k/m sin^2(pi k/(2 n)); k = 0 is the rigid motion
    constexpr int n = 60;
    const double k = 7, m = 0.3;
    const Operator chain = [&](std::span<const double> x, std::span<double> y) {
        for (std::size_t i = 0; i < n; ++i) y[i] = k * ((i > 0 ? x[i] - x[i - 1] : 0) + (i + 1 < n ? x[i] - x[i + 1] : 0));
    };
    const auto exact = [&](int mode) { return 4 * k / m * std::pow(std::sin(0.5 * std::numbers::pi * mode / n), 2); };
    const std::vector<double> mass(n, m);
    const Extremes e = extreme_eigenvalues(chain, mass);
    EXPECT_TRUE(e.converged);
    EXPECT_NEAR(e.highest / exact(n - 1), 1, 1e-6);
    EXPECT_NEAR(e.lowest / exact(1), 1, 1e-6);
    std::vector<double> held = mass;  // one end held: L = 4 k/m sin^2(pi/(2 (2 n - 1))) is the lowest of n - 1 free masses
    held[0] = 0;
    const Extremes h = extreme_eigenvalues(chain, held);
    EXPECT_NEAR(h.lowest / (4 * k / m * std::pow(std::sin(0.5 * std::numbers::pi / (2 * n - 1)), 2)), 1, 1e-6);
    EXPECT_LE(h.products, n);
    EXPECT_EQ(extreme_eigenvalues(chain, std::vector<double>(n, 0)).products, 0);
}

TEST(Damping, ABarHasTheLowestFrequencyOfTheWaveEquation) {
    // held at one end, without lateral strain (nu = 0): w1 = pi/2 sqrt(E/rho)/L, linear elements with lumped mass below it
    // by (pi/(4 n))^2/6
    constexpr int n = 16;
    const double E = 1e5, rho = 1000, L = 2;
    const SolidMesh<2> mesh = box<2>({L, 0.1}, {n, 1});
    const Elements<2> elements = make_elements<2>(mesh, {Hyperelastic::NeoHookean, E, 0, Plane::Strain}, 0);
    const std::vector<double> lumped = lumped_mass(mesh, rho);
    std::vector<double> mass = lumped;
    for (std::size_t i = 0; i < mass.size(); ++i)
        if (mesh.points[i][0] < -0.999) mass[i] = 0;
    const Extremes e = extreme_eigenvalues<2>(elements, mesh.points, mass, 300, 1e-8);
    EXPECT_TRUE(e.converged);
    // bending is slower than stretching: w = 3.516 sqrt(E I/(rho A))/L^2, but linear triangles are much stiffer in bending
    EXPECT_LT(e.lowest, std::pow(0.5 * std::numbers::pi / L, 2) * E / rho);
    EXPECT_GT(e.lowest, std::pow(3.516 * 0.1 / (std::sqrt(12.0) * L * L), 2) * E / rho);
    // the highest of all is at most 4 E/(rho h^2) in one dimension; here h is 0.1 across and 0.125 along, and both couple
    EXPECT_GT(e.highest, 4 * E / (rho * 0.125 * 0.125));
    EXPECT_LT(e.highest, 3 * 4 * E / (rho * 0.1 * 0.1));

    // a body that is free: rigid motions are left out, and its Rayleigh damping by stiffness exerts no force on them
    const Extremes unheld = extreme_eigenvalues<2>(elements, mesh.points, lumped, 300, 1e-8);
    EXPECT_GT(unheld.lowest, 1e-6 * unheld.highest);
    std::vector<Vector<2>> moved(elements.nodes.size() * 3), x = mesh.points;
    Matrix<6, 6> K;
    elastic_hessian<2>(elements, x, Projection::None, 5, K);
    Vector<6> translation;
    translation << 1, 2, 1, 2, 1, 2;
    EXPECT_LT((K * translation).norm(), 1e-15 * K.norm() * 10);
}

}  // namespace
}  // namespace asperity::deform
