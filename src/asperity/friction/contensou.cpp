#include "asperity/friction/contensou.h"

#include <cmath>
#include <numbers>

namespace asperity::friction {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kSlow = 1e-2;  // e below which cancellation in the closed form exceeds the truncation error of the series
constexpr double kFast = 2;     // the same, e above this

/// Complete elliptic integrals of modulus k < 1 by the arithmetic-geometric mean.
struct Elliptic {
    double K, E;
};
Elliptic elliptic(double k) {
    double a = 1, b = std::sqrt((1 - k) * (1 + k)), sum = 0.5 * k * k, power = 1;
    for (int i = 0; i < 40 && std::fabs(a - b) > 1e-16 * a; ++i) {
        const double c = 0.5 * (a - b), mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
        sum += power * c * c;
        power *= 2;
    }
    const double K = 0.5 * kPi / a;
    return {K, K * (1 - sum)};
}

/// mean |v + w x r| = v sum b_n^2 k^(2n)/(n+1) with k = w/v and b_n the coefficients of sqrt(1 - x). Returns its derivatives
/// by v and w.
DiscForce fast_slide(double k) {
    double b2 = 1, power = 1, force = 1, torque = 0;
    for (int n = 1; n < 40; ++n) {
        const double ratio = (n - 1.5) / n;
        b2 *= ratio * ratio;
        const double term = b2 * power * k / (n + 1);  // b_n^2 k^(2n-1)/(n+1)
        torque += 2 * n * term;
        force += (1 - 2 * n) * term * k;
        power *= k * k;
        if (term < 1e-18) break;
    }
    return {force, torque};
}

}  // namespace

DiscForce disc_force(double v, double w) {
    if (v >= kFast * w) return fast_slide(w / v);
    const double e = v / w, e2 = e * e;
    if (e == 1) return {8 / (3 * kPi), 8 / (9 * kPi)};
    if (e < 1) {
        const Elliptic i = elliptic(e);
        const double torque = 4 / (9 * kPi) * ((4 - 2 * e2) * i.E + (e2 - 1) * i.K);
        if (e < kSlow) return {e * (1 - e2 * (1 / 8.0 + e2 * (1 / 64.0 + e2 * (5 / 1024.0)))), torque};
        return {4 / (3 * kPi * e) * ((e2 + 1) * i.E + (e2 - 1) * i.K), torque};
    }
    const Elliptic i = elliptic(1 / e);
    return {4 / (3 * kPi) * ((e2 + 1) * i.E - (e2 - 1) * i.K),
            4 * e / (9 * kPi) * ((4 - 2 * e2) * i.E + (2 * e2 - 5 + 3 / e2) * i.K)};
}

namespace {

/// The boundary in the quadrant f, torque >= 0. The parameter is the angle of the motion that has it: slide v = sin, rim
/// speed w R = cos. The angle of the outward normal (v, w) is no good parameter: for a small disc nearly the whole boundary
/// lies at angles below R, which rounding cannot resolve.
struct Boundary {
    double v, rim, f, torque;

    Boundary(double R, double angle) : v(std::sin(angle)), rim(std::cos(angle)) {
        const DiscForce at = disc_force(v, rim);
        f = at.force;
        torque = R * at.torque;
    }
};

/// Root of `at` between low and high; at(low) > 0 >= at(high). False position with bisection in every fourth step.
template <class Function>
double root_between(double low, double high, double at_low, double at_high, const Function& at) {
    for (int i = 0; i < 200 && high - low > 1e-16 * kPi; ++i) {
        double middle = (low * at_high - high * at_low) / (at_high - at_low);
        if (i % 4 == 3 || !(middle > low && middle < high)) middle = 0.5 * (low + high);
        if (middle == low || middle == high) break;
        const double value = at(middle);
        if (value == 0) return middle;
        if (value > 0) {
            // the value at the end that does not move is lowered as in Anderson and Bjoerck
            at_high *= 1 - value / at_low > 0 ? 1 - value / at_low : 0.5;
            low = middle;
            at_low = value;
        } else {
            at_low *= 1 - value / at_high > 0 ? 1 - value / at_high : 0.5;
            high = middle;
            at_high = value;
        }
    }
    return 0.5 * (low + high);
}

}  // namespace

Vec3 project_disc_set(double R, const Vec3& p) {
    constexpr double quarter = 0.5 * kPi;
    const double f = std::hypot(p.x, p.y), torque = std::fabs(p.z), most = 2.0 / 3 * R;
    if (!(R > 0)) return f <= 1 ? Vec3{p.x, p.y, 0} : Vec3{p.x / f, p.y / f, 0};
    if (f + torque / most <= 1) return p;  // below the chord
    const auto put = [&](double along, double about) {
        const double share = f > 0 ? along / f : 0;
        return Vec3{share * p.x, share * p.y, std::copysign(about, p.z)};
    };
    if (f == 0) return put(0, most);
    if (torque == 0) return put(1, 0);
    // the boundary point in the direction of p: its direction is monotone in the angle
    const double towards = root_between(0, quarter, most * f, -torque, [&](double angle) {
        const Boundary b(R, angle);
        return b.torque * f - b.f * torque;
    });
    const Boundary ahead(R, towards);
    if (f * f + torque * torque <= ahead.f * ahead.f + ahead.torque * ahead.torque) return p;
    // D(angle) = p.normal - support is positive here, and concave where it is positive; its maximum is the distance. With
    // the normal (v, w) not normalised, `slope` is R times the derivative and `distance` below R times D, up to a positive
    // factor.
    const auto slope = [&](const Boundary& b) { return (f - b.f) * b.rim - R * (torque - b.torque) * b.v; };
    const double here = slope(ahead);
    if (here == 0) return put(ahead.f, ahead.torque);
    const double low = here > 0 ? towards : 0, high = here > 0 ? quarter : towards;
    const double nearest = root_between(low, high, here > 0 ? here : f, here > 0 ? -R * torque : here, [&](double angle) {
        const Boundary b(R, angle);
        const double distance = R * (f - b.f) * b.v + (torque - b.torque) * b.rim, value = slope(b);
        if (distance > 0) return value;
        return here > 0 ? -std::fabs(value) : std::fabs(value);  // beyond the maximum
    });
    const Boundary b(R, nearest);
    return put(b.f, b.torque);
}

}  // namespace asperity::friction
