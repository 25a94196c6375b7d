#include "bench/bench.h"

namespace asperity::bench {

std::span<const Bench> benches() {
    static constexpr Bench kBenches[] = {
        {"composition", "every friction law with every solver, as the table of docs/composition.md", composition},
        {"grain", "cost of Matchstick cones with textures [--cones N] [--goes N] [--steps N] [--settle N]", grain},
        {"lab", "time of runs of the friction lab, and the thesis' explicit scheme beside them [--seeds N] [--slide N]",
         lab},
        {"ploughing", "cost of friction from normal maps [--goes N] [--by tables|rays|OpenGL] [--contacts N]", ploughing},
        {"scaling", "cost per contact as piles grow, on one thread and two [--help]", scaling},
        {"sixd", "sweeps of contact patches and of contact points [--steps N]", sixd},
        {"soft", "cost of steps of soft bodies as they grow, on one thread and two [--help]", soft},
        {"volumes", "cost of shared volumes [--goes N] [--convex] [--only NAME] [--depth D]", volumes}};
    return kBenches;
}

const Bench* find(std::string_view name) {
    for (const Bench& bench : benches())
        if (bench.name == name) return &bench;
    return nullptr;
}

}  // namespace asperity::bench
