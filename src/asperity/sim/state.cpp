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

/// What decides nothing, but is told of the last step: contact_forces() and contact_surface() read it. Not hashed.
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
    visit_reported(state, get);
    for (std::vector<contact::Contact>* list : {&state.active.contacts, &state.dormant.contacts})
        for (contact::Contact& c : *list) {  // fields that follow from the pair are not saved
            const auto a = contact::pair_low(c.pair), b = contact::pair_high(c.pair);
            if (a >= model.bodies.colliders.size() || b >= model.bodies.colliders.size())
                throw InputError("checkpoint: made from another scene, or damaged; start the run anew without --resume");
            c.collider_a = static_cast<int>(a);
            c.collider_b = static_cast<int>(b);
            c.body_a = model.bodies.collider_body[a];
            c.body_b = model.bodies.collider_body[b];
            c.material_a = model.bodies.colliders[a].material.index;
            c.material_b = model.bodies.colliders[b].material.index;
        }
    state.steps_done = static_cast<int>(step_count);
    forget_last_step();
}

void World::check_snapshot(const State& s) const {
    const auto fail = [](const std::string& what) {
        throw InputError(
            fmt::format("set_state: {}; a snapshot fits the world that it was copied from, until bodies or "
                        "joints are added or removed",
                        what));
    };
    const size_t bodies = model.bodies.motion.size(), colliders = model.bodies.colliders.size();
    const rigid::BodyStates& b = s.bodies;
    for (const size_t size : {b.pose.size(), b.velocity.size(), b.angular_velocity.size(), b.angular_impulse.size(),
                              b.trusted_impulse.size(), b.island.size(), b.quiet_time.size()})
        if (size != bodies) fail(fmt::format("the snapshot has {} bodies, the world has {}", size, bodies));
    if (s.removals != state.removals) fail("bodies or joints were removed between the snapshot and now");
    if (s.joint_impulses.size() != scene_joint_count() + s.drags.size())
        fail(fmt::format("the snapshot has {} joints, the world has {}", s.joint_impulses.size() - s.drags.size(),
                         scene_joint_count()));
    for (size_t i = 0; i < bodies; ++i)
        if (!is_finite(b.pose[i].position) || !is_finite(b.velocity[i]) || !is_finite(b.angular_velocity[i]))
            fail(fmt::format("body \"{}\" has a position or velocity that is not finite", model.bodies.name[i]));
    for (const int island : b.island)
        if (island < -1 || island >= static_cast<int>(bodies)) fail("a body sleeps in an island that does not exist");
    for (const Drag& drag : s.drags)
        if (drag.body < 0 || drag.body >= model.bodies.count() || !model.is_dynamic(drag.body))
            fail(fmt::format("drag {} draws a body that cannot be dragged", drag.id.number));
    for (const ContactMemory* memory : {&s.active, &s.dormant}) {
        const auto check = [&](std::uint64_t pair) {
            if (contact::pair_low(pair) >= colliders || contact::pair_high(pair) >= colliders)
                fail("a contact is on a shape that does not exist");
        };
        for (const contact::Contact& c : memory->contacts) check(c.pair);
        for (const contact::PatchContact& p : memory->patches) check(p.at.pair);
        for (const contact::PairMemory& m : memory->pair_memory) {
            check(m.pair);
            if (m.first < 0 || m.count < 0 ||
                static_cast<size_t>(m.first) + static_cast<size_t>(m.count) > memory->contacts.size())
                fail("a pair of shapes has contacts that do not exist");
        }
    }
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
