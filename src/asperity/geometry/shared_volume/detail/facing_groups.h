// Groups pairs of triangles that face each other into patches; see overlap_facing.cpp.
//
// A spot is a connected component of such pairs on B's surface. Most spots have one direction, however bumpy they are: the
// area-weighted mean of their normals. If directions more than 40 degrees apart each form a sheet, as where a box fills a
// groove, the spot is split.
//
// Spots with the same normal n form one planar patch, wherever they are. A force n f at p has the same line of action as one
// at the projection of p onto the patch's plane, and the patch may press anywhere within the outline of its spots. So the
// feet of a table form one patch, and so do the bumps that carry a bumpy face. If a spot's normal deviates by an angle t,
// its force is off by the fraction sin t, and its torque by the same part of f times its distance. Therefore spots more than
// 20 degrees apart stay separate. This angle is within the angle of friction, atan 0.36, of most pairs, so that the patch
// can hold what its spots can hold.
#pragma once
#include <vector>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shared_volume/detail/directions.h"

namespace asperity::geometry::detail {

struct FacingPair {
    int t, s;        // triangle of B (index into the moved ones) and triangle of A
    Vec3 direction;  // unit, from A to B, halfway between both normals
    double area;     // shared area as seen along `direction`
    int spot;        // spot; after split_components() the spot's cluster, after join() the group
};

/// A connected component of pairs with one direction.
struct FacingComponent {
    Vec3 sum;  // sum of area times direction
    double area = 0;
    int group = 0;
};

class FacingGroups {
  public:
    /// Sets `spot` of each pair. `triangle_of[pair.t]` is the triangle of `b`. Returns the number of spots.
    int find_components(const TriangleSet& b, const std::vector<int>& triangle_of, std::vector<FacingPair>& pairs);
    std::vector<FacingComponent>& spots() { return spots_; }
    /// Joins spots into at most `most` groups, and sets `spot` of each pair to its group. Returns the number of groups.
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
    std::vector<int> component_of_;       // per node
    std::vector<FacingComponent> spots_;
    std::vector<int> order_;
    std::vector<Vec3> sums_, directions_;  // per group
};

}  // namespace asperity::geometry::detail
