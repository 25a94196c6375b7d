// Which contacts act at given positions, with their weights: the potential sum_k weight_k kappa dhat b(gap_k / dhat).
//
// Vertices against surfaces: each vertex stands for its area (Li et al. 2023, "Convergent Incremental Potential Contact").
// Its barrier against the other surface is the sum over closed cells (faces, edges, vertices) of the barrier of the distance
// to each, times the coefficients that count every point of the surface once: 1 for a face, 1 - (faces) for an edge, and for
// a vertex what makes the sum over all cells around it 1. Equal stencils are merged in whole numbers, so that most cancel:
// on a flat surface, whatever its mesh, and on a convex one a single stencil remains, with the distance to the surface.
// Negative weights remain where a vertex sees both flanks of a concave edge within dhat; each comes with nearer, positive
// ones, and their sum repels as long as the features of the surface are larger than dhat. Both surfaces have vertices:
// Surface::share() splits the area between them.
//
// Edges against edges: a pair acts where the closest points are inside both edges, with the factor of edge_factor.h and a
// weight of kEdgeShare * pi/2 times the square of the smaller width (area over length) of the two edges. Where two flat
// meshes of the same size lie on each other at random, these pairs add the share kEdgeShare to the force; where a mesh is
// finer or fits the other, less. The sum over edges with negative point-edge corrections (section 4 of that paper) is not
// used: a long edge that crosses k edges of a flat mesh would count k times, and nearly parallel edges get negative
// energies.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "asperity/ipc/barrier.h"
#include "asperity/ipc/candidates.h"
#include "asperity/ipc/collision.h"
#include "asperity/ipc/distance/separation.h"
#include "asperity/ipc/surface.h"

namespace asperity::ipc {

/// Strength of edge-edge contacts, as a share of the force between two flat faces. Larger: that force depends more on how
/// the meshes lie. Smaller: crossing edges come closer before they carry the same load; half the share, half the gap.
constexpr double kEdgeShare = 0.05;

/// The stencils with gaps below dhat, in an order that depends on the arguments alone. Uses memory of the candidates: not
/// from two threads at once.
template <int Dim>
void find_collisions(const Surface<Dim>& surface, const Candidates<Dim>& candidates, std::span<const Vector<Dim>> x,
                     double dhat, std::vector<Collision>& out);

template <int Dim>
Separation<Dim> separation(const Collision& collision, std::span<const Vector<Dim>> x);
/// Distance minus thickness [m].
template <int Dim>
double gap(const Collision& collision, std::span<const Vector<Dim>> x);

/// Derivatives of the energy of one collision, vertex by vertex.
template <int Dim>
struct LocalContact {
    int count = 0;
    std::array<int, 4> vertices{-1, -1, -1, -1};
    Vector<4 * Dim> gradient;          ///< [N]
    Matrix<4 * Dim, 4 * Dim> hessian;  ///< [N/m]
};

/// Gradient, and if asked for the Hessian. With `clamp` it is made positive semidefinite: its negative eigenvalues are set
/// to zero, or for edge-edge a bound of the same form takes its place. The gap must be positive.
template <int Dim>
void barrier_local(const Surface<Dim>& surface, const Barrier& barrier, const Collision& collision,
                   std::span<const Vector<Dim>> x, bool hessian, LocalContact<Dim>& out, bool clamp = true);

/// Sum of the energies [J]; infinite if a gap is not positive. Summed in the same order on any number of threads.
template <int Dim>
double barrier_energy(const Surface<Dim>& surface, const Barrier& barrier, std::span<const Collision> collisions,
                      std::span<const Vector<Dim>> x);

}  // namespace asperity::ipc
