// The unit roundoff of double precision, in which the error bounds of this folder are given.
#pragma once
#include <limits>

namespace asperity::ccd {

constexpr double kRoundoff = 0.5 * std::numeric_limits<double>::epsilon();  // u = 2^-53

}  // namespace asperity::ccd
