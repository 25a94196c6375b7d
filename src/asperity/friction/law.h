// Friction laws: from what is known about a contact to its limit surface. The first narrow waist of the engine.
#pragma once
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "asperity/friction/cone_input.h"
#include "asperity/friction/matchstick.h"
#include "asperity/friction/ploughing.h"
#include "asperity/friction/tensor.h"

namespace asperity::friction {

/// Isotropic: |f| <= mu f_n.
struct Coulomb {
    double mu;
};
/// (f_t/mu_t)^2 + (f_b/mu_b)^2 <= f_n^2 with t along the grain of the surface that has one (A's when both have).
/// Without any grain t follows previous_t, then any tangent: give one of the two materials a grain.
struct Elliptic {
    double mu_t, mu_b;
};
using BaseLaw = std::variant<Coulomb, Elliptic, Matchstick, FrictionTensor, Ploughing>;

/// The set is scaled by `ratio` = mu_static/mu_kinetic while the slip is slower than `speed`; the base law gives kinetic
/// values.
struct StaticKinetic {
    double ratio, speed;
};
/// Scale = 1 + (ratio - 1) exp(-(|slip|/speed)^exponent) + viscous |slip|; 1 at high speed when viscous = 0 [s/m].
struct Stribeck {
    double ratio, speed, exponent = 2, viscous = 0;
};
/// Scale = (max(f_n, floor)/reference)^(exponent - 1): friction force grows as f_n^exponent. Hertz contact of one asperity:
/// 2/3.
struct LoadScaling {
    double reference, exponent, floor = 1e-6;
};

/// Scale = c(f_n) + quadratic |slip|^2 with c the polyline through (load [N], factor) over the logarithm of the load, level
/// beyond its ends. Fabrics are measured like this: their coefficient falls with the load and grows with the speed.
struct LoadCurve {
    std::vector<Vec2> points;  ///< (load, factor), loads growing
    double quadratic = 0;      ///< [s^2/m^2]
};

/// A base law and what wraps it. Wrappers multiply; each is evaluated at the start of the step (slip and load of the last
/// one).
struct Law {
    BaseLaw base = Coulomb{0};
    double drilling = 0;  ///< [m]: > 0 adds a drilling axis of that semi-length times the scale
    std::optional<StaticKinetic> static_kinetic;
    std::optional<Stribeck> stribeck;
    std::optional<LoadScaling> load;
    std::optional<LoadCurve> load_curve;
};

/// The same law for the two materials in the other order.
Law swapped(Law law);

/// Throws InputError that names the key, its value and the allowed range: all numbers finite and >= 0; stribeck.speed,
/// stribeck.exponent, load.reference, load.floor and the loads of a curve > 0, the latter growing; mu_along <= mu_across;
/// tensors positive semidefinite; an even number of directions, and no drilling with ploughing.
void check(const Law& law);

/// Whether the law looks at the slip at all; where it does not, ConeInput::slip may be left out.
inline bool reads_slip(const Law& law) {
    const auto* tensor = std::get_if<FrictionTensor>(&law.base);
    return law.static_kinetic || law.stribeck || law.load_curve || (tensor && tensor->form == TensorForm::Direct);
}

/// Whether the set is the same circle, whatever the contact.
inline bool is_circle(const Law& law) {
    const bool wrapped = law.static_kinetic || law.stribeck || law.load || law.load_curve;
    return std::holds_alternative<Coulomb>(law.base) && law.drilling == 0 && !wrapped;
}
/// The circle of such a law.
inline Ellipse circle_of(const Law& law) {
    const double mu = std::get<Coulomb>(law.base).mu;
    return {mu, mu};
}

/// What the wrappers multiply the base set by.
double scale(const Law& law, const ConeInput& in);

/// One limit surface per input. All inputs share the law; sizes agree.
void generate(const Law& law, std::span<const ConeInput> in, std::span<LimitSurface> out);

}  // namespace asperity::friction
