// What is measured in a scene: every number from poses alone, by the same code for every engine.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "peer_scene.h"

namespace asperity::peers {

/// One number of the table. NaN where it does not apply, such as the time of a fall that did not happen.
struct Quantity {
    std::string name, unit;
    double value;
};

struct Result {
    double cpu_ms_per_step = 0;
    int steps = 0;  ///< over all runs of the scene; fewer than asked for when the CPU limit stopped it
    std::vector<Quantity> quantities;
};

/// "slope", "fan", "stack10", "stack10_top20", "stack10_1to20", "arch", "card_house", "box_pile:N", "capsule_pile:N".
/// Throws InputError for another name. `cpu_limit` [s] holds for each run of the engine.
Result measure(std::string_view scene_name, std::string_view config, double cpu_limit);

}  // namespace asperity::peers
