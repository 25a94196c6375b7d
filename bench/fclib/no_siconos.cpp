// Replaces siconos.cpp if Siconos is not installed.
#include "contestants.h"

namespace asperity::bench {

std::vector<Contestant> siconos_contestants() { return {}; }

}  // namespace asperity::bench
