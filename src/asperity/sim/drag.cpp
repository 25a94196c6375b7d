#include "asperity/sim/drag.h"

#include <fmt/format.h>
#include <algorithm>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/sim/world.h"

namespace asperity::sim {
namespace {

rigid::Joint spring_of(const Drag& drag) {
    return {fmt::format("drag {}", drag.id.number),
            {},
            BodyId{drag.body},
            {drag.target, {}},
            {drag.point, {}},
            rigid::PointSpring{drag.stiffness, drag.damping, drag.max_force, drag.angular_damping},
            true};
}

}  // namespace

DragId World::begin_drag(BodyId body, const Vec3& point, const DragOptions& options) {
    const auto i = static_cast<size_t>(index_of(body, "begin_drag"));
    if (model.bodies.motion[i] != rigid::Motion::Dynamic)
        throw InputError(fmt::format("begin_drag: body \"{}\" is fixed or kinematic; only dynamic bodies can be dragged",
                                     model.bodies.name[i]));
    if (!is_finite(point))
        throw InputError(fmt::format("begin_drag: the point on body \"{}\" is not finite", model.bodies.name[i]));
    if (!(options.frequency > 0 && options.frequency <= 1e3))
        throw InputError(fmt::format("begin_drag: frequency = {}: must be above 0 and at most 1000 Hz", options.frequency));
    if (!(options.max_acceleration > 0))
        throw InputError(fmt::format("begin_drag: max_acceleration = {}: must be above 0", options.max_acceleration));

    const double w = 2 * std::numbers::pi * options.frequency, mass = model.bodies.mass[i];
    const Mat3& I = model.bodies.inertia[i];
    const double inertia = std::max({I.r[0].x, I.r[1].y, I.r[2].z});
    state.drags.push_back({DragId{state.next_drag++}, body.index, state.bodies.pose[i].to_local(point), point, mass * w * w,
                           2 * mass * w, mass * options.max_acceleration, inertia * w});
    // joints to the world exclude no pair of bodies, so the model stays prepared
    model.joints.push_back(spring_of(state.drags.back()));
    state.joint_impulses.emplace_back();
    wake_island(body.index);
    return state.drags.back().id;
}

size_t World::index_of(DragId drag, const char* who) const {
    const auto found = std::find_if(state.drags.begin(), state.drags.end(), [&](const Drag& d) { return d.id == drag; });
    if (found == state.drags.end())
        throw InputError(
            fmt::format("{}: there is no drag {}; it has ended, or begin_drag never gave this number", who, drag.number));
    return static_cast<size_t>(found - state.drags.begin());
}

void World::move_drag(DragId drag, const Vec3& target) {
    const size_t i = index_of(drag, "move_drag");
    if (!is_finite(target)) throw InputError("move_drag: the target is not finite");
    state.drags[i].target = target;
    wake_island(state.drags[i].body);
    model.joints[scene_joint_count() + i].frame_a.position = target;
}

void World::end_drag(DragId drag) {
    const size_t i = index_of(drag, "end_drag"), joint = scene_joint_count() + i;
    wake_island(state.drags[i].body);
    model.joints.erase(model.joints.begin() + static_cast<std::ptrdiff_t>(joint));
    state.joint_impulses.erase(state.joint_impulses.begin() + static_cast<std::ptrdiff_t>(joint));
    state.drags.erase(state.drags.begin() + static_cast<std::ptrdiff_t>(i));
}

void World::set_drags(std::vector<Drag> drags) {
    const size_t first = scene_joint_count();
    model.joints.erase(model.joints.begin() + static_cast<std::ptrdiff_t>(first), model.joints.end());
    state.drags = std::move(drags);
    for (const Drag& drag : state.drags) {
        model.joints.push_back(spring_of(drag));
        state.next_drag = std::max(state.next_drag, drag.id.number + 1);
    }
    state.joint_impulses.assign(model.joints.size(), {});
}

}  // namespace asperity::sim
