#include "asperity/lab/contact/rough_contact.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "asperity/core/error.h"

namespace asperity::lab {
namespace {

constexpr double kPi = std::numbers::pi;

void need_positive(const char* what, double value) {
    if (!(value > 0) || !std::isfinite(value))
        throw InputError(fmt::format("rough contact: {} = {:g}: must be above 0 and finite", what, value));
}

void check(const Asperities& a) {
    need_positive("radius", a.radius);
    need_positive("density", a.density);
    need_positive("sigma", a.sigma);
    need_positive("contact modulus", a.modulus);
}

}  // namespace

double gaussian_moment(double n, double t) {
    // s = t + y^2 makes the integrand smooth for every half-integer n; beyond s = max(t, 0) + 12 it is below 1e-31.
    const double reach = std::sqrt(std::max(t, 0.0) + 12 - std::min(t, 0.0));
    constexpr int kSteps = 4000;  // Simpson's rule; the integrand has a width of 1
    const auto f = [&](double y) { return 2 * y * std::pow(y * y, n) * std::exp(-0.5 * (t + y * y) * (t + y * y)); };
    const double step = reach / kSteps;
    double sum = f(1e-300) + f(reach);
    for (int i = 1; i < kSteps; ++i) sum += (i % 2 != 0 ? 4 : 2) * f(i * step);
    return sum * step / 3 / std::sqrt(2 * kPi);
}

AsperityContact greenwood_williamson(const Asperities& a, double distance) {
    check(a);
    const double t = distance / a.sigma;
    return {4.0 / 3.0 * a.density * a.modulus * std::sqrt(a.radius) * std::pow(a.sigma, 1.5) * gaussian_moment(1.5, t),
            kPi * a.density * a.radius * a.sigma * gaussian_moment(1, t), a.density * gaussian_moment(0, t)};
}

AsperityContact greenwood_tripp(const Asperities& a, double distance) {
    check(a);
    const double t = distance / a.sigma, group = std::pow(a.density * a.radius * a.sigma, 2);
    return {
        16 * std::numbers::sqrt2 * kPi / 15 * group * a.modulus * std::sqrt(a.sigma / a.radius) * gaussian_moment(2.5, t),
        kPi * kPi * group * gaussian_moment(2, t),
        // pairs of summits closer than the overlap allows: density^2 int 2 pi r dr over r < 2 sqrt(R w), w the overlap
        4 * kPi * a.density * a.density * a.radius * a.sigma * gaussian_moment(1, t)};
}

double distance_of(AsperityContact (*theory)(const Asperities&, double), const Asperities& a, double pressure) {
    need_positive("pressure", pressure);
    double far = 40 * a.sigma, near = -40 * a.sigma;
    if (theory(a, near).pressure < pressure || theory(a, far).pressure > pressure)
        throw InputError(fmt::format("rough contact: pressure {:g} Pa: these asperities reach {:g} Pa at most", pressure,
                                     theory(a, near).pressure));
    for (int i = 0; i < 100; ++i) {  // bisection: pressure falls with distance
        const double middle = 0.5 * (near + far);
        (theory(a, middle).pressure > pressure ? near : far) = middle;
    }
    return 0.5 * (near + far);
}

double plasticity_index(const Asperities& a, double hardness) {
    check(a);
    need_positive("hardness", hardness);
    return a.modulus / hardness * std::sqrt(a.sigma / a.radius);
}

double persson_area(double pressure, double modulus, double slope) {
    need_positive("contact modulus", modulus);
    need_positive("slope", slope);
    return std::erf(std::numbers::sqrt2 * std::max(pressure, 0.0) / (modulus * slope));
}

double bush_gibson_thomas_area(double pressure, double modulus, double slope) {
    need_positive("contact modulus", modulus);
    need_positive("slope", slope);
    return std::min(1.0, std::sqrt(2 * kPi) * std::max(pressure, 0.0) / (modulus * slope));
}

double westergaard_full_pressure(double modulus, double amplitude, double wavelength) {
    need_positive("contact modulus", modulus);
    need_positive("amplitude", amplitude);
    need_positive("wavelength", wavelength);
    return kPi * modulus * amplitude / wavelength;
}

double westergaard_area(double pressure, double modulus, double amplitude, double wavelength) {
    const double part = std::clamp(pressure / westergaard_full_pressure(modulus, amplitude, wavelength), 0.0, 1.0);
    return 2 / kPi * std::asin(std::sqrt(part));
}

}  // namespace asperity::lab
