// A world: model, state, and the functions with which users change both between steps. step() in sim/step.h advances
// it.
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

struct StepData;  // intermediate results of a step, sim/step_data.h

class World {
  public:
    World();
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    int add_material(surface::Material material);
    /// Throws InputError for a duplicate name, no collider, bad mass, a dynamic half-space.
    rigid::BodyId add_body(const rigid::BodyDesc& desc);
    /// The body of that name, or the world if there is none.
    rigid::BodyId find_body(const std::string& name) const;
    /// Throws InputError for a duplicate name or a joint between two bodies that cannot move.
    int add_joint(rigid::Joint joint);
    /// The joints of the scene, without the springs of drags.
    std::span<const rigid::Joint> scene_joints() const { return std::span(model.joints).first(scene_joint_count()); }

    /// Sets the grain of a material, or of one body (all its shapes) instead of its materials', from the next step on.
    /// Wakes bodies that sleep on it. Grain is not part of save_state().
    void set_grain(int material, surface::Grain grain);
    void set_grain(rigid::BodyId body, surface::Grain grain);
    void set_collider_grain(int collider, surface::Grain grain);  ///< of one shape

    /// The same for the normal map of a material, body or shape.
    void set_slopes(int material, surface::SlopeTexture slopes);
    void set_slopes(rigid::BodyId body, surface::SlopeTexture slopes);
    void set_collider_slopes(int collider, surface::SlopeTexture slopes);

    /// Starts to drag the point of the body that is now at `point` (world axes) towards a target. The target is `point`
    /// until move_drag changes it. Returns the id for move_drag and end_drag. All three throw InputError if the body or
    /// drag does not exist or a value is not finite.
    int begin_drag(rigid::BodyId body, const Vec3& point, const DragOptions& options = {});
    void move_drag(int drag, const Vec3& target);
    void end_drag(int drag);
    const std::vector<Drag>& drags() const { return state.drags; }

    Model model;  ///< change it only between steps
    State state;  ///< likewise; a copy is a snapshot for set_state()

    /// Checks the model (every pair of materials that can touch has a law) and builds the broad phase. step() calls it;
    /// it costs little if nothing has changed.
    void prepare();

    /// Wakes the island of a body. Call it after you change a sleeping body. The step itself wakes islands that are
    /// touched.
    void wake(rigid::BodyId id);

    /// Hash of everything that determines the future: poses, velocities, time, warm-start impulses.
    std::string state_hash() const;
    /// Saves the hashed data as bytes, for restore_state() of a world built from the same scene. restore_state() throws
    /// InputError if the bytes do not match the scene.
    std::string save_state() const;
    void restore_state(const std::string& bytes);
    /// Replaces the state by a snapshot: a copy of `state` from this world or from one with the same model. Throws
    /// InputError if it does not match the model.
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
    void forget_paths();  // resets path lengths if bodies were added (find_pairs.cpp)
    void wake_neighbours(int body);
    void wake_material(int material);
    size_t drag_index(int drag, const char* who) const;
    void set_drags(std::vector<Drag> drags);  // replaces all drags and clears the impulses of all joints

    std::unique_ptr<StepData> data_;
    std::map<std::string, int> body_index_;
    std::set<std::string> joint_names_;
};

}  // namespace asperity::sim
