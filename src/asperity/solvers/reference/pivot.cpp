#include "asperity/solvers/reference/pivot.h"

#include <algorithm>
#include <cmath>

namespace asperity::solvers {
namespace {

// Relative to W_ii; added to the diagonal when solving for a guess. Redundant contacts then have a unique solution, the one
// closest to the last. Smaller values let more rounding into the distribution of loads, and so into the frozen sets: with
// 1e-10 these changed by 1e-7 N s from freeze to freeze.
constexpr double kShift = 1e-5;
constexpr double kShiftGrowth = 30;      // factor on the shift after each cycle
constexpr double kSettled = 1e-4;        // factor on the merit at which a freeze counts as solved: |F| is then a hundredth
constexpr double kProgress = 0.5;        // factor on the merit: a repeated guess with more than this counts as a cycle
constexpr int kMaxCycles = 6;            // cycles before the solver stops
constexpr int kRefinementPatience = 60;  // freezes without a better residual before it stops
constexpr int kHalvingPatience = 10;     // freezes without a better residual after which the step of n is halved
constexpr double kSlowest = 0.1;

size_t at(int i) { return static_cast<size_t>(i); }

}  // namespace

double Pivot::frozen_merit(const AssembledProblem& p, std::span<const double> lambda, std::span<const double> u) const {
    const std::span<const double> r = system_.r(), scale = system_.scale();
    double sum = 0;
    for (size_t k = 0; k < p.blocks.size(); ++k) {
        const Block& block = p.blocks[k];
        const size_t first = at(block.first_row);
        double F[kMaxBlockRows];
        natural_map_of(block, &r[first], &lambda[first], &u[first], F, frozen_[k]);
        for (int i = 0; i < block.rows; ++i) sum += F[i] * F[i] * scale[first + at(i)];
    }
    return 0.5 * sum;
}

std::uint64_t Pivot::guess(const AssembledProblem& p) {
    Hash hash;
    for (int k = 0; k < p.block_count(); ++k) {
        const Block& block = p.blocks[at(k)];
        const size_t first = at(block.first_row);
        BlockLinearisation& linear = system_.linearisation(k);
        linear = linearise(block, &system_.r()[first], &p.impulse[first], &p.velocity[first], frozen_[at(k)]);
        hash.add(static_cast<std::uint64_t>(linear.size + 8 * linear.piece));
    }
    return hash.value();
}

Pivot::End Pivot::settle(AssembledProblem& p, const SolveOptions& options, const Deadline& deadline, SolveReport& report) {
    seen_.clear();
    const double first = frozen_merit(p, p.impulse, p.velocity);
    double merit = first;
    std::uint64_t last = 0;
    int circles = 0;
    double shift = kShift;
    while (merit > kSettled * first) {
        if (deadline.passed()) {
            report.status = SolveStatus::TimeLimit;
            return End::OutOfTime;
        }
        if (report.sweeps >= options.max_sweeps) return End::OutOfTime;
        const std::uint64_t now = guess(p);
        const auto before = seen_.find(now);
        if (before != seen_.end() && merit > kProgress * before->second) {
            // the guess is unchanged: only rounding remains
            if (now == last && merit <= before->second) return End::Settled;
            if (++circles > kMaxCycles) return End::Cycled;
            shift *= kShiftGrowth;
        }
        seen_[now] = merit;
        last = now;
        system_.weigh(shift, shift);
        if (!system_.solve()) return End::NotFinite;
        ++report.sweeps;
        for (size_t i = 0; i < p.q.size(); ++i) {
            p.impulse[i] += system_.impulse_change()[i];
            p.velocity[i] += system_.velocity_change()[i];
        }
        merit = frozen_merit(p, p.impulse, p.velocity);
        if (!std::isfinite(merit)) return End::NotFinite;
    }
    return End::Settled;
}

SolveReport Pivot::solve(AssembledProblem& p, const SolveOptions& options, std::vector<double>& history) {
    if (HeldCentres::are_needed(p)) return centres_.solve(*this, p, options, history);
    const Deadline deadline(options.time_limit);
    SolveReport report;
    history.clear();
    system_.prepare(p);
    p.refresh_velocities();
    best_ = p.impulse;
    double best_error = residual(p, options.measure).value;
    history.push_back(best_error);
    int best_at = 0;
    // A warm start determines the size of the cones; without one the first freeze is frictionless.
    frozen_.assign(p.blocks.size(), 0.0);
    double part = 1;  // fraction of the step from one n to the next
    const auto freeze = [&] {
        for (size_t k = 0; k < p.blocks.size(); ++k)
            if (p.blocks[k].kind == BlockKind::Contact || p.blocks[k].kind == BlockKind::Patch)
                frozen_[k] += part * (larger(p.impulse_of(p.blocks[k])[0], 0.0) - frozen_[k]);
    };
    freeze();
    for (int refinement = 1; best_error > options.tolerance && std::isfinite(best_error); ++refinement) {
        const End end = settle(p, options, deadline, report);
        p.refresh_velocities();
        const double error = residual(p, options.measure).value;
        history.push_back(error);
        if (error < 0.9 * best_error) best_at = refinement;
        if (error < best_error) {
            best_error = error;
            best_ = p.impulse;
        }
        if (end == End::OutOfTime) break;
        if (end == End::Cycled || refinement - best_at > kRefinementPatience) {
            report.status = SolveStatus::Cycled;
            break;
        }
        if (end == End::NotFinite) {
            report.status = SolveStatus::Failed;
            break;
        }
        if ((refinement - best_at) % kHalvingPatience == kHalvingPatience - 1) part = larger(0.5 * part, kSlowest);
        freeze();
    }
    p.impulse = best_;
    conclude(report, p, options);
    return report;
}

}  // namespace asperity::solvers
