// Newton's method with a line search on the incremental potential of an attempt.
#pragma once
#include "asperity/implicit/report.h"
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {

/// Moves d.now from the start of the attempt to the minimum of its potential, with every iterate free of intersections.
/// Adds iterations and times to the report.
template <int Dim>
Failure minimise(const Model<Dim>& model, StepData<Dim>& d, StepReport& report);

}  // namespace asperity::implicit
