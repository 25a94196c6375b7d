// Advances a world in time.
#pragma once
#include "asperity/sim/world.h"

namespace asperity::sim {

/// Advances the world by dt [s], in Settings::substeps equal steps.
StepReport step(World& world, double dt);

}  // namespace asperity::sim
