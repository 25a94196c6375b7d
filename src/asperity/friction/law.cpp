// Evaluation of friction laws (frame, wrappers, set), and the check of their parameters.
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

UnitCone cone(const Coulomb& law, double drilling, const ConeInput& in) {
    return {kept_tangent(in), law.mu, law.mu, drilling};
}
UnitCone cone(const Elliptic& law, double drilling, const ConeInput& in) {
    Vec3 t;
    if (!set_tangent(t, in.grain_a, in.normal) && !set_tangent(t, in.grain_b, in.normal)) t = kept_tangent(in);
    return {t, law.mu_t, law.mu_b, drilling};
}

constexpr std::string_view kCoefficient = "Friction coefficients of dry surfaces are 0.05 to 1.5.";
constexpr std::string_view kDrilling =
    "It is a length [m], near mu times the radius of the touching area; 0 switches it off.";

void check_base(const Coulomb& law) { check_number("mu", law.mu, Lowest::Zero, kCoefficient); }
void check_base(const Elliptic& law) {
    check_number("mu_t", law.mu_t, Lowest::Zero, kCoefficient);
    check_number("mu_b", law.mu_b, Lowest::Zero, kCoefficient);
}
void check_base(const Matchstick& law) {
    check_number("mu", law.mu, Lowest::Zero, kCoefficient);
    check_number("mu_along", law.mu_along, Lowest::Zero, kCoefficient);
    check_number("mu_across", law.mu_across, Lowest::Zero, kCoefficient);
    if (law.drilling_parallel) check_number("drilling_parallel", *law.drilling_parallel, Lowest::Zero, kDrilling);
    if (law.mu_along > law.mu_across)
        throw InputError(fmt::format(
            "friction: mu_along = {} is larger than mu_across = {}; surfaces slide more easily along their grain. Turn the "
            "grain by 90 degrees and exchange the two.",
            law.mu_along, law.mu_across));
}
void check_base(const FrictionTensor& law) {
    check_number("kappa", law.kappa, Lowest::AboveZero, "It multiplies both tensors; 1 leaves them as they are.");
    for (const auto& [q, key] : {std::pair{&law.a, "tensor_a"}, std::pair{&law.b, "tensor_b"}}) {
        check_number(fmt::format("{}.along", key), q->along, Lowest::Zero, kCoefficient);
        check_number(fmt::format("{}.across", key), q->across, Lowest::Zero, kCoefficient);
        const double off = 0.5 * (q->along_by_across + q->across_by_along);
        if (!(std::isfinite(off) && off * off <= q->along * q->across))
            throw InputError(
                fmt::format("friction: {} = [[{}, {}], [{}, {}]] would push bodies along where they slide; along times "
                            "across must be at "
                            "least the square of the mean of the other two.",
                            key, q->along, q->along_by_across, q->across_by_along, q->across));
    }
}

void check_base(const Ploughing& law) {
    check_number("mu_0", law.mu_0, Lowest::Zero, kCoefficient);
    constexpr std::string_view remedy =
        "It multiplies what the slopes of a surface resist; 1 is one ploughing cone per facet.";
    check_number("k_a", law.k_a, Lowest::Zero, remedy);
    check_number("k_b", law.k_b, Lowest::Zero, remedy);
    if (law.directions < 4 || law.directions > kMostDirections || law.directions % 2 != 0)
        throw InputError(
            fmt::format("friction: directions = {} is not allowed; 4 makes a box, an even number from 6 to {} a polygon, "
                        "and 16 is within 2 % "
                        "of the true set.",
                        law.directions, kMostDirections));
}

double at_load(const LoadCurve& curve, double load) {
    const std::vector<Vec2>& p = curve.points;
    if (load <= p.front().x) return p.front().y;
    if (load >= p.back().x) return p.back().y;
    const auto above = std::upper_bound(p.begin(), p.end(), load, [](double x, const Vec2& point) { return x < point.x; });
    const Vec2 &low = *(above - 1), &high = *above;
    return lerp(low.y, high.y, std::log(load / low.x) / std::log(high.x / low.x));
}

/// The largest possible drilling length of the law; if it is 0, the set is planar.
double longest_drilling(const Law& law) {
    const auto* matchstick = std::get_if<Matchstick>(&law.base);
    return matchstick ? larger(law.drilling, matchstick->drilling_parallel.value_or(0)) : law.drilling;
}

}  // namespace

void check(const Law& law) {
    std::visit([](const auto& base) { check_base(base); }, law.base);
    check_number("drilling", law.drilling, Lowest::Zero, kDrilling);
    if (law.drilling > 0 && std::holds_alternative<Ploughing>(law.base))
        throw InputError(fmt::format(
            "friction: drilling = {} does not go with ploughing, whose sets are flat; leave it out.", law.drilling));
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
    if (law.load_curve) {
        constexpr std::string_view remedy = "Each point is [load in N, factor of the coefficients there].";
        double last = 0;
        for (const Vec2& point : law.load_curve->points) {
            check_number("load_curve.points.load", point.x, Lowest::AboveZero, remedy);
            check_number("load_curve.points.factor", point.y, Lowest::Zero, remedy);
            if (point.x <= last)
                throw InputError(fmt::format("friction: load_curve.points: the load {} does not follow {}; loads must grow.",
                                             point.x, last));
            last = point.x;
        }
        if (law.load_curve->points.empty())
            throw InputError(fmt::format("friction: load_curve.points is empty. {}", remedy));
        check_number("load_curve.quadratic", law.load_curve->quadratic, Lowest::Zero,
                     "It is the growth with the square of the speed [s^2/m^2].");
    }
}

Law swapped(Law law) {
    if (auto* tensor = std::get_if<FrictionTensor>(&law.base)) std::swap(tensor->a, tensor->b);
    if (auto* ploughing = std::get_if<Ploughing>(&law.base)) std::swap(ploughing->k_a, ploughing->k_b);
    return law;
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
    // a contact without a load yet is not scaled by load: it starts with the coefficients as given
    if (law.load && in.normal_force > 0)
        s *= std::pow(std::max(in.normal_force, law.load->floor) / law.load->reference, law.load->exponent - 1);
    if (law.load_curve)
        s *= (in.normal_force > 0 ? at_load(*law.load_curve, in.normal_force) : 1) +
             law.load_curve->quadratic * length_squared(in.slip);
    return s;
}

void generate(const Law& law, std::span<const ConeInput> in, std::span<LimitSurface> out) {
    ASPERITY_ASSERT(in.size() == out.size());
    const bool drilling = longest_drilling(law) > 0;
    const auto ellipses = [&](const auto& base) {
        for (size_t i = 0; i < in.size(); ++i) {
            const UnitCone unit = cone(base, law.drilling, in[i]);
            const double s = scale(law, in[i]);
            out[i].t = unit.t;
            out[i].b = cross(in[i].normal, unit.t);
            if (drilling)
                out[i].set = Ellipsoid{s * unit.mu_t, s * unit.mu_b, s * unit.drill};
            else
                out[i].set = Ellipse{s * unit.mu_t, s * unit.mu_b};
        }
    };
    std::visit(
        [&]<class Base>(const Base& base) {
            if constexpr (std::is_same_v<Base, Ploughing>) {
                for (size_t i = 0; i < in.size(); ++i) out[i] = plough_surface(base, in[i], scale(law, in[i]));
            } else {
                ellipses(base);
            }
        },
        law.base);
}

}  // namespace asperity::friction
