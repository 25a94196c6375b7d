// Finds a contact of two boxes at new poses from its feature id alone, without a search.
#pragma once
#include <cstdint>

#include "asperity/geometry/convex_contact/placed_box.h"

namespace asperity::geometry {

class BoxFeatures {
  public:
    enum class Outcome {
        Meet,     ///< in contact at the point given
        Part,     ///< the features no longer face each other: a vertex has left the face, two edges pass each other
        Unknown,  ///< the id does not name the features (nearest points, parallel edges): only a search can tell
    };
    struct LocatedContact {
        Vec3 normal;  ///< world, unit, from a to b
        Vec3 point;   ///< world, halfway between the two surfaces
    };
    BoxFeatures(const Box& a, const Pose& pose_a, const Box& b, const Pose& pose_b);

    /// `feature` is the id of a point of collide() for the same two boxes, in the same order, at poses near these; `normal`
    /// is the normal there. Finds the point of collide() as long as collide() chooses the same features.
    Outcome locate(std::uint32_t feature, const Vec3& normal, LocatedContact& out) const;

  private:
    Outcome cross_edges(int edge_a, int edge_b, LocatedContact& out) const;
    Outcome on_face(const PlacedBox& box, int face, const PlacedBox& other, const Vec3& view, std::uint32_t code,
                    Vec3& middle) const;

    Vec3 origin_;
    PlacedBox a_, b_;
    double slack_;  // [m] a vertex that has left a face by less is still on it
};

}  // namespace asperity::geometry
