// How far a row of bodies, such as the links of a chain, is wound round a rod.
#pragma once
#include <string>

#include "asperity/sim/world.h"

namespace asperity::scene {

/// The angle from the first to the last body of a row that is pressed against `rod` after the last step, seen along the z
/// axis of the rod and followed from body to body by the shorter way, so that it counts whole turns [degrees, not below 0].
/// The row is the bodies whose names fit `pattern`, in the order of the world; neighbours less than half a turn apart. 0
/// where fewer than two press.
double wrap_deg(const sim::World& world, const std::string& pattern, int rod);

}  // namespace asperity::scene
