// Transient data of a step, grouped by the stage that writes it. Lives in the world, so that a settled step allocates
// nothing.
#pragma once
#include <memory>
#include <vector>

#include "asperity/contact/broad_phase.h"
#include "asperity/friction/law.h"
#include "asperity/geometry/convex_contact/approach.h"
#include "asperity/geometry/shared_volume/make_patch.h"
#include "asperity/sim/world.h"
#include "asperity/solvers/problem/contact_problem.h"

namespace asperity::surface {  // surface/patch_sampler.h
class PatchSampler;
class SlopeTable;
struct PatchRequest;
}  // namespace asperity::surface

namespace asperity::sim {

struct StepData {
    double dt = 0;
    StepReport report;

    // made by World::prepare
    bool prepared = false;
    bool any_patches = false;  // some pair of materials makes them
    bool any_volumes = false;  // and has its overlap taken out by volume, or gives way
    std::unique_ptr<solvers::Solver> solver;
    std::unique_ptr<solvers::Solver> other_position_solver;  // where the solver does not keep poses apart itself
    solvers::PositionSolver* position_solver = nullptr;
    contact::BroadPhase broad_phase;
    struct Slopes {  // of one map under one facet weight
        std::shared_ptr<const surface::SlopeMap> map;
        friction::FacetWeight weight;
        std::unique_ptr<surface::SlopeTable> table;
    };
    std::vector<Slopes> slopes;
    // per pair of materials and collider; null where it is smooth. Empty where nothing ploughs
    std::vector<const surface::SlopeTable*> slopes_of;
    std::vector<std::shared_ptr<surface::PatchSampler>> samplers;  // per pair of materials; null where it does not plough
    bool frames_follow_slip = false;                               // some pair's do

    // find_pairs
    std::vector<geometry::Aabb> boxes;  // per collider, grown by the margin and the motion of the step
    struct Motion {
        // of a collider: farthest point from the body's centre [m], and its speed by turning [m/s]
        double reach, swing;
        double ahead;  // how far its points may come within the step at most [m]
        double way;    // its body's, see below
        // this and the next two are asked for every pair, and far away in the collider itself
        int material;
        bool endless, mesh;  // what its shape is
        bool directed;       // its surface has a grain or a velocity
    };
    std::vector<Motion> collider_motion;
    std::vector<Pose> collider_pose;
    // With contact_reuse: the ways that bodies have gone so far, turns included as ways of a point at `lever` from the
    // centre [m].
    double lever = 0;
    std::vector<double> way;                      // per body; only ever grows
    std::vector<Pose> way_end;                    // per body: where it was when `way` was counted last
    bool any_directed = false, any_mesh = false;  // some collider is
    std::vector<std::uint64_t> pairs;

    // make_contacts
    std::vector<int> remembered;                   // per pair: where in world.pair_memory, or -1
    std::vector<char> kept;                        // per pair: its contacts are those of the last step
    std::vector<contact::PairMemory> pair_memory;  // per pair
    std::vector<char> may_be_ground;               // per pair: one of its colliders (stop_at_ground)
    std::vector<geometry::Manifold> manifolds;     // of some hundred pairs, which are on their way to contacts
    std::vector<int> chunk_contacts;               // per chunk of these: how many there are, then where they begin
    std::vector<double> chunk_overlap;             // per chunk of all contacts: the deepest [m]
    std::vector<int> mesh_list_of;                 // per pair: which of mesh_lists, or -1 where no mesh takes part
    std::vector<geometry::ContactList> mesh_lists;
    std::vector<contact::Contact> contacts;      // sorted by (pair, feature)
    std::vector<double> gap;                     // per contact, as in contacts: read often and alone
    std::vector<contact::PatchContact> patches;  // sorted by pair
    std::vector<int> patch_pair;                 // per patch: which of pair_memory
    // per mesh list: two meshes that were looked at as patches from the start
    std::vector<char> met_in_patches;
    std::vector<geometry::PatchList> shared_patches;  // per mesh list: those made of the volume that its pair shares
    /// The contact i, or the patch that follows them, as a point.
    const contact::Contact& place(size_t i) const {
        return i < contacts.size() ? contacts[i] : patches[i - contacts.size()].at;
    }
    size_t place_count() const { return contacts.size() + patches.size(); }

    // generate_cones
    std::vector<int> law_first;                   // per law: where its contacts begin in cone_order; and the end
    std::vector<int> law_next;                    // per law: scratch of the sort
    std::vector<int> cone_order;                  // contacts sorted by their law
    double sampling_ms = 0;                       // sample_patches: wall time within the step, a part of this stage's
    std::vector<surface::PatchRequest> requests;  // of contacts that plough, as in cone_order
    std::vector<friction::FacetAverages> facets;  // per request
    std::vector<int> request_first;               // per law: where its requests begin
    std::vector<Vec2> corners;                    // of the polygons, kMostDirections per request
    // align_frames: per place, of B over A if nothing rubbed [m/s]; empty before
    std::vector<Vec3> free_slip;
    bool circles = false;                       // all laws make circles that never change: cone_at() needs no array
    std::vector<friction::LimitSurface> cones;  // else, per place: contacts, then patches
    /// Along which the axes of a place were in the last step.
    const Vec3& previous_axis(size_t place) const {
        return place < contacts.size() ? contacts[place].t : patches[place - contacts.size()].u;
    }
    // per place: see surface_motion(); empty where no collider is directed
    std::vector<Vec3> surface_velocity;
    /// Of B's surface against A's at a place, beyond the bodies' own motion.
    Vec3 surface_motion(size_t place) const { return surface_velocity.empty() ? Vec3{} : surface_velocity[place]; }

    // predict_velocities; the last entry of each belongs to the world
    std::vector<solvers::Twist> old_velocity;   // at the start of the step
    std::vector<solvers::Twist> free_velocity;  // at its end if nothing touched
    std::vector<Mat3> inverse_inertia;          // world axes, at the end of the step; raised for links of taut chains
    // angular, within the step, of bodies that wobble as they spin [N m s]
    std::vector<Vec3> expected_impulse;
    std::vector<double> stiffness;  // per body: geometric stiffness of its joints [N m]
    // per body: what its inertia was raised by for that; 0 for nearly all [kg m^2]
    std::vector<double> raised;
    std::vector<Pose> middle_pose;  // per body: where it would be halfway through the step

    // assemble_problem, solve_contacts
    std::vector<std::array<rigid::JointBlock, rigid::kMaxJointBlocks>> joints;
    std::vector<int> joint_block_count;  // per joint
    solvers::ContactProblem problem;     // joints as blocks, and d.contacts in their order
    std::vector<int> joint_block;        // first block of each joint, and the end
    // per contact: the speed at which it is to leave; 0 where it does not bounce [m/s]
    std::vector<double> rebound;
    struct PatchRebound {
        bool bounces = false;
        double bias[solvers::kPatchRows] = {};  // of the rows, where it bounces [m/s]
    };
    std::vector<PatchRebound> patch_rebound;  // per patch
    std::vector<double> history;              // residual per sweep
    // the worst of the last call of solve_contacts: the solve, and that of the rebound
    solvers::SolveReport solved;
    bool bounced = false;  // something did, in this step

    // bounce, a part of solve_contacts
    std::vector<solvers::Twist> stopped_velocity;                                // per group, after the compression
    std::vector<solvers::ContactImpulse> stopped_impulse;                        // per contact
    std::vector<std::array<double, solvers::kPatchRows>> stopped_patch_impulse;  // per patch
    std::vector<double> stopped_joint_impulse;                                   // per row of the joints
    struct Bounce {
        // taken by the contacts in the compression, and what of it may come back [J]
        double work = 0, returned = 0;
        // of the kinetic energy with the share s of the bounce: slope s + curve s^2 [J]
        double slope = 0, curve = 0;
        double fall = 0;  // what gravity does to it by the way it changes, per share [J]
        double share = 1;
    };
    std::vector<Bounce> bounces;  // per island

    // implicit_cones: the end of the step as the last pass has it
    std::vector<solvers::Twist> pass_velocity;
    std::vector<Pose> end_pose;
    std::vector<Vec3> end_velocity, end_angular_velocity;
    std::vector<contact::Contact> end_contacts;

    // integrate_poses
    solvers::ContactProblem position_problem;  // its velocities are what the poses move with
    std::vector<double> gap_rate;              // per contact: at which its gap may close [m/s]
    struct VolumeRow {
        // minus the gradient of the shared volume over its area, and the torque likewise [-, m]
        solvers::Row row;
        // at which the volume over that area must shrink at least, turned: row . motion + rate >= 0 [m/s]
        double rate = 0;
        bool acts = false;
    };
    std::vector<VolumeRow> volume_rows;  // per pair; empty where none asks for it

    // brake, a part of integrate_poses
    bool cut_short = false;  // solve_contacts: the last solve ran out of sweeps
    struct Brake {
        double rise = 0, kinetic = 0, mass = 0;  // of the energy within the step; and of its bodies [J, J, kg]
        // by inertia that was raised, and what a step is off anyway, see brake.cpp [J]
        double released = 0, step_error = 0;
        bool raised = false;                // some of its bodies' inertia was
        Vec3 momentum;                      // [N s]
        bool held = false, driven = false;  // by something that does not move freely
    };
    std::vector<Brake> brakes;  // per island
    // per pair: 1 where something that does not move freely takes part, 2 where a surface runs
    std::vector<char> outside;
    struct BodyEnergy {
        double now = 0, rise = 0;  // kinetic, and how much of it and of gravity's came in the step [J]
    };
    std::vector<BodyEnergy> body_energy;  // per body

    std::vector<int> island_parent;  // bounce, brake, rest_islands: a forest over the bodies, islands.h
    std::vector<char> island_awake;  // rest_islands: per root
};

/// Wall time of a stage, added to the report when it goes out of scope.
class StageTimer {
  public:
    StageTimer(StepReport& report, Stage stage);
    ~StageTimer();

  private:
    StepReport& report_;
    Stage stage_;
    double start_;
};

/// Tables of all slope maps that ploughing pairs may touch. Called by World::prepare.
void prepare_slopes(const World& world, StepData& d);
/// Looks at the patches of all contacts that plough: d.facets. A part of generate_cones.
void sample_patches(const World& world, StepData& d);
/// Where contact frames follow the slip: finds it by a few sweeps without friction over the assembled problem. True when the
/// frames are to be made once more, with d.free_slip.
bool align_frames(const World& world, StepData& d);

/// Whether a body takes part in the step: dynamic and awake, or moved by a path.
bool is_active(const World& world, int body);
/// Wakes sleeping islands that a contact of this step touches. True when there were any: their pairs are missing in the step
/// so far.
bool wake_touched(World& world, StepData& d);
/// How the points of a pair move against each other within the step, by the velocities at its start.
geometry::Approach approach_of(const World& world, double dt, size_t body_a, size_t body_b);
/// Whether contacts between these materials become patches.
bool makes_patches(const World& world, const surface::Pair& pair);
/// How patches of a pair are kept apart, everything set.
surface::Stabilisation stabilisation_of(const World& world, const surface::Pair& pair);
/// Makes patches of the contacts of pairs that ask for them.
void make_patches(const World& world, StepData& d);
/// Takes the energy back that a solve which was cut short has put in.
void brake(World& world, StepData& d);
/// Moves the contacts of the problem that carry a load while their bodies turn to where they will be halfway through the
/// step.
void turn_contacts(const World& world, StepData& d);
/// Solves the problem once more with the contacts that bounce; bounce.cpp says how much comes back.
solvers::SolveReport bounce(World& world, StepData& d);
/// Demands on the poses of pairs whose overlap is taken out by volume, and none where patches give way: d.volume_rows,
/// d.gap_rate.
void correct_volumes(const World& world, StepData& d);
/// Gives a patch the compliance of its pair: rows, and the demand on its normal velocity.
void give_way(const World& world, const StepData& d, size_t index, solvers::PatchContact& out);
/// Shortens the way of bodies that would end the step under a height field.
void stop_at_ground(World& world, StepData& d);
/// Puts islands to sleep that have been quiet for long enough.
void rest_islands(World& world, StepData& d);

/// Predicts spins with the angular impulses that the solver has found, where those that were expected have cost too much
/// energy. True where the problem is to be solved once more.
bool predict_spins_again(const World& world, StepData& d);

/// Limit surfaces as they will be at the end of the step, by the present solution. False when that has settled.
bool cones_move(World& world, StepData& d);

/// The limit surface of a contact or patch of this step. Circles are made where they are read: an array of them would cost
/// more than they do.
inline friction::LimitSurface cone_at(const World& world, const StepData& d, size_t place) {
    if (!d.circles) return d.cones[place];
    const contact::Contact& c = d.place(place);
    const Vec3 t = friction::kept_tangent(d.previous_axis(place), c.normal);
    return {t, cross(c.normal, t), friction::circle_of(world.pairs.pair(c.material_a, c.material_b).friction)};
}

// The stages, one file each, in the order of step.cpp.
void find_pairs(World& world, StepData& d);
void make_contacts(World& world, StepData& d);
void generate_cones(World& world, StepData& d);
/// Its part for lone points, whose limits then have a third axis where their pair asks for it.
void resist_spinning(const World& world, StepData& d);
bool lone_points_spin(const World& world, const surface::Pair& pair);
void predict_velocities(World& world, StepData& d);
void assemble_problem(World& world, StepData& d);
void solve_contacts(World& world, StepData& d);
void apply_impulses(World& world, StepData& d);
void integrate_poses(World& world, StepData& d);

}  // namespace asperity::sim
