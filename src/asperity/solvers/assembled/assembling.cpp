#include "asperity/solvers/assembled/assembling.h"

#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::solvers {

SolveReport Assembling::solve(ContactProblem& problem, const SolveOptions& options, std::vector<double>& history) {
    history.clear();
    if (problem.blocks.empty()) return {};
    if (!assemble(problem, assembled_)) {  // a stop: the warm start remains
        SolveReport stopped;
        conclude(stopped, problem, natural_map_residual(problem), options.tolerance);
        if (stopped.status == SolveStatus::SweepLimit) stopped.status = SolveStatus::TimeLimit;
        return stopped;
    }
    SolveReport report = solver_->solve(assembled_, options, history);
    problem.impulse = assembled_.impulse;
    problem.refresh_velocities();
    const SolveReport own = report;
    const SolveStatus reason = report.status;
    conclude(report, problem, natural_map_residual(problem), options.tolerance);
    if (!solver_->is_exact() && report.status != SolveStatus::NotFinite) return own;
    if (report.status == SolveStatus::SweepLimit && reason != SolveStatus::Converged) report.status = reason;
    return report;
}

}  // namespace asperity::solvers
