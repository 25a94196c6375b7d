// Tells why a run is slow while it goes on: a solver that needs thousands of sweeps in step after step.
#pragma once
#include <string>

#include "asperity/sim/model.h"
#include "asperity/sim/report.h"

namespace asperity::app {

class SlowNote {
  public:
    /// After each step, with the wall time of the run so far. Returns the note once, when it is due; else nothing. It is due
    /// after kSteps steps in a row, or after kSeconds and three steps, that took at least half of the sweep limit each.
    std::string after_step(const sim::StepReport& report, const sim::Settings& settings, double seconds);

    static constexpr int kSteps = 20;
    static constexpr double kSeconds = 10;

  private:
    int steps_ = 0;  // in a row
    long sweeps_ = 0;
    bool said_ = false;
};

}  // namespace asperity::app
