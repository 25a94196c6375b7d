// What the stages of a step hand to one another, one struct per stage that writes it. Kept from step to step, so that a
// settled step allocates nothing; nothing in here decides the future of the world but what derive() takes from the model.
#pragma once
#include <memory>
#include <vector>

#include "asperity/contact/broad_phase.h"
#include "asperity/friction/law.h"
#include "asperity/geometry/shared_volume/make_patch.h"
#include "asperity/sim/model.h"
#include "asperity/sim/report.h"
#include "asperity/sim/state.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::surface {  // surface/footprint_sampler.h
class FootprintSampler;
class SlopeTable;
struct FootprintRequest;
}  // namespace asperity::surface

namespace asperity::sim {

/// Follows from the model; made by World::prepare().
struct Derived {
    bool valid = false;
    bool any_patches = false;  // some pair of materials makes patches or has a patch_radius
    bool any_volumes = false;  // the overlap of some pair is corrected by volume, or its patches have a compliance
    std::unique_ptr<solvers::Solver> solver;
    std::unique_ptr<solvers::Solver> other_position_solver;  // owns position_solver where `solver` cannot be it
    solvers::PositionSolver* position_solver = nullptr;
    struct Slopes {  // the table of one normal map under one facet weight
        std::shared_ptr<const surface::SlopeMap> map;
        friction::FacetWeight weight;
        std::unique_ptr<surface::SlopeTable> table;
    };
    std::vector<Slopes> slopes;
    // Per pair of materials and collider; null where the collider is smooth. Empty where no pair ploughs.
    std::vector<const surface::SlopeTable*> slopes_of;
    std::vector<std::shared_ptr<surface::FootprintSampler>>
        samplers;                     // per pair of materials; null where it does not plough
    bool frames_follow_slip = false;  // those of some pair
};

/// find_pairs
struct PairSearch {
    contact::BroadPhase broad_phase;
    std::vector<geometry::Aabb> boxes;  // per collider, grown by the margin and the motion of the step
    struct ColliderMotion {
        double reach, swing;  // farthest point from the body's centre [m], and its speed by rotation [m/s]
        double ahead;         // upper bound of the displacement of its points within the step [m]
        double path;          // `path` of its body, see below
        // The next three are read for every pair, and far away in the collider itself.
        int material;
        bool endless, mesh;  // the kind of its shape
        bool directed;       // its surface has a grain or a velocity
    };
    std::vector<ColliderMotion> collider_motion;
    std::vector<Pose> collider_pose;
    bool any_directed = false, any_mesh = false;  // some collider is
    // With contact_reuse: the length of the path that each body has travelled so far. Rotations count as the path of a point
    // at the distance `lever` from the centre [m].
    double lever = 0;
    std::vector<double> path;          // per body; never decreases
    std::vector<Pose> path_end;        // per body: its pose when `path` was last extended
    std::vector<std::uint64_t> pairs;  // of colliders, contact::pair_key()
};

/// find_contacts and make_patches. The base holds what the next step will remember.
struct ContactSet : ContactMemory {
    std::vector<double> gap;          // per contact, as in contacts: read often and alone
    std::vector<int> remembered;      // per pair: its index in the last step's pair_memory, or -1
    std::vector<char> kept;           // per pair: its contacts are those of the last step
    std::vector<char> may_be_ground;  // per pair: one of its colliders (stop_at_ground)
    double deepest_overlap = 0;       // [m]
    // Pairs with a mesh.
    std::vector<int> mesh_list_of;  // per pair: index into the next three, or -1
    std::vector<geometry::ContactList> mesh_lists;
    std::vector<geometry::PatchList> shared_patches;  // patches from the shared volume
    std::vector<char> met_in_patches;                 // the narrow phase made patches at once: two closed meshes
    std::vector<int> patch_pair;                      // per patch: index into pair_memory
    // Scratch of find_contacts.
    std::vector<geometry::Manifold> manifolds;  // of some hundred pairs, between narrow phase and contacts
    std::vector<int> chunk_contacts;            // per chunk of these: their number, then where they begin
    std::vector<double> chunk_overlap;          // per chunk of all contacts: the deepest [m]
};

/// generate_cones. Entries are contacts, then patches (ContactMemory::entry).
struct LimitSurfaces {
    bool circles = false;                       // all laws make circles that never change: cone_at() needs no array
    std::vector<friction::LimitSurface> cones;  // otherwise per entry
    std::vector<Vec3> surface_velocity;         // per entry; empty where no collider is directed
    double sampling_ms = 0;                     // wall time of sample_footprints within the step
    // Scratch: entries sorted by law, and the slopes under those that plough.
    std::vector<int> law_first;                       // per law: where its entries begin in cone_order; and the end
    std::vector<int> law_next;                        // per law
    std::vector<int> cone_order;                      // entries sorted by law
    std::vector<surface::FootprintRequest> requests;  // of entries that plough, in the order of cone_order
    std::vector<friction::FacetAverages> facets;      // per request
    std::vector<int> request_first;                   // per law: where its requests begin
    std::vector<Vec2> corners;                        // of the polygons, kMostDirections per request

    /// Velocity of B's surface relative to A's at an entry, beyond the motion of the bodies [m/s].
    Vec3 surface_motion(size_t entry) const { return surface_velocity.empty() ? Vec3{} : surface_velocity[entry]; }
};

/// predict_velocities. The last entry of each list belongs to the world.
struct FreeMotion {
    std::vector<solvers::Twist> old_velocity;   // at the start of the step
    std::vector<solvers::Twist> free_velocity;  // at its end if nothing touched
    std::vector<Mat3> inverse_inertia;          // world axes, at the end of the step; raised for links of taut chains
    std::vector<Vec3> expected_impulse;         // angular, within the step, of bodies that wobble as they spin [N m s]
    std::vector<double> trusted_impulse;        // the size that was allowed to it [N m s]
    std::vector<double> stiffness;              // per body: geometric stiffness of its joints [N m]
    std::vector<double> raised;                 // per body: added to its inertia for that; 0 for nearly all [kg m^2]
    std::vector<Pose> middle_pose;              // per body: at the middle of the step, by the old velocities
};

/// assemble_problem
struct Assembly {
    solvers::ContactProblem problem;  // joints as blocks, and the contacts and patches in their order
    std::vector<std::array<rigid::JointBlock, rigid::kMaxJointBlocks>> joints;
    std::vector<int> joint_block_count;  // per joint
    std::vector<int> joint_block;        // first block of each joint, and the end
    std::vector<double> rebound;         // per contact: the speed at which it separates; 0 where it does not bounce [m/s]
    struct PatchRebound {
        bool bounces = false;
        double bias[solvers::kPatchRows] = {};  // of the rows, where it bounces [m/s]
    };
    std::vector<PatchRebound> patch_rebound;  // per patch
};

/// solve_contacts and bounce
struct Solution {
    solvers::SolveReport worst;   // of the last call of solve_contacts and its bounce
    int sweeps = 0;               // of all solves in the step
    bool cut_short = false;       // the last solve ran out of sweeps
    bool bounced = false;         // some contact did
    std::vector<double> history;  // residual per sweep

    void add(const solvers::SolveReport& solved);
};

/// bounce: the solution of the compression, and per island the energy of the restitution
struct Restitution {
    std::vector<solvers::Twist> velocity;                                // per group
    std::vector<solvers::ContactImpulse> contact_impulse;                // per contact
    std::vector<std::array<double, solvers::kPatchRows>> patch_impulse;  // per patch
    std::vector<double> joint_impulse;                                   // per row of the joints
    struct Island {
        double work = 0, returned = 0;  // taken by its contacts in the compression; the part that may come back [J]
        double slope = 0, curve = 0;    // of the kinetic energy with the share s of the bounce: slope s + curve s^2 [J]
        double fall = 0;                // change of gravity's work by the changed path, per share [J]
        double share = 1;
    };
    std::vector<Island> islands;  // by smallest body
};

/// implicit_cones: the end of the step by the solution of the last pass
struct EndOfStep {
    std::vector<solvers::Twist> last_velocity;  // of the pass before
    rigid::BodyStates bodies;
    ContactMemory contacts;
};

/// solve_positions: the velocities of `problem` are those that the poses move with
struct PositionSolve {
    solvers::ContactProblem problem;
    std::vector<double> gap_rate;  // per contact: the rate at which its gap may close [m/s]
    struct VolumeRow {
        solvers::Row row;  // minus the gradient of the shared volume over its area, and its torque likewise [-, m]
        double rate = 0;   // demand: row . motion + rate >= 0 [m/s]
        bool acts = false;
    };
    std::vector<VolumeRow> volume_rows;  // per pair; empty where no pair asks for it
};

/// limit_energy
struct EnergyLimit {
    struct Island {
        double rise = 0, kinetic = 0, mass = 0;  // of the energy within the step; and of its bodies [J, J, kg]
        double released = 0, step_error = 0;     // by raised inertia; second-order error of a step [J]
        bool raised = false;                     // the inertia of some of its bodies was raised
        Vec3 momentum;                           // [N s]
        bool held = false, driven = false;       // by a body that does not move freely
    };
    std::vector<Island> islands;  // by smallest body
    std::vector<char> outside;    // per pair: 1 where a fixed or kinematic body takes part, 2 where a surface moves
    struct BodyEnergy {
        double now = 0, rise = 0;  // kinetic; change of kinetic and potential energy within the step [J]
    };
    std::vector<BodyEnergy> bodies;
};

/// Connected components of bodies by contacts and joints (islands.h).
struct Islands {
    std::vector<int> parent;  // per body: the smallest body of its island
    std::vector<char> awake;  // rest_islands: per such body
};

struct StepData {
    Derived derived;
    PairSearch search;
    ContactSet contacts;
    std::vector<Vec3> free_slip;  // align_frames: per contact, of B relative to A without friction [m/s]; or empty
    LimitSurfaces cones;
    FreeMotion motion;
    Assembly assembly;
    Solution solution;
    Restitution restitution;
    EndOfStep end;
    PositionSolve positions;
    EnergyLimit energy;
    Islands islands;
    StepReport report;
};

}  // namespace asperity::sim
