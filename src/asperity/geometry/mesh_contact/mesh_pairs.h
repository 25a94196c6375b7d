// Narrow phase of pairs with a mesh. Each function fills candidates in the mesh's axes; collide_mesh() reduces them. Feature
// tests:
//     vertex against face    the vertex lies over (or under) the face, as seen along its normal
//     face against vertex    the same with the roles exchanged
//     edge against edge      the common perpendicular lies between the normals of both edges' faces
// Edges between coplanar triangles and inner vertices of flat regions take no part: sliding bodies do not feel them.
#pragma once
#include "asperity/geometry/convex_contact/convex.h"
#include "asperity/geometry/convex_contact/manifold.h"
#include "asperity/geometry/mesh_contact/mesh_contacts.h"

namespace asperity::geometry {

/// [-] Cosine by which a direction may lean beyond the face normals of an edge, or towards an edge at a vertex, and still
/// count as between the normals, or as leading away.
constexpr double kConeTolerance = 1e-3;

/// The mesh that a shape is tested against, as seen from that shape.
struct MeshSide {
    const TriangleSet& mesh;
    Vec3 viewer;        ///< about the middle of the other shape, mesh axes: decides the side of sheets
    double margin;      ///< [m] largest gap of a candidate
    double depth;       ///< [m] largest depth of a vertex under a face; a deeper one belongs to another face
    double edge_depth;  ///< [m] largest depth of an edge
    static constexpr double kUnknownApproach = 1e300;  ///< value of `max_approach` where the motion is unknown
    /// [m] how far points of the two bodies may have approached within a step. A vertex deeper than this and edge_depth was
    /// deep in the last step, or belongs to another face
    double max_approach = kUnknownApproach;
    std::span<const std::uint32_t> previous = {};  ///< feature ids of the last step

    bool admits(double gap, std::uint32_t feature) const {
        return -gap <= larger(edge_depth, max_approach) || mesh.ground() || contains(previous, feature);
    }
    double snap() const { return 1e-7 * mesh.extent; }
    /// -1 where the viewer is behind a triangle of a sheet, else +1.
    double side(int triangle) const {
        if (mesh.solid()) return 1;
        const Vec3& n = mesh.face_normals[static_cast<size_t>(triangle)];
        return dot(n, viewer - mesh.corner(triangle, 0)) < 0 ? -1 : 1;
    }
};

/// An edge prepared for the edge test. t1 and t2 point from the edge into its faces, at right angles to it; `mean` points
/// outward.
struct EdgeForm {
    Vec3 from, to;
    Vec3 t1, t2, mean;
};
/// False for edges that make no contact from any side: flat ones, and concave ones of a solid.
inline bool may_touch(const TriangleSet& mesh, const TriangleSet::Edge& edge) {
    return edge.kind != TriangleSet::EdgeKind::Flat && !(edge.kind == TriangleSet::EdgeKind::Concave && mesh.solid());
}
/// False for an edge that is flat or concave as seen by the viewer, or whose two faces it sees from different sides.
bool edge_form(const MeshSide& side, int edge, EdgeForm& out);
EdgeForm edge_form(const Vec3& from, const Vec3& to, const Vec3& left_normal, const Vec3& right_normal);

struct EdgeContact {
    Vec3 normal;  ///< unit, from a to b
    Vec3 on_a, on_b;
    double gap;
};
bool find_edge_contact(const EdgeForm& a, const EdgeForm& b, double margin, double depth, EdgeContact& out);

/// Quick rejection: false where two segments do not pass each other within `reach`. Most pairs of edges do not, and
/// edge_form() costs more. The slack covers rounding; find_edge_contact() decides.
inline bool segments_pass(const Vec3& a_from, const Vec3& a_to, const Vec3& b_from, const Vec3& b_to, double reach) {
    constexpr double slack = 1e-6;
    const Vec3 u = a_to - a_from, v = b_to - b_from, w = b_from - a_from, x = cross(u, v);
    const double x2 = length_squared(x), distance = dot(x, w);  // distance times |x|
    if (distance * distance > (1 + slack) * reach * reach * x2) return false;
    const double s = dot(cross(w, v), x), t = dot(cross(w, u), x);  // s and t times x2
    return s >= -slack * x2 && s <= (1 + slack) * x2 && t >= -slack * x2 && t <= (1 + slack) * x2;
}

/// A ball of `radius` about p against one triangle: true when p lies over or under it, within margin and depth. The caller
/// sets the feature.
bool point_over_triangle(const MeshSide& side, int triangle, const Vec3& p, double radius, MeshCandidate& out);
inline void point_against_triangle(const MeshSide& side, int triangle, const Vec3& p, double radius, FeaturePair kind,
                                   int id, MeshCandidates& out) {
    MeshCandidate c;
    if (!point_over_triangle(side, triangle, p, radius, c)) return;
    c.feature = feature_pair_id(kind, side.mesh.region[static_cast<size_t>(triangle)], id);
    // by the depth of the centre: a ball whose centre is outside is not deep, however large it is
    if (side.admits(c.gap + radius, c.feature)) out.add(c);
}
/// Whether the unit direction d, from a vertex outwards, leads away from all edges there: then the vertex is the nearest
/// point.
bool in_vertex_cone(const TriangleSet& mesh, int vertex, const Vec3& d);
/// A ball of `radius` about p against the edges and vertices that `triangle` owns. With radius 0 it separates vertices that
/// are over no face: vertex against edge, vertex against vertex.
void point_against_rims(const MeshSide& side, int triangle, const Vec3& p, double radius, int id, MeshCandidates& out);
/// Whether an overlap of this depth at p (mesh axes) gives the exit direction, and not the far side of something thin or the
/// wrong face of an edge. `share` [-]: the nearest surface must be at least this fraction of the depth away. `corner`: p is
/// a vertex of a body, which may lie nearer to a face that the body is mostly behind.
bool plausible_overlap(const MeshSide& side, const Vec3& p, double depth, double share, bool corner = false);

/// [-] `share` for edges. A crossing nearer than this to a joining face lies on that face and must leave by it. Below: at
/// 1e-3, an edge 60 um inside the side of a block and 16 mm below its rim is pushed up by 16 mm.
constexpr double kMinEdgeDistanceRatio = 5e-3;
/// [m] Largest depth of crossing edges. If vertices are inside: about twice their depth plus what a fast body approaches
/// within a step; otherwise side.edge_depth. Without this bound, edges on the far side of something thin, such as an ear,
/// pass for contacts.
double edge_depth(const MeshSide& side, const MeshCandidates& found);

void mesh_against_sphere(const MeshSide& side, const Vec3& center, double radius, MeshCandidates& out);
void mesh_against_capsule(const MeshSide& side, const Vec3 ends[2], double radius, MeshCandidates& out);
/// `pose` maps the other shape's axes to the mesh's; a polyhedron is given in mesh axes.
void mesh_against_cylinder(const MeshSide& side, const Shape& cylinder, const Pose& pose, MeshCandidates& out);
void mesh_against_polyhedron(const MeshSide& side, const Convex& polyhedron, MeshCandidates& out);
/// Candidates from edges of the mesh deeper than `depth` in a box, hull or cylinder. Each leaves by the nearest face of the
/// shape that leads out of the mesh, unless that face is far.
void deep_edges_in(const MeshSide& side, const Shape& shape, const Pose& pose, double depth, MeshCandidates& out);
void mesh_against_half_space(const MeshSide& side, const Pose& pose, MeshCandidates& out);
/// `other_side`: the other mesh as seen from this one, in the other's axes.
void mesh_against_mesh(const MeshSide& side, const MeshSide& other_side, const Pose& pose, MeshCandidates& out);

}  // namespace asperity::geometry
