#include "asperity/solvers/iteration/local_contact.h"

#include <cmath>

namespace asperity::solvers {
namespace {

constexpr int kNewtonSteps = 12;  // three or four suffice from the last slip direction
constexpr int kStarts = 8;        // start directions tried if the last one fails
constexpr double kAngleTolerance = 1e-14;

}  // namespace

bool LocalContact::set_up(const SymBlock& w, const friction::Ellipse& set) {
    t_ = b_ = 0;
    if (!(set.t > 0 && set.b > 0)) return false;
    const double scale[3] = {1, set.t, set.b};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) w_.r[i][k] = scale[i] * w.m[i][k] * scale[k];
    const double determinant = dot(w_.r[0], cross(w_.r[1], w_.r[2]));
    if (!(w_.r[0].x > 0 && w_.r[1].y > 0 && w_.r[2].z > 0 && determinant > 1e-14 * w_.r[0].x * w_.r[1].y * w_.r[2].z))
        return false;
    inverse_ = asperity::inverse(w_);
    t_ = set.t;
    b_ = set.b;
    return true;
}

bool LocalContact::solve(const double* c, double* lambda) const {
    return solve_scaled({c[0], t_ * c[1], b_ * c[2]}, lambda);
}

bool LocalContact::move(const double* u, double* lambda) const {
    const Vec3 now{lambda[0], lambda[1] / t_, lambda[2] / b_};
    return solve_scaled(Vec3{u[0], t_ * u[1], b_ * u[2]} - w_ * now, lambda);
}

bool LocalContact::solve_scaled(const Vec3& free, double* lambda) const {
    Vec3 f;
    if (free.x < 0) {            // else the contact separates
        f = -(inverse_ * free);  // sticking
        if (!(f.x >= 0 && f.y * f.y + f.z * f.z <= f.x * f.x)) {
            f = {lambda[0], lambda[1] / t_, lambda[2] / b_};
            if (!slide(free, f)) return false;
        }
    }
    lambda[0] = f.x;
    lambda[1] = t_ * f.y;
    lambda[2] = b_ * f.z;
    return true;
}

/// Starts from the direction of the last friction force, then of the free slip, then from kStarts directions all around.
bool LocalContact::slide(const Vec3& c, Vec3& lambda) const {
    if (const Vec2 last{-lambda.y, -lambda.z}; dot(last, last) > 0 && slide_along(last, c, lambda)) return true;
    if (const Vec2 slip{c.y, c.z}; dot(slip, slip) > 0 && slide_along(slip, c, lambda)) return true;
    for (int k = 0; k < kStarts; ++k) {
        const double angle = 2 * 3.141592653589793 * k / kStarts;
        if (slide_along({std::cos(angle), std::sin(angle)}, c, lambda)) return true;
    }
    return false;
}

/// Slip along the unit vector d. Then f = n (1, -d), and u_n = 0 gives n = -c_n / (W_nn - W_nt d). u_f must be along d:
///     g(d) = d_perp . (W_fn n - n W_ff d + c_f) = 0,    d . u_f >= 0
/// Solved by Newton's method on the angle of d.
bool LocalContact::slide_along(const Vec2& guess, const Vec3& c, Vec3& lambda) const {
    Vec2 d = (1 / std::sqrt(dot(guess, guess))) * guess;
    for (int step = 0; step < kNewtonSteps; ++step) {
        const Vec2 side{-d.y, d.x};  // derivative of d by its angle
        const double push = w_.r[0].x - (w_.r[0].y * d.x + w_.r[0].z * d.y),
                     push_rate = -(w_.r[0].y * side.x + w_.r[0].z * side.y);
        if (!(push > 1e-12 * w_.r[0].x)) return false;
        const double n = -c.x / push, n_rate = -n * push_rate / push;
        const auto along = [&](const Vec2& v) {
            return Vec2{w_.r[1].y * v.x + w_.r[1].z * v.y, w_.r[2].y * v.x + w_.r[2].z * v.y};
        };
        // u_f = n k + c_f
        const Vec2 k{w_.r[1].x - along(d).x, w_.r[2].x - along(d).y}, k_rate{-along(side).x, -along(side).y};
        const Vec2 u{n * k.x + c.y, n * k.y + c.z}, u_rate{n_rate * k.x + n * k_rate.x, n_rate * k.y + n * k_rate.y};
        const double g = dot(side, u), slope = dot(side, u_rate) - dot(d, u);
        if (std::fabs(g) <= kAngleTolerance * (std::fabs(u.x) + std::fabs(u.y) + std::fabs(c.y) + std::fabs(c.z))) {
            if (dot(d, u) < 0) return false;
            lambda = {n, -n * d.x, -n * d.y};
            return true;
        }
        // no descent direction: turn towards the slip
        const double turn = slope < 0 ? clamp(-g / slope, -0.5, 0.5) : g > 0 ? 0.5 : -0.5;
        const Vec2 turned{d.x + turn * side.x, d.y + turn * side.y};
        d = (1 / std::sqrt(dot(turned, turned))) * turned;
    }
    return false;
}

}  // namespace asperity::solvers
