// Worlds with friction that several tests of the implicit world share.
#pragma once
#include <cmath>

#include "tests/unit/implicit/bodies.h"

namespace asperity::implicit::testing {

inline constexpr double kGravity = 9.81, kDistance = 1e-3;
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

}  // namespace asperity::implicit::testing
