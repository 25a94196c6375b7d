#include "asperity/solvers/reference/held_centres.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/deadline.h"
#include "asperity/solvers/problem/patch_block.h"

namespace asperity::solvers {
namespace {

constexpr int kRounds = 200;
constexpr int kPatience = 50;        // rounds without a better error before the loop stops
constexpr int kHalvingPatience = 6;  // rounds without a better error after which the step of the centres is halved
constexpr double kSlowest = 0.02;
// inner tolerance relative to the last round's error; with 0.1 the mixing mistakes the remaining error for a change
constexpr double kInner = 1e-3;
constexpr double kLast = 0.3;    // inner tolerance relative to the final one: a smaller one is of no use
constexpr int kDepth = 10;       // iterates in the Anderson mixture
constexpr int kPlainRounds = 2;  // rounds before the mixing

Block& block_at(AssembledProblem& p, int k) { return p.blocks[static_cast<size_t>(k)]; }
const Block& block_at(const AssembledProblem& p, int k) { return p.blocks[static_cast<size_t>(k)]; }

/// From rows about c to the patch's rows: tau_n = x_3 + c x f. to_centre() is the inverse.
void to_rows(Vec2 arm, double* lambda) { lambda[3] += arm.x * lambda[2] - arm.y * lambda[1]; }
void to_centre(Vec2 arm, double* lambda) { lambda[3] -= arm.x * lambda[2] - arm.y * lambda[1]; }
/// Moves a twist, or a column of W, to the slip at c. `stride` is the distance between its rows.
void slip_at(Vec2 arm, double* u, int stride = 1) {
    u[stride] -= arm.y * u[3 * stride];
    u[2 * stride] += arm.x * u[3 * stride];
}

}  // namespace

bool HeldCentres::are_needed(const AssembledProblem& problem) {
    return std::any_of(problem.blocks.begin(), problem.blocks.end(),
                       [](const Block& b) { return b.kind == BlockKind::Patch && !b.patch->is_held(); });
}

/// d = m/f_n for patches under pressure; others keep their centre.
void HeldCentres::centres_of(const AssembledProblem& problem, std::vector<double>& centres) const {
    for (size_t k = 0; k < patches_.size(); ++k) {
        const double* lambda = problem.impulse_of(block_at(problem, patches_[k]));
        if (!(lambda[0] > 0)) continue;
        centres[2 * k] = -lambda[5] / lambda[0];
        centres[2 * k + 1] = lambda[4] / lambda[0];
    }
}

/// Projects mixed centres back into their pressure regions.
void HeldCentres::move_inside(const AssembledProblem& problem) {
    for (size_t k = 0; k < patches_.size(); ++k) {
        const friction::ConePoint inside = block_at(problem, patches_[k]).patch->project_pressing(1, centre(k));
        centres_[2 * k] = inside.n > 0 ? inside.f.x / inside.n : 0;
        centres_[2 * k + 1] = inside.n > 0 ? inside.f.y / inside.n : 0;
    }
}

void HeldCentres::hold(const AssembledProblem& p) {
    held_.blocks = p.blocks;
    held_.W = p.W;
    held_.q = p.q;
    held_.impulse = p.impulse;
    limits_.clear();
    std::vector<Vec2> arm(p.blocks.size());  // zero for other blocks
    for (size_t k = 0; k < patches_.size(); ++k) {
        const Block& block = block_at(p, patches_[k]);
        limits_.push_back(block.patch->held_at(centre(k)));
        arm[static_cast<size_t>(patches_[k])] = block.patch->in_law_axes(centre(k));
    }
    for (size_t k = 0; k < patches_.size(); ++k) {
        Block& block = block_at(held_, patches_[k]);
        const auto first = static_cast<size_t>(block.first_row);
        block.patch = &limits_[k];
        slip_at(arm[static_cast<size_t>(patches_[k])], &held_.q[first]);
        to_centre(arm[static_cast<size_t>(patches_[k])], &held_.impulse[first]);
    }
    for (size_t i = 0; i < p.blocks.size(); ++i)
        for (int e = p.W.row_start[i]; e < p.W.row_start[i + 1]; ++e) {
            const auto j = static_cast<size_t>(p.W.column[static_cast<size_t>(e)]);
            const int rows = p.blocks[i].rows, columns = p.blocks[j].rows;
            double* w = &held_.W.values[static_cast<size_t>(held_.W.value_start[static_cast<size_t>(e)])];
            if (p.blocks[j].kind == BlockKind::Patch)
                for (int r = 0; r < rows; ++r) slip_at(arm[j], w + r * columns);
            if (p.blocks[i].kind == BlockKind::Patch)
                for (int c = 0; c < columns; ++c) slip_at(arm[i], w + c, columns);
        }
    held_.prepare();
}

void HeldCentres::release(AssembledProblem& problem) const {
    problem.impulse = held_.impulse;
    for (size_t k = 0; k < patches_.size(); ++k) {
        const Block& block = block_at(problem, patches_[k]);
        to_rows(block.patch->in_law_axes(centre(k)), &problem.impulse[static_cast<size_t>(block.first_row)]);
    }
    problem.refresh_velocities();
}

SolveReport HeldCentres::solve(AssembledSolver& solver, AssembledProblem& problem, const SolveOptions& options,
                               std::vector<double>& history) {
    const Deadline deadline(options.time_limit);
    history.clear();
    patches_.clear();
    for (int k = 0; k < problem.block_count(); ++k)
        if (block_at(problem, k).kind == BlockKind::Patch) patches_.push_back(k);
    centres_.assign(2 * patches_.size(), 0.0);
    centres_of(problem, centres_);
    problem.refresh_velocities();
    best_ = problem.impulse;
    SolveReport report;
    double best = residual(problem, options.measure).value, error = best;
    if (solver.is_exact() && best <= options.tolerance) {
        conclude(report, problem, options);
        return report;
    }
    weight_.assign(centres_.size(), 1.0);
    anderson_.start(weight_, kDepth);
    SolveReport round;
    int best_round = 0;
    double part = 1;  // fraction of the step from one centre to the next
    for (int k = 1; k <= kRounds && k - best_round <= kPatience && report.sweeps < options.max_sweeps; ++k) {
        move_inside(problem);
        hold(problem);
        last_velocity_ = problem.velocity;
        SolveOptions inner = options;
        inner.max_sweeps = options.max_sweeps - report.sweeps;
        inner.time_limit = deadline.left();
        if (solver.is_exact()) inner.tolerance = larger(kLast * options.tolerance, smaller(kInner * error, 1e-3));
        round = solver.solve(held_, inner, round_history_);
        history.insert(history.end(), round_history_.begin(), round_history_.end());
        report.sweeps += round.sweeps;
        report.rejections += round.rejections;
        release(problem);
        if (solver.is_exact()) {
            error = residual(problem, options.measure).value;
        } else {
            error = 0;
            for (size_t i = 0; i < problem.velocity.size(); ++i)
                error = std::fmax(error, std::fabs(problem.velocity[i] - last_velocity_[i]));
            error = larger(error, round.residual);
        }
        if (!(error >= best) || k == 1) {
            if (!(error >= 0.9 * best)) best_round = k;
            best = error;
            best_ = problem.impulse;
        }
        if (!std::isfinite(error) || error <= options.tolerance || deadline.passed()) break;
        if (round.status == SolveStatus::NotFinite || (round.status == SolveStatus::Failed && !solver.is_exact())) break;
        next_ = centres_;
        centres_of(problem, next_);
        // Mixing rounds on different sides of a kink does not converge: restart with smaller steps.
        if ((k - best_round) % kHalvingPatience == kHalvingPatience - 1) {
            part = larger(0.5 * part, kSlowest);
            anderson_.restart();
        }
        for (size_t i = 0; i < next_.size(); ++i) next_[i] = centres_[i] + part * (next_[i] - centres_[i]);
        if (k > kPlainRounds) anderson_.extrapolate(centres_, next_);
        centres_.swap(next_);
    }
    problem.impulse = best_;
    report.status = round.status;
    if (deadline.passed()) report.status = SolveStatus::TimeLimit;
    conclude(report, problem, options);
    // the report of an inexact solver is about the replaced problem
    if (!solver.is_exact() && report.status != SolveStatus::NotFinite) {
        report.residual = best;
        report.worst_block = round.worst_block;
        report.status = best <= options.tolerance                ? SolveStatus::Converged
                        : round.status == SolveStatus::Converged ? SolveStatus::SweepLimit
                                                                 : round.status;
    }
    return report;
}

}  // namespace asperity::solvers
