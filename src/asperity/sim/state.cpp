// Hash, save and restore of the state of a world.
#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include <limits>

#include "asperity/core/error.h"
#include "asperity/core/hash.h"
#include "asperity/sim/check_state.h"
#include "asperity/sim/world.h"

namespace asperity::sim {
namespace {

/// Visits every number of a drag. Drags are saved first, because they determine the number of joints.
template <class DragType, class Visit>
void visit_drag(DragType& drag, Visit&& visit) {
    visit(drag.id.number), visit(drag.body);
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

/// Results of the last step that no later step reads, only contact_forces() and contact_surface(). Not hashed.
template <class StateType, class Visit>
void visit_reported(StateType& state, Visit&& visit) {
    const auto vec = [&](auto& v) { visit(v.x), visit(v.y), visit(v.z); };
    for (auto* memory : {&state.active, &state.dormant}) {
        for (auto& c : memory->contacts) {
            vec(c.point), vec(c.normal);
            auto in_patch = static_cast<std::uint32_t>(c.in_patch);
            visit(in_patch);
            if constexpr (!std::is_const_v<std::remove_reference_t<decltype(c)>>) c.in_patch = in_patch != 0;
        }
        for (auto& p : memory->patches) vec(p.at.point), visit(p.at.gap);
    }
}
constexpr size_t kReportedOfContact = 6 * sizeof(double) + sizeof(std::uint32_t), kReportedOfPatch = 4 * sizeof(double);

constexpr const char* kRemedy = "start the run anew without --resume";
constexpr char kMagic[8] = {'A', 'S', 'P', 'S', 'T', 'A', 'T', 'A'};

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
    put(state.removals);
    for (const Drag& drag : state.drags) visit_drag(drag, put);
    visit_state(state, put);
    visit_reported(state, put);
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
                  dormant_pair_count = 0, patch_count = 0, dormant_patch_count = 0, step_count = 0, drag_count = 0,
                  removals = 0;
    get(body_count), get(joint_count), get(contact_count), get(pair_count), get(dormant_count), get(dormant_pair_count),
        get(patch_count), get(dormant_patch_count), get(step_count), get(drag_count), get(removals);
    if (body_count != static_cast<std::uint64_t>(model.bodies.count()) || joint_count != scene_joint_count())
        throw InputError(fmt::format("checkpoint: made from another scene ({} bodies and {} joints; this one has {} and {})",
                                     body_count, joint_count, model.bodies.count(), scene_joint_count()));
    if (removals != state.removals)
        throw InputError(
            "checkpoint: other bodies or joints were removed before it was written than from this world; add and remove the "
            "same ones in the same order, then restore");
    // The exact size is known, so the state changes only if all bytes are present.
    const size_t expected =
        drag_count * kDragBytes +
        sizeof(double) * (3 + 18 * body_count + (joint_count + drag_count) * rigid::kMaxJointBlocks * kMaxBlockRows) +
        sizeof(int) * body_count +
        (contact_count + dormant_count) *
            (sizeof(std::uint64_t) + sizeof(std::uint32_t) + 17 * sizeof(double) + kReportedOfContact) +
        (pair_count + dormant_pair_count) * (sizeof(std::uint64_t) + 2 * sizeof(int) + 8 * sizeof(double)) +
        (patch_count + dormant_patch_count) *
            (sizeof(std::uint64_t) + sizeof(std::uint32_t) + 24 * sizeof(double) + kReportedOfPatch);
    const size_t most = std::max(
        {contact_count, pair_count, dormant_count, dormant_pair_count, patch_count, dormant_patch_count, drag_count});
    if (most > bytes.size() || static_cast<size_t>(bytes.data() + bytes.size() - at) != expected)
        throw InputError("checkpoint: cut off or damaged; start the run anew without --resume");
    State restored = state;
    restored.drags.assign(drag_count, {});
    for (Drag& drag : restored.drags) visit_drag(drag, get);
    restored.joint_impulses.assign(joint_count + drag_count, {});
    restored.active = restored.dormant = {};
    restored.active.contacts.assign(contact_count, {});
    restored.active.pair_memory.assign(pair_count, {});
    restored.dormant.contacts.assign(dormant_count, {});
    restored.dormant.pair_memory.assign(dormant_pair_count, {});
    restored.active.patches.assign(patch_count, {});
    restored.dormant.patches.assign(dormant_patch_count, {});
    visit_state(restored, get);
    visit_reported(restored, get);
    if (step_count > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
        throw InputError(fmt::format("checkpoint: damaged: {} steps; {}", step_count, kRemedy));
    restored.steps_done = static_cast<int>(step_count);
    if (const std::string why = defect(model, restored, joint_count); !why.empty())
        throw InputError(fmt::format("checkpoint: damaged: {}; {}", why, kRemedy));

    for (std::vector<contact::Contact>* list : {&restored.active.contacts, &restored.dormant.contacts})
        for (contact::Contact& c : *list) {  // fields that follow from the pair are not saved
            const auto a = contact::pair_low(c.pair), b = contact::pair_high(c.pair);
            c.collider_a = static_cast<int>(a);
            c.collider_b = static_cast<int>(b);
            c.body_a = model.bodies.collider_body[a];
            c.body_b = model.bodies.collider_body[b];
            c.material_a = model.bodies.colliders[a].material.index;
            c.material_b = model.bodies.colliders[b].material.index;
        }
    const std::vector<std::array<Block6, rigid::kMaxJointBlocks>> impulses = std::move(restored.joint_impulses);
    set_drags(restored.drags);  // the springs, which are part of the model
    restored.next_drag = state.next_drag;
    state = std::move(restored);
    state.joint_impulses = impulses;
    forget_last_step();
}

void World::check_snapshot(const State& snapshot) const {
    std::string why = snapshot.removals != state.removals ? "bodies or joints were removed between the snapshot and now"
                                                          : defect(model, snapshot, scene_joint_count());
    if (!why.empty())
        throw InputError(
            fmt::format("set_state: {}; a snapshot fits the world that it was copied from, until bodies or "
                        "joints are added or removed",
                        why));
}

void World::set_state(State snapshot) {
    check_snapshot(snapshot);
    set_drags(snapshot.drags);  // the springs, which are part of the model
    state = std::move(snapshot);
    for (ContactMemory* memory : {&state.active, &state.dormant})  // lengths that this world may never have counted
        for (contact::PairMemory& pair : memory->pair_memory) pair.path = contact::PairMemory{}.path;
    forget_last_step();
}

}  // namespace asperity::sim
