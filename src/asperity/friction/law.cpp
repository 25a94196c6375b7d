// Friction laws at work: frame, wrappers, set; and the border check of their numbers.
#include "asperity/friction/law.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "asperity/core/error.h"

namespace asperity::friction {
namespace {

enum class Lowest { Zero, AboveZero };

void check_number(std::string_view key, double value, Lowest lowest, std::string_view remedy) {
    if (std::isfinite(value) && (lowest == Lowest::Zero ? value >= 0 : value > 0)) return;
    throw InputError(fmt::format("friction: {} = {} is not allowed; it must be a finite number {} 0. {}", key, value,
                                 lowest == Lowest::Zero ? ">=" : ">", remedy));
}

// A direction whose tangent part is shorter than this has none (spec 3.1: 1e-6 for procedural fields).
constexpr double kShortest = 1e-6;

/// Turns t along the tangent part of v, if there is one.
bool aim(Vec3& t, const Vec3& v, const Vec3& n) {
    const Vec3 tangent = v - dot(v, n) * n;
    const double l = length(tangent);
    if (!(l > kShortest)) return false;
    if (l > 0.9 && l < 1.1) {   // last step's tangent, nearly always: nothing was lost
        t = tangent / l;
        return true;
    }
    const Vec3 rough = tangent / l;
    t = normalized(rough - dot(rough, n) * n);  // twice is enough: v close to n had lost up to 6 digits
    return true;
}

Vec3 tangent(const Coulomb&, const ConeInput& in) {
    Vec3 t;
    return aim(t, in.previous_t, in.normal) ? t : any_tangent(in.normal);
}
Vec3 tangent(const Elliptic&, const ConeInput& in) {
    Vec3 t;
    const bool aimed = aim(t, in.grain_a, in.normal) || aim(t, in.grain_b, in.normal) || aim(t, in.previous_t, in.normal);
    return aimed ? t : any_tangent(in.normal);
}

Ellipse unit_ellipse(const Coulomb& law) { return {law.mu, law.mu}; }
Ellipse unit_ellipse(const Elliptic& law) { return {law.mu_t, law.mu_b}; }

}  // namespace

void check(const Law& law) {
    constexpr std::string_view coefficient = "Friction coefficients of dry surfaces are 0.05 to 1.5.";
    if (const auto* coulomb = std::get_if<Coulomb>(&law.base)) check_number("mu", coulomb->mu, Lowest::Zero, coefficient);
    if (const auto* elliptic = std::get_if<Elliptic>(&law.base)) {
        check_number("mu_t", elliptic->mu_t, Lowest::Zero, coefficient);
        check_number("mu_b", elliptic->mu_b, Lowest::Zero, coefficient);
    }
    check_number("drilling", law.drilling, Lowest::Zero,
                 "It is a length [m], near mu times the radius of the touching area; 0 switches it off.");
    if (law.static_kinetic) {
        constexpr std::string_view remedy =
            "ratio is mu_static/mu_kinetic, 1 to 2; speed is where static friction ends, near 1e-3 m/s.";
        check_number("static_kinetic.ratio", law.static_kinetic->ratio, Lowest::Zero, remedy);
        check_number("static_kinetic.speed", law.static_kinetic->speed, Lowest::Zero, remedy);
    }
    if (law.stribeck) {
        constexpr std::string_view remedy =
            "Typical: ratio 1 to 2, speed 1e-3 to 0.1 m/s, exponent 0.5 to 2, viscous 0 s/m.";
        check_number("stribeck.ratio", law.stribeck->ratio, Lowest::Zero, remedy);
        check_number("stribeck.speed", law.stribeck->speed, Lowest::AboveZero, remedy);
        check_number("stribeck.exponent", law.stribeck->exponent, Lowest::AboveZero, remedy);
        check_number("stribeck.viscous", law.stribeck->viscous, Lowest::Zero, remedy);
    }
    if (law.load) {
        constexpr std::string_view remedy =
            "reference [N] is the load at which the coefficients were measured; exponent 1 is Amontons' law, 2/3 one "
            "elastic asperity; floor [N] bounds the coefficient as the load vanishes.";
        check_number("load.reference", law.load->reference, Lowest::AboveZero, remedy);
        check_number("load.exponent", law.load->exponent, Lowest::Zero, remedy);
        check_number("load.floor", law.load->floor, Lowest::AboveZero, remedy);
    }
}

double scale(const Law& law, const ConeInput& in) {
    double s = 1;
    if (law.static_kinetic || law.stribeck) {
        const double speed = length(in.slip);
        if (law.static_kinetic && speed < law.static_kinetic->speed) s *= law.static_kinetic->ratio;
        if (law.stribeck) {
            const Stribeck& w = *law.stribeck;
            s *= 1 + (w.ratio - 1) * std::exp(-std::pow(speed / w.speed, w.exponent)) + w.viscous * speed;
        }
    }
    // a contact that carried nothing yet has no load to scale by: it starts with the coefficients as given
    if (law.load && in.normal_force > 0) s *= std::pow(std::max(in.normal_force, law.load->floor) / law.load->reference, law.load->exponent - 1);
    return s;
}

void generate(const Law& law, std::span<const ConeInput> in, std::span<LimitSurface> out) {
    ASPERITY_ASSERT(in.size() == out.size());
    const auto generate_all = [&](const auto& base) {
        const Ellipse unit = unit_ellipse(base);
        for (size_t i = 0; i < in.size(); ++i) {
            const Vec3 t = tangent(base, in[i]);
            const double s = scale(law, in[i]);
            out[i].t = t;
            out[i].b = cross(in[i].normal, t);
            if (law.drilling > 0)
                out[i].set = Ellipsoid{s * unit.t, s * unit.b, s * law.drilling};
            else
                out[i].set = Ellipse{s * unit.t, s * unit.b};
        }
    };
    if (const auto* coulomb = std::get_if<Coulomb>(&law.base)) generate_all(*coulomb);
    if (const auto* elliptic = std::get_if<Elliptic>(&law.base)) generate_all(*elliptic);
}

}  // namespace asperity::friction
