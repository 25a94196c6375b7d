#include "asperity/slow_note.h"

#include <fmt/format.h>

namespace asperity::app {

std::string SlowNote::after_step(const sim::StepReport& report, const sim::Settings& settings, double seconds) {
    if (said_) return {};
    const int limit = std::max(1, settings.substeps) * settings.solve.max_sweeps;
    if (2 * report.sweeps < limit || report.sweeps < 100) {
        steps_ = 0;
        sweeps_ = 0;
        return {};
    }
    ++steps_;
    sweeps_ += report.sweeps;
    if (steps_ < kSteps && !(seconds > kSeconds && steps_ >= 3)) return {};
    said_ = true;
    return fmt::format(
        "the solver takes {} sweeps a step (limit {}) for {} contacts, and reaches {:.0e} m/s of the tolerance {:.0e}; try "
        "{}{}a larger step.tolerance or smaller step.max_sweeps (docs/solvers.md)",
        sweeps_ / steps_, limit, report.contacts, report.residual, settings.solve.tolerance,
        settings.solver == "fast" ? "" : "--solver fast (single precision, for piles), ",
        settings.solver == "auto" ? "or " : "--solver auto (large mass ratios, jams), or ");
}

}  // namespace asperity::app
