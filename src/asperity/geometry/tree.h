// Broad phase: a dynamic tree of boxes. Leaves are kept fat, so a slow body changes nothing in the tree.
#pragma once
#include <utility>
#include <vector>

#include "asperity/geometry/shape.h"

namespace asperity::geometry {

/// Balanced by rotations on the surface-area cost, as in Bullet's and Box2D's trees. Node storage is reused.
class DynamicTree {
  public:
    /// `fat` widens stored boxes on every side [m].
    explicit DynamicTree(double fat = 0.02) : fat_(fat) {}
    int insert(const Aabb& tight, int user);              ///< returns a leaf handle
    void remove(int leaf);
    bool update(int leaf, const Aabb& tight);              ///< true when the stored box had to change
    void clear();
    const Aabb& fat_box(int leaf) const { return nodes_[leaf].box; }
    int user(int leaf) const { return nodes_[leaf].user; }
    int height() const;
    double area_ratio() const;                             ///< inner area / root area: quality, for tests and reports

    /// Calls visit(user) for every leaf whose stored box overlaps `box`. Thread-safe; allocates nothing.
    template <class Visit>
    void query(const Aabb& box, const Visit& visit) const {
        int stack[128];
        int top = 0;
        if (root_ >= 0) stack[top++] = root_;
        while (top > 0) {
            const Node& node = nodes_[stack[--top]];
            if (!node.box.overlaps(box)) continue;
            if (node.left < 0) {
                visit(node.user);
            } else {
                stack[top++] = node.left;
                stack[top++] = node.right;
            }
        }
    }

  private:
    struct Node {
        Aabb box;
        int parent = -1, left = -1, right = -1, height = 0, user = -1;
    };
    int allocate();
    void release(int node);
    void insert_leaf(int leaf);
    void remove_leaf(int leaf);
    int balance(int node);
    void refit_upwards(int node);

    std::vector<Node> nodes_;
    int root_ = -1, free_ = -1;
    double fat_;
};

}  // namespace asperity::geometry
