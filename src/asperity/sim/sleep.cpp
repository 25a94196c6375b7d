// Sleep: islands of bodies that have not moved for some time cost nothing until something touches them. An island
// (islands.h) falls asleep as a whole; its contacts and impulses move to State::dormant. It wakes as a whole and
// continues as if it had never slept. Passes wake_touched and rest_islands.
#include <algorithm>
#include <cmath>

#include "asperity/sim/islands.h"
#include "asperity/sim/stages.h"
#include "asperity/sim/world.h"

namespace asperity::sim {
namespace {

using contact::Contact;
using contact::PairMemory;

bool asleep(const State& state, int body) { return state.bodies.island[static_cast<size_t>(body)] >= 0; }

/// Moves the pairs for which goes(pair) holds, with their contacts, from one list to the other; both stay sorted by
/// pair.
template <class Goes>
void move_pairs(std::vector<PairMemory>& from, std::vector<Contact>& from_contacts, std::vector<PairMemory>& to,
                std::vector<Contact>& to_contacts, const Goes& goes) {
    struct Entry {
        PairMemory memory;
        const Contact* contacts;
    };
    std::vector<Entry> staying, arriving;
    for (const PairMemory& m : to) arriving.push_back({m, to_contacts.data() + m.first});
    for (const PairMemory& m : from) (goes(m.pair) ? arriving : staying).push_back({m, from_contacts.data() + m.first});
    std::sort(arriving.begin(), arriving.end(),
              [](const Entry& a, const Entry& b) { return a.memory.pair < b.memory.pair; });
    const auto rebuild = [](const std::vector<Entry>& entries, std::vector<PairMemory>& memory,
                            std::vector<Contact>& contacts) {
        memory.clear();
        contacts.clear();
        for (Entry e : entries) {
            e.memory.first = static_cast<int>(contacts.size());
            contacts.insert(contacts.end(), e.contacts, e.contacts + e.memory.count);
            memory.push_back(e.memory);
        }
    };
    std::vector<PairMemory> memory_a, memory_b;
    std::vector<Contact> contacts_a, contacts_b;
    rebuild(staying, memory_a, contacts_a);
    rebuild(arriving, memory_b, contacts_b);
    from.swap(memory_a), from_contacts.swap(contacts_a);
    to.swap(memory_b), to_contacts.swap(contacts_b);
}

template <class Goes>
void move_patches(std::vector<contact::PatchContact>& from, std::vector<contact::PatchContact>& to, const Goes& goes) {
    const auto going =
        std::stable_partition(from.begin(), from.end(), [&](const contact::PatchContact& p) { return !goes(p.at.pair); });
    to.insert(to.end(), going, from.end());
    from.erase(going, from.end());
    std::stable_sort(to.begin(), to.end(), [](const auto& a, const auto& b) { return a.at.pair < b.at.pair; });
}

/// Adds `sign` times the first contact of its pair to the first contact of each patch.
void shift_patches(ContactMemory& memory, int sign) {
    for (contact::PatchContact& p : memory.patches) {
        const auto pair = std::lower_bound(memory.pair_memory.begin(), memory.pair_memory.end(), p.at.pair,
                                           [](const PairMemory& m, std::uint64_t key) { return m.pair < key; });
        if (pair != memory.pair_memory.end() && pair->pair == p.at.pair) p.first += sign * pair->first;
    }
}

/// Moves contacts and patches of the pairs for which goes(pair) holds from one memory to the other. Patches keep their
/// contacts.
template <class Goes>
void move_memory(ContactMemory& from, ContactMemory& to, const Goes& goes) {
    shift_patches(from, -1), shift_patches(to, -1);
    move_pairs(from.pair_memory, from.contacts, to.pair_memory, to.contacts, goes);
    move_patches(from.patches, to.patches, goes);
    shift_patches(from, 1), shift_patches(to, 1);
}

/// Wakes all islands whose smallest body is marked.
void wake_islands(const Model& model, State& state, const std::vector<char>& marked) {
    const auto wakes = [&](int body) {
        return asleep(state, body) && marked[static_cast<size_t>(state.bodies.island[static_cast<size_t>(body)])];
    };
    move_memory(state.dormant, state.active, [&](std::uint64_t pair) {
        const auto [a, b] = bodies_of(model, pair);
        return wakes(a) || wakes(b);
    });
    for (int i = 0; i < model.bodies.count(); ++i) {
        if (!wakes(i)) continue;
        state.bodies.quiet_time[static_cast<size_t>(i)] = 0;
        state.bodies.island[static_cast<size_t>(i)] = -1;
    }
}

}  // namespace

void World::wake(BodyId id) {
    if (!id.is_world()) wake_island(index_of(id, "wake"));
}

void World::wake_island(int body) {
    if (body < 0 || !asleep(state, body)) return;
    std::vector<char> marked(static_cast<size_t>(model.bodies.count()), 0);
    marked[static_cast<size_t>(state.bodies.island[static_cast<size_t>(body)])] = 1;
    wake_islands(model, state, marked);
}

void World::forget_contacts(int body) {
    ContactMemory forgotten;
    for (ContactMemory* memory : {&state.active, &state.dormant})
        move_memory(*memory, forgotten, [&](std::uint64_t pair) {
            const auto [a, b] = bodies_of(model, pair);
            return a == body || b == body;
        });
}

bool wake_touched(const Model& model, const ContactSet& set, double dt, State& state) {
    const std::vector<int>& island = state.bodies.island;
    if (std::all_of(island.begin(), island.end(), [](int root) { return root < 0; })) return false;  // no body sleeps
    std::vector<char> marked;
    for (const Contact& c : set.contacts) {
        if (!asleep(state, c.body_a) && !asleep(state, c.body_b)) continue;
        const double approach =
            dot(c.normal, state.bodies.velocity_at(c.body_b, c.point) - state.bodies.velocity_at(c.body_a, c.point));
        if (c.gap + dt * std::fmin(approach, 0.0) > 0) continue;  // will not touch within the step
        marked.resize(static_cast<size_t>(model.bodies.count()), 0);
        for (const int body : {c.body_a, c.body_b})
            if (asleep(state, body)) marked[static_cast<size_t>(island[static_cast<size_t>(body)])] = 1;
    }
    if (marked.empty()) return false;
    wake_islands(model, state, marked);
    return true;
}

void rest_islands(const Model& model, const PairSearch& search, double dt, State& state, Islands& islands) {
    if (model.settings.sleep_speed <= 0) return;
    rigid::BodyStates& states = state.bodies;
    const rigid::Bodies& bodies = model.bodies;
    const double long_enough = model.settings.sleep_time;
    bool candidate = false;
    for (size_t i = 0; i < bodies.motion.size(); ++i) {
        if (bodies.motion[i] != rigid::Motion::Dynamic || states.island[i] >= 0) continue;
        double swing = 0;
        for (int k = 0; k < bodies.collider_count[i]; ++k)
            swing = larger(swing, search.collider_motion[static_cast<size_t>(bodies.first_collider[i] + k)].reach *
                                      length(states.angular_velocity[i]));
        const bool quiet = length(states.velocity[i]) + swing < model.settings.sleep_speed;
        states.quiet_time[i] = quiet ? states.quiet_time[i] + dt : 0;
        candidate |= states.quiet_time[i] >= long_enough;
    }
    if (!candidate) return;

    std::vector<int>& parent = islands.parent;
    make_islands(model, state.active.pair_memory, parent);
    islands.awake.assign(bodies.motion.size(), 0);
    const auto dynamic = [&](int i) { return bodies.motion[static_cast<size_t>(i)] == rigid::Motion::Dynamic; };
    for (int i = 0; i < bodies.count(); ++i)
        if (dynamic(i) && states.quiet_time[static_cast<size_t>(i)] < long_enough)
            islands.awake[static_cast<size_t>(island_of(parent, i))] = 1;
    for (const rigid::Joint& joint : model.joints)
        if (rigid::follows_time(joint))
            for (const BodyId id : {joint.a, joint.b})
                if (!id.is_world() && dynamic(id.index)) islands.awake[static_cast<size_t>(island_of(parent, id.index))] = 1;
    for (const Contact& c : state.active.contacts) {  // a body on a moving body is not at rest
        const int other = dynamic(c.body_a) ? c.body_b : c.body_a, own = dynamic(c.body_a) ? c.body_a : c.body_b;
        if (!dynamic(other) && is_active(model, state, other))
            islands.awake[static_cast<size_t>(island_of(parent, own))] = 1;
    }

    bool any = false;
    for (int i = 0; i < bodies.count(); ++i) {
        const auto k = static_cast<size_t>(i);
        if (!dynamic(i) || states.island[k] >= 0) continue;
        const int island = island_of(parent, i);
        if (islands.awake[static_cast<size_t>(island)]) continue;
        states.island[k] = island;
        states.velocity[k] = states.angular_velocity[k] = states.angular_impulse[k] = {};
        any = true;
    }
    if (!any) return;
    move_memory(state.active, state.dormant, [&](std::uint64_t pair) {
        const auto [a, b] = bodies_of(model, pair);
        return !is_active(model, state, a) && !is_active(model, state, b);
    });
}

}  // namespace asperity::sim
