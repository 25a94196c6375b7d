// Joints of the implicit world: energies of stiff springs between points of bodies.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "asperity/implicit/step_data.h"

namespace asperity::implicit {

/// Positions of points that nodes do not carry, at the start and at the end of an attempt: two per attachment, a and b.
template <int Dim>
void find_attached_places(const Model<Dim>& model, double time, std::vector<Vector<Dim>>& out);

/// Point a minus point b.
template <int Dim>
Vector<Dim> separation(const Model<Dim>& model, const Attempt<Dim>& attempt, std::span<const Vector<Dim>> x, double progress,
                       std::size_t attachment);

/// Sum of the energies [J].
template <int Dim>
double attachment_energy(const Model<Dim>& model, const Attempt<Dim>& attempt, std::span<const Vector<Dim>> x,
                         double progress);

}  // namespace asperity::implicit
