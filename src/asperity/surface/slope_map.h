// The slopes that a normal map describes, per texel. Ploughing friction and the pictures read the same numbers.
#pragma once
#include <memory>
#include <vector>

#include "asperity/surface/tile_size.h"

namespace asperity::surface {

/// Steepest slope: tan 85 degrees. Steeper facets are cut to it. Chosen; 8-bit normal maps are coarse beyond it anyway.
constexpr double kSteepestSlope = 11.430052302761343;

/// One facet: (m.x, m.y)/m.z of its unit normal m. For a height field z = H(x, y) this is minus the gradient. x points along
/// growing u of the texture, y along growing v, both in the surface's own tangent frame.
struct Slope {
    float x = 0, y = 0;
};

/// Row by row from the bottom left, as Pixels. Periodic with period 1 in u and v.
struct SlopeMap {
    int width = 0, height = 0;
    std::vector<Slope> slopes;
    /// per texel, or empty for 1 everywhere; 0 where the facet faces backwards
    std::vector<float> weight;
    std::vector<float> salience;  ///< per texel factor on the ploughing resistance, or empty for 1 everywhere
};

/// A map on a surface, in the surface's own texture coordinates and tangent frame.
struct SlopeTexture {
    std::shared_ptr<const SlopeMap> map;  ///< null: smooth surface
    TileSize tile;
    Vec2 offset;  ///< added to the texture coordinates after the division by `tile`
    /// On a mesh whose file has several materials: one per part of the mesh, each with a map, instead of the three above.
    std::shared_ptr<const std::vector<SlopeTexture>> parts = nullptr;

    bool smooth() const { return !map && !parts; }
    const SlopeTexture& on_part(int part) const { return parts ? (*parts)[static_cast<std::size_t>(part)] : *this; }
};

}  // namespace asperity::surface
