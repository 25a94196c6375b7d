// Supporting feature: the part of a shape's surface that faces a contact. A point, a segment, a polygon or a disc, with ids
// that stay the same from step to step. contact_points() intersects two of them as seen along the normal.
#pragma once
#include <cstdint>

#include "asperity/geometry/common/fixed_buffer.h"
#include "asperity/geometry/convex_contact/convex.h"

namespace asperity::geometry {

/// Faces with more vertices are replaced by the polygon through every k-th vertex.
constexpr int face_corner_limit = 64;

struct Feature {
    enum class Kind { Point, Segment, Polygon, Disc };
    struct Corner {
        Vec3 p;
        std::uint32_t code;  ///< of the vertex
        std::uint32_t side;  ///< of the side from this vertex to the next
    };
    Kind kind = Kind::Point;
    FixedBuffer<Corner, face_corner_limit> corners;  ///< point 1, segment 2, polygon 3..64; none for a disc
    Vec3 normal;                                     ///< outward; polygon and disc
    Vec3 center, spoke_x, spoke_y;                   ///< disc: unit spokes fixed in the body
    double radius = 0;                               ///< disc
    std::uint32_t code = 0;                          ///< disc: which cap
};

/// One contact candidate. `feature` = axis tag (12 bits) | point code (20 bits).
struct Candidate {
    Vec3 on_a, on_b;
    double gap;
    std::uint32_t feature;
};
using Candidates = FixedBuffer<Candidate, 192>;

/// Origin of the normal. It is part of every point's id, so that the next step can prefer the same choice.
enum class AxisKind : std::uint32_t { Nearest = 0, FaceOfA = 1, FaceOfB = 2, Edges = 3 };
constexpr std::uint32_t axis_tag(AxisKind kind, int face) {
    return static_cast<std::uint32_t>(kind) << 30 | (static_cast<std::uint32_t>(face) & 0x3ffu) << 20;
}
constexpr std::uint32_t axis_tag_mask = 0xfff00000u;

/// Kind of a point on its feature: 3 bits of the code; 17 more tell which one.
enum class PointKind : std::uint32_t { Vertex, ReferenceCorner, EdgeAndSide, End, Rim, RimAndSide, CornerInDisc, Crossing };
constexpr std::uint32_t point_code(PointKind place, std::uint32_t which) {
    return static_cast<std::uint32_t>(place) << 17 | (which & 0x1ffffu);
}
/// Id of the edge between two vertices, the same from both its faces; 11 bits.
constexpr std::uint32_t side_code(int p, int q) {
    return static_cast<std::uint32_t>((p < q ? p * 61 + q : q * 61 + p) & 0x7ff);
}

constexpr std::uint32_t reference_side = 0x800;  ///< marks sides made by clipping; bit above the 11 of side_code
/// Code of the point where a side of the clipped polygon meets a side plane of the reference.
constexpr std::uint32_t cut_code(std::uint32_t side, int plane) {
    const auto s = static_cast<std::uint32_t>(plane);
    if (!(side & reference_side)) return point_code(PointKind::EdgeAndSide, side << 6 | s);
    const std::uint32_t other = side & 63u;  // two planes of the reference meet: one of its own vertices
    return point_code(PointKind::ReferenceCorner, (s < other ? s : other) << 6 | (s < other ? other : s));
}

void face_feature(const Convex& poly, int face, Feature& out);
void edge_feature(const Convex& poly, int edge, Feature& out);
/// The feature that faces the direction d (world, outward). Round shapes: on the surface, not the core. Polyhedra: the face
/// within `angle` [rad] of d, else an edge within `angle` of a right angle to d, else a vertex. Cylinders: the cap, a line
/// of the mantle or a rim point by the same rule. From pi/2 on it is always a face, and the nearer of cap and line.
void facing_feature(const Convex& shape, const Vec3& d, double angle, Feature& out);

/// Tolerances and roles in contact_points().
struct ClipRules {
    double snap;       ///< [m] a vertex this near to a side plane is on it, so that rounding does not change ids
    double margin;     ///< [m] points with a larger gap are left out
    bool reference_a;  ///< two polygons: b is clipped against a, else a against b; equal discs: whose rim is used
};
/// The extreme points of the overlap of a and b as seen along n (unit, from a to b); none if they do not overlap in that
/// view. `tag` comes from axis_tag().
void contact_points(const Feature& a, const Feature& b, const Vec3& n, const ClipRules& rules, std::uint32_t tag,
                    Candidates& out);
/// As contact_points(), where b is the plane through `point` with outward normal -n.
void plane_points(const Feature& a, const Vec3& point, const Vec3& n, double margin, std::uint32_t tag, Candidates& out);

}  // namespace asperity::geometry
