// The patch under a contact that ploughs, for people: which of its points lie on both surfaces, and the slopes there.
#pragma once
#include <string>
#include <vector>

#include "asperity/surface/patch_sampler.h"

namespace asperity::record {

struct PatchPoint {
    bool covered = false;   ///< by both surfaces: only then it counts
    Vec2 slope_a, slope_b;  ///< along t and n x t, each against its own surface
};
/// The points that rays look at, row by row from the corner at -t and -(n x t). Facets weighted by true area have slopes of
/// the same direction.
std::vector<PatchPoint> points_of(const surface::PatchRequest& patch, int resolution);

/// Two squares, for A and for B, in the colours of a normal map seen along t and n x t (up); points that do not count are
/// empty.
std::string svg_patch(const surface::PatchRequest& patch, int resolution, const std::string& title,
                      const std::string& name_a, const std::string& name_b);

}  // namespace asperity::record
