// One part of a step by symplectic Euler, for comparisons: v += h f/m, x += h v.
#pragma once
#include "asperity/implicit/report.h"
#include "asperity/implicit/state.h"
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {

/// d.attempt describes the step; state is its start and becomes its end. Contacts, elastic forces and damping act at the
/// start. Unstable if a contact would be passed or an element inverted.
template <int Dim>
Failure explicit_step(const Model<Dim>& model, StepData<Dim>& d, State<Dim>& state);

}  // namespace asperity::implicit
