// The quantities measured in a scene, by the same code for every engine: from poses, and for the friction law from impulses
// and velocities.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "peer_scene.h"

namespace asperity::peers {

/// One number of the table. NaN if it does not apply, for example the time of a fall that did not happen.
struct Quantity {
    std::string name, unit;
    double value;
};

struct Result {
    double wall_ms_per_step = 0;
    std::vector<double>
        cpu;  ///< CPU time of every step [s], over all runs of the scene; fewer steps if the limit was reached
    std::vector<Quantity> quantities;
};

struct Limits {
    double cpu_seconds = std::numeric_limits<double>::infinity();  ///< per run of the engine
    int steps = std::numeric_limits<int>::max();
    int threads = 1;
};

/// "slope", "fan", "stack10", "stack10_top20", "stack10_1to20", "arch", "card_house", "box_pile:N", "capsule_pile:N",
/// "hopper:N". Throws InputError for another name.
Result measure(std::string_view scene_name, std::string_view config, const Limits& limits);

/// Only the wall time of a pile, for several threads.
struct Timing {
    double wall_ms_per_step = 0;
    int steps = 0;
};
Timing time_pile(std::string_view scene_name, std::string_view config, const Limits& limits);

}  // namespace asperity::peers
