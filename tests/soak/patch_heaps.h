// Random heaps of all shapes with contact patches: all spin models, all solvers that support patches, both kinds of overlap
// correction, with and without restitution. After every step they must satisfy the bounds of checks.h. A failure prints its
// seed and its scene.
//   soak_heaps --seeds 101-1500     runs many, and counts the steps that each solver left unsolved
//   soak_heaps --seed 110 --trace   prints one of them step by step
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
    std::string what;  // description for the report
};

Heap random_heap(std::uint64_t seed);

struct HeapOptions {
    std::string solver;                    // overrides the heap's own solver
    bool trace = false, unsolved = false;  // print a line for every step; for every unsolved step
};

/// Totals of one solver.
struct HeapTally {
    int heaps = 0, failed = 0, steps = 0, unsolved = 0;
    double worst = 0;  // residual of the unsolved ones [m/s]
};
struct HeapReport {
    std::string failures;  // one line per failure
    std::map<std::string, HeapTally> by_solver;
};

/// Runs the heap of a seed to its end or to its first failure.
void run_heap(int seed, const HeapOptions& options, HeapReport& report);
HeapReport run_heaps(int first, int last);

}  // namespace asperity::soak
