// Sleep: islands of bodies that have not moved for a while cost nothing until something touches them.
// An island is what hangs together by contacts and joints; it falls asleep as a whole, with its contacts and their impulses
// put aside, and wakes as a whole, so that it goes on as if it had never slept. Fixed bodies belong to no island.
#include <algorithm>
#include <cmath>

#include "asperity/sim/islands.h"
#include "asperity/sim/step_data.h"

namespace asperity::sim {
namespace {

using contact::Contact;
using contact::PairMemory;

bool asleep(const World& world, int body) { return world.bodies.island[static_cast<size_t>(body)] >= 0; }

int body_of(const World& world, std::uint64_t collider) { return world.bodies.collider_body[static_cast<size_t>(collider)]; }

/// Moves contacts of the pairs that `goes` from one list to the other; both stay sorted by pair.
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

/// Wakes all islands that are marked.
void wake_islands(World& world, const std::vector<char>& marked) {
    const auto wakes = [&](int body) {
        return asleep(world, body) && marked[static_cast<size_t>(world.bodies.island[static_cast<size_t>(body)])];
    };
    const auto goes = [&](std::uint64_t pair) {
        return wakes(body_of(world, pair >> 32)) || wakes(body_of(world, pair & 0xffffffffU));
    };
    move_pairs(world.dormant_pairs, world.dormant_contacts, world.pair_memory, world.contacts, goes);
    move_patches(world.dormant_patches, world.patches, goes);
    for (int i = 0; i < world.bodies.count(); ++i) {
        if (!wakes(i)) continue;
        world.bodies.quiet_time[static_cast<size_t>(i)] = 0;
        world.bodies.island[static_cast<size_t>(i)] = -1;
    }
}

}  // namespace

void World::wake(rigid::BodyId id) {
    if (id.is_world() || !asleep(*this, id.index)) return;
    std::vector<char> marked(static_cast<size_t>(bodies.count()), 0);
    marked[static_cast<size_t>(bodies.island[static_cast<size_t>(id.index)])] = 1;
    wake_islands(*this, marked);
}

bool is_active(const World& world, int body) {
    const auto i = static_cast<size_t>(body);
    if (world.bodies.motion[i] == rigid::Motion::Dynamic) return !asleep(world, body);
    return !(world.bodies.velocity[i] == Vec3{} && world.bodies.angular_velocity[i] == Vec3{});
}

bool wake_touched(World& world, StepData& d) {
    // nobody sleeps
    if (std::all_of(world.bodies.island.begin(), world.bodies.island.end(), [](int island) { return island < 0; }))
        return false;
    std::vector<char> marked;
    for (const Contact& c : d.contacts) {
        if (!asleep(world, c.body_a) && !asleep(world, c.body_b)) continue;
        const double approach =
            dot(c.normal, world.bodies.velocity_at(c.body_b, c.point) - world.bodies.velocity_at(c.body_a, c.point));
        if (c.gap + d.dt * std::fmin(approach, 0.0) > 0) continue;  // near, but it will not touch
        marked.resize(static_cast<size_t>(world.bodies.count()), 0);
        for (const int body : {c.body_a, c.body_b})
            if (asleep(world, body)) marked[static_cast<size_t>(world.bodies.island[static_cast<size_t>(body)])] = 1;
    }
    if (marked.empty()) return false;
    wake_islands(world, marked);
    return true;
}

void rest_islands(World& world, StepData& d) {
    if (world.settings.sleep_speed <= 0 || !d.report.finite) return;
    rigid::Bodies& bodies = world.bodies;
    const double long_enough = world.settings.sleep_time;
    bool candidate = false;
    for (size_t i = 0; i < bodies.motion.size(); ++i) {
        if (bodies.motion[i] != rigid::Motion::Dynamic || bodies.island[i] >= 0) continue;
        double swing = 0;
        for (int k = 0; k < bodies.collider_count[i]; ++k)
            swing = larger(swing, d.collider_motion[static_cast<size_t>(bodies.first_collider[i] + k)].reach *
                                      length(bodies.angular_velocity[i]));
        const bool quiet = length(bodies.velocity[i]) + swing < world.settings.sleep_speed;
        bodies.quiet_time[i] = quiet ? bodies.quiet_time[i] + d.dt : 0;
        candidate |= bodies.quiet_time[i] >= long_enough;
    }
    if (!candidate) return;

    std::vector<int>& parent = d.island_parent;
    make_islands(world, world.pair_memory, parent);
    d.island_awake.assign(bodies.motion.size(), 0);
    const auto dynamic = [&](int i) { return bodies.motion[static_cast<size_t>(i)] == rigid::Motion::Dynamic; };
    for (int i = 0; i < bodies.count(); ++i)
        if (dynamic(i) && bodies.quiet_time[static_cast<size_t>(i)] < long_enough)
            d.island_awake[static_cast<size_t>(island_of(parent, i))] = 1;
    for (const rigid::Joint& joint : world.joints)
        if (rigid::follows_time(joint))
            for (const rigid::BodyId id : {joint.a, joint.b})
                if (!id.is_world() && dynamic(id.index))
                    d.island_awake[static_cast<size_t>(island_of(parent, id.index))] = 1;
    for (const Contact& c : world.contacts) {  // what rests on something that moves is not at rest
        const int other = dynamic(c.body_a) ? c.body_b : c.body_a, own = dynamic(c.body_a) ? c.body_a : c.body_b;
        if (!dynamic(other) && is_active(world, other)) d.island_awake[static_cast<size_t>(island_of(parent, own))] = 1;
    }

    bool any = false;
    for (int i = 0; i < bodies.count(); ++i) {
        const auto k = static_cast<size_t>(i);
        if (!dynamic(i) || bodies.island[k] >= 0) continue;
        const int island = island_of(parent, i);
        if (d.island_awake[static_cast<size_t>(island)]) continue;
        bodies.island[k] = island;
        bodies.velocity[k] = bodies.angular_velocity[k] = bodies.angular_impulse[k] = {};
        any = true;
    }
    if (!any) return;
    const auto goes = [&](std::uint64_t pair) {
        return !is_active(world, body_of(world, pair >> 32)) && !is_active(world, body_of(world, pair & 0xffffffffU));
    };
    move_pairs(world.pair_memory, world.contacts, world.dormant_pairs, world.dormant_contacts, goes);
    move_patches(world.patches, world.dormant_patches, goes);
}

}  // namespace asperity::sim
