// The boxes of all colliders where the bodies are now, for queries between steps. Apart from the broad phase of the step, so
// that a query changes nothing in it.
#pragma once
#include <optional>
#include <vector>

#include "asperity/contact/tree.h"
#include "asperity/sim/model.h"
#include "asperity/sim/query.h"
#include "asperity/sim/state.h"

namespace asperity::sim {

class QueryTree {
  public:
    /// Moves the boxes of bodies that were added, removed or moved since the last call, by whoever: it compares all poses,
    /// which takes about 2 ns a body. (A shape that was replaced by hand in model.bodies.colliders is seen once its body
    /// moves.)
    void update(const Model& model, const State& state);

    std::optional<RayHit> cast_ray(const Model& model, const State& state, const geometry::Ray& ray,
                                   const BodyFilter& filter) const;
    /// Calls visit(collider) for every collider whose tight box touches `box`, in no particular order.
    template <class Visit>
    void in_box(const geometry::Aabb& box, const Visit& visit) const {
        for (const int collider : endless_)
            if (boxes_[static_cast<size_t>(collider)].overlaps(box)) visit(collider);
        tree_.query(box, [&](int collider) {
            if (boxes_[static_cast<size_t>(collider)].overlaps(box)) visit(collider);
        });
    }

  private:
    void place(const Model& model, const State& state, size_t body);

    contact::DynamicTree tree_;
    std::vector<Pose> pose_;  // per body: at the last update
    std::vector<std::uint32_t> generation_;
    std::vector<char> absent_;           // per body: removed, its colliders have no boxes
    std::vector<int> leaf_;              // per collider; -1 for endless ones and those of removed bodies
    std::vector<geometry::Aabb> boxes_;  // per collider, tight
    std::vector<int> endless_;           // colliders, ascending
    std::vector<int> moved_;             // scratch
};

}  // namespace asperity::sim
