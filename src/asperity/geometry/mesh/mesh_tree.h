// A box tree over the triangles of a mesh. Built once, never changed; searches do not allocate.
#pragma once
#include <cstdint>
#include <vector>

#include "asperity/geometry/common/aabb.h"

namespace asperity::geometry {

class MeshTree {
  public:
    struct Node {
        Aabb box;
        int first = 0;  ///< inner node: the left child, followed by the right; leaf: first entry of `order`
        int count = 0;  ///< 0 for inner nodes
    };
    static constexpr int kLeafSize = 4;

    /// Splits at the middle of the longest side of the centroids' box, or at the median if one part would have less than an
    /// eighth.
    void build(const std::vector<Aabb>& boxes);
    const std::vector<Node>& nodes() const { return nodes_; }
    const std::vector<int>& order() const { return order_; }

    /// Calls visit(triangle) for every triangle whose leaf overlaps `box`.
    template <class Visit>
    void query(const Aabb& box, const Visit& visit) const {
        query_if([&](const Aabb& node) { return node.overlaps(box); }, visit);
    }
    /// The same for every leaf where `near` holds for its box and the boxes of all its ancestors.
    template <class Near, class Visit>
    void query_if(const Near& near, const Visit& visit) const {
        int stack[kMaxDepth];
        int top = 0;
        if (!nodes_.empty()) stack[top++] = 0;
        while (top > 0) {
            const Node& node = nodes_[static_cast<size_t>(stack[--top])];
            if (!near(node.box)) continue;
            if (node.count > 0) {
                for (int i = 0; i < node.count; ++i) visit(order_[static_cast<size_t>(node.first + i)]);
            } else {
                stack[top++] = node.first + 1;
                stack[top++] = node.first;
            }
        }
    }
    /// Calls visit(triangle) for triangles in boxes nearer to p than sqrt(reach_squared), which visit may lower.
    template <class Visit>
    void nearest(const Vec3& p, double& reach_squared, const Visit& visit) const {
        int stack[kMaxDepth];
        int top = 0;
        if (!nodes_.empty()) stack[top++] = 0;
        while (top > 0) {
            const Node& node = nodes_[static_cast<size_t>(stack[--top])];
            if (distance_squared(node.box, p) > reach_squared) continue;
            if (node.count > 0) {
                for (int i = 0; i < node.count; ++i) visit(order_[static_cast<size_t>(node.first + i)]);
                continue;
            }
            const bool left_first = distance_squared(nodes_[static_cast<size_t>(node.first)].box, p) <=
                                    distance_squared(nodes_[static_cast<size_t>(node.first) + 1].box, p);
            stack[top++] = node.first + (left_first ? 1 : 0);
            stack[top++] = node.first + (left_first ? 0 : 1);
        }
    }

    static double distance_squared(const Aabb& box, const Vec3& p) {
        const Vec3 d = max(max(box.low - p, p - box.high), {0, 0, 0});
        return dot(d, d);
    }
    /// A child has at most 7/8 of its parent's triangles: 2 million triangles end at depth 101 at most.
    static constexpr int kMaxDepth = 128;

  private:
    std::vector<Node> nodes_;
    std::vector<int> order_;
};

}  // namespace asperity::geometry
