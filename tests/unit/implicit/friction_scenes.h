// Worlds with friction and the closed forms of slopes, for the tests of friction in the implicit world.
#pragma once
#include <cmath>
#include <numbers>

#include "tests/unit/implicit/bodies.h"

namespace asperity::implicit::testing {

constexpr double kGravity = 9.81, kDistance = 1e-3;
inline const deform::Elasticity kRubber{deform::Hyperelastic::NeoHookean, 1e6, 0.4};

/// All surfaces have one material, with its grain along x.
template <int Dim>
void set_friction(World<Dim>& world, const friction::Law& law) {
    world.model.materials.resize(1);
    world.model.materials[0].name = "any";
    world.model.materials[0].grain = {1, 0, 0};
    surface::Pair pair;
    pair.friction = law;
    world.model.pairs.set_default(pair);
    world.model.settings.dhat = kDistance;
}
inline friction::Law elliptic(double mu_t, double mu_b) {
    friction::Law law;
    law.base = friction::Elliptic{mu_t, mu_b};
    return law;
}
inline friction::Law coulomb(double mu) {
    friction::Law law;
    law.base = friction::Coulomb{mu};
    return law;
}

/// A slope: gravity turned by `angle` towards the direction psi in the plane.
inline Vector<3> tilted(double angle, double psi) {
    return kGravity * Vector<3>{std::sin(angle) * std::cos(psi), std::sin(angle) * std::sin(psi), -std::cos(angle)};
}
/// Largest tangent of a slope that an ellipse holds towards psi.
inline double limit_of(double mu_t, double mu_b, double psi) { return 1 / std::hypot(std::cos(psi) / mu_t, std::sin(psi) / mu_b); }

/// Acceleration down a slope under an elliptic law: along a direction theta with a = g_t - D^2 d/|D d| g_n parallel to d.
struct Slide {
    double angle, acceleration;
};
inline Slide closed_form(double slope, double psi, double mu_t, double mu_b) {
    const auto rest = [&](double theta) {
        const double drag = std::hypot(mu_t * std::cos(theta), mu_b * std::sin(theta)), n = kGravity * std::cos(slope);
        return Vec2{kGravity * std::sin(slope) * std::cos(psi) - n * mu_t * mu_t * std::cos(theta) / drag,
                    kGravity * std::sin(slope) * std::sin(psi) - n * mu_b * mu_b * std::sin(theta) / drag};
    };
    double low = psi, high = std::numbers::pi / 2 - 1e-9;  // mu_b < mu_t: it veers towards b
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        const Vec2 a = rest(middle);
        (a.y * std::cos(middle) - a.x * std::sin(middle) > 0 ? low : high) = middle;
    }
    const Vec2 a = rest(low);
    return {low, std::hypot(a.x, a.y)};
}

}  // namespace asperity::implicit::testing
