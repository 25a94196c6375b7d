// The region shared by two bars with flat ends, for four slices at a time. Both are rectangles, and only their widths differ
// between slices. Each side of one rectangle is a line clipped by the other.
#pragma once
#include "asperity/geometry/shared_volume/detail/bars.h"

namespace asperity::geometry::detail {

/// `a` and `b` without their widths. Sums are about `origin`, a point near the shared region.
class FlatBars {
  public:
    FlatBars(const Bar& a, const Bar& b, Vec2 origin) : a_(a), b_(b), origin_(origin) {}
    /// Adds four slices at the heights z with the weights dz, where the bars have the half widths w_a and w_b. `tilt` is as
    /// in RoundPairSums::add_slice. Stores the outline's points of the slices whose bits are set in `keep`.
    void add(const Four& z, const Four& dz, const Four& w_a, const Four& w_b, const Four& tilt, int keep,
             KeptList<Vec3>& points);
    void add_to(RoundPairSums& sums) const;

  private:
    struct Slice;
    template <bool OfB>
    void add_sides(const Bar& bar, const Four& w, const Bar& other, const Four& w_other, const Four& z, int keep,
                   KeptList<Vec3>& points, Slice& slice) const;

    Bar a_, b_;
    Vec2 origin_;
    Four volume_{}, x_{}, y_{}, z_{}, xx_{}, yy_{}, zz_{}, yz_{}, zx_{}, xy_{};
    Four nx_{}, ny_{}, nz_{}, tx_{}, ty_{}, tz_{};
};

}  // namespace asperity::geometry::detail
