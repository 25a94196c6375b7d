// Row by row:  lambda_i <- clamp(lambda_i - u_i / W_ii, low_i, high_i).
//
// Friction rows are clamped to the bounding rectangle of n K in the contact's axes, -n s(-e_i) <= lambda_i <= n s(e_i) with
// s the support function. This is exact for rectangles. All other cones become pyramids, up to 41 % too strong between the
// axes of a circle (Stewart and Trinkle 1996). This solver is the baseline for comparisons. The normal part of a patch is
// solved if the solution is inside its exact cone. Else it takes one projected step onto the cone, so that the patch can tip
// over its edge. Slide and spin are rows about the centre of pressure, clamped to the bounding box of the planar set and to
// the spin bound. The residual in its report is the natural map of this boxed problem, row by row, in m/s.
#include "asperity/solvers/reference/pgs.h"

#include <cmath>

#include "asperity/core/deadline.h"

namespace asperity::solvers {
namespace {

struct Bounds {
    double low, high;
};

Bounds bounds_of(const ContactProblem& problem, const Block& block, int i) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    switch (block.kind) {
        case BlockKind::Bilateral: return {-inf, inf};
        case BlockKind::Interval: return {block.low, block.high};
        case BlockKind::Ball: return {-block.high, block.high};
        case BlockKind::Patch:  // handled by patch_step()
        case BlockKind::Contact: break;
    }
    if (i == 0) return {0, inf};
    const double* lambda = &problem.impulse[static_cast<size_t>(block.first_row)];
    const double n = lambda[0];
    Vec3 axis;
    axis[i - 1] = 1;
    return {-n * friction::support(block.set, -axis), n * friction::support(block.set, axis)};
}

/// The projected impulse and its error |lambda - clamp(lambda - u / W_ii)| W_ii.
struct RowStep {
    double next, error;
};
RowStep row_step(const ContactProblem& problem, const Block& block, int i) {
    const auto row = static_cast<size_t>(block.first_row + i);
    const double w = problem.diagonal(block, block.first_row + i);
    if (w <= 0) return {problem.impulse[row], 0};
    const Bounds bounds = bounds_of(problem, block, i);
    const double next =
        clamp(problem.impulse[row] - problem.row_velocity(block, block.first_row + i) / w, bounds.low, bounds.high);
    return {next, std::fabs(next - problem.impulse[row]) * w};
}

/// The normal part that stops the patch's normal motion and tilt, if it is inside the cone.
void inner_pressing(const friction::PatchLimits& limits, const SymBlock& w, const double* lambda, const double* rate,
                    friction::ConePoint& press) {
    constexpr int kRows[3] = {0, 4, 5};
    SymBlock part;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) part.m[i][k] = w.m[kRows[i]][kRows[k]];
    const SymBlock inverse = asperity::inverse(part, 3);
    double next[3];
    for (int i = 0; i < 3; ++i) {
        next[i] = lambda[kRows[i]];
        for (int k = 0; k < 3; ++k) next[i] -= inverse.m[i][k] * rate[k];
    }
    const Vec2 m{-next[2], next[1]};
    if (next[0] > 0 && limits.may_press_at(m / next[0])) press = {next[0], {m.x, m.y, 0}};
}

/// One visit of a patch; without `apply`, only its error [m/s].
double patch_step(ContactProblem* apply, const ContactProblem& problem, const Block& block) {
    if (block.r_n == 0) return 0;
    const friction::PatchLimits& limits = *block.patch;
    const double* lambda = &problem.impulse[static_cast<size_t>(block.first_row)];
    const auto u = [&](int i) { return problem.row_velocity(block, block.first_row + i); };
    const auto add = [&](int i, double change) {
        if (apply && change != 0) apply->add_impulse(block, block.first_row + i, change);
    };
    const SymBlock& w = problem.patch_matrix(block).own;
    const double rate_n[3] = {u(0), u(4), u(5)};
    friction::ConePoint press = limits.project_pressing(
        lambda[0] - block.r_n * rate_n[0], {-lambda[5] + block.r_n * rate_n[2], lambda[4] - block.r_n * rate_n[1]});
    if (apply) inner_pressing(limits, w, lambda, rate_n, press);
    const double change[3] = {press.n - lambda[0], press.f.y - lambda[4], -press.f.x - lambda[5]};
    double error = length(Vec3{change[0], change[1], change[2]}) / block.r_n;
    add(0, change[0]);
    add(4, change[1]);
    add(5, change[2]);

    const double n = lambda[0];
    const Vec2 d = n > 0 ? Vec2{-lambda[5], lambda[4]} / n : Vec2{}, arm = limits.in_law_axes(d);
    const double torque[3] = {-arm.y, arm.x, 1};  // about the patch centre, per unit impulse on each row about d
    for (int i = 0; i < 3; ++i) {
        const bool spin = i == 2;
        const double own =
            spin ? w.m[3][3] : w.m[1 + i][1 + i] + 2 * torque[i] * w.m[1 + i][3] + torque[i] * torque[i] * w.m[3][3];
        if (!(own > 0)) continue;
        const double rate = spin ? u(3) : u(1 + i) + torque[i] * u(3);
        const double now = spin ? lambda[3] - (arm.x * lambda[2] - arm.y * lambda[1]) : lambda[1 + i];
        const Vec3 axis{i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, 0};
        const double low = spin ? limits.spin_bound(d) : friction::support(limits.planar(), -axis),
                     high = spin ? low : friction::support(limits.planar(), axis);
        const double step = clamp(now - rate / own, -n * low, n * high) - now;
        error = larger(error, std::fabs(step) * own);
        if (!spin) add(1 + i, step);
        add(3, torque[i] * step);
    }
    return error;
}

Residual boxed_residual(const ContactProblem& problem) {
    Residual worst;
    const auto count = [&](double error, size_t k) {
        if (!(error <= worst.value)) worst = {error, problem.report_index(static_cast<int>(k))};
    };
    for (size_t k = 0; k < problem.blocks.size(); ++k) {
        const Block& block = problem.blocks[k];
        if (block.kind == BlockKind::Patch)
            count(patch_step(nullptr, problem, block), k);
        else
            for (int i = 0; i < block.rows; ++i) count(row_step(problem, block, i).error, k);
    }
    return worst;
}

}  // namespace

SolveReport Pgs::solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) {
    const Deadline deadline(options.time_limit);
    history.clear();
    SolveReport report;
    const int count = static_cast<int>(problem.blocks.size());
    if (count == 0) return report;
    bool late = false;

    for (int sweep = 1; sweep <= options.max_sweeps; ++sweep) {
        report.sweeps = sweep;
        double error = 0;
        for (int k = 0; k < count; ++k) {
            const Block& block = problem.blocks[static_cast<size_t>(sweep % 2 == 1 ? k : count - 1 - k)];
            if (block.kind == BlockKind::Patch) {
                if (const double e = patch_step(&problem, problem, block); !(e <= error)) error = e;
                continue;
            }
            for (int i = 0; i < block.rows; ++i) {
                const RowStep step = row_step(problem, block, i);
                problem.add_impulse(block, block.first_row + i,
                                    step.next - problem.impulse[static_cast<size_t>(block.first_row + i)]);
                if (!(step.error <= error)) error = step.error;
            }
        }
        history.push_back(error);
        if (!std::isfinite(error)) break;
        if (error <= options.tolerance && boxed_residual(problem).value <= options.tolerance) break;
        if ((late = deadline.passed())) break;
    }
    problem.refresh_velocities();
    conclude(report, problem, boxed_residual(problem), options.tolerance);
    if (late && report.status == SolveStatus::SweepLimit) report.status = SolveStatus::TimeLimit;
    return report;
}

}  // namespace asperity::solvers
