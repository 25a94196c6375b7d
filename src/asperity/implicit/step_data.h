// Intermediate results of a step of the implicit world. They keep their memory from step to step.
#pragma once
#include <vector>

#include "asperity/implicit/assembly.h"
#include "asperity/implicit/footprints.h"
#include "asperity/implicit/friction.h"
#include "asperity/implicit/integrator.h"
#include "asperity/implicit/model.h"
#include "asperity/ipc/barrier.h"
#include "asperity/ipc/collisions.h"
#include "asperity/linear/multigrid_cg.h"
#include "asperity/linear/sparse_cholesky.h"
#include "asperity/solvers/assembled/assembled_problem.h"

namespace asperity::implicit {

/// Constants of one attempt at a step: written by begin_attempt(), read by everything below it.
template <int Dim>
struct Attempt {
    double h = 0;     ///< [s]
    double time = 0;  ///< at the end [s]
    Prediction<Dim> prediction;
    std::vector<Vector<Dim>> start;                       ///< nodes at the start
    std::vector<Vector<Dim>> target;                      ///< nodes of regions: at the end; others: unused
    std::vector<Vector<Dim>> obstacle_from, obstacle_to;  ///< per vertex
    std::vector<double> plane_from, plane_to;             ///< offset of each half-space
    std::vector<Vector<Dim>> plane_normal;                ///< world axes
    std::vector<Vector<Dim>> attached_from,
        attached_to;                ///< of attachments: points that nodes do not carry, a and b of each
    std::vector<double> guided_to;  ///< places of the guides at the end
    std::vector<Vector<Dim>> load;  ///< gravity and loads on each node [N]
    std::vector<double> damping;    ///< stiffness part of Rayleigh damping on the base pattern; or empty
    double proximal = 0;            ///< quasi-static: weight of the distance from the last estimate [1/s^2]
    /// Factor on friction forces in this attempt. 2 for Newmark's rule with `hold`: this rule gives half of each force to
    /// the next step, and friction in halves would oscillate from step to step even at rest. So the whole acts here, and
    /// leave_out_friction() takes it out of the next step.
    double friction_share = 1;
    bool accepts_misses = false;   ///< friction forces that do not settle are counted and accepted
    bool moves_something = false;  ///< a region or an obstacle moves in this attempt
};

/// Vertex of a surface near a half-space.
struct PlaneContact {
    int plane = 0, vertex = 0;
    double weight = 0;  ///< area of the vertex [m^2]
    double gap = 0;     ///< distance minus thickness [m]
};

/// One set of positions and what is known of it.
template <int Dim>
struct Configuration {
    std::vector<Vector<Dim>> x;         ///< nodes
    double progress = 0;                ///< of prescribed motion, 0 at the start of the step, 1 at its end
    std::vector<Vector<Dim>> vertices;  ///< of the surface
    std::vector<ipc::Collision> collisions;
    std::vector<PlaneContact> plane_contacts;
    double energy = 0;                ///< of the incremental potential [J]
    double magnitude = 0;             ///< sum of the sizes of its parts: bounds the rounding error of `energy`
    double elastic = 0, barrier = 0;  ///< [J]
};

/// Friction `velocity` (velocity.h).
template <int Dim>
struct VelocityData {
    solvers::AssembledProblem problem;  ///< one block per contact; of the last step as it was solved
    std::unique_ptr<solvers::AssembledSolver> solver;
    double residual = 0;  ///< of the solver in the last step [m/s]
    double kept_gap = 0;  ///< that contacts keep [m]

    // === Scratch memory
    std::vector<std::array<int, 2>> covered;  ///< vertices that are contacts, and the other body
    std::vector<Vector<Dim>> end;
    std::vector<double> response, matrix, history;
    std::vector<FrictionContact> contacts;
};

template <int Dim>
struct StepData {
    Attempt<Dim> attempt;
    Configuration<Dim> now, trial;
    ipc::Candidates<Dim> candidates;
    std::vector<Vector<Dim>> vertex_direction;
    ipc::Barrier barrier;
    Friction<Dim> friction;
    VelocityData<Dim> velocity;
    SkinTopology topology;  ///< of the surface, for grains
    Footprints footprints;
    Assembly<Dim> assembly;
    std::vector<Vector<Dim>> direction;
    std::vector<Vector<Dim>> straight_direction, bend;  ///< turning.h: before bodies that turn bend it, and by how much
    std::vector<double> right_hand_side;
    linear::SparseCholesky<Dim> cholesky;
    bool factorises = true;  ///< else conjugate gradients: settings.most_factor_flops
    linear::MultigridCg<Dim> multigrid;
    std::vector<double> iterate;                      ///< of conjugate gradients
    std::vector<std::vector<double>> guide_response;  ///< to unit forces along the guides
    std::vector<Vector<Dim>> damping_motion;          ///< scratch of the damping energy
    std::vector<Vector<Dim>> rest;                    ///< nodes at time 0, for mean rotations
    double reach = 0;                                 ///< largest thickness [m]: added to dhat in the broad phase
    bool begun = false;                               ///< patterns and orders of elimination have been made
    int blocking_candidate = -1;
};

}  // namespace asperity::implicit
