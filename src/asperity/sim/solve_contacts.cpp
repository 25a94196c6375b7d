// Stage 6: impulses and new velocities from the solver that the scene chose by name.
#include <algorithm>
#include <cmath>

#include "asperity/sim/step_data.h"

namespace asperity::sim {

void solve_contacts(World& world, StepData& d) {
    const StageTimer timer(d.report, Stage::solve_contacts);
    solvers::SolveReport& worst = d.solved;
    worst = {};
    const auto add = [&](const solvers::SolveReport& solved) {
        d.report.sweeps += solved.sweeps;
        if (solved.status > worst.status) worst.status = solved.status;
        if (!(solved.residual <= worst.residual)) {
            worst.residual = solved.residual;
            worst.worst_block = solved.worst_block;
        }
    };
    solvers::SolveReport last = d.solver->solve(d.problem, world.settings.solve, d.history);
    add(last);
    d.bounced = std::any_of(d.rebound.begin(), d.rebound.end(), [](double speed) { return speed > 0; }) ||
                std::any_of(d.patch_rebound.begin(), d.patch_rebound.end(),
                            [](const StepData::PatchRebound& r) { return r.bounces; });
    if (d.bounced && worst.status != solvers::SolveStatus::NotFinite) add(last = bounce(world, d));
    d.cut_short = last.status == solvers::SolveStatus::SweepLimit;
    if (worst.status == solvers::SolveStatus::NotFinite) {  // the world keeps its last good state
        d.report.finite = false;
        d.report.nan_stage = Stage::solve_contacts;
    }
}

}  // namespace asperity::sim
