// --set key=value: changes one value of the scene by its path, before the scene is read.
#pragma once
#include <vector>

#include "asperity/scene/scene.h"
#include "asperity/scene/value.h"

namespace asperity::scene {

/// Applies the overrides in order. A path may name a key that the file does not give, as long as the format has it; list
/// items are found by their `name` or their index. Throws InputError "--set path=value: ..." for a path that leads nowhere.
void apply_overrides(Value& scene, const std::vector<Override>& overrides);

}  // namespace asperity::scene
