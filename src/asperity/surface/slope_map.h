// The slopes that a normal map describes, per texel: what ploughing friction reads and what the picture shows, the same
// numbers.
#pragma once
#include <memory>
#include <vector>

#include "asperity/math/vec.h"

namespace asperity::surface {

/// Steeper facets than this are cut to it: 85 degrees (a choice; normal maps with 8 bits are coarse there anyway).
constexpr double kSteepestSlope = 11.430052302761343;

/// One facet: its unit normal m over m.z, without the 1. For a height field z = H(x, y) that is minus its gradient. x along
/// growing u of the texture, y along growing v, both in the surface's own tangent frame.
struct Slope {
    float x = 0, y = 0;
};

/// Row by row from the bottom left, as Pixels. Repeats beyond 0..1.
struct SlopeMap {
    int width = 0, height = 0;
    std::vector<Slope> slopes;
    /// per texel, or empty for 1 everywhere: 0 where the facet faces backwards and is not counted
    std::vector<float> weight;
    std::vector<float> salience;  ///< per texel strength of the ploughing, or empty for 1 everywhere
};

/// A map laid on a surface, in the surface's own texture coordinates and tangent frame.
struct SlopeTexture {
    std::shared_ptr<const SlopeMap> map;  ///< null: smooth
    double tile = 1;                      ///< edge of one tile, as Appearance::texture_size
    Vec2 offset;                          ///< added to the texture coordinates after the division by `tile`
};

}  // namespace asperity::surface
