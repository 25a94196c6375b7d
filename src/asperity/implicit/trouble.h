// The message about a step that has failed for good.
#pragma once
#include "asperity/implicit/world.h"

namespace asperity::implicit {

/// One line: when, which two bodies, the likely cause and the remedy.
template <int Dim>
std::string describe(const World<Dim>& world, Failure failure);

}  // namespace asperity::implicit
