// Texture coordinates as whole numbers: 2^32 a tile, so that whole tiles drop out by themselves, and texels and the places
// between them follow from integer products. Processors and graphics cards find the same texel from the same word, always.
#pragma once
#include <cmath>
#include <cstdint>

#include "asperity/math/int_lanes.h"

namespace asperity::surface {

inline std::uint32_t texture_word(double tiles) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(4294967296.0 * (tiles - std::floor(tiles)) + 0.5));
}

constexpr int kMostTexels = 0xffff;  // along an edge: products below stay within 32 bits
/// Which of `count` texels along a tile the word falls on: floor(word count / 2^32).
template <class Words>  // std::uint32_t or LaneWords
[[gnu::always_inline]] inline Words texel_of(Words word, Words count) {
    return ((word >> 16) * count + (((word & 0xffffU) * count) >> 16)) >> 16;
}

/// Eight places on a texture; those whose bit of `which` is set.
struct TexturePlaces {
    LaneWords u{}, v{};
    unsigned which = 0;
};

}  // namespace asperity::surface
