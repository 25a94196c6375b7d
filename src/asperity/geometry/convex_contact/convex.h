// The working form of a bounded shape in the narrow phase: in world axes, about an origin near both shapes, so that worlds
// far from zero lose no digits. Spheres and capsules are a core (point, segment) with a radius around it.
#pragma once
#include "asperity/geometry/shape/shape.h"

namespace asperity::geometry {

/// A polyhedron in its own axes, without ownership. The same form for boxes and hulls.
struct PolyhedronView {
    const Vec3* vertices = nullptr;
    const Polyhedron::Face* faces = nullptr;
    const int* loop = nullptr;
    const Polyhedron::Edge* edges = nullptr;
    int vertex_count = 0, face_count = 0, edge_count = 0;
    const Polyhedron::Half* halves = nullptr;
    const int* leaving = nullptr;
    const detail::FaceTable* table = nullptr;  ///< hulls only
};

PolyhedronView view(const Polyhedron& polyhedron);

/// Vertex i of a box has sign + along axis k if bit k of i is set. Faces +x -x +y -y +z -z have four vertices each,
/// counter-clockwise from outside. Edge 4 k + i runs along axis k from the i-th vertex whose bit k is not set.
inline constexpr int box_loop[24] = {1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3, 0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1};
const Polyhedron::Edge& box_edge(int edge);

struct Convex {
    enum class Kind { Point, Segment, Cylinder, Polyhedron };

    Kind kind = Kind::Point;
    Mat3 rotation;           ///< shape axes to world axes
    Vec3 center;             ///< of the shape's frame, relative to the shared origin
    Vec3 middle;             ///< some inner point, relative to the shared origin
    double round = 0;        ///< radius around the core: sphere, capsule; else 0
    double radius = 0;       ///< of a cylinder
    double half_length = 0;  ///< capsule, cylinder
    PolyhedronView poly;
    double thickness = 0;  ///< about the smallest half extent: scale of "equally deep"
    double extent = 0;     ///< about the largest half extent: scale of "at the same point"

    /// `shape` must outlive this object and must not be a half-space. `origin` is the shared origin.
    Convex(const Shape& shape, const Pose& pose, const Vec3& origin);
    Convex(const Convex&) = delete;  // poly may point into this
    Convex& operator=(const Convex&) = delete;

    Vec3 axis() const { return rotation.column(2); }
    Vec3 to_world(const Vec3& local) const { return center + rotation * local; }
    Vec3 direction_to_local(const Vec3& d) const {
        return {dot(rotation.column(0), d), dot(rotation.column(1), d), dot(rotation.column(2), d)};
    }
    Vec3 vertex(int i) const { return to_world(poly.vertices[i]); }
    Vec3 face_normal(int f) const { return rotation * poly.faces[f].normal; }
    /// Farthest point of the core along d; world axes.
    Vec3 support(const Vec3& d) const;
    /// The index of the farthest vertex along d. Polyhedra only.
    int support_vertex(const Vec3& d) const;
    /// The face whose outward normal is nearest to d. Polyhedra only.
    int nearest_face(const Vec3& d) const;

  private:
    void set_box(const Vec3& half);
    Vec3 box_vertices_[8];
    Polyhedron::Face box_faces_[6];
};

/// Separation of the cores along the unit direction n from a to b; negative when they overlap along n.
inline double separation_along(const Convex& a, const Convex& b, const Vec3& n) {
    return dot(n, b.support(-n) - a.support(n));
}

}  // namespace asperity::geometry
