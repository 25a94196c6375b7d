// Block Gauss-Seidel on the exact sets: per block one projected step, velocities kept current in between.
//     lambda_n <- max(0, lambda_n - r_n u_n);   lambda_f <- proj_{lambda_n K}(lambda_f - r_f u_f)            (M14)
// r is a scalar per contact, 1/W_nn and 1/eig_max(W_ff): any scalar has the same fixed points, so only speed depends on it.
// Joints are blocks that are solved exactly. Every second sweep runs backwards, so that what the last block learns reaches the
// first one in the same pass. Each forward and backward pair is one fixed-point map, and its iterates are mixed by Anderson acceleration
// (anderson.h); a mixture that makes the error grow is thrown away.
//
// Drift: where more points touch than are needed and their demands differ a little (a face that lands a hair askew), every sweep moves
// load from one point to another by the same small amount until one of them lets go. No mixture of iterates shows that end, so after a
// while without progress the solver leaps along the last change instead, twice as far each time, until the error says it was too far.
//
// Rejection (Algorithm 2 of the source, completed): the error is |change| / r, in m/s, which does not shrink with r by itself. When
// a plain pass makes it grow, the impulses go back to those before that pass and r shrinks by 0.7, ten times at most.
// A sweep that looks converged is believed only after the full natural map agrees.
//
// Source: Erleben, Macklin, Andrews, Kry, "The Matchstick Model for Anisotropic Friction Cones", CGF 2020, Section 4.2.
#include "asperity/solvers/prox.h"

#include <cmath>

#include "asperity/solvers/relax.h"

namespace asperity::solvers {
namespace {

constexpr double kShrink = 0.7;
constexpr int kMaxRejections = 10;
constexpr double kGrowth = 8;            // an error this much above the last is divergence, not the usual waves of Gauss-Seidel
constexpr double kMeritGrowth = 0.1;     // nor may a jump put energy in, by more than this part of what the impulses do
constexpr int kDepth = 10;               // of the acceleration: 20 saves a third of the sweeps and costs twice the memory
constexpr double kLeapGrowth = 2;        // the same for a leap
constexpr int kSettle = 6;               // plain passes before leaps
constexpr double kProgress = 0.9;        // an error below this part of the best one counts as progress
constexpr int kPatience = 60;            // sweeps without a better error before the acceleration starts afresh
constexpr double kInvisible = 2e-8;      // [m/s]: below this, kPatience sweeps without progress twice in a row end the solve

/// The velocities that the problem itself keeps.
struct KeptVelocities {
    ContactProblem& problem;
    Twist load(int group) const { return problem.velocity[static_cast<size_t>(group)]; }
    void store(int group, const Twist& v) const { problem.velocity[static_cast<size_t>(group)] = v; }
};

/// A pass over all blocks, forwards or backwards; returns the largest |change| / r.
double sweep(ContactProblem& problem, double shrink, bool forward) {
    const int count = static_cast<int>(problem.blocks.size());
    double error = 0;
    for (int i = 0; i < count; ++i) {
        const double e = relax(problem, KeptVelocities{problem}, problem.blocks[static_cast<size_t>(forward ? i : count - 1 - i)], shrink);
        if (!(e <= error)) error = e;   // NaN comes through
    }
    return error;
}

/// Changes are compared by the energy they carry: |change|^2 / r.
void energy_weights(const ContactProblem& problem, std::vector<double>& weight) {
    weight.resize(problem.impulse.size());
    for (const Block& block : problem.blocks)
        for (int i = 0; i < block.rows; ++i) {
            const SymBlock* inverse = block.kind == BlockKind::Bilateral ? &problem.inverse(block) : nullptr;
            const double r = inverse ? inverse->m[i][i] : i == 0 && block.kind != BlockKind::Ball ? block.r_n : block.r_f;
            weight[static_cast<size_t>(block.first_row + i)] = r > 0 ? 1 / r : 0;
        }
}

}  // namespace

SolveReport Prox::solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) {
    history.clear();
    SolveReport report;
    if (problem.blocks.empty()) return report;

    constexpr double inf = std::numeric_limits<double>::infinity();
    double shrink = 1, last_error = inf, best_error = inf, last_merit = inf;
    int best_sweep = 0, restarts = 0, leap_until = 0, settle = 0;
    double leap = 0;                      // length of the next leap, in changes per pass
    enum class Jump { None, Mixed, Leap } jump = Jump::None;
    while (report.sweeps < options.max_sweeps) {
        before_ = problem.impulse;
        double error = 0;
        for (const bool forward : {true, false}) {
            if (report.sweeps == options.max_sweeps) break;
            error = sweep(problem, shrink, forward);
            ++report.sweeps;
            history.push_back(error);
        }
        if (!std::isfinite(error)) break;

        if (error <= options.tolerance) {   // looks done: ask the full natural map, on velocities free of accumulated rounding
            problem.refresh_velocities();
            const Residual residual = natural_map_residual(problem);
            if (residual.value <= options.tolerance) {
                conclude(report, problem, residual, options.tolerance);
                return report;
            }
        }

        // a jump that made things worse is undone; so is a plain pass, which then goes on with shorter steps
        const double merit = problem.merit();
        const bool gained = jump != Jump::None && merit > last_merit + kMeritGrowth * std::fabs(last_merit);
        if ((gained || error > (jump == Jump::Leap ? kLeapGrowth : kGrowth) * last_error) && (jump != Jump::None || report.rejections < kMaxRejections)) {
            problem.impulse = plain_;
            problem.refresh_velocities();
            if (jump == Jump::Mixed) anderson_.restart();
            if (jump == Jump::Leap) settle = kSettle;
            if (jump == Jump::None) {
                shrink *= kShrink;
                ++report.rejections;
            }
            jump = Jump::None;
            continue;
        }
        last_error = error;
        last_merit = merit;
        if (error < kProgress * best_error) {
            best_error = error;
            best_sweep = report.sweeps;
            restarts = 0;
        } else if (report.sweeps - best_sweep > kPatience) {
            if (++restarts > 1 && best_error < kInvisible) break;
            best_sweep = report.sweeps;
            anderson_.restart();
            if (restarts > 1) leap_until = report.sweeps + kPatience;   // a fresh mixture did not help: it may be a drift
            settle = kSettle;
        }
        if (report.sweeps >= options.max_sweeps) break;   // what is returned has been swept, never merely jumped to

        plain_ = problem.impulse;
        if (report.sweeps < leap_until) {
            anderson_.restart();
            jump = Jump::None;
            if (settle > 0) {   // a few plain passes, after which only the drift is left in the change
                --settle;
                leap = 1;
                continue;
            }
            for (size_t i = 0; i < plain_.size(); ++i) problem.impulse[i] += leap * (plain_[i] - before_[i]);
            leap *= 2;
            jump = Jump::Leap;
        } else {
            if (report.sweeps <= 2) {
                energy_weights(problem, weight_);
                anderson_.start(weight_, kDepth);
            }
            anderson_.extrapolate(before_, problem.impulse);
            jump = Jump::Mixed;
        }
        problem.refresh_velocities();
    }
    problem.refresh_velocities();
    conclude(report, problem, natural_map_residual(problem), options.tolerance);
    if (report.status == SolveStatus::SweepLimit && report.sweeps < options.max_sweeps) report.status = SolveStatus::Stalled;
    return report;
}

SolveReport Prox::correct(const ContactProblem& problem, std::span<const double> gap_rate, ContactProblem& positions,
                          const SolveOptions& options) {
    for (size_t i = 0; i < problem.contacts.size(); ++i) positions.add_normal_row(problem.contacts[i], gap_rate[i]);
    if (!any_broken(positions, options.tolerance)) return {};
    positions.prepare();
    return solve(positions, options, position_history_);
}

}  // namespace asperity::solvers
