// The surfaces of all bodies of a world in one set of arrays, with the areas that weigh their contacts.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "asperity/ccd/intersections.h"
#include "asperity/math/matrix.h"

namespace asperity::ipc {

/// In 2D the edges are the surface: the solid lies to the left of an edge, seen from its first vertex towards its second.
/// Areas are lengths times a depth of 1 m. In 3D the surface is the faces, and the edges are those of the faces, each once.
///
/// Mesh edges should be longer than dhat where a body can touch itself: shorter ones press neighbours apart at rest.
template <int Dim>
struct Surface {
    // === What the caller sets
    std::vector<Vector<Dim>> rest;  ///< vertices in the rest shape [m]
    std::vector<int> body;          ///< per vertex
    std::vector<std::array<int, 2>> edges;
    std::vector<std::array<int, 3>> faces;  ///< 3D; empty in 2D
    std::vector<char> moves;                ///< per body: 0 if its vertices never move
    std::vector<double> thickness;          ///< per body; two bodies are kept half of the sum apart [m]
    std::vector<char> collide;              ///< per pair of bodies, row by row, symmetric; a body with itself: self-contact

    // === What prepare() derives
    std::vector<double> vertex_area;             ///< a third of the faces (2D: half of the edges) at the vertex [m^2]
    std::vector<double> edge_area;               ///< 3D: a third of the faces at the edge [m^2]; 2D: its length
    std::vector<double> edge_length;             ///< at rest [m]
    std::vector<std::array<int, 3>> face_edges;  ///< 3D: edges 01, 12, 20 of each face
    std::vector<double> mean_area;               ///< per body: of its vertices [m^2]; 0 without vertices
    double mean_length = 0;                      ///< of all edges [m]
    std::uint64_t version = 0;                   ///< differs after every prepare() of this process

    /// Call it after every change to what the caller sets. Throws InputError for a face whose edge is not among `edges`.
    void prepare();

    int body_count() const { return static_cast<int>(moves.size()); }
    /// True if the bodies collide and at least one of them moves.
    bool may_touch(int a, int b) const {
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        return collide[i * moves.size() + j] != 0 && (moves[i] != 0 || moves[j] != 0);
    }
    /// Distance at which surfaces of the two bodies count as touching [m].
    double pair_thickness(int a, int b) const {
        return 0.5 * (thickness[static_cast<std::size_t>(a)] + thickness[static_cast<std::size_t>(b)]);
    }
    /// Part of the contact area between a and b that the vertices of a stand for; those of b stand for the rest. The body
    /// with the finer mesh has the larger part: its vertices sample the contact more finely, and those of the coarse one may
    /// all lie outside.
    double share(int a, int b) const {
        const double own = mean_area[static_cast<std::size_t>(a)], other = mean_area[static_cast<std::size_t>(b)];
        return own + other > 0 ? other / (own + other) : 0.5;
    }
    ccd::SurfaceView<Dim> view() const { return {body, edges, faces, collide, body_count()}; }
};

extern template struct Surface<2>;
extern template struct Surface<3>;

}  // namespace asperity::ipc
