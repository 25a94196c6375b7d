// Heaps of everything with contact patches: all spin models, all solvers that know patches, both ways to take overlaps out,
// with and without restitution. Nothing explodes and nobody gains, by the bounds of checks.h, after every step. A seed that
// fails prints its number and what it was;
//   soak_heaps --seeds 101-1500     says so of many, and how many steps each solver left unsolved
//   soak_heaps --seed 110 --trace   shows one of them step by step
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "asperity/sim/world.h"

namespace asperity::soak {

struct Heap {
    sim::World world;
    double dt;
    int steps;
    std::string what;  // for the report
};

Heap random_heap(std::uint64_t seed);

struct HeapOptions {
    std::string solver;                    // in place of the heap's own
    bool trace = false, unsolved = false;  // print a line for every step; for those that are not solved
};

/// Of one solver.
struct HeapTally {
    int heaps = 0, failed = 0, steps = 0, unsolved = 0;
    double worst = 0;  // residual of the unsolved ones [m/s]
};
struct HeapReport {
    std::string failures;  // a line for each
    std::map<std::string, HeapTally> by_solver;
};

/// Runs the heap of a seed to its end or to its first failure.
void run_heap(int seed, const HeapOptions& options, HeapReport& report);
HeapReport run_heaps(int first, int last);

}  // namespace asperity::soak
