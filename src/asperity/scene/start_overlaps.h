// Names the bodies that overlap at the start of a run.
#pragma once
#include <string>

#include "asperity/scene/scene.h"

namespace asperity::scene {

/// One line about the pairs of bodies whose overlap at the start of the last step exceeds a hundredth of the thinner body:
/// their number, and the deepest pair with its depth. Empty if there is none. Meant for the first step of a run.
std::string overlap_note(const Scene& scene);

}  // namespace asperity::scene
