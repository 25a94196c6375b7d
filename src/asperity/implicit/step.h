// The step of the implicit world.
#pragma once
#include "asperity/implicit/world.h"

namespace asperity::implicit {

/// Advances the world by dt [s]. A part of the step that fails is halved and tried again; if it fails for good, the state
/// stays at the end of the last part that succeeded, and the report says what happened. Never throws once prepared.
template <int Dim>
StepReport step(World<Dim>& world, double dt);

/// A report of the present state, before the first step or after it was restored: energies, contacts, the smallest gap.
template <int Dim>
StepReport measure(World<Dim>& world);

}  // namespace asperity::implicit
