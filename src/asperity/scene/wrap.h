// Angle through which a row of bodies, such as the links of a chain, is wound round a rod.
#pragma once
#include <string>

#include "asperity/sim/world.h"

namespace asperity::scene {

/// Angle from the first to the last body of a row in loaded contact with `rod` after the last step [degrees, >= 0]. It is
/// seen along the rod's z axis and summed from body to body the shorter way, so it counts whole turns. The row is the
/// bodies whose names match `pattern`, in the order of the world. Neighbours must be less than half a turn apart. 0 if
/// fewer than two bodies are in loaded contact.
double wrap_deg(const sim::World& world, const std::string& pattern, int rod);

}  // namespace asperity::scene
