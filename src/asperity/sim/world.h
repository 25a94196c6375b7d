// The world: bodies, joints, materials, settings and what lives from step to step. step(world, dt) in sim/step.h moves it.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "asperity/contact/patch_contact.h"
#include "asperity/math/dense.h"
#include "asperity/rigid/body.h"
#include "asperity/rigid/joint.h"
#include "asperity/sim/drag.h"
#include "asperity/sim/report.h"
#include "asperity/surface/material.h"

namespace asperity::sim {

struct Settings {
    Vec3 gravity{0, 0, -9.81};      ///< [m/s^2]
    std::string solver = "prox";    ///< a name that solvers::make_solver knows
    solvers::SolveOptions solve;    ///< tolerance [m/s], sweep limit
    int substeps = 1;               ///< step(world, dt) does this many steps of dt/substeps
    double contact_margin = 0.005;  ///< contacts are made for gaps up to this [m]; also the lookahead of slow bodies
    surface::ContactModel contact_model = surface::ContactModel::Points;  ///< of pairs that do not say themselves
    surface::Stabilisation stabilisation;                                 ///< of patches whose pairs do not say themselves
    double bounce_threshold = 0.05;                                       ///< impacts slower than this do not bounce [m/s]
    /// Limit surfaces are found again where the step ends, so many times at most, until the velocities stand still. 0: those
    /// of its start count.
    int implicit_passes = 0;
    /// Loaded contacts of turning bodies act where they are halfway through the step, which is second order in time. Piles
    /// that are solved by few sweeps do as well without, and a tenth faster.
    bool halfway_contacts = true;
    int position_sweeps = 50;  ///< limit of the position pass
    /// Contacts of a pair are kept while the two have moved less than this against each other [m]; they then move with the
    /// bodies, which is wrong by about the square of this over their size. 0 finds them anew in every step.
    double contact_reuse = 0;
    /// Islands whose bodies all stay slower than this for sleep_time fall asleep until something touches them [m/s]. 0:
    /// nobody sleeps.
    double sleep_speed = 0;
    double sleep_time = 0.5;  ///< [s]
};

struct StepData;  // transient data of a step, sim/step_data.h

class World {
  public:
    World();
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    int add_material(surface::Material material);
    /// Throws InputError for a duplicate name, no collider, bad mass, a dynamic half-space.
    rigid::BodyId add_body(const rigid::BodyDesc& desc);
    /// The body of that name, or the world when there is none.
    rigid::BodyId find_body(const std::string& name) const;
    /// Throws InputError for a duplicate name or a joint between two bodies that cannot move.
    int add_joint(rigid::Joint joint);
    /// The joints without the springs of drags.
    std::span<const rigid::Joint> scene_joints() const { return std::span(joints).first(scene_joint_count()); }

    /// Grain of a material, or of one body (all its shapes) in place of its materials': from the next step on. Bodies that
    /// sleep on it wake. Fields are not part of save_state().
    void set_grain(int material, surface::Grain grain);
    void set_grain(rigid::BodyId body, surface::Grain grain);
    void set_collider_grain(int collider, surface::Grain grain);  ///< of one shape alone
    /// A shape's own grain, or null where its material decides.
    const surface::Grain* grain_of(int collider) const {
        const auto i = static_cast<size_t>(collider);
        return i < collider_grain_.size() ? collider_grain_[i].get() : nullptr;
    }
    std::shared_ptr<const surface::Grain> shared_grain_of(int collider) const;

    /// Normal map of a material, or of one body (all its shapes) or shape in place of its material's, as with grain.
    void set_slopes(int material, surface::SlopeTexture slopes);
    void set_slopes(rigid::BodyId body, surface::SlopeTexture slopes);
    void set_collider_slopes(int collider, surface::SlopeTexture slopes);
    /// Of a shape: its own, or its material's; null where both are smooth.
    const surface::SlopeTexture* slopes_of(int collider) const;

    /// Begins to draw the point of the body that is at `point` now (world axes) to a target, which is that point until
    /// move_drag moves it. Returns the number that the other two take. All three throw InputError for what does not exist or
    /// is not finite.
    int begin_drag(rigid::BodyId body, const Vec3& point, const DragOptions& options = {});
    void move_drag(int drag, const Vec3& target);
    void end_drag(int drag);
    const std::vector<Drag>& drags() const { return drags_; }

    Settings settings;
    surface::PairTable pairs;  ///< fill before the first step
    rigid::Bodies bodies;
    std::vector<rigid::Joint> joints;  ///< those of the scene, then one spring per drag
    std::vector<surface::Material> materials;
    std::vector<contact::Contact> contacts;          ///< of the last step, sorted by (pair, feature), with their impulses
    std::vector<contact::PairMemory> pair_memory;    ///< of the last step, sorted
    std::vector<contact::Contact> dormant_contacts;  ///< of sleeping islands, as they were when these fell asleep
    std::vector<contact::PairMemory> dormant_pairs;
    std::vector<contact::PatchContact> patches;  ///< of the last step, sorted by pair
    std::vector<contact::PatchContact> dormant_patches;
    /// Impulses of each joint's blocks in the last step, the warm start of the next [N s, N m s].
    std::vector<std::array<Block6, rigid::kMaxJointBlocks>> joint_impulses;
    double time = 0;        ///< [s]
    double time_carry = 0;  ///< what rounding has cut off the sum of all steps so far [s]
    int steps_done = 0;
    double last_dt = 0;  ///< of the last (sub)step [s]; forces = impulses / last_dt

    /// Checks that everything fits together (every needed pair has a law) and builds the broad phase. step() calls it if
    /// nobody did; it is free when nothing changed.
    void prepare();

    /// Wakes the island of a body; the engine does so itself when something touches it. Call it after changing a sleeping
    /// body by hand.
    void wake(rigid::BodyId id);

    /// Hash of everything that decides the future: poses, velocities, time, warm-start impulses.
    std::string state_hash() const;
    /// The same, as bytes that restore_state takes back into a world built from the same scene. Throws InputError when it
    /// does not fit.
    std::string save_state() const;
    void restore_state(const std::string& bytes);

    double kinetic_energy() const;
    double potential_energy() const;  ///< of gravity, zero at the origin [J]
    Vec3 linear_momentum() const;
    Vec3 angular_momentum() const;  ///< about the origin

    StepData& data() { return *data_; }
    const StepData& data() const { return *data_; }

  private:
    size_t scene_joint_count() const { return joints.size() - drags_.size(); }
    void wake_neighbours(int body);
    void wake_material(int material);
    size_t drag_index(int drag, const char* who) const;
    void set_drags(std::vector<Drag> drags);  // replaces all of them, and forgets the impulses of all joints

    std::vector<Drag> drags_;
    std::vector<std::shared_ptr<const surface::Grain>> collider_grain_;  // as far as there are any
    std::vector<surface::SlopeTexture> collider_slopes_;                 // likewise
    int next_drag_ = 0;
    std::unique_ptr<StepData> data_;
    std::map<std::string, int> body_index_;
    std::set<std::string> joint_names_;
};

}  // namespace asperity::sim
