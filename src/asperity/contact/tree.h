// Broad phase: a dynamic tree of boxes. Leaf boxes are enlarged ("fat"), so that slow bodies do not change the tree.
#pragma once
#include <cmath>
#include <limits>
#include <span>
#include <vector>
#if defined(__SSE__)
#include <immintrin.h>
#endif

#include "asperity/geometry/common/aabb.h"

namespace asperity::contact {

using geometry::Aabb;

/// A box in single precision, rounded outwards, with room for two links: 32 bytes, two to a cache line.
struct alignas(16) TreeNode {
    float low[3];
    int left;  ///< -1 in a leaf
    float high[3];
    int right;  ///< in a leaf: the user's number

    bool overlaps(const TreeNode& o) const {
#if defined(__SSE__)
        const __m128 a = _mm_cmple_ps(_mm_load_ps(low), _mm_load_ps(o.high)),
                     b = _mm_cmple_ps(_mm_load_ps(o.low), _mm_load_ps(high));
        return (_mm_movemask_ps(_mm_and_ps(a, b)) & 7) == 7;  // lane 3 holds the links
#else
        return low[0] <= o.high[0] && o.low[0] <= high[0] && low[1] <= o.high[1] && o.low[1] <= high[1] &&
               low[2] <= o.high[2] && o.low[2] <= high[2];
#endif
    }
};

/// Balanced by rotations on the surface-area cost, as in Bullet's and Box2D's trees. Node storage is reused.
class DynamicTree {
  public:
    /// `fat`: margin of stored boxes on every side [m].
    explicit DynamicTree(double fat = 0.02) : fat_(fat) {}
    int insert(const Aabb& tight, int user);  ///< returns a leaf handle
    void remove(int leaf);
    /// Returns true if the stored box had to change. The new box then extends ahead: by six times the distance by which the
    /// tight box had left the old one, at most 6 `fat`.
    bool update(int leaf, const Aabb& tight);
    /// update() of many leaves. Appends the indices into `leaves` of those whose box changed. If these are more than a tenth
    /// (and more than 16), the tree is rebuilt, which takes a tenth of the time of reinserting them. Negative leaves are
    /// skipped.
    void update_all(std::span<const int> leaves, std::span<const Aabb> tight, std::vector<int>& changed);
    void clear();
    Aabb fat_box(int leaf) const;
    int user(int leaf) const { return nodes_[static_cast<size_t>(leaf)].right; }
    int height() const;
    double area_ratio() const;  ///< sum of inner areas / root area: a measure of quality, for tests and reports

    /// Calls visit(user) for every leaf whose stored box overlaps `box`. Thread-safe; allocates nothing.
    template <class Visit>
    void query(const Aabb& box, const Visit& visit) const {
        query(outside(box), visit);
    }
    /// Same query with the stored box of a leaf.
    template <class Visit>
    void query_leaf(int leaf, const Visit& visit) const {
        query(nodes_[static_cast<size_t>(leaf)], visit);
    }

    /// Calls visit(user) for every leaf whose stored box the ray meets within `reach` [m], which visit may lower. Nearer
    /// children come first. `direction`: unit. Thread-safe; allocates nothing.
    template <class Visit>
    void query_ray(const Vec3& origin, const Vec3& direction, const double& reach, const Visit& visit) const {
        const Vec3 inverse{1 / direction.x, 1 / direction.y, 1 / direction.z};
        const auto entry = [&](int i) { return entry_of(node(i), origin, inverse); };
        struct Item {
            int node;
            double entry;
        };
        Item stack[128];
        int top = 0;
        if (root_ >= 0) stack[top++] = {root_, entry(root_)};
        while (top > 0) {
            const Item item = stack[--top];
            if (!(item.entry <= reach)) continue;
            const TreeNode& at = node(item.node);
            if (at.left < 0) {
                visit(at.right);
                continue;
            }
            const Item left{at.left, entry(at.left)}, right{at.right, entry(at.right)};
            stack[top++] = left.entry <= right.entry ? right : left;
            stack[top++] = left.entry <= right.entry ? left : right;
        }
    }

  private:
    struct Links {
        int parent = -1, height = 0;
    };
    template <class Visit>
    void query(const TreeNode box, const Visit& visit) const {
        int stack[128];
        int top = 0;
        if (root_ >= 0) stack[top++] = root_;
        while (top > 0) {
            const TreeNode& node = nodes_[static_cast<size_t>(stack[--top])];
            if (!node.overlaps(box)) continue;
            if (node.left < 0) {
                visit(node.right);
            } else {
                stack[top++] = node.left;
                stack[top++] = node.right;
            }
        }
    }
    /// Where a ray enters a box, at least 0; infinite where it misses. Boxes are rounded outwards, so what rounding does
    /// here cannot lose a shape inside.
    static double entry_of(const TreeNode& box, const Vec3& origin, const Vec3& inverse) {
        double from = 0, to = std::numeric_limits<double>::infinity();
        for (int k = 0; k < 3; ++k) {
            const double low = box.low[k] - origin[k], high = box.high[k] - origin[k];
            if (std::isinf(inverse[k])) {
                if (low > 0 || high < 0) return std::numeric_limits<double>::infinity();
                continue;
            }
            const double one = low * inverse[k], two = high * inverse[k];
            from = larger(from, smaller(one, two));
            to = smaller(to, larger(one, two));
        }
        return from <= to * (1 + 1e-12) ? from : std::numeric_limits<double>::infinity();
    }
    /// A subtree to be rebuilt: its leaves, and the inner nodes to use, one fewer than leaves.
    struct Branch {
        std::span<int> leaves;
        std::span<const int> inner;
        int above = -1;
        int top() const { return inner.empty() ? leaves[0] : inner[0]; }
    };
    static TreeNode outside(const Aabb& box);  ///< rounded outwards, as a leaf
    TreeNode& node(int i) { return nodes_[static_cast<size_t>(i)]; }
    const TreeNode& node(int i) const { return nodes_[static_cast<size_t>(i)]; }
    int& parent(int i) { return links_[static_cast<size_t>(i)].parent; }
    int& height_of(int i) { return links_[static_cast<size_t>(i)].height; }
    int allocate();
    void release(int node);
    bool set_box(int leaf, const Aabb& tight);
    void rebuild();
    void halve(const Branch& branch, Branch& left, Branch& right);
    void build(const Branch& branch);
    void close(int node);
    void insert_leaf(int leaf);
    void remove_leaf(int leaf);
    void balance(int node);
    void refit_upwards(int node);

    std::vector<TreeNode> nodes_;
    std::vector<Links> links_;  // not read by queries
    std::vector<int> leaf_scratch_, inner_scratch_;
    std::vector<Branch> branches_;  // scratch of rebuild(): upper subtrees in breadth-first order
    std::vector<char> left_;        // scratch of update_all(): per leaf, whether its box changed
    int root_ = -1, free_ = -1;
    double fat_;
};

}  // namespace asperity::contact
