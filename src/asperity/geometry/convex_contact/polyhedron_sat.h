// Separating axes of two polyhedra: the best face of each, and the best pair of edges. Gottschalk, Lin, Manocha, "OBBTree",
// SIGGRAPH 1996 (15 axes of two boxes); Gregorius, "The Separating Axis Test between Convex Polyhedra", GDC 2013 (pairs of
// edges pruned on the Gauss map).
#pragma once
#include "asperity/geometry/convex_contact/convex.h"

namespace asperity::geometry {

struct FaceAxis {
    int face = -1;
    Vec3 normal;            ///< world, unit, outward from the face's own polyhedron
    double separation = 0;  ///< [m] how far the other polyhedron lies outside this face
};
struct EdgeAxis {
    int edge_a = -1, edge_b = -1;  ///< -1: all pairs are parallel or pruned
    Vec3 normal;                   ///< world, unit, from a to b
    double separation = 0;
};
struct PolyhedronAxes {
    FaceAxis face_a, face_b;
    EdgeAxis edge;
    double apart = 0;  ///< [m] lower bound of the distance of two boxes that some axis separates
};

// All return false as soon as some axis separates by more than the limit [m].

/// The face of `poly` from which the core of `other` is separated most.
bool best_face(const Convex& poly, const Convex& other, double limit, FaceAxis& out);
/// The pair of edges with the widest separation; a search over all pairs.
bool best_edges(const Convex& a, const Convex& b, double limit, EdgeAxis& out);
/// Faces and edges of two boxes, from half sizes alone. `offset`: the center of b relative to a. The axes of a box are the
/// columns of its rotation.
bool separating_axes_of_boxes(const Vec3& half_a, const Mat3& rotation_a, const Vec3& half_b, const Mat3& rotation_b,
                              const Vec3& offset, double margin, PolyhedronAxes& out);

}  // namespace asperity::geometry
