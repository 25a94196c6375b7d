// Closed forms of slopes, for the tests of friction in the implicit world.
#pragma once
#include <numbers>

#include "tests/unit/implicit/rubbing.h"

namespace asperity::implicit::testing {

/// Largest tangent of a slope that an ellipse holds towards psi.
inline double limit_of(double mu_t, double mu_b, double psi) {
    return 1 / std::hypot(std::cos(psi) / mu_t, std::sin(psi) / mu_b);
}

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
