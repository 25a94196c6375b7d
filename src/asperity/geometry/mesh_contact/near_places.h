// Where two meshes that move towards each other will meet: the nearest points of each piece of the one surface to the other.
#pragma once
#include "asperity/geometry/common/fixed_buffer.h"
#include "asperity/geometry/mesh/mesh.h"

namespace asperity::geometry {

/// The nearest points of two triangles that do not cut each other.
struct TriangleGap {
    Vec3 on_p, on_q;
    double distance_squared = 1e300;
};
/// Stays as it is where nothing is nearer than out.distance_squared.
void nearest_points(const Vec3 p[3], const Vec3 q[3], TriangleGap& out);

/// All in the axes of A.
struct NearPlace {
    Vec3 on_a, on_b;
    /// [m]; no other place of the piece is nearer by more than a fifth. Below `touching` it is known no better than that
    double gap;
    int piece;  ///< which part of B's surface: a node of its tree
};
using NearPlaces = FixedBuffer<NearPlace, 64>;

/// B's surface is taken in pieces of up to two fifths of its extent, so that a face that comes down on another has several
/// places, and each of two feet its own. Pieces that are farther away than `reach` have none. Allocates nothing.
void near_places(const TriangleSet& a, const TriangleSet& b, const Pose& b_in_a, double reach, double touching,
                 NearPlaces& out);
/// The nearest place of its piece, to rounding.
void refine(const TriangleSet& a, const TriangleSet& b, const Pose& b_in_a, NearPlace& place);

}  // namespace asperity::geometry
