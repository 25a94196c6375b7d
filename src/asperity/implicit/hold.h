// The passes of friction `hold` around Newton's method (friction.h).
#pragma once
#include "asperity/implicit/report.h"
#include "asperity/implicit/state.h"
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {

/// Moves d.now from the start of the attempt to where all forces balance. `state` is the start. Leaves the friction forces
/// in d.friction.memory. Without friction it is one call of minimise().
template <int Dim>
Failure minimise_with_friction(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d, StepReport& report);

}  // namespace asperity::implicit
