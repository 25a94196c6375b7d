// Removing bodies and joints. A removed body leaves an empty slot behind (rigid::Bodies), so that no index changes; a
// removed joint leaves nothing, because its id is a number, not an index.
#include <algorithm>

#include "asperity/core/hash.h"
#include "asperity/sim/islands.h"
#include "asperity/sim/step_data.h"
#include "asperity/sim/world.h"

namespace asperity::sim {
namespace {

/// A removal as part of State::removals.
std::uint64_t with_removal(std::uint64_t removals, std::uint64_t kind, int number) {
    Hash hash;
    hash.add(removals), hash.add(kind), hash.add(static_cast<std::uint64_t>(number));
    return hash.value();
}

}  // namespace

void World::remove_body(BodyId id) {
    const int body = index_of(id, "remove_body");
    const auto i = static_cast<size_t>(body);
    wake_neighbours(body);
    for (const contact::PairMemory& pair : state.active.pair_memory) {  // awake, but about to fall asleep
        const auto [a, b] = bodies_of(model, pair.pair);
        if (pair.count > 0 && (a == body || b == body)) state.bodies.quiet_time[static_cast<size_t>(a == body ? b : a)] = 0;
    }
    while (true) {
        const auto drag =
            std::find_if(state.drags.begin(), state.drags.end(), [&](const Drag& d) { return d.body == body; });
        if (drag == state.drags.end()) break;
        end_drag(drag->id);
    }
    for (size_t k = scene_joint_count(); k-- > 0;)
        if (model.joints[k].a.index == body || model.joints[k].b.index == body) erase_joint(k);
    forget_contacts(body);
    for (auto c = static_cast<size_t>(model.bodies.first_collider[i]);
         c < static_cast<size_t>(model.bodies.first_collider[i] + model.bodies.collider_count[i]); ++c) {
        if (c < model.collider_grain.size()) model.collider_grain[c] = nullptr;
        if (c < model.collider_slopes.size()) model.collider_slopes[c] = {};
    }
    body_index_.erase(model.bodies.name[i]);
    model.bodies.remove(body);
    state.bodies.remove(body);
    state.removals = with_removal(state.removals, 0, body);
    data_->derived.valid = false;
    forget_last_step();
}

void World::remove_joint(JointId id) {
    erase_joint(index_of(id, "remove_joint"));
    state.removals = with_removal(state.removals, 1, id.number);
    forget_last_step();
}

void World::erase_joint(size_t index) {
    for (const BodyId id : {model.joints[index].a, model.joints[index].b})
        if (!id.is_world()) {
            wake_island(id.index);
            state.bodies.quiet_time[static_cast<size_t>(id.index)] = 0;
        }
    joint_names_.erase(model.joints[index].name);
    model.joints.erase(model.joints.begin() + static_cast<std::ptrdiff_t>(index));
    state.joint_impulses.erase(state.joint_impulses.begin() + static_cast<std::ptrdiff_t>(index));
    data_->derived.valid = false;  // its bodies may collide now
}

void World::forget_last_step() {
    data_->cones.cones.clear();  // limit_surface() and sampled_footprint()
    data_->cones.law_first.clear();
    data_->assembly.joint_block.clear();  // last_problem()
}

}  // namespace asperity::sim
