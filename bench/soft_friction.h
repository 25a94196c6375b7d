// Cost of friction in the implicit world, for `asperity bench soft`.
#pragma once
#include <string>

namespace asperity::bench {

/// Prints Newton iterations and passes per step of `hold`, `smooth` and `velocity`, at rest and sliding.
void print_friction_cost(int cells);
/// Runs every scene of a folder and prints the share of steps whose friction forces did not settle.
void print_friction_misses(const std::string& folder);

}  // namespace asperity::bench
