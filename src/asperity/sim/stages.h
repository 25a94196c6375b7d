// The passes of a step, in the order of step.cpp. Parameters that a pass reads are const; parameters that it writes
// come last.
#pragma once
#include <span>

#include "asperity/sim/step_data.h"

namespace asperity::sim {

/// Finds the pairs of colliders that may touch within the step.
void find_pairs(const Model& model, const State& state, double dt, PairSearch& out);

/// Finds the contact points of all pairs (narrow phase) and gives them the impulses of the last step.
void find_contacts(const Model& model, const State& state, const Derived& derived, const PairSearch& search, double dt,
                   ContactSet& out);

/// Makes contact patches for the pairs with patches; marks the points that belong to a patch.
void make_patches(const Model& model, const State& state, const Derived& derived, const PairSearch& search, double dt,
                  ContactSet& set);

/// Wakes the sleeping islands that a contact will touch within the step. Returns true if any island woke; the pairs
/// within these islands are then still missing.
bool wake_touched(const Model& model, const ContactSet& set, double dt, State& state);

/// Generates one limit surface per entry of `contacts`, for the body poses and velocities in `bodies`. free_slip may be
/// empty.
void generate_cones(const Model& model, const Derived& derived, const rigid::BodyStates& bodies, const PairSearch& search,
                    const ContactMemory& contacts, std::span<const Vec3> free_slip, double dt, LimitSurfaces& out);

/// Sets the velocities of kinematic bodies so that they follow their paths.
void follow_paths(const Model& model, double dt, State& state);

/// Computes the free velocities (no contacts, no joints) and the inertia at the end of the step.
void predict_velocities(const Model& model, const State& state, double dt, FreeMotion& out);

/// Builds the contact problem from joints, contacts and patches.
void assemble_problem(const Model& model, const State& state, const ContactSet& set, const LimitSurfaces& cones,
                      const FreeMotion& motion, double dt, Assembly& out);

/// Moves the loaded contacts of rotating bodies to their positions at the middle of the step.
void move_contacts_to_middle(const Model& model, const State& state, const ContactSet& set, const FreeMotion& motion,
                             double dt, solvers::ContactProblem& problem);

/// Computes the slip of each contact in a frictionless solve of a few sweeps. Returns false, without a solve, if no
/// pair has frames along the slip. Leaves `problem` without friction: assemble it again.
bool align_frames(const Model& model, const Derived& derived, const ContactSet& set, const LimitSurfaces& cones,
                  solvers::ContactProblem& problem, Solution& solution, std::vector<Vec3>& free_slip);

/// Solves the contact problem for impulses and velocities. Resets out.worst and out.bounced; adds to out.sweeps.
void solve_contacts(const Model& model, const Derived& derived, Assembly& assembly, Solution& out);

/// Solves again with the rebound speeds of contacts that bounce, and bounds the energy that the restitution returns.
void bounce(const Model& model, const Derived& derived, const ContactSet& set, const FreeMotion& motion, double dt,
            Assembly& assembly, Solution& solution, Islands& islands, Restitution& scratch);

/// Predicts the angular velocities again with the impulses found, if the estimate of predict_velocities has added too
/// much energy. Returns true if it did; the problem must then be solved again.
bool predict_spins_again(const Model& model, const State& state, const Solution& solution, double dt, FreeMotion& motion,
                         solvers::ContactProblem& problem);

/// Generates the limit surfaces at the end of the step that follows from the solution in `problem`. Returns false if
/// the velocities have converged.
bool move_cones_to_end(const Model& model, const State& state, const Derived& derived, const PairSearch& search,
                       const ContactSet& set, const FreeMotion& motion, const Solution& solution,
                       const solvers::ContactProblem& problem, std::span<const Vec3> free_slip, double dt, EndOfStep& end,
                       LimitSurfaces& cones);

/// Stores the new velocities of the bodies and the impulses of contacts, patches and joints. Returns false, and changes
/// nothing, if a velocity is not finite; `nan_stage` then names the pass that it comes from.
bool apply_impulses(const Model& model, const LimitSurfaces& cones, const FreeMotion& motion, const Solution& solution,
                    const Assembly& assembly, State& state, ContactSet& set, Stage& nan_stage);

/// Computes the velocities that move the poses: the mean velocities, corrected for overlaps and joint errors. Returns
/// the number of sweeps.
int solve_positions(const Model& model, const State& state, const Derived& derived, const PairSearch& search,
                    const ContactSet& set, const FreeMotion& motion, const Assembly& assembly, double dt,
                    PositionSolve& out);

/// Removes energy that an unconverged solve or raised inertia has added.
void limit_energy(const Model& model, const ContactSet& set, const LimitSurfaces& cones, const FreeMotion& motion,
                  const Assembly& assembly, const Solution& solution, double dt, State& state, PositionSolve& positions,
                  Islands& islands, EnergyLimit& scratch);

/// Shortens the displacement of bodies that would end the step below the ground.
void stop_at_ground(const Model& model, const State& state, const PairSearch& search, const ContactSet& set, double dt,
                    PositionSolve& positions);

/// Shortens the displacement of fast bodies that would pass through each other.
void stop_fast_bodies(const Model& model, const State& state, const PairSearch& search, double dt, FastBodies& known,
                      PositionSolve& positions);

/// Moves the poses to the end of the step.
void integrate_poses(const Model& model, const PositionSolve& positions, double dt, State& state);

/// Puts islands to sleep that have been slow for sleep_time, and moves their contacts to State::dormant.
void rest_islands(const Model& model, const PairSearch& search, double dt, State& state, Islands& scratch);

}  // namespace asperity::sim
