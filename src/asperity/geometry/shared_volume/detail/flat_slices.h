// Two cylinders in slices parallel to both axes: the part of overlap_slices() for bodies without round ends.
#pragma once
#include "asperity/geometry/shared_volume/detail/flat_bars.h"

namespace asperity::geometry::detail {

struct FlatSlices {
    Bar bar_a, bar_b;  // their widths are not used
    double radius_a, radius_b;
    double z_a, z_b;                // heights of the axes
    double low, high;               // range of slices that share something
    double lower_pole, upper_pole;  // heights where the later body begins and where the earlier one ends

    /// Adds to the sums, about a point that is returned.
    Vec2 add_to(RoundPairSums& sums, double shrink_a) const;
};

}  // namespace asperity::geometry::detail
