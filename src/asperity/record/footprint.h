// Output of the footprint under a ploughing contact: which of its points lie on both surfaces, and their slopes there.
#pragma once
#include <string>
#include <vector>

#include "asperity/surface/footprint_sampler.h"

namespace asperity::record {

struct FootprintPoint {
    bool covered = false;   ///< the point lies on both surfaces; only then it counts
    Vec2 slope_a, slope_b;  ///< along t and n x t, each relative to its own surface
};
/// The ray sampling points, row by row from the corner at -t and -(n x t). With facets weighted by true area, the slopes
/// keep their direction but not their size.
std::vector<FootprintPoint> footprint_points(const surface::FootprintRequest& patch, int resolution);

/// Two squares, for A and for B, in normal map colours, with t to the right and n x t up. Points not on both surfaces are
/// empty.
std::string svg_footprint(const surface::FootprintRequest& patch, int resolution, const std::string& title,
                          const std::string& name_a, const std::string& name_b);

}  // namespace asperity::record
