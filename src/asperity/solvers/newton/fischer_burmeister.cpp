#include "asperity/solvers/newton/fischer_burmeister.h"

#include <cmath>

namespace asperity::solvers {
namespace {

/// Psi and its derivatives; at the origin those on the diagonal a = b.
struct FischerBurmeister {
    double value, by_a, by_b;

    FischerBurmeister(double a, double b) {
        const double size = std::hypot(a, b);
        // sqrt(a^2 + b^2) - (a + b) without cancellation where both are positive
        value = a > 0 && b > 0 ? -2 * a * (b / (size + a + b)) : size - a - b;
        by_a = (size > 0 ? a / size : std::sqrt(0.5)) - 1;
        by_b = (size > 0 ? b / size : std::sqrt(0.5)) - 1;
    }
};

/// Semi-axes divided by the longest. In axes scaled by them, f' = f / s and u' = s u, the set is a ball and the law has the
/// same form. A drilling axis of a millionth of the others (a body that hardly rotates) then counts as much as they do, in
/// the merit and in the choice of pivots.
Vec3 axis_scales(const Block& block) {
    Vec3 axes{1, 1, 1};
    if (const auto* e = std::get_if<friction::Ellipse>(&block.set)) axes = {e->t, e->b, 0};
    if (const auto* e = std::get_if<friction::Ellipsoid>(&block.set)) axes = {e->t, e->b, e->drill};
    return axes / larger(larger(axes.x, axes.y), axes.z);
}

/// The gauge at the friction force. The origin has no gradient; without a friction force, the gradient is taken at the most
/// dissipative force for the slip.
friction::GaugeDerivatives gauge_at(const Block& block, const Vec3& f, const Vec3& u) {
    const double value = friction::gauge(block.set, f);
    if (value > 1e-200) return friction::gauge_derivatives(block.set, f);
    const Vec3 towards = friction::support_point(block.set, -1.0 * u);
    if (towards == Vec3{}) return {0, {}, {}};
    friction::GaugeDerivatives out = friction::gauge_derivatives(block.set, towards);
    out.value = 0;
    out.hessian = {};
    return out;
}

}  // namespace

bool has_multiplier(const Block& block, const double* r, const double* lambda, const double* u) {
    if (block.kind != BlockKind::Contact || block.rows < 3 || r[0] == 0 || r[1] == 0 || !(lambda[0] - r[0] * u[0] > 0))
        return false;
    if (const auto* e = std::get_if<friction::Ellipse>(&block.set)) return e->t > 0 && e->b > 0;
    if (const auto* e = std::get_if<friction::Ellipsoid>(&block.set))
        return e->t > 0 && e->b > 0 && e->drill > 0 && block.rows == 4;
    return false;
}

double first_multiplier(const Block& block, const double* lambda, const double* u) {
    if (block.kind != BlockKind::Contact || block.rows < 3) return 0;
    // u_f = -beta grad g and f.grad g = g(f), so beta = -u_f.f / g; without a friction force, the support function at the
    // slip
    const Vec3 f = friction_rows(block, lambda), slip = friction_rows(block, u);
    const double g = friction::gauge(block.set, f);
    if (!(g > 1e-200) || !std::isfinite(g)) return friction::support(block.set, slip);
    return larger(-dot(slip, f) / g, 0.0);
}

void fischer_burmeister_of(const Block& block, const double* r, const double* lambda, double beta, const double* u,
                           double* F) {
    const Vec3 f = friction_rows(block, lambda), slip = friction_rows(block, u);
    const friction::GaugeDerivatives g = gauge_at(block, f, slip);
    const Vec3 scale = axis_scales(block);
    F[0] = FischerBurmeister(lambda[0], r[0] * u[0]).value;
    for (int i = 1; i < block.rows; ++i) F[i] = r[1] * scale[i - 1] * (u[i] + beta * g.gradient[i - 1]);
    F[block.rows] = FischerBurmeister(r[1] * beta, lambda[0] - g.value).value;
}

BlockLinearisation linearise_fischer_burmeister(const Block& block, const double* r, const double* lambda, double beta,
                                                const double* u) {
    const Vec3 f = friction_rows(block, lambda), slip = friction_rows(block, u);
    const friction::GaugeDerivatives g = gauge_at(block, f, slip);
    const FischerBurmeister normal(lambda[0], r[0] * u[0]), bound(r[1] * beta, lambda[0] - g.value);
    BlockLinearisation out;
    const int rows = block.rows, last = rows;
    out.size = rows + 1;
    out.has_multiplier = true;
    const Vec3 scale = axis_scales(block);
    out.T[0][0] = 1;
    // each equation is divided by r, so that its entries are of the size of W
    out.L[0][0] = normal.by_b;
    out.E[0][0] = normal.by_a / r[0];
    out.g[0] = normal.value / r[0];
    for (int i = 1; i < rows; ++i) {
        const double s = scale[i - 1];
        out.T[i][i] = out.L[i][i] = s;
        for (int k = 1; k < rows; ++k) out.E[i][k] = beta * s * g.hessian.r[i - 1][k - 1] * scale[k - 1];
        out.E[i][last] = s * g.gradient[i - 1];
        out.g[i] = s * (u[i] + beta * g.gradient[i - 1]);
    }
    out.E[last][0] = bound.by_b / r[1];
    for (int k = 1; k < rows; ++k) out.E[last][k] = -bound.by_b * g.gradient[k - 1] * scale[k - 1] / r[1];
    out.E[last][last] = bound.by_a;
    out.g[last] = bound.value / r[1];
    return out;
}

}  // namespace asperity::solvers
