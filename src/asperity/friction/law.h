// Friction laws: from the data of a contact to its limit surface. The interface from surfaces to friction.
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
/// (f_t/mu_t)^2 + (f_b/mu_b)^2 <= f_n^2 with t along the grain of the surface that has one (A's if both have). Without any
/// grain t follows previous_t, or is any tangent; so one of the two materials should have a grain.
struct Elliptic {
    double mu_t, mu_b;
};
using BaseLaw = std::variant<Coulomb, Elliptic, Matchstick, FrictionTensor, Ploughing>;

/// The set is scaled by `ratio` = mu_static/mu_kinetic while the slip is slower than `speed` [m/s]; the base law has the
/// kinetic coefficients.
struct StaticKinetic {
    double ratio, speed;
};
/// Scale = 1 + (ratio - 1) exp(-(|slip|/speed)^exponent) + viscous |slip|; 1 at high speed if viscous = 0 [s/m].
struct Stribeck {
    double ratio, speed, exponent = 2, viscous = 0;
};
/// Scale = (max(f_n, floor)/reference)^(exponent - 1): the friction force grows as f_n^exponent. Exponent of a single
/// Hertzian asperity: 2/3.
struct LoadScaling {
    double reference, exponent, floor = 1e-6;
};

/// Scale = c(f_n) + quadratic |slip|^2. c interpolates the points (load [N], factor) linearly over the logarithm of the load
/// and is constant beyond its ends. For fabrics, whose measured coefficient falls with the load and grows with the speed.
struct LoadCurve {
    std::vector<Vec2> points;  ///< (load, factor), loads increasing
    double quadratic = 0;      ///< [s^2/m^2]
};

/// A base law and its wrappers, which multiply its set. Each is evaluated with the slip and load of the last step.
struct Law {
    BaseLaw base = Coulomb{0};
    double drilling = 0;  ///< [m]: > 0 adds a drilling axis of that semi-length times the scale
    std::optional<StaticKinetic> static_kinetic;
    std::optional<Stribeck> stribeck;
    std::optional<LoadScaling> load;
    std::optional<LoadCurve> load_curve;
};

/// The law for the two materials in the opposite order.
Law swapped(Law law);

/// Throws InputError that names the key, its value and the allowed range. All numbers must be finite and >= 0.
/// stribeck.speed, stribeck.exponent, load.reference, load.floor and the loads of a curve must be > 0, the latter
/// increasing. Further: mu_along <= mu_across; tensors positive semidefinite; an even number of directions; no drilling with
/// ploughing.
void check(const Law& law);

/// Whether the law uses the slip. If not, ConeInput::slip need not be set.
inline bool reads_slip(const Law& law) {
    const auto* tensor = std::get_if<FrictionTensor>(&law.base);
    return law.static_kinetic || law.stribeck || law.load_curve || (tensor && tensor->form == TensorForm::Direct);
}

/// Whether the set is the same circle for every contact.
inline bool is_circle(const Law& law) {
    const bool wrapped = law.static_kinetic || law.stribeck || law.load || law.load_curve;
    return std::holds_alternative<Coulomb>(law.base) && law.drilling == 0 && !wrapped;
}
/// The circle of such a law.
inline Ellipse circle_of(const Law& law) {
    const double mu = std::get<Coulomb>(law.base).mu;
    return {mu, mu};
}

/// The product of the wrappers' factors on the base set.
double scale(const Law& law, const ConeInput& in);

/// Computes one limit surface per input. All inputs share the law; in and out must have the same size.
void generate(const Law& law, std::span<const ConeInput> in, std::span<LimitSurface> out);

}  // namespace asperity::friction
