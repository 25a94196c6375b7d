// One step of a world.
#pragma once
#include "asperity/sim/world.h"

namespace asperity::sim {

/// Moves the world on by dt [s].
StepReport step(World& world, double dt);

}  // namespace asperity::sim
