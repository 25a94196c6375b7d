// Texture coordinates as integers, 2^32 a tile. Whole tiles vanish by overflow, and texel indices and interpolation weights
// follow from integer products. A CPU and a graphics card therefore find the same texel from the same word.
#pragma once
#include <cmath>
#include <cstdint>

#include "asperity/math/int_lanes.h"

namespace asperity::surface {

inline std::uint32_t texture_word(double tiles) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(4294967296.0 * (tiles - std::floor(tiles)) + 0.5));
}

constexpr int kMostTexels = 0xffff;  // along an edge: keeps the products below within 32 bits
/// Index of the texel that contains the coordinate, of `count` texels along a tile: floor(word count / 2^32).
template <class Words>  // std::uint32_t or LaneWords
[[gnu::always_inline]] inline Words texel_of(Words word, Words count) {
    return ((word >> 16) * count + (((word & 0xffffU) * count) >> 16)) >> 16;
}

/// Eight texture coordinates. Only lanes whose bit of `which` is set are used.
struct TextureLanes {
    LaneWords u{}, v{};
    unsigned which = 0;
};

}  // namespace asperity::surface
