// A world: model, state, and the functions with which users change both between steps. step() in sim/step.h advances it.
// Every function that takes an id throws InputError if the id is stale (its body was removed) or was never given out.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "asperity/sim/contact_force.h"
#include "asperity/sim/model.h"
#include "asperity/sim/query.h"
#include "asperity/sim/report.h"
#include "asperity/sim/state.h"

namespace asperity::sim {

struct StepData;  // intermediate results of a step, sim/step_data.h
class QueryTree;  // sim/query_tree.h

class World {
  public:
    World();
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    // === Building
    /// Throws InputError for a duplicate name.
    MaterialId add_material(surface::Material material);
    /// Throws InputError for a duplicate name, no collider, bad mass, a dynamic half-space.
    BodyId add_body(const rigid::BodyDesc& desc);
    /// The body of that name, or the world if there is none.
    BodyId find_body(const std::string& name) const;
    /// Whether the id names a body of this world that has not been removed.
    bool contains(BodyId id) const;
    /// The k-th shape of a body, in the order of its description.
    ColliderId collider(BodyId id, int k = 0) const;
    /// Throws InputError for a duplicate name or a joint between two bodies that cannot move.
    JointId add_joint(rigid::Joint joint);
    const rigid::Joint& joint(JointId id) const;
    /// Magnitude of the force at the joint's point in the last step [N].
    double joint_force(JointId id) const;
    /// The joints without the springs of drags.
    std::span<const rigid::Joint> scene_joints() const { return std::span(model.joints).first(scene_joint_count()); }

    // === Removing
    /// Removes a body, with its shapes, joints, drags and contacts, and wakes what touched it. Other ids stay valid. Its
    /// slot stays in all arrays, empty, until the next body with as many shapes takes it. Snapshots and checkpoints made
    /// before do not fit any more.
    void remove_body(BodyId id);
    void remove_joint(JointId id);  ///< wakes its bodies

    // === Motion of one body. Poses are those of the authored axes, as in BodyDesc.
    Pose pose(BodyId id) const;
    Vec3 center_of_mass(BodyId id) const;    ///< world axes
    Vec3 velocity(BodyId id) const;          ///< of the centre of mass [m/s]
    Vec3 angular_velocity(BodyId id) const;  ///< world axes [rad/s]
    Vec3 velocity_at(BodyId id, const Vec3& world_point) const;
    // The setters wake the body and what touches it. They throw InputError for values that are not finite, for kinematic
    // bodies with a path, and for velocities of fixed bodies.
    void set_pose(BodyId id, const Pose& pose);  ///< also wakes what lies at the new place; |orientation| = 1 to 1e-6
    void set_velocity(BodyId id, const Vec3& velocity);
    void set_angular_velocity(BodyId id, const Vec3& angular_velocity);
    /// Changes the velocities as a blow at a point does [N s, world axes]. For dynamic bodies.
    void apply_impulse(BodyId id, const Vec3& impulse, const Vec3& world_point);

    // === Surfaces
    /// Grain of a material, or of one body (all its shapes) or shape in place of its material's: from the next step on.
    /// Bodies that sleep on it wake. Fields are not part of save_state().
    void set_grain(MaterialId material, surface::Grain grain);
    void set_grain(BodyId body, surface::Grain grain);
    void set_grain(ColliderId collider, surface::Grain grain);

    /// Normal map of a material, or of one body (all its shapes) or shape in place of its material's, as with grain.
    void set_slopes(MaterialId material, surface::SlopeTexture slopes);
    void set_slopes(BodyId body, surface::SlopeTexture slopes);
    void set_slopes(ColliderId collider, surface::SlopeTexture slopes);

    // === Dragging
    /// Starts to drag the point of the body that is now at `point` (world axes) towards a target. The target is `point`
    /// until move_drag changes it. Throws InputError for a body that is not dynamic and for a value that is not finite.
    DragId begin_drag(BodyId body, const Vec3& point, const DragOptions& options = {});
    void move_drag(DragId drag, const Vec3& target);
    void end_drag(DragId drag);
    const std::vector<Drag>& drags() const { return state.drags; }

    // === Queries, of bodies where they are now. Sleeping and fixed bodies count. Not from several threads at once: the
    // first query after a motion moves the boxes of what has moved.
    /// The nearest point where the ray meets a body. Solids are closed sets, so a ray that begins inside one hits it at
    /// distance 0. `direction` need not be unit. Throws InputError for a direction of length 0 and for what is not finite;
    /// max_distance may be infinite.
    std::optional<RayHit> cast_ray(const Vec3& origin, const Vec3& direction, double max_distance,
                                   const BodyFilter& filter = {}) const;
    /// Many rays at once, on all threads. The filter is called from any of them.
    std::vector<std::optional<RayHit>> cast_rays(std::span<const geometry::Ray> rays, const BodyFilter& filter = {}) const;
    /// Bodies that touch or overlap a shape, by index.
    std::vector<BodyId> overlapping(const geometry::Shape& shape, const Pose& pose, const BodyFilter& filter = {}) const;
    /// Bodies with a shape whose bounding box touches the box, by index.
    std::vector<BodyId> bodies_in(const geometry::Aabb& box, const BodyFilter& filter = {}) const;

    // === Forces of contacts: impulses of the last step over its length. With substeps those of the last one. Of sleeping
    // bodies those of the step in which they fell asleep.
    std::vector<ContactForce> contact_forces() const;
    Vec3 contact_force_on(BodyId id) const;  ///< sum over its contacts [N]
    PairForce force_between(BodyId a, BodyId b) const;

    Model model;  ///< change it only between steps
    State state;  ///< likewise; a copy is a snapshot for set_state()

    /// Checks the model (every pair of materials that can touch has a law) and builds the broad phase. step() calls it;
    /// it costs little if nothing has changed.
    void prepare();

    /// Wakes the island of a body. Call it after you change a sleeping body in `state`. The step itself wakes islands that
    /// are touched.
    void wake(BodyId id);

    // === Saving
    /// Hash of everything that determines the future: poses, velocities, time, warm-start impulses.
    std::string state_hash() const;
    /// The same, as bytes that restore_state takes back into a world that was built by the same calls: the same scene, and
    /// after it the same bodies and joints added and removed, in the same order. Throws InputError when it does not fit.
    std::string save_state() const;
    void restore_state(const std::string& bytes);
    /// Replaces the state by a snapshot: a copy of `state` from this world or from one with the same model. Throws
    /// InputError, and changes nothing, if bodies or joints were added or removed since.
    void set_state(State snapshot);

    // === Sums over all bodies
    double kinetic_energy() const;
    double potential_energy() const;  ///< of gravity, zero at the origin [J]
    Vec3 linear_momentum() const;
    Vec3 angular_momentum() const;  ///< about the origin

    StepData& data() { return *data_; }
    const StepData& data() const { return *data_; }

  private:
    // Indices of ids; each throws InputError that begins with `who`.
    int index_of(BodyId id, const char* who) const;
    int index_of(ColliderId id, const char* who) const;
    int index_of(MaterialId id, const char* who) const;
    size_t index_of(JointId id, const char* who) const;  // into model.joints
    size_t index_of(DragId id, const char* who) const;   // into state.drags
    int movable(BodyId id, const char* who) const;       // of a body that takes a velocity

    size_t scene_joint_count() const { return model.joints.size() - state.drags.size(); }
    void build_broad_phase();
    void forget_paths();      // resets path lengths if bodies were added (find_pairs.cpp)
    void forget_last_step();  // clears what StepData knows of contacts that were replaced or removed
    void forget_contacts(int body);
    void erase_joint(size_t index);
    void wake_island(int body);
    void wake_neighbours(int body);
    void wake_material(int material);
    void set_drags(std::vector<Drag> drags);  // replaces all drags and clears the impulses of all joints
    void check_snapshot(const State& snapshot) const;
    const QueryTree& query_tree() const;  // brought up to date

    std::unique_ptr<StepData> data_;
    std::unique_ptr<QueryTree> query_tree_;
    std::map<std::string, int> body_index_;
    std::set<std::string> joint_names_;
    int next_joint_ = 0;
};

}  // namespace asperity::sim
