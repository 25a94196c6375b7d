// Linear triangles and tetrahedra: elastic energy, nodal gradients, stiffness, and how far a motion may go before an element
// inverts. Structure of arrays, one entry per element, so that a loop reads each array in order.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "asperity/deform/material.h"
#include "asperity/deform/meshes/solid_mesh.h"

namespace asperity::deform {

template <int Dim>
struct Elements {
    std::vector<std::array<int, Dim + 1>> nodes;
    std::vector<Matrix<Dim, Dim>> rest_edges;          ///< D_m: columns X_a - X_0 for a = 1..Dim [m]
    std::vector<Matrix<Dim, Dim>> inverse_rest_edges;  ///< row a - 1: gradient of the shape function of corner a [1/m]
    std::vector<double> rest_volume;                   ///< [m^3]; 2D: area times a depth of 1 m
    std::vector<int> material;                         ///< index into `materials`
    std::vector<Material> materials;
    int count() const { return static_cast<int>(nodes.size()); }
};

/// Corner k of an element of the mesh is node first_node + k. The mesh and the elasticity must pass their check().
template <int Dim>
Elements<Dim> make_elements(const SolidMesh<Dim>& mesh, const Elasticity& elasticity, int first_node);
template <int Dim>
void append(Elements<Dim>& to, Elements<Dim>&& from);

/// G = F - I, with F = D_s D_m^-1 = I + (D_s - D_m) D_m^-1 (the second form has no cancellation at rest).
template <int Dim>
Matrix<Dim, Dim> displacement_gradient(const Elements<Dim>& elements, std::span<const Vector<Dim>> x, int element) {
    const auto e = static_cast<std::size_t>(element);
    const auto& nodes = elements.nodes[e];
    const Vector<Dim>& origin = x[static_cast<std::size_t>(nodes[0])];
    Matrix<Dim, Dim> change;
    for (int a = 0; a < Dim; ++a)
        change.col(a) =
            (x[static_cast<std::size_t>(nodes[static_cast<std::size_t>(a) + 1])] - origin) - elements.rest_edges[e].col(a);
    return change * elements.inverse_rest_edges[e];
}

/// Sum over all elements [J]; +infinity if an element of a model that forbids inversion is inverted. The same bits on any
/// number of threads.
template <int Dim>
double elastic_energy(const Elements<Dim>& elements, std::span<const Vector<Dim>> x);

/// out[e (Dim + 1) + a]: gradient of the energy of element e by its corner a, minus the force on it [N].
template <int Dim>
void elastic_gradient(const Elements<Dim>& elements, std::span<const Vector<Dim>> x, std::span<Vector<Dim>> out);

/// Second derivatives of the energy of one element by its corners [N/m], symmetric.
template <int Dim>
void elastic_hessian(const Elements<Dim>& elements, std::span<const Vector<Dim>> x, Projection projection, int element,
                     Matrix<Dim*(Dim + 1), Dim*(Dim + 1)>& out);

/// A bound t in (0, 1] such that no element of a model that forbids inversion has det F <= 0 at x + s direction for s < t.
/// At most a few rounding errors below the first such s; 1 if there is none. Models that allow inversion do not count.
template <int Dim>
double inversion_limit(const Elements<Dim>& elements, std::span<const Vector<Dim>> x,
                       std::span<const Vector<Dim>> direction);

}  // namespace asperity::deform
