// Row by row:  lambda_i <- clamp(lambda_i - u_i / W_ii, low_i, high_i).
// Friction rows are clamped to the bounding rectangle of n K in the contact's own axes, -n s(-e_i) <= lambda_i <= n s(e_i) with s the
// support function: exact for rectangles, and a pyramid instead of the cone for everything else (up to 41 % too strong between the
// axes of a circle, Stewart and Trinkle 1996). Here as the baseline that other solvers are compared with.
// Of a patch, the tilting moments are clamped to the rectangle around its region, the spin to its bound about the centre of pressure.
// The residual it reports and stops on is the natural map of this boxed problem, row by row, in m/s.
#include "asperity/solvers/pgs.h"

#include <cmath>

#include "asperity/core/deadline.h"

namespace asperity::solvers {
namespace {

struct Bounds {
    double low, high;
};

/// The box around the region for the tilting moments, the box around the planar set, and the spin about the centre of pressure.
Bounds patch_bounds(const friction::PatchLimits& limits, const double* lambda, int i) {
    const double n = lambda[0];
    if (i == 4) return {-n * limits.reach({0, -1}), n * limits.reach({0, 1})};
    if (i == 5) return {-n * limits.reach({1, 0}), n * limits.reach({-1, 0})};
    if (i == 3) {
        const Vec2 arm = centre_of_pressure(limits, lambda), d = n > 0 ? Vec2{-lambda[5], lambda[4]} / n : Vec2{};
        const double carried = arm.x * lambda[2] - arm.y * lambda[1], spin = n * limits.spin_bound(d);
        return {carried - spin, carried + spin};
    }
    const Vec3 axis{i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0, 0};
    return {-n * friction::support(limits.planar(), -axis), n * friction::support(limits.planar(), axis)};
}

Bounds bounds_of(const ContactProblem& problem, const Block& block, int i) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    switch (block.kind) {
        case BlockKind::Bilateral: return {-inf, inf};
        case BlockKind::Interval: return {block.low, block.high};
        case BlockKind::Ball: return {-block.high, block.high};
        case BlockKind::Contact:
        case BlockKind::Patch: break;
    }
    if (i == 0) return {0, inf};
    const double* lambda = &problem.impulse[static_cast<size_t>(block.first_row)];
    const double n = lambda[0];
    if (block.kind == BlockKind::Patch) return patch_bounds(*block.patch, lambda, i);
    Vec3 axis;
    axis[i - 1] = 1;
    return {-n * friction::support(block.set, -axis), n * friction::support(block.set, axis)};
}

/// |lambda - clamp(lambda - u / W_ii)| W_ii and the projected impulse.
struct RowStep {
    double next, error;
};
RowStep row_step(const ContactProblem& problem, const Block& block, int i) {
    const auto row = static_cast<size_t>(block.first_row + i);
    const double w = problem.diagonal(block, block.first_row + i);
    if (w <= 0) return {problem.impulse[row], 0};
    const Bounds bounds = bounds_of(problem, block, i);
    const double next = clamp(problem.impulse[row] - problem.row_velocity(block, block.first_row + i) / w, bounds.low, bounds.high);
    return {next, std::fabs(next - problem.impulse[row]) * w};
}

Residual boxed_residual(const ContactProblem& problem) {
    Residual worst;
    for (size_t k = 0; k < problem.blocks.size(); ++k)
        for (int i = 0; i < problem.blocks[k].rows; ++i) {
            const double error = row_step(problem, problem.blocks[k], i).error;
            if (!(error <= worst.value)) worst = {error, problem.reported(static_cast<int>(k))};
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
            for (int i = 0; i < block.rows; ++i) {
                const RowStep step = row_step(problem, block, i);
                problem.add_impulse(block, block.first_row + i, step.next - problem.impulse[static_cast<size_t>(block.first_row + i)]);
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
