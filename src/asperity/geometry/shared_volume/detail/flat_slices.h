// Two cylinders in slices along both axes; what overlap_slices() does where no end is round.
#pragma once
#include "asperity/geometry/shared_volume/detail/flat_bars.h"

namespace asperity::geometry::detail {

struct FlatSlices {
    Bar bar_a, bar_b;  // their widths are not used
    double radius_a, radius_b;
    double z_a, z_b;                // of the axes
    double low, high;               // between these they share something
    double lower_pole, upper_pole;  // where one of both begins and where one ends

    /// Adds to the sums, about a place that is returned.
    Vec2 add_to(RoundPairSums& sums, double shrink_a) const;
};

}  // namespace asperity::geometry::detail
