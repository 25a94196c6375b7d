// Where features of two boxes that are known to touch meet when the boxes are elsewhere: a contact by its id alone, without
// a search.
#pragma once
#include <cstdint>

#include "asperity/geometry/convex_contact/placed_box.h"

namespace asperity::geometry {

class BoxFeatures {
  public:
    enum class Outcome {
        Meet,     ///< at the place given
        Part,     ///< they no longer lie across each other: a corner has left the face, two edges pass each other
        Unknown,  ///< the id does not say what touches (nearest points, parallel edges): only a search can tell
    };
    struct Spot {
        Vec3 normal;  ///< world, unit, from a to b
        Vec3 point;   ///< world, halfway between the two surfaces
    };
    BoxFeatures(const Box& a, const Pose& pose_a, const Box& b, const Pose& pose_b);

    /// `feature` is that of a point of collide() for the same two boxes, in the same order, at poses not far from these;
    /// `normal` the normal it had there. The place is what collide() finds, as long as it chooses the same features.
    Outcome locate(std::uint32_t feature, const Vec3& normal, Spot& out) const;

  private:
    Outcome cross_edges(int edge_a, int edge_b, Spot& out) const;
    Outcome on_face(const PlacedBox& box, int face, const PlacedBox& other, const Vec3& view, std::uint32_t code,
                    Vec3& middle) const;

    Vec3 origin_;
    PlacedBox a_, b_;
    double slack_;  // [m] by which a corner may have left a face and still be on it
};

}  // namespace asperity::geometry
