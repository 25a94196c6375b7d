// A convex polyhedron whose planes all move outwards by the same way: where its corners go. A corner where more than three
// faces meet falls apart, for their planes no longer share a point, into corners of three, with short edges between them;
// which ones does not depend on how far the planes move, as long as no edge turns over.
#pragma once
#include <vector>

#include "asperity/geometry/convex_contact/convex.h"

namespace asperity::geometry::detail {

struct GrownForm {
    struct Corner {
        Vec3 way;    // with the planes s farther out it is at vertex + s way
        int vertex;  // of the polyhedron
    };
    struct Edge {
        int from, to;                // corners
        int left, right;             // faces; the loop of `left` runs from -> to
        int from_vertex, to_vertex;  // of the polyhedron
    };
    std::vector<Corner> corners;
    std::vector<int> first_corner;  // per vertex, and one more: its corners follow one another
    std::vector<Edge> edges;        // those of the polyhedron
    struct Neighbour {
        int edge, to;  // vertex
    };
    std::vector<Neighbour> neighbours;  // of each vertex
    std::vector<int> first_neighbour;   // per vertex, and one more
    std::vector<Edge> short_edges;      // those between corners of one vertex
    std::vector<int> first_short;       // per vertex, and one more
    Vec3 middle;                        // mean of the vertices
    double longest_way = 0;
    double limit = -1;  // no edge turns over while the planes move by less; negative where the polyhedron is of no use
    double reach = 0;   // largest sum of coordinates, for rounding
    double uneven = 0;  // how far a corner is off the plane of its face at most

    void set(const PolyhedronView& polyhedron);

  private:
    /// The vertex that `half` leaves; `corner_of_half` gets the corner that each half leaves.
    bool split(const PolyhedronView& polyhedron, int half, std::vector<int>& corner_of_half);
};

}  // namespace asperity::geometry::detail
