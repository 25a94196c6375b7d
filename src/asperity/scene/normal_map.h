// Normal maps as scenes describe them, for commands that take the same words.
#pragma once
#include <optional>
#include <string>

#include "asperity/surface/normal_map.h"

namespace asperity::scene {

struct DescribedMap {
    surface::SlopeMap slopes;
    std::optional<surface::HeightMap> heights;  ///< where the map was made of them, before `scale`
    double tile = 1;                            ///< edge of one tile, as SlopeTexture::tile
};

/// `words` is a picture's path, or keys of the `normal_map` table: "sawtooth = [15, 60], period = 32". Paths count from the
/// working directory, numbers may be formulas. `what` stands for the words in messages. Throws InputError.
DescribedMap describe_normal_map(const std::string& words, const std::string& what);

/// One line: deviations, steepest slope, and what is wrong with the map if anything is.
std::string report(const surface::SlopeMap& map);

}  // namespace asperity::scene
