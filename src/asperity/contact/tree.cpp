// The dynamic tree: insertion by surface-area cost, and rotations that keep it balanced and its boxes small.
//
// The probability that a query visits a box grows with the area of the box, so the cost is the sum of the inner boxes' areas
// (Goldsmith, Salmon 1987; Kensler 2008 for the rotations). Minimising cost alone may build a chain. Therefore the heights
// of two siblings differ by at most kSlack, as in an AVL tree with a larger tolerance, which leaves more freedom to the
// cost. A tree of height h then has at least L(h) = L(h-1) + L(h-1-kSlack) leaves, so h < 2.2 log2(leaves) + 3 (1e6 leaves:
// 46).
//
//        node                 node              The order of children has no meaning here, so there is only one rotation:
//       /    \               /    \             exchange an uncle (u) with a grandchild (g). It repairs any excess of one
//      u     child   ->     g     child         level, without the double rotations of ordered trees.
//           /    \               /    \         .
//          g      s             u      s
#include "asperity/contact/tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "asperity/core/parallel.h"

namespace asperity::contact {
namespace {

constexpr int kSlack = 3;

/// Rounds to float outwards, so that the float box contains the double box.
float below(double x) {
    const float f = static_cast<float>(x);
    return f > x ? std::nextafter(f, -std::numeric_limits<float>::infinity()) : f;
}
float above(double x) {
    const float f = static_cast<float>(x);
    return f < x ? std::nextafter(f, std::numeric_limits<float>::infinity()) : f;
}

void cover(TreeNode& out, const TreeNode& a, const TreeNode& b) {
    for (int i = 0; i < 3; ++i) {
        out.low[i] = std::min(a.low[i], b.low[i]);
        out.high[i] = std::max(a.high[i], b.high[i]);
    }
}

/// The union of both boxes, with the links of a.
TreeNode join(const TreeNode& a, const TreeNode& b) {
    TreeNode out = a;
    cover(out, a, b);
    return out;
}

/// Half the surface area: a constant factor does not change the comparisons.
float area(const TreeNode& n) {
    const float x = n.high[0] - n.low[0], y = n.high[1] - n.low[1], z = n.high[2] - n.low[2];
    return x * y + y * z + z * x;
}

float joined_area(const TreeNode& a, const TreeNode& b) { return area(join(a, b)); }

}  // namespace

TreeNode DynamicTree::outside(const Aabb& box) {
    TreeNode out;
    out.left = out.right = -1;
    for (int i = 0; i < 3; ++i) {
        out.low[i] = below(box.low[i]);
        out.high[i] = above(box.high[i]);
    }
    return out;
}

Aabb DynamicTree::fat_box(int leaf) const {
    const TreeNode& n = node(leaf);
    return {{n.low[0], n.low[1], n.low[2]}, {n.high[0], n.high[1], n.high[2]}};
}

int DynamicTree::insert(const Aabb& tight, int user) {
    const int leaf = allocate();
    node(leaf) = outside(tight.grown(fat_));
    node(leaf).right = user;
    insert_leaf(leaf);
    return leaf;
}

void DynamicTree::remove(int leaf) {
    ASPERITY_ASSERT(node(leaf).left < 0 && height_of(leaf) == 0);
    remove_leaf(leaf);
    release(leaf);
}

/// Stores a new fat box if the tight box has left the old one. Ancestor boxes are not updated.
bool DynamicTree::set_box(int leaf, const Aabb& tight) {
    const Aabb old = fat_box(leaf);
    const Vec3 out_low = max(old.low - tight.low, {0, 0, 0}), out_high = max(tight.high - old.high, {0, 0, 0});
    if (out_low == Vec3{} && out_high == Vec3{}) return false;
    Aabb fat = tight.grown(fat_);
    const Vec3 most{6 * fat_, 6 * fat_, 6 * fat_};  // bounds the box of a body that stops
    // Extend by several steps of motion: a tree query costs more than comparing a few extra boxes.
    fat.low -= min(6.0 * out_low, most);
    fat.high += min(6.0 * out_high, most);
    const int user = node(leaf).right;
    node(leaf) = outside(fat);
    node(leaf).right = user;
    return true;
}

bool DynamicTree::update(int leaf, const Aabb& tight) {
    if (!set_box(leaf, tight)) return false;
    remove_leaf(leaf);
    insert_leaf(leaf);
    return true;
}

void DynamicTree::update_all(std::span<const int> leaves, std::span<const Aabb> tight, std::vector<int>& changed) {
    const size_t before = changed.size();
    left_.resize(leaves.size());
    parallel_for(
        static_cast<int>(leaves.size()),
        [&](int k) {
            const auto i = static_cast<size_t>(k);
            left_[i] = leaves[i] >= 0 && set_box(leaves[i], tight[i]);
        },
        512);
    for (size_t i = 0; i < leaves.size(); ++i)
        if (left_[i]) changed.push_back(static_cast<int>(i));
    const size_t count = changed.size() - before;
    if (10 * count > leaves.size() && count > 16) return rebuild();
    for (size_t k = before; k < changed.size(); ++k) {
        const int leaf = leaves[static_cast<size_t>(changed[k])];
        remove_leaf(leaf);
        insert_leaf(leaf);
    }
}

/// Rebuilds all inner nodes top-down: splits the leaves at the median along the longest axis of their centres' box.
void DynamicTree::rebuild() {
    leaf_scratch_.clear();
    inner_scratch_.clear();
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
        if (height_of(i) == 0) leaf_scratch_.push_back(i);
        if (height_of(i) > 0) inner_scratch_.push_back(i);  // one fewer than leaves
    }
    root_ = -1;
    if (leaf_scratch_.empty()) return;
    constexpr size_t kWorthSharing = 512;  // leaves; larger subtrees are split in parallel
    branches_.assign(1, {leaf_scratch_, inner_scratch_, -1});
    root_ = branches_[0].top();
    size_t halved = 0;  // branches_[halved..] are the deepest level so far; all levels above are split
    while (branches_[halved].leaves.size() > kWorthSharing) {
        const size_t level = branches_.size() - halved;
        branches_.resize(branches_.size() + 2 * level);
        parallel_for(
            static_cast<int>(level),
            [&](int k) {
                Branch* halves = &branches_[halved + level + 2 * static_cast<size_t>(k)];
                halve(branches_[halved + static_cast<size_t>(k)], halves[0], halves[1]);
            },
            1);
        halved += level;
    }
    parallel_for(
        static_cast<int>(branches_.size() - halved), [&](int k) { build(branches_[halved + static_cast<size_t>(k)]); }, 1);
    while (halved-- > 0) close(branches_[halved].top());
}

/// Splits a branch at the median. Ties are broken by index, so the result does not depend on threads.
void DynamicTree::halve(const Branch& branch, Branch& left, Branch& right) {
    const std::span<int> leaves = branch.leaves;
    const auto center = [&](int leaf, int axis) { return node(leaf).low[axis] + node(leaf).high[axis]; };
    float low[3], high[3];
    for (int k = 0; k < 3; ++k) low[k] = high[k] = center(leaves[0], k);
    for (const int leaf : leaves) {
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], center(leaf, k));
            high[k] = std::max(high[k], center(leaf, k));
        }
    }
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
    const size_t half = leaves.size() / 2;
    std::nth_element(leaves.begin(), leaves.begin() + static_cast<std::ptrdiff_t>(half), leaves.end(), [&](int i, int j) {
        const float a = center(i, axis), b = center(j, axis);
        return a != b ? a < b : i < j;
    });
    const int top = branch.top();
    left = {leaves.first(half), branch.inner.subspan(1, half - 1), top};
    right = {leaves.subspan(half), branch.inner.subspan(half), top};
    parent(top) = branch.above;
    node(top).left = left.top();
    node(top).right = right.top();
}

void DynamicTree::build(const Branch& branch) {
    if (branch.leaves.size() == 1) {
        parent(branch.top()) = branch.above;
        return;
    }
    Branch left, right;
    halve(branch, left, right);
    build(left);
    build(right);
    close(branch.top());
}

/// Computes box and height of an inner node from its children.
void DynamicTree::close(int i) {
    TreeNode& n = node(i);
    cover(n, node(n.left), node(n.right));
    height_of(i) = 1 + std::max(height_of(n.left), height_of(n.right));
}

void DynamicTree::clear() {
    nodes_.clear();  // keeps the capacity
    links_.clear();
    root_ = free_ = -1;
}

int DynamicTree::height() const { return root_ < 0 ? 0 : links_[static_cast<size_t>(root_)].height; }

double DynamicTree::area_ratio() const {
    if (root_ < 0) return 0;
    double inner = 0;
    for (size_t i = 0; i < nodes_.size(); ++i)
        if (links_[i].height > 0) inner += area(nodes_[i]);
    const double root = area(node(root_));
    return root > 0 ? inner / root : 0;
}

int DynamicTree::allocate() {
    if (free_ < 0) {
        nodes_.push_back(outside({}));
        links_.emplace_back();
        return static_cast<int>(nodes_.size()) - 1;
    }
    const int taken = free_;
    free_ = parent(taken);  // free nodes are linked by their parent field
    node(taken) = outside({});
    links_[static_cast<size_t>(taken)] = {};
    return taken;
}

void DynamicTree::release(int node) { links_[static_cast<size_t>(node)] = {std::exchange(free_, node), -1}; }

void DynamicTree::insert_leaf(int leaf) {
    if (root_ < 0) {
        root_ = leaf;
        parent(leaf) = -1;
        return;
    }
    // Descend to the sibling that adds the least area. Pairing with a node creates a new box around both; descending
    // enlarges this node's box and adds the cost below. A leaf may be paired with a node of height kSlack at most, or the
    // heights of siblings would differ too much.
    const TreeNode box = node(leaf);
    int sibling = root_;
    while (node(sibling).left >= 0) {
        const TreeNode& at = node(sibling);
        const float pair_here = joined_area(at, box);
        const float grow_here = pair_here - area(at);
        const auto cost_below = [&](int child) {
            const TreeNode& c = node(child);
            const float joined = joined_area(c, box);
            return grow_here + (c.left < 0 ? joined : joined - area(c));
        };
        const float left = cost_below(at.left), right = cost_below(at.right);
        if (height_of(sibling) <= kSlack && pair_here < std::min(left, right)) break;
        // Equal cost (box inside both children): take the lower child, which keeps the balance without rotations.
        const bool to_left = left != right ? left < right : height_of(at.left) <= height_of(at.right);
        sibling = to_left ? at.left : at.right;
    }

    const int pair = allocate();  // may reallocate the nodes
    const int upper = parent(sibling);
    parent(pair) = upper;
    node(pair).left = sibling;
    node(pair).right = leaf;
    parent(sibling) = parent(leaf) = pair;
    if (upper < 0) {
        root_ = pair;
    } else {
        (node(upper).left == sibling ? node(upper).left : node(upper).right) = pair;
    }
    refit_upwards(pair);
    ASPERITY_ASSERT(height() < 120);  // size of the stack in query()
}

void DynamicTree::remove_leaf(int leaf) {
    if (leaf == root_) {
        root_ = -1;
        return;
    }
    const int pair = parent(leaf), upper = parent(pair);
    const int sibling = node(pair).left == leaf ? node(pair).right : node(pair).left;
    parent(sibling) = upper;
    if (upper < 0) {
        root_ = sibling;
    } else {
        (node(upper).left == pair ? node(upper).left : node(upper).right) = sibling;
    }
    release(pair);
    refit_upwards(upper);
}

void DynamicTree::refit_upwards(int at) {
    for (; at >= 0; at = parent(at)) {
        TreeNode& n = node(at);
        cover(n, node(n.left), node(n.right));
        height_of(at) = 1 + std::max(height_of(n.left), height_of(n.right));
        balance(at);
    }
}

// Exchanges a child with a grandchild on the other side. Mandatory where the heights differ by kSlack + 1. Otherwise only if
// it saves area and leaves the height of `at` as it is. `at` keeps its index and its box.
//
// In the mandatory case, let c be the lower child and h its height. The higher child has children of heights h + kSlack and
// g in [h, h + kSlack]. Exchanging c for the higher grandchild gives siblings (g, h) and (h + kSlack, g + 1): both within
// kSlack.
void DynamicTree::balance(int at) {
    TreeNode& top = node(at);
    const int difference = height_of(top.left) - height_of(top.right);
    const bool must = std::abs(difference) > kSlack;
    ASPERITY_ASSERT(std::abs(difference) <= kSlack + 1);

    int best_uncle = -1, best_grandchild = -1;
    float best_saving = 0;
    for (int child : {top.left, top.right}) {
        const int uncle = child == top.left ? top.right : top.left;
        const TreeNode& c = node(child);
        if (c.left < 0 || (must && height_of(child) < height_of(uncle))) continue;
        for (int grandchild : {c.left, c.right}) {
            const int stays = grandchild == c.left ? c.right : c.left;
            const int uncle_height = height_of(uncle), stays_height = height_of(stays);
            const int up_height = height_of(grandchild), new_child = 1 + std::max(uncle_height, stays_height);
            if (std::abs(uncle_height - stays_height) > kSlack || std::abs(up_height - new_child) > kSlack) continue;
            if (!must && 1 + std::max(up_height, new_child) != height_of(at)) continue;
            const float saving = area(c) - joined_area(node(uncle), node(stays));
            if (best_uncle < 0 ? must || saving > 0 : saving > best_saving) {
                best_uncle = uncle;
                best_grandchild = grandchild;
                best_saving = saving;
            }
        }
    }
    ASPERITY_ASSERT(!must || best_uncle >= 0);
    if (best_uncle < 0) return;

    const int child = best_uncle == top.left ? top.right : top.left;
    TreeNode& c = node(child);
    (top.left == best_uncle ? top.left : top.right) = best_grandchild;
    (c.left == best_grandchild ? c.left : c.right) = best_uncle;
    parent(best_grandchild) = at;
    parent(best_uncle) = child;
    cover(c, node(c.left), node(c.right));
    height_of(child) = 1 + std::max(height_of(c.left), height_of(c.right));
    height_of(at) = 1 + std::max(height_of(top.left), height_of(top.right));
}

}  // namespace asperity::contact
