// The passes of a step, one file each, in the order of step.cpp. What a pass reads is const; what it writes comes last.
#pragma once
#include <span>

#include "asperity/sim/step_data.h"

namespace asperity::sim {

/// Pairs of colliders that may touch within the step.
void find_pairs(const Model& model, const State& state, double dt, PairSearch& out);

/// Contact points of all pairs, with the impulses of the last step.
void find_contacts(const Model& model, const State& state, const Derived& derived, const PairSearch& search, double dt,
                   ContactSet& out);

/// Contact patches from the points of pairs that ask for them; their points are marked.
void make_patches(const Model& model, const State& state, const Derived& derived, const PairSearch& search, double dt,
                  ContactSet& set);

/// Wakes sleeping islands that a contact of this step touches. True when there were any: their pairs are missing so far.
bool wake_touched(const Model& model, const ContactSet& set, double dt, State& state);

/// One limit surface per entry of `contacts`, for bodies that are where `bodies` says.
void generate_cones(const Model& model, const Derived& derived, const rigid::BodyStates& bodies, const PairSearch& search,
                    const ContactMemory& contacts, std::span<const Vec3> free_slip, double dt, LimitSurfaces& out);

/// Kinematic bodies get the velocities that take them along their paths.
void follow_paths(const Model& model, double dt, State& state);

/// Free velocities and inertia at the end of the step.
void predict_velocities(const Model& model, const State& state, double dt, FreeMotion& out);

/// Joints, contacts and patches as one contact problem.
void assemble_problem(const Model& model, const State& state, const ContactSet& set, const LimitSurfaces& cones,
                      const FreeMotion& motion, double dt, Assembly& out);

/// Loaded contacts of turning bodies, moved to where they are at the middle of the step.
void move_contacts_to_middle(const Model& model, const State& state, const ContactSet& set, const FreeMotion& motion,
                             double dt, solvers::ContactProblem& problem);

/// The slip of each contact if nothing rubbed, by a few sweeps. False, and no solve, where no pair asks for it.
bool align_frames(const Model& model, const Derived& derived, const ContactSet& set, const LimitSurfaces& cones,
                  solvers::ContactProblem& problem, Solution& solution, std::vector<Vec3>& free_slip);

/// Impulses and velocities. Resets nothing: `out.worst` collects over the solves of a step.
void solve_contacts(const Model& model, const Derived& derived, Assembly& assembly, Solution& out);

/// Solves again with the contacts that bounce, and limits the energy that they give back.
void bounce(const Model& model, const Derived& derived, const ContactSet& set, const FreeMotion& motion, double dt,
            Assembly& assembly, Solution& solution, Islands& islands, Restitution& scratch);

/// Predicts spins again by the impulses that were found, where the guess of predict_velocities costs too much energy. True
/// where the problem has to be solved again.
bool predict_spins_again(const Model& model, const State& state, const Solution& solution, double dt, FreeMotion& motion,
                         solvers::ContactProblem& problem);

/// Limit surfaces at the end of the step by the present solution. False where that has converged.
bool move_cones_to_end(const Model& model, const State& state, const Derived& derived, const PairSearch& search,
                       const ContactSet& set, const FreeMotion& motion, const solvers::ContactProblem& problem,
                       std::span<const Vec3> free_slip, double dt, EndOfStep& end, LimitSurfaces& cones);

/// New velocities of the bodies; impulses of contacts, patches and joints. False, and nothing changed, where some velocity is
/// not finite.
bool apply_impulses(const Model& model, const LimitSurfaces& cones, const FreeMotion& motion, const Assembly& assembly,
                    State& state, ContactSet& set);

/// The velocities that the poses move with: corrected so that bodies stay apart and joints together. Returns the sweeps.
int solve_positions(const Model& model, const State& state, const Derived& derived, const PairSearch& search,
                    const ContactSet& set, const FreeMotion& motion, const Assembly& assembly, double dt,
                    PositionSolve& out);

/// Takes back the energy that an unconverged solve or raised inertia has added.
void limit_energy(const Model& model, const ContactSet& set, const LimitSurfaces& cones, const FreeMotion& motion,
                  const Assembly& assembly, const Solution& solution, double dt, State& state, PositionSolve& positions,
                  Islands& islands, EnergyLimit& scratch);

/// Shortens the displacement of bodies that would end the step below the ground.
void stop_at_ground(const Model& model, const State& state, const PairSearch& search, const ContactSet& set, double dt,
                    PositionSolve& positions);

/// Poses at the end of the step.
void integrate_poses(const Model& model, const PositionSolve& positions, double dt, State& state);

/// Puts islands to sleep that have been quiet for long enough, with their contacts.
void rest_islands(const Model& model, const PairSearch& search, double dt, State& state, Islands& scratch);

}  // namespace asperity::sim
