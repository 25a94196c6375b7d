// Reads a normal map from the words of the scene format, for commands that accept the same words.
#pragma once
#include <optional>
#include <string>

#include "asperity/surface/normal_map.h"

namespace asperity::scene {

struct DescribedMap {
    surface::SlopeMap slopes;
    /// heights of which the map was made, before `scale`; none for other sources
    std::optional<surface::HeightMap> heights;
    surface::TileSize tile;
    std::string remark;  ///< what the map could not meet of the words; empty: nothing
};

/// `words` is the path of a picture, or keys of the `normal_map` table: "sawtooth = [15, 60], period = 32". Paths start at
/// the working directory; numbers may be formulas. `what` names the words in messages. Throws InputError.
DescribedMap describe_normal_map(const std::string& words, const std::string& what);

/// One line: deviations, steepest slope, and the defects of the map, if any.
std::string report(const surface::SlopeMap& map);
/// The same with the remark.
std::string report(const DescribedMap& map);

}  // namespace asperity::scene
