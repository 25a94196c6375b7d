// Pairs with a mesh. All fill candidates in the mesh's own axes; collide_mesh() places and reduces them. The feature tests:
//     vertex against face    the vertex lies over (or under) the face, as seen along its normal
//     face against vertex    the same with the roles exchanged
//     edge against edge      the common perpendicular lies between the normals of both edges' faces
// Edges between coplanar triangles and inner vertices of flat regions take no part: sliding bodies do not feel them.
#pragma once
#include "asperity/geometry/convex_contact/convex.h"
#include "asperity/geometry/convex_contact/manifold.h"
#include "asperity/geometry/mesh_contact/mesh_contacts.h"

namespace asperity::geometry {

/// The mesh against which a shape is tested, seen from that shape's side.
struct MeshSide {
    const TriangleSet& mesh;
    Vec3 viewer;        ///< about the middle of the other shape, mesh axes: decides the side of sheets
    double margin;      ///< [m] gaps up to this
    double depth;       ///< [m] deeper overlaps of points are somebody else's
    double edge_depth;  ///< [m] and of edges
    static constexpr double kUnknown = 1e300;  ///< where nobody said how the two move
    /// [m] how far points of the two may have come to each other within a step; what is deeper than that and than edges may
    /// be was deep before, or it is another face's
    double struck = kUnknown;
    std::span<const std::uint32_t> previous = {};  ///< features of the last step

    bool admits(double gap, std::uint32_t feature) const {
        return -gap <= larger(edge_depth, struck) || mesh.ground() || contains(previous, feature);
    }
    double snap() const { return 1e-7 * mesh.extent; }
    /// +1, or -1 where the viewer is behind a triangle of a sheet.
    double side(int triangle) const {
        if (mesh.solid()) return 1;
        const Vec3& n = mesh.face_normals[static_cast<size_t>(triangle)];
        return dot(n, viewer - mesh.corner(triangle, 0)) < 0 ? -1 : 1;
    }
};

/// An edge ready for the edge test: t1, t2 point from the edge into its faces, at right angles to it; `mean` points outward.
struct EdgeForm {
    Vec3 from, to;
    Vec3 t1, t2, mean;
};
/// False for edges that make no contact whoever looks at them: flat ones, and concave ones of a solid.
inline bool may_touch(const TriangleSet& mesh, const TriangleSet::Edge& edge) {
    return edge.kind != TriangleSet::EdgeKind::Flat && !(edge.kind == TriangleSet::EdgeKind::Concave && mesh.solid());
}
/// False for edges that are flat or concave as seen by the viewer.
bool edge_form(const MeshSide& side, int edge, EdgeForm& out);
EdgeForm edge_form(const Vec3& from, const Vec3& to, const Vec3& left_normal, const Vec3& right_normal);

struct EdgeMeeting {
    Vec3 normal;  ///< unit, from a to b
    Vec3 on_a, on_b;
    double gap;
};
bool edges_meet(const EdgeForm& a, const EdgeForm& b, double margin, double depth, EdgeMeeting& out);

/// False where two segments do not pass each other within `reach`: asked first, as most pairs of edges do not and their
/// forms cost more. The slack covers rounding; edges_meet() decides.
inline bool segments_pass(const Vec3& a_from, const Vec3& a_to, const Vec3& b_from, const Vec3& b_to, double reach) {
    constexpr double slack = 1e-6;
    const Vec3 u = a_to - a_from, v = b_to - b_from, w = b_from - a_from, x = cross(u, v);
    const double x2 = length_squared(x), distance = dot(x, w);  // the latter times |x|
    if (distance * distance > (1 + slack) * reach * reach * x2) return false;
    const double s = dot(cross(w, v), x), t = dot(cross(w, u), x);  // times x2
    return s >= -slack * x2 && s <= (1 + slack) * x2 && t >= -slack * x2 && t <= (1 + slack) * x2;
}

/// A point p with a ball of `radius` around it against one triangle: true when it lies over or under it, within the margin.
/// The feature is left to the caller.
bool point_over_triangle(const MeshSide& side, int triangle, const Vec3& p, double radius, MeshCandidate& out);
inline void point_against_triangle(const MeshSide& side, int triangle, const Vec3& p, double radius, Meeting kind, int id,
                                   MeshCandidates& out) {
    MeshCandidate c;
    if (!point_over_triangle(side, triangle, p, radius, c)) return;
    c.feature = meeting_id(kind, side.mesh.region[static_cast<size_t>(triangle)], id);
    // a ball whose centre is outside is not deep, however large it is
    if (side.admits(c.gap + radius, c.feature)) out.add(c);
}
/// Whether the unit direction d, out of the mesh at a vertex, leads away from all edges there: then the vertex is the
/// nearest point.
bool in_vertex_cone(const TriangleSet& mesh, int vertex, const Vec3& d);
/// The point p with a ball around it against the edges and vertices that `triangle` looks after. With radius 0 this is what
/// keeps corners apart that meet no face: vertex against edge, vertex against vertex.
void point_against_rims(const MeshSide& side, int triangle, const Vec3& p, double radius, int id, MeshCandidates& out);
/// Whether an overlap of this depth at p (mesh axes) is the way out, and not the far side of something thin or the wrong
/// face of an edge. `corner`: p is a corner of a body, which may lie nearer to a face that the body is mostly behind.
bool plausible_overlap(const MeshSide& side, const Vec3& p, double depth, double share, bool corner = false);

/// An edge under another one may lie near a face that joins there, but not on it: then the way out is another one.
constexpr double kEdgeShare = 5e-3;
/// How deep edges may be under one another: where vertices are inside, about as deep as those and what a fast body has come
/// in a step; otherwise all that is allowed. In something thin, such as an ear, the edges of the far side would pass for
/// contacts.
double edge_depth(const MeshSide& side, const MeshCandidates& found);

void mesh_against_sphere(const MeshSide& side, const Vec3& center, double radius, MeshCandidates& out);
void mesh_against_capsule(const MeshSide& side, const Vec3 ends[2], double radius, MeshCandidates& out);
/// `pose` takes the other shape's axes to the mesh's; a polyhedron is given in mesh axes.
void mesh_against_cylinder(const MeshSide& side, const Shape& cylinder, const Pose& pose, MeshCandidates& out);
void mesh_against_polyhedron(const MeshSide& side, const Convex& polyhedron, MeshCandidates& out);
/// The convex edges of the mesh that lie in a box, hull or cylinder by more than `depth`; out of it by the nearest side that
/// leads out of the mesh, unless that is far.
void deep_edges_in(const MeshSide& side, const Shape& shape, const Pose& pose, double depth, MeshCandidates& out);
void mesh_against_half_space(const MeshSide& side, const Pose& pose, MeshCandidates& out);
/// `other_side` sees the other mesh from this one, in the other's axes.
void mesh_against_mesh(const MeshSide& side, const MeshSide& other_side, const Pose& pose, MeshCandidates& out);

}  // namespace asperity::geometry
