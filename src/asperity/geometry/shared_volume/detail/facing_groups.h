// Which pairs of triangles that face each other make one patch; see overlap_facing.cpp.
//
// Pairs whose triangles hang together on B's surface are a spot. Most spots look one way, however bumpy they are: their
// normals, weighted by area, are their own. A spot in which directions more than 40 degrees apart are each a sheet, as where
// a box fills a groove, is as many.
//
// Spots with the same normal n are one planar patch, wherever they are: a force n f at p pushes along the same line as one
// at the foot of p in the patch's plane, and the patch presses anywhere within their outline. So the feet of a table are one
// patch, and so are the bumps that a bumpy face stands on. A spot whose normal is off by an angle t keeps its force to
// within sin t, and its torque to within the same part of f times its distance: spots farther apart than 20 degrees stay
// apart. That is within the angle of friction, atan 0.36, of most pairs, so that what a spot can hold its patch can hold.
#pragma once
#include <vector>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shared_volume/detail/directions.h"

namespace asperity::geometry::detail {

struct FacingPair {
    int t, s;        // the triangle of B among those that were moved, and that of A
    Vec3 direction;  // unit, from A to B, halfway between both normals
    double area;     // that they share as seen along it
    int spot;        // then the part of a spot, then the group
};

/// What looks one way.
struct FacingSpot {
    Vec3 sum;  // of area times direction
    double area = 0;
    int group = 0;
};

class FacingGroups {
  public:
    /// Sets `spot` of each pair. `triangle_of[pair.t]` is the triangle of `b`. Returns how many there are.
    int find_spots(const TriangleSet& b, const std::vector<int>& triangle_of, std::vector<FacingPair>& pairs);
    std::vector<FacingSpot>& spots() { return spots_; }
    /// Joins spots, and sets `spot` of each pair to its group. Returns how many there are, `most` at most.
    int join(int most, std::vector<FacingPair>& pairs);
    const Vec3& direction(int group) const { return directions_[static_cast<size_t>(group)]; }

  private:
    int root(int node) {
        while (parent_[static_cast<size_t>(node)] != node)
            node = parent_[static_cast<size_t>(node)] = parent_[static_cast<size_t>(parent_[static_cast<size_t>(node)])];
        return node;
    }
    std::vector<int> node_of_;            // per vertex of B: its node, or -1
    std::vector<int> vertices_, parent_;  // per node
    std::vector<int> spot_of_;            // per node
    std::vector<FacingSpot> spots_;
    std::vector<int> order_;
    std::vector<Vec3> sums_, directions_;  // per group
};

}  // namespace asperity::geometry::detail
