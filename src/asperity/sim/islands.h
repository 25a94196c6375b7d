// Islands: what hangs together by contacts and joints. A forest over the bodies, each tree with its smallest body as root.
// Fixed and kinematic bodies join nothing: they are trees of their own.
#pragma once
#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "asperity/sim/world.h"

namespace asperity::sim {

/// The two bodies of a pair of colliders.
inline std::pair<int, int> bodies_of(const World& world, std::uint64_t pair) {
    return {world.bodies.collider_body[static_cast<size_t>(pair >> 32)], world.bodies.collider_body[static_cast<size_t>(pair & 0xffffffffU)]};
}

/// The smallest body of the island; halves the path on the way.
inline int island_of(std::vector<int>& parent, int i) {
    while (parent[static_cast<size_t>(i)] != i) {
        int& up = parent[static_cast<size_t>(i)];
        up = parent[static_cast<size_t>(up)];
        i = up;
    }
    return i;
}

inline void make_islands(const World& world, std::span<const contact::PairMemory> pairs, std::vector<int>& parent) {
    parent.resize(world.bodies.motion.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto join = [&](int i, int j) {
        const auto dynamic = [&](int k) { return world.bodies.motion[static_cast<size_t>(k)] == rigid::Motion::Dynamic; };
        if (!dynamic(i) || !dynamic(j)) return;
        const int a = island_of(parent, i), b = island_of(parent, j);
        parent[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
    };
    for (const contact::PairMemory& pair : pairs) {
        if (pair.count == 0) continue;
        const auto [a, b] = bodies_of(world, pair.pair);
        join(a, b);
    }
    for (const rigid::Joint& joint : world.joints)
        if (!joint.a.is_world() && !joint.b.is_world()) join(joint.a.index, joint.b.index);
}

}  // namespace asperity::sim
