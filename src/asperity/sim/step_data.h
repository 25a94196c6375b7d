// Intermediate results of a step: one struct per pass, named in the comment above it. Memory is kept from step to step,
// so a settled step allocates nothing. The data here never affect later steps, so a snapshot need not contain them.
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
#include "asperity/surface/footprint_sampler.h"

namespace asperity::sim {

/// Follows from the model; computed by World::prepare().
struct Derived {
    bool valid = false;
    bool any_patches = false;  // some pair of materials makes patches or has a patch_radius
    bool any_volumes = false;  // some pair has patch_overlap = "volume" or compliant patches
    std::unique_ptr<solvers::Solver> solver;
    std::unique_ptr<solvers::Solver> other_position_solver;  // owns position_solver if `solver` is no PositionSolver
    solvers::PositionSolver* position_solver = nullptr;
    struct Slopes {  // table of a normal map for a facet weight
        std::shared_ptr<const surface::SlopeMap> map;
        friction::FacetWeight weight;
        std::unique_ptr<surface::SlopeTable> table;
    };
    std::vector<Slopes> slopes;
    // Per pair of materials and collider: one layer per part of the collider, none for a smooth collider. Empty if no pair
    // ploughs.
    std::vector<std::vector<surface::SlopeLayer>> slopes_of;
    std::vector<std::shared_ptr<surface::FootprintSampler>> samplers;  // per pair of materials; null if it does not plough
    bool frames_follow_slip = false;  // for some pair; align_frames then solves for the slip
};

/// stop_fast_bodies
struct FastBodies {
    std::vector<double> half_thickness;  // per collider (skeleton.h); -1: not needed so far. World::prepare() empties it.
};

/// find_pairs
struct PairSearch {
    contact::BroadPhase broad_phase;
    std::vector<geometry::Aabb> boxes;  // per collider, extended by half the margin and the displacement in the step
    struct ColliderMotion {
        double reach, swing;  // largest distance from the body's centre [m]; rotational speed there [m/s]
        double ahead;         // upper bound of the displacement of its points in the step [m]
        double path;          // PairSearch::path of its body
        // Copies, because every pair reads them and the collider itself is rarely in the cache.
        int material;
        bool endless, mesh;  // its shape is a half-space; is a mesh
        bool directed;       // its surface has a grain or a velocity
    };
    std::vector<ColliderMotion> collider_motion;
    std::vector<Pose> collider_pose;
    bool any_directed = false, any_mesh = false;  // of some collider
    // With contact_reuse: the path length of each body so far. A rotation counts as the path of a point at the distance
    // `lever` from the centre [m].
    double lever = 0;
    std::vector<double> path;          // per body; never decreases
    std::vector<Pose> path_end;        // per body: its pose at the last update of `path`
    std::vector<std::uint64_t> pairs;  // of colliders, contact::pair_key()
};

/// find_contacts and make_patches. The base class becomes State::active at the end of the step.
struct ContactSet : ContactMemory {
    std::vector<double> gap;          // per contact: copy of Contact::gap, for loops that read gaps only
    std::vector<int> previous_index;  // per pair: index in State::active.pair_memory, or -1
    std::vector<char> kept;           // per pair: 1 if the contacts of the last step are reused
    std::vector<char> may_be_ground;  // per pair: 1 if a collider is a half-space or a mesh (stop_at_ground)
    double deepest_overlap = 0;       // [m]
    // Pairs with a mesh.
    std::vector<int> mesh_list_of;  // per pair: index into the next three, or -1
    std::vector<geometry::ContactList> mesh_lists;
    std::vector<geometry::PatchList> shared_patches;  // patches made from the shared volume
    std::vector<char> met_in_patches;                 // find_contacts has made the patches already: two closed meshes
    std::vector<int> patch_pair;                      // per patch: index into pair_memory
    // Scratch of find_contacts.
    std::vector<geometry::Manifold> manifolds;  // results of the narrow phase for one block of pairs
    std::vector<int> chunk_contacts;            // per chunk of pairs: number of contacts, then index of the first
    std::vector<double> chunk_overlap;          // per chunk of contacts: deepest overlap [m]
};

/// generate_cones. Entries are contacts, then patches (ContactMemory::entry).
struct LimitSurfaces {
    bool circles = false;                       // every law gives a constant circle; cone_at() computes it
    std::vector<friction::LimitSurface> cones;  // per entry; empty if `circles`
    std::vector<Vec3> surface_velocity;         // per entry; empty if no collider is directed
    std::vector<friction::PatchCell> cells;     // kMostCells per patch, of those that integrate the law over their region
    std::vector<int> cell_count;                // per patch; 0 where a closed form replaces the integral
    double sampling_ms = 0;                     // wall time of sample_footprints in the step [ms]
    // Scratch: entries sorted by law, and footprints of the entries that plough.
    std::vector<int> law_first;                       // per law: index of its first entry in cone_order; then the end
    std::vector<int> law_next;                        // per law
    std::vector<int> cone_order;                      // entries sorted by law
    std::vector<surface::FootprintRequest> requests;  // of ploughing entries, in the order of cone_order
    std::vector<friction::FacetAverages> facets;      // per request
    std::vector<int> request_first;                   // per law: index of its first request
    std::vector<Vec2> corners;                        // of limit polygons, kMostDirections per request

    /// None if a closed form replaces the integral, and of a point.
    std::span<const friction::PatchCell> cells_of(size_t patch) const {
        return {cells.data() + patch * friction::kMostCells, static_cast<size_t>(cell_count[patch])};
    }
    /// Relative surface velocity (B minus A) of an entry that does not come from the motion of the bodies [m/s].
    Vec3 surface_motion(size_t entry) const { return surface_velocity.empty() ? Vec3{} : surface_velocity[entry]; }
};

/// predict_velocities. The last entry of the first five lists belongs to the world.
struct FreeMotion {
    std::vector<solvers::Twist> old_velocity;   // at the start of the step
    std::vector<solvers::Twist> free_velocity;  // at the end of the step without impulses
    std::vector<Mat3> inverse_inertia;          // world axes, end of the step; of raised inertia
    std::vector<Vec3> expected_impulse;         // estimated angular impulse in the step [N m s]
    std::vector<double> trusted_impulse;        // size of expected_impulse, for the next step [N m s]
    std::vector<double> stiffness;              // per body: geometric stiffness of its joints [N m]
    std::vector<double> raised;                 // per body: inertia added for that stiffness; mostly 0 [kg m^2]
    std::vector<Pose> middle_pose;              // per body: at the middle of the step, from old_velocity
};

/// assemble_problem
struct Assembly {
    solvers::ContactProblem problem;  // joints as blocks; contacts and patches in the order of ContactSet
    std::vector<std::array<rigid::JointBlock, rigid::kMaxJointBlocks>> joints;
    std::vector<int> joint_block_count;  // per joint
    std::vector<int> joint_block;        // per joint: index of its first block; then the end
    std::vector<double> rebound;         // per contact: separation speed; 0 if it does not bounce [m/s]
    struct PatchRebound {
        bool bounces = false;
        double bias[solvers::kPatchRows] = {};  // of the rows in the restitution [m/s]
    };
    std::vector<PatchRebound> patch_rebound;  // per patch
};

/// solve_contacts and bounce
struct Solution {
    solvers::SolveReport worst;   // worst status and residual since the last call of solve_contacts
    int sweeps = 0;               // sum over all solves of the substep
    bool cut_short = false;       // the last solve reached the sweep limit
    bool bounced = false;         // some contact bounced
    std::vector<double> history;  // residual per sweep of the last solve

    void add(const solvers::SolveReport& solved);
};

/// bounce: solution of the compression, and energies of the restitution per island
struct Restitution {
    std::vector<solvers::Twist> velocity;                                // per group
    std::vector<solvers::ContactImpulse> contact_impulse;                // per contact
    std::vector<std::array<double, solvers::kPatchRows>> patch_impulse;  // per patch
    std::vector<double> joint_impulse;                                   // per row of the joints
    struct Island {
        double work = 0, returned = 0;  // absorbed by contacts in the compression; the part that may be returned [J]
        double slope = 0, curve = 0;    // change of kinetic energy for the fraction s: slope s + curve s^2 [J]
        double fall = 0;                // change of the work of gravity per unit of s [J]
        double share = 1;               // fraction s of the restitution that is applied
    };
    std::vector<Island> islands;  // indexed by smallest body
};

/// move_cones_to_end: end of the step according to the last solve
struct EndOfStep {
    std::vector<solvers::Twist> last_velocity;  // of the previous pass
    rigid::BodyStates bodies;
    ContactMemory contacts;
};

/// solve_positions. The velocities of `problem` move the poses.
struct PositionSolve {
    solvers::ContactProblem problem;
    std::vector<double> gap_rate;  // per contact: largest closing rate of its gap [m/s]
    struct VolumeRow {
        solvers::Row row;  // minus gradient and moment of the shared volume, over |gradient| [-, m]
        double rate = 0;   // constraint: row . motion + rate >= 0 [m/s]
        bool acts = false;
    };
    std::vector<VolumeRow> volume_rows;  // per pair; unused if no pair asks for it
};

/// limit_energy
struct EnergyLimit {
    struct Island {
        double rise = 0, kinetic = 0, mass = 0;  // energy gained in the step; of its bodies [J, J, kg]
        double released = 0, step_error = 0;     // released by raised inertia; second-order error of the step [J]
        double joint_work = 0, permitted = 0;    // of joints without a drive; what they may do in a step [J]
        bool raised = false;                     // some of its bodies have raised inertia
        Vec3 momentum;                           // [N s]
        bool held = false, driven = false;       // touches a body that is not dynamic; is driven by a path or conveyor
    };
    std::vector<Island> islands;  // indexed by smallest body
    std::vector<char> outside;    // per pair: 1 for a fixed or kinematic body, 2 for a moving surface
    struct BodyEnergy {
        double now = 0, rise = 0;  // kinetic energy; change of kinetic and potential energy in the step [J]
    };
    std::vector<BodyEnergy> bodies;
};

/// Connected components of the graph of bodies, contacts and joints (islands.h).
struct Islands {
    std::vector<int> parent;  // per body: the smallest body of its island
    std::vector<char> awake;  // rest_islands: indexed by smallest body; 1 if the island stays awake
};

struct StepData {
    Derived derived;
    PairSearch search;
    ContactSet contacts;
    std::vector<Vec3> free_slip;  // align_frames: per contact, slip of B relative to A without friction [m/s]; or empty
    LimitSurfaces cones;
    FreeMotion motion;
    Assembly assembly;
    Solution solution;
    Restitution restitution;
    EndOfStep end;
    PositionSolve positions;
    EnergyLimit energy;
    FastBodies fast;
    Islands islands;
    StepReport report;
    std::vector<std::pair<size_t, solvers::Twist>> path_velocities;  // step: before follow_paths, per body on a path
    State before;  // step: of several substeps, the state before the first, for a stop in a later one
};

}  // namespace asperity::sim
