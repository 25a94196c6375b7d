// A convex polyhedron whose planes all move outwards by the same offset: positions of its vertices. The planes of more than
// three faces at a vertex then no longer share a point. Such a vertex splits into corners of three faces each, joined by
// short edges. The split does not depend on the offset, as long as no edge reverses.
#pragma once
#include <vector>

#include "asperity/geometry/convex_contact/convex.h"

namespace asperity::geometry::detail {

struct OffsetPolyhedron {
    struct Corner {
        Vec3 way;    // displacement per unit offset: with offset s the corner is at vertex + s way
        int vertex;  // of the polyhedron
    };
    struct Edge {
        int from, to;                // corners at its ends
        int left, right;             // faces; the loop of `left` runs from -> to
        int from_vertex, to_vertex;  // of the polyhedron
    };
    std::vector<Corner> corners;
    std::vector<int> first_corner;  // per vertex, and one more: the corners of a vertex are consecutive
    std::vector<Edge> edges;        // the edges of the polyhedron
    struct Neighbour {
        int edge, to;  // edge index; vertex at its other end
    };
    std::vector<Neighbour> neighbours;  // grouped by vertex
    std::vector<int> first_neighbour;   // per vertex, and one more
    std::vector<Edge> short_edges;      // between the corners of one vertex
    std::vector<int> first_short;       // per vertex, and one more
    Vec3 middle;                        // mean of the vertices
    double longest_way = 0;
    double limit = -1;  // [m] no edge reverses at a smaller offset; negative: do not use this form
    double reach = 0;   // [m] largest sum of absolute coordinates, for rounding bounds
    double uneven = 0;  // [m] largest distance of a vertex from the plane of its face

    void set(const PolyhedronView& polyhedron);

  private:
    /// Splits the vertex that `half` leaves. `corner_of_half` receives the corner that each half-edge leaves.
    bool split(const PolyhedronView& polyhedron, int half, std::vector<int>& corner_of_half);
};

}  // namespace asperity::geometry::detail
