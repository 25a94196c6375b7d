#include "asperity/lab/contact/hertz.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "asperity/core/error.h"

namespace asperity::lab {
namespace {

constexpr double kPi = std::numbers::pi;

void need_positive(const char* what, double value, const char* unit) {
    if (!(value > 0) || !std::isfinite(value))
        throw InputError(fmt::format("hertz: {} = {:g} {}: must be above 0 and finite", what, value, unit));
}

double compliance(const Elastic& body, const char* which) {
    if (!(body.young > 0))
        throw InputError(fmt::format("hertz: Young's modulus of {} = {:g} Pa: must be above 0", which, body.young));
    if (!(body.poisson > -1 && body.poisson <= 0.5))
        throw InputError(fmt::format("hertz: Poisson's ratio of {} = {:g}: must be in (-1, 0.5]", which, body.poisson));
    return (1 - body.poisson * body.poisson) / body.young;
}

}  // namespace

double contact_modulus(const Elastic& a, const Elastic& b) {
    const double sum = compliance(a, "body a") + compliance(b, "body b");
    if (!(sum > 0)) throw InputError("hertz: both bodies are rigid; at least one must have a finite Young's modulus");
    return 1 / sum;
}

double contact_radius(double radius_a, double radius_b) {
    if (radius_a == 0 || radius_b == 0 || std::isnan(radius_a) || std::isnan(radius_b))
        throw InputError(fmt::format("hertz: radii {:g} and {:g} m: must not be 0", radius_a, radius_b));
    const double curvature = 1 / radius_a + 1 / radius_b;
    if (!(curvature > 0))
        throw InputError(
            fmt::format("hertz: radii {:g} and {:g} m: 1/R_a + 1/R_b must be above 0; both bodies are flat, or "
                        "the hollow one is as narrow as the round one",
                        radius_a, radius_b));
    return 1 / curvature;
}

Hertz hertz_spheres(double force, double radius, double modulus) {
    need_positive("force", force, "N");
    need_positive("radius", radius, "m");
    need_positive("contact modulus", modulus, "Pa");
    Hertz h{.radius = radius, .modulus = modulus};
    h.half_width = std::cbrt(3 * force * radius / (4 * modulus));
    h.area = kPi * h.half_width * h.half_width;
    h.mean_pressure = force / h.area;
    h.peak_pressure = 1.5 * h.mean_pressure;
    h.approach = h.half_width * h.half_width / radius;
    h.stiffness = 2 * modulus * h.half_width;
    return h;
}

Hertz hertz_cylinders(double force, double radius, double modulus) {
    need_positive("force per length", force, "N/m");
    need_positive("radius", radius, "m");
    need_positive("contact modulus", modulus, "Pa");
    Hertz h{.radius = radius, .modulus = modulus};
    h.half_width = std::sqrt(4 * force * radius / (kPi * modulus));
    h.area = 2 * h.half_width;
    h.mean_pressure = force / h.area;
    h.peak_pressure = 4 / kPi * h.mean_pressure;
    return h;
}

double hertz_force(double approach, double radius, double modulus) {
    if (approach <= 0) return 0;
    return 4.0 / 3.0 * modulus * std::sqrt(radius) * approach * std::sqrt(approach);
}

}  // namespace asperity::lab
