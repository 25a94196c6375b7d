// The world: a model, its state, and what users do to both between steps. step(world, dt) in sim/step.h moves it.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "asperity/sim/model.h"
#include "asperity/sim/report.h"
#include "asperity/sim/state.h"

namespace asperity::sim {

struct StepData;  // what the stages hand to one another, sim/step_data.h

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
    std::span<const rigid::Joint> scene_joints() const { return std::span(model.joints).first(scene_joint_count()); }

    /// Grain of a material, or of one body (all its shapes) in place of its materials': from the next step on. Bodies that
    /// sleep on it wake. Fields are not part of save_state().
    void set_grain(int material, surface::Grain grain);
    void set_grain(rigid::BodyId body, surface::Grain grain);
    void set_collider_grain(int collider, surface::Grain grain);  ///< of one shape alone

    /// Normal map of a material, or of one body (all its shapes) or shape in place of its material's, as with grain.
    void set_slopes(int material, surface::SlopeTexture slopes);
    void set_slopes(rigid::BodyId body, surface::SlopeTexture slopes);
    void set_collider_slopes(int collider, surface::SlopeTexture slopes);

    /// Begins to draw the point of the body that is at `point` now (world axes) to a target, which is that point until
    /// move_drag moves it. Returns the number that the other two take. All three throw InputError for what does not exist or
    /// is not finite.
    int begin_drag(rigid::BodyId body, const Vec3& point, const DragOptions& options = {});
    void move_drag(int drag, const Vec3& target);
    void end_drag(int drag);
    const std::vector<Drag>& drags() const { return state.drags; }

    Model model;  ///< change it between steps alone
    State state;  ///< likewise; a copy of it is a snapshot, which set_state() takes back

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
    /// Takes a snapshot back, that is a copy of `state` made in this world or in one with the same model. Throws InputError
    /// when it does not fit.
    void set_state(const State& snapshot);

    double kinetic_energy() const;
    double potential_energy() const;  ///< of gravity, zero at the origin [J]
    Vec3 linear_momentum() const;
    Vec3 angular_momentum() const;  ///< about the origin

    StepData& data() { return *data_; }
    const StepData& data() const { return *data_; }

  private:
    size_t scene_joint_count() const { return model.joints.size() - state.drags.size(); }
    void build_broad_phase();
    void forget_paths();  // where bodies were added: lengths were counted with another lever (find_pairs.cpp)
    void wake_neighbours(int body);
    void wake_material(int material);
    size_t drag_index(int drag, const char* who) const;
    void set_drags(std::vector<Drag> drags);  // replaces all of them, and forgets the impulses of all joints

    std::unique_ptr<StepData> data_;
    std::map<std::string, int> body_index_;
    std::set<std::string> joint_names_;
};

}  // namespace asperity::sim
