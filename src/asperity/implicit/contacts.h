// Contacts of a configuration, and how far the surfaces may move along a direction.
#pragma once
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {

/// Candidates for the motion of d.now along d.vertex_direction, whose progress changes by `progress`.
template <int Dim>
void find_candidates(const Model<Dim>& model, StepData<Dim>& d);

/// Active contacts of `at`, from the candidates. False if a vertex is on the wrong side of a half-space.
template <int Dim>
bool find_contacts(const Model<Dim>& model, const StepData<Dim>& d, Configuration<Dim>& at);

/// d.vertex_direction from d.direction and the motion of obstacles while progress rises by `progress`.
template <int Dim>
void find_vertex_direction(const Model<Dim>& model, StepData<Dim>& d, double progress);
/// Largest displacement along the direction [m]: of nodes, and of the vertices of affine bodies instead of matrix columns. After
/// find_vertex_direction().
template <int Dim>
double largest_motion(const Model<Dim>& model, const StepData<Dim>& d);

/// Largest part in (0, 1] of the motion along d.direction that keeps a share of every gap and inverts no element. Sets
/// d.blocking_candidate.
template <int Dim>
double motion_limit(const Model<Dim>& model, StepData<Dim>& d, double progress);

/// Smallest gap between two surfaces in d.now, or to a half-space; infinite if none is near. `bodies`: the two.
template <int Dim>
double smallest_gap(const Model<Dim>& model, const StepData<Dim>& d, std::array<int, 2>* bodies = nullptr);

}  // namespace asperity::implicit
