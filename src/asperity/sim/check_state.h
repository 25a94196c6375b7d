// Whether a state can be the state of a world: everything that the passes take for granted.
#pragma once
#include <string>

#include "asperity/sim/model.h"
#include "asperity/sim/state.h"

namespace asperity::sim {

/// The first defect in one line; empty if there is none. `joints`: those of the scene, without drags.
std::string defect(const Model& model, const State& state, std::size_t joints);

}  // namespace asperity::sim
