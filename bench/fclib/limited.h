// A solve in a process of its own: it may crash, hang or exit, and the bench goes on.
#pragma once
#include <string>

#include "contestants.h"

namespace asperity::bench {

struct Attempt {
    bool answered = false;  ///< the solver came back within the limit
    std::string trouble;    ///< otherwise: why
    Outcome outcome;
};

/// At most `limit` CPU seconds. A quick solve is repeated and its shortest time taken: the first one meets cold memory.
Attempt attempt(const Contestant& contestant, const Problem& problem, double tolerance, double limit);

}  // namespace asperity::bench
