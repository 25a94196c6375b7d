// The mass matrix. Each node has its lumped mass; bodies with consistent mass couple the nodes of an element besides.
//
// By linear shape functions, int rho N_a N_b = m (1 + [a = b])/((d + 1)(d + 2)) for an element of mass m with d + 1 nodes.
// Minus its lumped part m/(d + 1) on the diagonal that is c (1 - (d + 1) [a = b]) with c = m/((d + 1)(d + 2)): rows of the
// coupling sum to zero, so momentum and weight are those of the lumped masses, and only motion within an element has less
// inertia. A lumped mass lowers the frequencies of a mesh, a consistent one raises them, by about the same.
#pragma once
#include <span>
#include <vector>

#include "asperity/implicit/model.h"

namespace asperity::implicit {

/// Whether any body has consistent mass.
template <int Dim>
bool has_coupled_mass(const Model<Dim>& model) {
    return !model.element_mass.empty();
}
/// c of an element [kg].
template <int Dim>
double mass_coupling(const Model<Dim>& model, std::size_t element) {
    return model.element_mass[element] / ((Dim + 1) * (Dim + 2));
}

/// out += the coupling times y. Nothing without coupled mass.
template <int Dim>
void add_coupled_mass(const Model<Dim>& model, std::span<const Vector<Dim>> y, std::span<Vector<Dim>> out);
/// y . (coupling y), not positive.
template <int Dim>
double coupled_mass_square(const Model<Dim>& model, std::span<const Vector<Dim>> y);
/// The accelerations of free nodes under these forces; zero for prescribed ones. Conjugate gradients to rounding: the
/// condition of the matrix over its diagonal is at most d + 2, whatever the mesh is.
template <int Dim>
void solve_mass(const Model<Dim>& model, std::span<const Vector<Dim>> force, std::span<Vector<Dim>> acceleration);

}  // namespace asperity::implicit
