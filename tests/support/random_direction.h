#pragma once
#include "asperity/core/random.h"
#include "asperity/math/vec.h"

namespace asperity {

/// A uniformly distributed unit vector.
inline Vec3 random_direction(Random& random) { return normalized(Vec3{random.normal(), random.normal(), random.normal()}); }

}  // namespace asperity
