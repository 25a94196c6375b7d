// Exact tests of the surfaces of bodies: edges that cross faces (3D) or edges (2D), and bodies that lie wholly inside
// others.
//
// Touching counts as crossing. An edge and a face that share one vertex always touch there; the pair counts if they have
// another point in common, which is possible only in the plane of the face: a surface folded flat onto itself. An edge of
// the face itself never counts, nor do two edges with the same two ends. In three dimensions edges against faces find all
// crossings of surfaces: where two triangles meet, an edge of one meets the other.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "asperity/math/matrix.h"
#include "asperity/math/vec.h"

namespace asperity::ccd {

template <int Dim>
struct SurfaceView {
    std::span<const int> body;                  ///< per vertex
    std::span<const std::array<int, 2>> edges;  ///< 2D: the surface; 3D: the edges of the faces
    std::span<const std::array<int, 3>> faces;  ///< 3D; empty in 2D
    std::span<const char> collide;              ///< [a * body_count + b]; a == b: with itself; empty: all pairs do
    int body_count = 0;

    int body_of(int vertex) const { return body[static_cast<std::size_t>(vertex)]; }
    bool may_collide(int a, int b) const {
        return collide.empty() ||
               collide[static_cast<std::size_t>(a) * static_cast<std::size_t>(body_count) + static_cast<std::size_t>(b)];
    }
};

struct Intersection {
    bool found = false;
    int body_a = -1, body_b = -1;
    Vec3 where;                                          ///< rounded, unlike the test
    std::array<int, 5> vertices = {-1, -1, -1, -1, -1};  ///< an edge, then a face (3D) or another edge (2D)
};

/// The crossing whose edge has the lowest index; of several on this edge the one with the lowest face or second edge.
template <int Dim>
Intersection first_intersection(const SurfaceView<Dim>& view, std::span<const Vector<Dim>> x);
/// The first `most` crossings in the same order.
template <int Dim>
std::vector<Intersection> intersections(const SurfaceView<Dim>& view, std::span<const Vector<Dim>> x, int most);

struct Containment {
    bool found = false;
    int body = -1, container = -1;
    int vertex = -1;  ///< of the body
    Vec3 where;       ///< of the vertex
};

/// Whether a point is inside the surface of a body: the surface winds round it or, where the orientation of the faces
/// differs, a ray crosses it an odd number of times. False if the surface is open: some side belongs to an odd number of
/// faces (2D: some end to an odd number of edges). A point on the surface may count either way.
template <int Dim>
bool inside(const Vector<Dim>& point, const SurfaceView<Dim>& view, std::span<const Vector<Dim>> x, int body);

/// The first vertex, one for each connected part of the edges, that is inside the closed surface of another body that its
/// body collides with. Without crossings this finds all parts that lie inside other bodies. Vertices without an edge are
/// skipped.
template <int Dim>
Containment first_containment(const SurfaceView<Dim>& view, std::span<const Vector<Dim>> x);

}  // namespace asperity::ccd
