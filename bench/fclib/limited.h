// Runs a solve in its own process. The process may crash, hang or exit, and the bench continues.
#pragma once
#include <string>

#include "contestants.h"

namespace asperity::bench {

struct Attempt {
    bool answered = false;  ///< the solver finished within the limit
    std::string trouble;    ///< otherwise: the reason
    Outcome outcome;
};

/// Uses at most `limit` CPU seconds. A quick solve is repeated and its shortest time taken, because caches are cold at
/// first.
Attempt attempt(const Contestant& contestant, const Problem& problem, double tolerance, double limit);

}  // namespace asperity::bench
