// Islands: connected components of the graph with dynamic bodies as nodes and contacts and joints as edges. Stored as a
// forest over the bodies; the root of each tree is its smallest body index. Fixed and kinematic bodies have no edges;
// each is a tree of its own.
#pragma once
#include <atomic>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "asperity/core/parallel.h"
#include "asperity/sim/model.h"
#include "asperity/sim/state.h"

namespace asperity::sim {

/// The two bodies of a pair of colliders.
inline std::pair<int, int> bodies_of(const Model& model, std::uint64_t pair) {
    return {model.bodies.collider_body[contact::pair_low(pair)], model.bodies.collider_body[contact::pair_high(pair)]};
}

/// Whether a body takes part in the step: a dynamic body that is awake, or any other body that moves.
inline bool is_active(const Model& model, const State& state, int body) {
    const auto i = static_cast<size_t>(body);
    if (model.bodies.motion[i] == rigid::Motion::Dynamic) return state.bodies.island[i] < 0;
    return !(state.bodies.velocity[i] == Vec3{} && state.bodies.angular_velocity[i] == Vec3{});
}
/// Whether impulses move the body in this step: a dynamic body that is awake.
inline bool is_free(const Model& model, const State& state, size_t body) {
    return model.bodies.motion[body] == rigid::Motion::Dynamic && state.bodies.island[body] < 0;
}

/// The smallest body of the island of body i. Call make_islands() first.
inline int island_of(const std::vector<int>& parent, int i) { return parent[static_cast<size_t>(i)]; }

namespace detail {

/// The root of a body's tree; halves the path to it. Safe with other threads that do the same: a stored value is always
/// an ancestor, and a body that was attached to another never becomes a root again.
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

/// Attaches the larger root to the smaller one with compare-and-swap, if it is still a root. So each tree ends with its
/// smallest body as root, in any order of the threads.
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

/// Runs on all threads. Afterwards parent[i] is the root of body i.
inline void make_islands(const Model& model, std::span<const contact::PairMemory> pairs, std::vector<int>& parent) {
    parent.resize(model.bodies.motion.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto join = [&](int i, int j) {
        const auto dynamic = [&](int k) { return model.bodies.motion[static_cast<size_t>(k)] == rigid::Motion::Dynamic; };
        if (dynamic(i) && dynamic(j)) detail::join_trees(parent, i, j);
    };
    parallel_for(
        static_cast<int>(pairs.size()),
        [&](int k) {
            const contact::PairMemory& pair = pairs[static_cast<size_t>(k)];
            if (pair.count == 0) return;
            const auto [a, b] = bodies_of(model, pair.pair);
            join(a, b);
        },
        1024);
    for (const rigid::Joint& joint : model.joints)
        if (!joint.a.is_world() && !joint.b.is_world()) join(joint.a.index, joint.b.index);
    parallel_for(
        static_cast<int>(parent.size()),
        [&](int i) {
            std::atomic_ref(parent[static_cast<size_t>(i)]).store(detail::find_root(parent, i), std::memory_order_relaxed);
        },
        1024);
}

}  // namespace asperity::sim
