// Takes the place of siconos.cpp where Siconos is not installed.
#include "contestants.h"

namespace asperity::bench {

std::vector<Contestant> siconos_contestants() { return {}; }

}  // namespace asperity::bench
