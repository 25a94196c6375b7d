// Locates the contacts of a pair again with its bodies at other poses, by feature.
#pragma once
#include <span>

#include "asperity/geometry/convex_contact/approach.h"
#include "asperity/sim/patch_parts.h"

namespace asperity::sim {

/// Motion of the bodies of a pair within the step, from the velocities at its start.
geometry::Approach approach_of(const rigid::BodyStates& bodies, double dt, size_t body_a, size_t body_b);

/// Calls take(i, normal, point) for each contact i of the pair whose features still touch with the bodies at `poses`.
template <class Take>
void collide_again(const Model& model, const rigid::BodyStates& bodies, const ContactSet& set, double dt, size_t pair,
                   std::span<const Pose> poses, const Take& take) {
    if (met_in_patches(set, pair)) return;  // the points of their patches have no features
    const contact::PairMemory& memory = set.pair_memory[pair];
    const auto first = static_cast<size_t>(memory.first), last = first + static_cast<size_t>(memory.count);
    const contact::Contact& any = set.contacts[first];
    const rigid::Collider &a = model.bodies.colliders[static_cast<size_t>(any.collider_a)],
                          &b = model.bodies.colliders[static_cast<size_t>(any.collider_b)];
    const Pose pose_a = poses[static_cast<size_t>(any.body_a)] * a.local,
               pose_b = poses[static_cast<size_t>(any.body_b)] * b.local;
    std::uint32_t features[geometry::ContactList::kCapacity];
    for (size_t i = first; i < last; ++i) features[i - first] = set.contacts[i].feature;
    const auto match = [&](const Vec3& normal, const geometry::ManifoldPoint& point) {
        for (size_t i = first; i < last; ++i)
            if (set.contacts[i].feature == point.feature) take(i, normal, point);
    };
    if (set.mesh_list_of[pair] >= 0) {
        geometry::ContactList list;
        geometry::collide_mesh(a.shape, pose_a, b.shape, pose_b, memory.margin, {features, last - first},
                               approach_of(bodies, dt, static_cast<size_t>(any.body_a), static_cast<size_t>(any.body_b)),
                               list);
        for (int k = 0; k < list.count; ++k) match(list.items[k].normal, list.items[k].point);
    } else {
        geometry::Manifold manifold;
        geometry::collide(a.shape, pose_a, b.shape, pose_b, memory.margin, {features, last - first}, manifold);
        for (int k = 0; k < manifold.count; ++k) match(manifold.normal_of(k), manifold.points[k]);
    }
}

}  // namespace asperity::sim
