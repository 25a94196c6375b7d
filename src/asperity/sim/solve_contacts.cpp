// Solves the contact problem with the solver named in Settings::solver.
#include "asperity/sim/stages.h"

namespace asperity::sim {

void solve_contacts(const Model& model, const Derived& derived, Assembly& assembly, Solution& out) {
    out.worst = {};
    out.bounced = false;
    out.add(assembly.problem.resolve(*derived.solver, model.settings.solve, out.history));
}

void Solution::add(const solvers::SolveReport& solved) {
    sweeps += solved.sweeps;
    cut_short = solved.status == solvers::SolveStatus::SweepLimit;
    if (solved.status > worst.status) worst.status = solved.status;
    if (solved.residual <= worst.residual) return;  // a NaN counts as worse
    worst.residual = solved.residual;
    worst.worst_block = solved.worst_block;
}

}  // namespace asperity::sim
