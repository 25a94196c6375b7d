// The motion of one body, as users read and change it between steps.
#include <fmt/format.h>
#include <cmath>

#include "asperity/core/error.h"
#include "asperity/sim/query_tree.h"
#include "asperity/sim/world.h"

namespace asperity::sim {
namespace {

void check_finite(const Vec3& v, const char* who, const char* what) {
    if (!is_finite(v)) throw InputError(fmt::format("{}: {} = ({}, {}, {}): must be finite", who, what, v.x, v.y, v.z));
}

}  // namespace

Pose World::pose(BodyId id) const { return rigid::authored_pose(model.bodies, state.bodies, index_of(id, "pose")); }
Vec3 World::center_of_mass(BodyId id) const {
    return state.bodies.pose[static_cast<size_t>(index_of(id, "center_of_mass"))].position;
}
Vec3 World::velocity(BodyId id) const { return state.bodies.velocity[static_cast<size_t>(index_of(id, "velocity"))]; }
Vec3 World::angular_velocity(BodyId id) const {
    return state.bodies.angular_velocity[static_cast<size_t>(index_of(id, "angular_velocity"))];
}
Vec3 World::velocity_at(BodyId id, const Vec3& world_point) const {
    return state.bodies.velocity_at(index_of(id, "velocity_at"), world_point);
}

int World::movable(BodyId id, const char* who) const {
    const int body = index_of(id, who);
    const auto i = static_cast<size_t>(body);
    if (model.bodies.motion[i] == rigid::Motion::Fixed)
        throw InputError(fmt::format("{}: body \"{}\" is fixed; make it kinematic or dynamic", who, model.bodies.name[i]));
    if (model.bodies.path[i])
        throw InputError(fmt::format("{}: body \"{}\" follows its path; leave out the path to move it by hand", who,
                                     model.bodies.name[i]));
    return body;
}

void World::set_velocity(BodyId id, const Vec3& velocity) {
    const int body = movable(id, "set_velocity");
    check_finite(velocity, "set_velocity", "velocity");
    wake_neighbours(body);
    state.bodies.velocity[static_cast<size_t>(body)] = velocity;
}

void World::set_angular_velocity(BodyId id, const Vec3& angular_velocity) {
    const int body = movable(id, "set_angular_velocity");
    check_finite(angular_velocity, "set_angular_velocity", "angular_velocity");
    wake_neighbours(body);
    state.bodies.angular_velocity[static_cast<size_t>(body)] = angular_velocity;
}

void World::set_pose(BodyId id, const Pose& pose) {
    const int body = index_of(id, "set_pose");
    const auto i = static_cast<size_t>(body);
    if (model.bodies.path[i])
        throw InputError(fmt::format("set_pose: body \"{}\" follows its path; leave out the path to move it by hand",
                                     model.bodies.name[i]));
    check_finite(pose.position, "set_pose", "position");
    const Quat& q = pose.orientation;
    const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(std::fabs(norm - 1) <= 1e-6))
        throw InputError(fmt::format("set_pose: orientation = ({}, {}, {}, {}): its norm is {}; must be 1, see normalized()",
                                     q.w, q.x, q.y, q.z, norm));
    wake_neighbours(body);
    state.bodies.pose[i] = {pose * model.bodies.center[i], q};
    // Bodies that sleep at the new place: a fixed body there would not touch it, for two bodies at rest make no pair.
    for (int c = model.bodies.first_collider[i]; c < model.bodies.first_collider[i] + model.bodies.collider_count[i]; ++c) {
        const rigid::Collider& collider = model.bodies.colliders[static_cast<size_t>(c)];
        const geometry::Aabb box = geometry::bounds(collider.shape, state.bodies.pose[i] * collider.local);
        query_tree().in_box(box.grown(model.settings.contact_margin),
                            [&](int other) { wake_island(model.bodies.collider_body[static_cast<size_t>(other)]); });
    }
}

void World::apply_impulse(BodyId id, const Vec3& impulse, const Vec3& world_point) {
    const auto i = static_cast<size_t>(index_of(id, "apply_impulse"));
    if (model.bodies.motion[i] != rigid::Motion::Dynamic)
        throw InputError(fmt::format("apply_impulse: body \"{}\" is fixed or kinematic; only dynamic bodies take impulses",
                                     model.bodies.name[i]));
    check_finite(impulse, "apply_impulse", "impulse");
    check_finite(world_point, "apply_impulse", "point");
    wake_neighbours(static_cast<int>(i));
    const Pose& pose = state.bodies.pose[i];
    const Vec3 torque = rotate_inverse(pose.orientation, cross(world_point - pose.position, impulse));
    state.bodies.velocity[i] += model.bodies.inverse_mass[i] * impulse;
    state.bodies.angular_velocity[i] += rotate(pose.orientation, model.bodies.inverse_inertia[i] * torque);
}

}  // namespace asperity::sim
