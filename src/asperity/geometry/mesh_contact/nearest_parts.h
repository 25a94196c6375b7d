// Where two approaching meshes will touch: for each part of one surface, the nearest points of it and of the other mesh.
#pragma once
#include "asperity/geometry/common/fixed_buffer.h"
#include "asperity/geometry/mesh/mesh.h"

namespace asperity::geometry {

/// The nearest points of two triangles that do not intersect.
struct TriangleGap {
    Vec3 on_p, on_q;
    double distance_squared = 1e300;
};
/// Leaves `out` unchanged where nothing is nearer than out.distance_squared.
void nearest_points(const Vec3 p[3], const Vec3 q[3], TriangleGap& out);

/// Nearest points of A and of one part of B's surface, in the axes of A.
struct NearestPart {
    Vec3 on_a, on_b;
    /// [m]; no other point of the part is nearer by more than a fifth. Below `touching` the search stops: the gap is known
    /// no better than that
    double gap;
    int piece;  ///< the part of B's surface: a node of its tree
};
using NearestParts = FixedBuffer<NearestPart, 64>;

/// Splits B's surface into parts of at most 0.4 of its extent. So a face that lands on another has several pairs of points,
/// and each of two feet has its own. Parts farther away than `reach` have none. Allocates nothing.
void near_places(const TriangleSet& a, const TriangleSet& b, const Pose& b_in_a, double reach, double touching,
                 NearestParts& out);
/// The nearest points of the same part, exact to rounding.
void refine(const TriangleSet& a, const TriangleSet& b, const Pose& b_in_a, NearestPart& place);

}  // namespace asperity::geometry
