// Heaps of everything with contact patches: all spin models, all solvers that know patches, both ways to take overlaps out, with and without restitution. Nothing
// explodes and nobody gains, by the bounds of checks.h, after every step. A seed that fails prints its number and what it was.
#pragma once

namespace asperity::soak {

/// The heaps of seeds `first` to `last`; expects that none fails.
void run_heaps(int first, int last);

}  // namespace asperity::soak
