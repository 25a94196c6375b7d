// Islands: what hangs together by contacts and joints. A forest over the bodies, each tree with its smallest body as root.
// Fixed and kinematic bodies join nothing: they are trees of their own.
#pragma once
#include <atomic>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "asperity/core/parallel.h"
#include "asperity/sim/world.h"

namespace asperity::sim {

/// The two bodies of a pair of colliders.
inline std::pair<int, int> bodies_of(const World& world, std::uint64_t pair) {
    return {world.bodies.collider_body[static_cast<size_t>(pair >> 32)],
            world.bodies.collider_body[static_cast<size_t>(pair & 0xffffffffU)]};
}

/// The smallest body of the island.
inline int island_of(const std::vector<int>& parent, int i) { return parent[static_cast<size_t>(i)]; }

namespace detail {

/// The root of a body's tree; halves the path on the way. Others may do so at the same time: what is stored is always an
/// ancestor, and a body that has been hung under another never is a root again.
inline int find_root(std::vector<int>& parent, int i) {
    const auto at = [&](int k) { return std::atomic_ref(parent[static_cast<size_t>(k)]); };
    while (true) {
        const int up = at(i).load(std::memory_order_relaxed);
        if (up == i) return i;
        const int above = at(up).load(std::memory_order_relaxed);
        if (above != up) at(i).store(above, std::memory_order_relaxed);
        i = above;
    }
}

/// The larger root goes under the smaller one, if it still is a root by then. So whoever comes first, each tree ends with
/// its smallest body as root.
inline void join_trees(std::vector<int>& parent, int i, int j) {
    while (true) {
        i = find_root(parent, i);
        j = find_root(parent, j);
        if (i == j) return;
        if (i < j) std::swap(i, j);
        int root = i;
        if (std::atomic_ref(parent[static_cast<size_t>(i)]).compare_exchange_strong(root, j, std::memory_order_relaxed))
            return;
    }
}

}  // namespace detail

/// On all threads; every body comes to know its root.
inline void make_islands(const World& world, std::span<const contact::PairMemory> pairs, std::vector<int>& parent) {
    parent.resize(world.bodies.motion.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto join = [&](int i, int j) {
        const auto dynamic = [&](int k) { return world.bodies.motion[static_cast<size_t>(k)] == rigid::Motion::Dynamic; };
        if (dynamic(i) && dynamic(j)) detail::join_trees(parent, i, j);
    };
    parallel_for(
        static_cast<int>(pairs.size()),
        [&](int k) {
            const contact::PairMemory& pair = pairs[static_cast<size_t>(k)];
            if (pair.count == 0) return;
            const auto [a, b] = bodies_of(world, pair.pair);
            join(a, b);
        },
        1024);
    for (const rigid::Joint& joint : world.joints)
        if (!joint.a.is_world() && !joint.b.is_world()) join(joint.a.index, joint.b.index);
    parallel_for(
        static_cast<int>(parent.size()),
        [&](int i) {
            std::atomic_ref(parent[static_cast<size_t>(i)]).store(detail::find_root(parent, i), std::memory_order_relaxed);
        },
        1024);
}

}  // namespace asperity::sim
