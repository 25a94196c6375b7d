// The slopes that a normal map describes, per texel: what ploughing friction reads and what the picture shows, the same numbers.
#pragma once
#include <vector>

#include "asperity/math/vec.h"

namespace asperity::surface {

/// Steeper facets than this are cut to it: 85 degrees (a choice; normal maps with 8 bits are coarse there anyway).
constexpr double kSteepestSlope = 11.430052302761343;

/// One facet: its unit normal m over m.z, without the 1. For a height field z = H(x, y) that is minus its gradient. x along growing u of
/// the texture, y along growing v, both in the surface's own tangent frame.
struct Slope {
    float x = 0, y = 0;
};

/// Row by row from the bottom left, as Pixels. Repeats beyond 0..1.
struct SlopeMap {
    int width = 0, height = 0;
    std::vector<Slope> slopes;
    std::vector<float> weight;  ///< per texel, or empty for 1 everywhere: 0 where the facet faces backwards and is not counted
    std::vector<float> salience;  ///< per texel strength of the ploughing, or empty for 1 everywhere
};

}  // namespace asperity::surface
