#include "asperity/solvers/sweeps/auto.h"

#include <algorithm>
#include <limits>

#include "asperity/core/deadline.h"

namespace asperity::solvers {
namespace {

constexpr int kFirstSweeps = 40, kFirstIterations = 8;
constexpr double kWorkOfVisit = 200;  // [multiplications] to solve one contact, besides its row of W,
// and to solve one patch, which is a Newton iteration of its own: 2 to 4 us, where a multiplication of a sweep takes 1 ns
constexpr double kWorkOfPatch = 3000;

// Factor on the tolerance. Near the critical slope a block whose natural map is 1e-10 m/s can still creep ten times faster
// than that. The last digit costs little.
constexpr double kToleranceFactor = 0.1;

/// The schedule of one of the two alternating methods.
struct WorkSchedule {
    int next;     // iterations of its next turn
    double unit;  // work of one iteration
    double spent = 0;

    double after_next() const { return spent + next * unit; }
};

double work_of_sweep(const AssembledProblem& problem) {
    double work = static_cast<double>(problem.W.values.size());
    for (const Block& block : problem.blocks) work += block.kind == BlockKind::Patch ? kWorkOfPatch : kWorkOfVisit;
    return work;
}

}  // namespace

SolveReport Auto::solve(AssembledProblem& problem, const SolveOptions& options, std::vector<double>& history) {
    const Deadline deadline(options.time_limit);
    history.clear();
    best_.clear();
    WorkSchedule sweeps{kFirstSweeps, work_of_sweep(problem)};
    WorkSchedule iterations{kFirstIterations, -1};  // the unit is computed only when needed: that takes an elimination order
    SolveReport report;
    double best_error = std::numeric_limits<double>::infinity();
    SolveOptions turn = options;
    turn.exact_contacts = true;
    if (options.measure == Measure::NaturalMap) turn.tolerance *= kToleranceFactor;
    while (true) {
        const bool sweep = iterations.unit < 0 ? sweeps.spent == 0 : sweeps.after_next() <= iterations.after_next();
        if (!sweep && iterations.unit < 0) {
            iterations.unit = newton_.work_per_iteration(problem) + sweeps.unit;
            const double values = 2 * static_cast<double>(problem.W.values.size()) + newton_.factor_values();
            if (values > kMostValues) iterations.unit = std::numeric_limits<double>::infinity();
            continue;
        }
        WorkSchedule& now = sweep ? sweeps : iterations;
        turn.max_sweeps = std::min(now.next, options.max_sweeps - report.sweeps);
        turn.time_limit = deadline.left();
        const SolveReport done =
            sweep ? prox_.solve(problem, turn, turn_history_) : newton_.solve(problem, turn, turn_history_);
        history.insert(history.end(), turn_history_.begin(), turn_history_.end());
        report.sweeps += done.sweeps;
        report.status = done.status;
        report.residual = done.residual;
        report.worst_block = done.worst_block;
        if (done.status == SolveStatus::NotFinite) break;
        if (done.residual < best_error) {
            best_error = done.residual;
            best_ = problem.impulse;
        }
        if (done.residual <= options.tolerance) {
            report.status = SolveStatus::Converged;
            return report;
        }
        if (deadline.passed() || report.sweeps >= options.max_sweeps) break;
        if (best_.empty() || best_.size() != problem.impulse.size()) break;  // no finite residual was ever found
        problem.impulse = best_;
        problem.refresh_velocities();
        now.spent = now.after_next();
        now.next *= 2;
    }
    if (best_.size() == problem.impulse.size()) problem.impulse = best_;
    report.status = deadline.passed() ? SolveStatus::TimeLimit : SolveStatus::Converged;  // conclude() sets the final status
    conclude(report, problem, options);
    return report;
}

}  // namespace asperity::solvers
