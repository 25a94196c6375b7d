// --set key=value: changes one value of the scene, given by its path, before the scene is read.
#pragma once
#include <vector>

#include "asperity/scene/scene.h"
#include "asperity/scene/schema.h"
#include "asperity/scene/value.h"

namespace asperity::scene {

/// Applies the overrides in order. A path may name any key of the format, even if the file does not give it. List items are
/// found by `name` or index. Throws InputError "--set path=value: ..." for a path that does not exist.
void apply_overrides(Value& scene, const std::vector<Override>& overrides, const Table& format = scene_table());

}  // namespace asperity::scene
