// Advances a world in time.
#pragma once
#include "asperity/sim/world.h"

namespace asperity::sim {

/// Advances the world by dt [s], in Settings::substeps equal steps. If a stop is requested meanwhile (core/stop.h), the
/// world stays as it was before the step, and the report says `stopped`.
StepReport step(World& world, double dt);

}  // namespace asperity::sim
