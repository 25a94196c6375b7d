#include "asperity/sim/query_tree.h"

#include <algorithm>

namespace asperity::sim {

void QueryTree::place(const Model& model, const State& state, size_t body) {
    const rigid::Bodies& bodies = model.bodies;
    const bool renewed = absent_[body] != 0 || generation_[body] != bodies.generation[body];
    for (auto c = static_cast<size_t>(bodies.first_collider[body]);
         c < static_cast<size_t>(bodies.first_collider[body] + bodies.collider_count[body]); ++c) {
        const rigid::Collider& collider = bodies.colliders[c];
        if (renewed) {  // also from another kind of shape
            if (leaf_[c] >= 0) tree_.remove(leaf_[c]);
            leaf_[c] = -1;
            std::erase(endless_, static_cast<int>(c));
        }
        if (bodies.removed[body]) continue;
        boxes_[c] = geometry::bounds(collider.shape, state.bodies.pose[body] * collider.local);
        const bool endless = std::holds_alternative<geometry::HalfSpace>(collider.shape);
        if (renewed && endless)
            endless_.insert(std::lower_bound(endless_.begin(), endless_.end(), static_cast<int>(c)), static_cast<int>(c));
        if (renewed && !endless) leaf_[c] = tree_.insert(boxes_[c], static_cast<int>(c));
    }
    pose_[body] = state.bodies.pose[body];
    generation_[body] = bodies.generation[body];
    absent_[body] = bodies.removed[body];
}

void QueryTree::update(const Model& model, const State& state) {
    const rigid::Bodies& bodies = model.bodies;
    const size_t known = pose_.size(), count = bodies.motion.size();
    if (known > count) *this = {};  // another world was moved here
    pose_.resize(count);
    generation_.resize(count);
    absent_.resize(count, 1);
    leaf_.resize(bodies.colliders.size(), -1);
    boxes_.resize(bodies.colliders.size());
    bool any = false;
    for (size_t i = 0; i < count; ++i) {
        const bool same =
            pose_[i] == state.bodies.pose[i] && generation_[i] == bodies.generation[i] && absent_[i] == bodies.removed[i];
        if (same) continue;
        place(model, state, i);
        any = true;
    }
    moved_.clear();
    if (any) tree_.update_all(leaf_, boxes_, moved_);
}

std::optional<RayHit> QueryTree::cast_ray(const Model& model, const State& state, const geometry::Ray& ray,
                                          const BodyFilter& filter) const {
    std::optional<geometry::ShapeHit> best;
    int collider = -1;
    geometry::Ray rest = ray;  // up to the nearest hit so far
    const auto cast = [&](int candidate) {
        const int body = model.bodies.collider_body[static_cast<size_t>(candidate)];
        if (filter && !filter(model.bodies.id(body))) return;
        const rigid::Collider& c = model.bodies.colliders[static_cast<size_t>(candidate)];
        const auto hit = geometry::cast_ray(c.shape, state.bodies.pose[static_cast<size_t>(body)] * c.local, rest);
        // of equally near ones the first collider, whatever the order of the tree
        if (!hit || (best && hit->distance == best->distance && candidate > collider)) return;
        best = hit;
        collider = candidate;
        rest.max_distance = hit->distance;
    };
    for (const int candidate : endless_) cast(candidate);
    tree_.query_ray(ray.origin, ray.direction, rest.max_distance, cast);
    if (!best) return {};
    const int body = model.bodies.collider_body[static_cast<size_t>(collider)];
    return RayHit{model.bodies.id(body), model.bodies.collider_id(collider), best->distance, ray.at(best->distance),
                  best->normal};
}

}  // namespace asperity::sim
