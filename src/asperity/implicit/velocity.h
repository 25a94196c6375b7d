// Friction `velocity`: contacts and friction as a problem of velocities and impulses, for the solvers of solvers/.
//
// At positions x* (at first those of the start of the step) the bodies are linearised: the potential without contacts has
// the gradient g and the Hessian H there (potential.h; inertia included). With the rows J of the contacts, which map
// displacements of nodes to separation and slip, and their impulses lambda = h f over the step,
//     x - x* = -H^-1 (g - J^T lambda / h)                              motion under contact forces f
//     u = W lambda + q,    W = w/h^2 J H^-1 J^T                        velocities at the contacts at the end of the step
// q is u without impulses: w/h times the separation beyond the one that contacts keep, and the slip of the step over h. Then
//     0 <= lambda_n perp u_n >= 0,    lambda_t in lambda_n K, most dissipative against u_t
// for any limit surface K. Soft bodies, affine bodies, obstacles, held parts and joints all are in H.
// This is what the thesis does for soft bodies (T2.65 to T2.68), and what a file in FCLIB's format stores.
//
// Contacts are the stencils that the barrier would act on: those with a gap below dhat. They keep half of dhat. The barrier
// itself does not act. Surfaces do not cross all the same: each solution is followed as far as continuous collision
// detection allows, and where that is not its end, linearised anew. So are all solutions until `friction_passes` of them
// were followed to their ends, or the correction is below the tolerance.
#pragma once
#include "asperity/implicit/report.h"
#include "asperity/implicit/state.h"
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {

/// Moves d.now from the start of the attempt to its end; `state` is the start. Leaves contacts with their forces in
/// d.friction.
template <int Dim>
Failure solve_velocities(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d, StepReport& report);

/// The contacts at d.now, into d.friction.contacts, with the loads and forces of d.friction.memory.
template <int Dim>
void find_velocity_contacts(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d);

/// The gap that contacts keep: half of dhat, the middle of the range in which they are found [m].
inline double kept_gap(const ipc::Barrier& barrier) { return 0.5 * barrier.dhat; }

/// Throws InputError for integrators without a step of this form.
void check_velocity(const Settings& settings);

}  // namespace asperity::implicit
