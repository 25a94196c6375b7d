// Hash, save and restore of the state of a world.
#include <fmt/format.h>
#include <algorithm>
#include <cstring>

#include "asperity/core/error.h"
#include "asperity/core/hash.h"
#include "asperity/sim/world.h"

namespace asperity::sim {
namespace {

/// Visits every number of a drag. Drags are saved first, because they determine the number of joints.
template <class DragType, class Visit>
void visit_drag(DragType& drag, Visit&& visit) {
    visit(drag.id), visit(drag.body);
    for (auto* v : {&drag.point, &drag.target}) visit(v->x), visit(v->y), visit(v->z);
    visit(drag.stiffness), visit(drag.damping), visit(drag.max_force), visit(drag.angular_damping);
}
constexpr size_t kDragBytes = 2 * sizeof(int) + 10 * sizeof(double);

/// Visits every other number of the state. Saving, restoring and hashing all use it, so they cover the same data.
template <class StateType, class Visit>
void visit_state(StateType& state, Visit&& visit) {
    const auto vec = [&](auto& v) { visit(v.x), visit(v.y), visit(v.z); };
    visit(state.time);
    visit(state.time_carry);
    visit(state.last_dt);
    for (int i = 0; i < static_cast<int>(state.bodies.pose.size()); ++i) {
        const auto k = static_cast<size_t>(i);
        vec(state.bodies.pose[k].position);
        auto& q = state.bodies.pose[k].orientation;
        visit(q.w), visit(q.x), visit(q.y), visit(q.z);
        vec(state.bodies.velocity[k]);
        vec(state.bodies.angular_velocity[k]);
        vec(state.bodies.angular_impulse[k]);
        visit(state.bodies.trusted_impulse[k]);
        visit(state.bodies.island[k]), visit(state.bodies.quiet_time[k]);
    }
    for (auto& joint : state.joint_impulses)
        for (auto& block : joint)
            for (auto& impulse : block) visit(impulse);
    const auto contact = [&](auto& c) {
        visit(c.pair), visit(c.feature), visit(c.gap);  // shared_patches.cpp starts its search at the last depth
        vec(c.impulse);
        visit(c.drilling);
        vec(c.t);
        vec(c.local_a), vec(c.local_b), vec(c.local_normal);
    };
    const auto memory = [&](auto& m) {
        visit(m.pair), visit(m.first), visit(m.count), visit(m.margin);
        vec(m.relative_pose.position);
        auto& q = m.relative_pose.orientation;
        visit(q.w), visit(q.x), visit(q.y), visit(q.z);
    };
    for (auto& c : state.active.contacts) contact(c);
    for (auto& m : state.active.pair_memory) memory(m);
    for (auto& c : state.dormant.contacts) contact(c);
    for (auto& m : state.dormant.pair_memory) memory(m);
    const auto patch = [&](auto& p) {  // the data that the next step inherits
        visit(p.at.pair), visit(p.at.feature);
        vec(p.at.normal), vec(p.at.impulse), vec(p.at.t), vec(p.torque);
        visit(p.pressure.x), visit(p.pressure.y), visit(p.reach);
        vec(p.pressed), vec(p.at.local_a), vec(p.at.local_b);
    };
    for (auto& p : state.active.patches) patch(p);
    for (auto& p : state.dormant.patches) patch(p);
}

constexpr char kMagic[8] = {'A', 'S', 'P', 'S', 'T', 'A', 'T', '9'};

}  // namespace

std::string World::state_hash() const {
    Hash hash;
    const auto add = [&](const auto& value) {
        if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(value)>>)
            hash.add(value);
        else
            hash.add(static_cast<std::uint64_t>(value));
    };
    for (const Drag& drag : state.drags) visit_drag(drag, add);
    visit_state(state, add);
    return hash.hex();
}

std::string World::save_state() const {
    std::string bytes(kMagic, sizeof kMagic);
    const auto put = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
    put(static_cast<std::uint64_t>(model.bodies.count()));
    put(static_cast<std::uint64_t>(scene_joint_count()));
    put(static_cast<std::uint64_t>(state.active.contacts.size()));
    put(static_cast<std::uint64_t>(state.active.pair_memory.size()));
    put(static_cast<std::uint64_t>(state.dormant.contacts.size()));
    put(static_cast<std::uint64_t>(state.dormant.pair_memory.size()));
    put(static_cast<std::uint64_t>(state.active.patches.size()));
    put(static_cast<std::uint64_t>(state.dormant.patches.size()));
    put(static_cast<std::uint64_t>(state.steps_done));
    put(static_cast<std::uint64_t>(state.drags.size()));
    for (const Drag& drag : state.drags) visit_drag(drag, put);
    visit_state(state, put);
    return bytes;
}

void World::restore_state(const std::string& bytes) {
    const char* at = bytes.data();
    const auto need = [&](size_t size) {
        if (static_cast<size_t>(bytes.data() + bytes.size() - at) < size)
            throw InputError("checkpoint: cut off or not a checkpoint of this program; start the run anew without --resume");
    };
    const auto get = [&](auto& value) {
        need(sizeof value);
        std::memcpy(&value, at, sizeof value);
        at += sizeof value;
    };
    need(sizeof kMagic);
    if (std::memcmp(at, kMagic, sizeof kMagic) != 0)
        throw InputError("checkpoint: not a checkpoint of this program, or of another version");
    at += sizeof kMagic;
    std::uint64_t body_count = 0, joint_count = 0, contact_count = 0, pair_count = 0, dormant_count = 0,
                  dormant_pair_count = 0, patch_count = 0, dormant_patch_count = 0, step_count = 0, drag_count = 0;
    get(body_count), get(joint_count), get(contact_count), get(pair_count), get(dormant_count), get(dormant_pair_count),
        get(patch_count), get(dormant_patch_count), get(step_count), get(drag_count);
    if (body_count != static_cast<std::uint64_t>(model.bodies.count()) || joint_count != scene_joint_count())
        throw InputError(fmt::format("checkpoint: made from another scene ({} bodies and {} joints; this one has {} and {})",
                                     body_count, joint_count, model.bodies.count(), scene_joint_count()));
    // The exact size is known, so the state changes only if all bytes are present.
    const size_t expected =
        drag_count * kDragBytes +
        sizeof(double) * (3 + 18 * body_count + (joint_count + drag_count) * rigid::kMaxJointBlocks * kMaxBlockRows) +
        sizeof(int) * body_count +
        (contact_count + dormant_count) * (sizeof(std::uint64_t) + sizeof(std::uint32_t) + 17 * sizeof(double)) +
        (pair_count + dormant_pair_count) * (sizeof(std::uint64_t) + 2 * sizeof(int) + 8 * sizeof(double)) +
        (patch_count + dormant_patch_count) * (sizeof(std::uint64_t) + sizeof(std::uint32_t) + 24 * sizeof(double));
    const size_t most = std::max(
        {contact_count, pair_count, dormant_count, dormant_pair_count, patch_count, dormant_patch_count, drag_count});
    if (most > bytes.size() || static_cast<size_t>(bytes.data() + bytes.size() - at) != expected)
        throw InputError("checkpoint: cut off or damaged; start the run anew without --resume");
    std::vector<Drag> drags(drag_count);
    for (Drag& drag : drags) {
        visit_drag(drag, get);
        if (drag.body < 0 || drag.body >= model.bodies.count() ||
            model.bodies.motion[static_cast<size_t>(drag.body)] != rigid::Motion::Dynamic)
            throw InputError("checkpoint: drags a body that cannot be dragged; start the run anew without --resume");
    }
    set_drags(std::move(drags));
    state.active.contacts.assign(contact_count, {});
    state.active.pair_memory.assign(pair_count, {});
    state.dormant.contacts.assign(dormant_count, {});
    state.dormant.pair_memory.assign(dormant_pair_count, {});
    state.active.patches.assign(patch_count, {});
    state.dormant.patches.assign(dormant_patch_count, {});
    visit_state(state, get);
    for (std::vector<contact::Contact>* list : {&state.active.contacts, &state.dormant.contacts})
        for (contact::Contact& c : *list) {  // fields that follow from the pair are not saved
            const auto a = contact::pair_low(c.pair), b = contact::pair_high(c.pair);
            if (a >= model.bodies.colliders.size() || b >= model.bodies.colliders.size())
                throw InputError("checkpoint: made from another scene, or damaged; start the run anew without --resume");
            c.collider_a = static_cast<int>(a);
            c.collider_b = static_cast<int>(b);
            c.body_a = model.bodies.collider_body[a];
            c.body_b = model.bodies.collider_body[b];
            c.material_a = model.bodies.colliders[a].material;
            c.material_b = model.bodies.colliders[b].material;
        }
    state.steps_done = static_cast<int>(step_count);
}

}  // namespace asperity::sim
