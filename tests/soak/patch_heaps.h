// Heaps of everything with contact patches: all spin models, all solvers that know patches, both ways to take overlaps out, with and without restitution. Nothing
// explodes and nobody gains, by the bounds of checks.h, after every step. A seed that fails prints its number and what it was;
//   soak_heaps --seeds 101-1500     says so of many, without stopping, and how many steps each solver left unsolved
//   soak_heaps --seed 110 --trace   shows one of them step by step
#pragma once
#include <cstdint>
#include <string>

#include "asperity/sim/world.h"

namespace asperity::soak {

struct Heap {
    sim::World world;
    double dt;
    int steps;
    std::string what;   // for the report
};

Heap random_heap(std::uint64_t seed);

/// The heaps of seeds `first` to `last`: a line for each that fails.
std::string run_heaps(int first, int last);

}  // namespace asperity::soak
