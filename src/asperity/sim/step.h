// One step of the world.
#pragma once
#include "asperity/sim/world.h"

namespace asperity::sim {

/// Moves the world by dt [s]. Never throws once the world is prepared; trouble is in the report.
StepReport step(World& world, double dt);

}  // namespace asperity::sim
