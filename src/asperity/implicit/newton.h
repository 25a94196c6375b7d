// Newton's method with a line search on the incremental potential of an attempt.
#pragma once
#include "asperity/implicit/report.h"
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {

/// Sets d.now to the start of the attempt: obstacles and regions that move are where they begin.
template <int Dim>
void begin_iterates(const Model<Dim>& model, StepData<Dim>& d, StepReport& report);

/// Moves d.now to the minimum of the attempt's potential, with every iterate free of intersections. Adds iterations and
/// times to the report.
template <int Dim>
Failure minimise(const Model<Dim>& model, StepData<Dim>& d, StepReport& report);

}  // namespace asperity::implicit
