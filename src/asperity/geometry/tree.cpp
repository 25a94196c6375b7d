// The dynamic tree: insertion by surface-area cost, and rotations that keep it low and its boxes small.
//
// A query visits a box about as often as its area says, so the sum of the inner boxes' areas is the cost to keep small
// (Goldsmith, Salmon 1987; Kensler 2008 for the rotations). Cost alone may build a chain, so heights are bounded as well:
// the heights of two siblings differ by kSlack at most. That is an AVL tree with more slack, which leaves the cost more
// freedom; a tree of height h then has at least L(h) = L(h-1) + L(h-1-kSlack) leaves, so h < 2.2 log2(leaves) + 3 (1e6
// leaves: 46).
//
//        node                 node              The order of children means nothing here, so one exchange of an uncle (u)
//       /    \               /    \             with a grandchild (g) is the only kind of rotation, and it repairs any
//      u     child   ->     g     child         excess of one level without the double rotations of ordered trees.
//           /    \               /    \         .
//          g      s             u      s
#include "asperity/geometry/tree.h"

#include <algorithm>
#include <cmath>

namespace asperity::geometry {
namespace {

constexpr int kSlack = 3;

Aabb join(const Aabb& a, const Aabb& b) { return {min(a.low, b.low), max(a.high, b.high)}; }

/// Half the surface area, which serves as well and saves a factor.
double area(const Aabb& b) {
    const Vec3 d = b.high - b.low;
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

bool contains(const Aabb& outer, const Aabb& inner) {
    return outer.low.x <= inner.low.x && outer.low.y <= inner.low.y && outer.low.z <= inner.low.z &&
           inner.high.x <= outer.high.x && inner.high.y <= outer.high.y && inner.high.z <= outer.high.z;
}

}  // namespace

int DynamicTree::insert(const Aabb& tight, int user) {
    const int leaf = allocate();
    nodes_[leaf].box = tight.grown(fat_);
    nodes_[leaf].user = user;
    insert_leaf(leaf);
    return leaf;
}

void DynamicTree::remove(int leaf) {
    ASPERITY_ASSERT(nodes_[leaf].left < 0 && nodes_[leaf].height == 0);
    remove_leaf(leaf);
    release(leaf);
}

bool DynamicTree::update(int leaf, const Aabb& tight) {
    if (contains(nodes_[leaf].box, tight)) return false;
    remove_leaf(leaf);
    nodes_[leaf].box = tight.grown(fat_);
    insert_leaf(leaf);
    return true;
}

void DynamicTree::clear() {
    nodes_.clear();   // keeps its memory
    root_ = free_ = -1;
}

int DynamicTree::height() const { return root_ < 0 ? 0 : nodes_[root_].height; }

double DynamicTree::area_ratio() const {
    if (root_ < 0) return 0;
    double inner = 0;
    for (const Node& node : nodes_) {
        if (node.height > 0) inner += area(node.box);
    }
    const double root = area(nodes_[root_].box);
    return root > 0 ? inner / root : 0;
}

int DynamicTree::allocate() {
    if (free_ < 0) {
        nodes_.emplace_back();
        return static_cast<int>(nodes_.size()) - 1;
    }
    const int node = free_;
    free_ = nodes_[node].parent;   // free nodes are chained by their parent field
    nodes_[node] = Node{};
    return node;
}

void DynamicTree::release(int node) {
    nodes_[node] = Node{};
    nodes_[node].parent = free_;
    nodes_[node].height = -1;
    free_ = node;
}

void DynamicTree::insert_leaf(int leaf) {
    if (root_ < 0) {
        root_ = leaf;
        nodes_[leaf].parent = -1;
        return;
    }
    // Down to the sibling that adds the least area: pairing with this node makes one new box around both, while going on
    // makes this box larger and pays again below. Only low nodes may be paired with a leaf, or siblings' heights would
    // differ too much.
    const Aabb box = nodes_[leaf].box;
    int sibling = root_;
    while (nodes_[sibling].left >= 0) {
        const Node& node = nodes_[sibling];
        const double pair_here = area(join(node.box, box));
        const double grow_here = pair_here - area(node.box);
        const auto cost_below = [&](int child) {
            const Node& c = nodes_[child];
            const double joined = area(join(c.box, box));
            return grow_here + (c.left < 0 ? joined : joined - area(c.box));
        };
        const double left = cost_below(node.left), right = cost_below(node.right);
        if (node.height <= kSlack && pair_here < std::min(left, right)) break;
        // Equal cost (a box inside both children): the lower child, which keeps the balance without rotations.
        const bool to_left = left != right ? left < right : nodes_[node.left].height <= nodes_[node.right].height;
        sibling = to_left ? node.left : node.right;
    }

    const int parent = allocate();   // may move nodes_
    const int above = nodes_[sibling].parent;
    nodes_[parent].parent = above;
    nodes_[parent].left = sibling;
    nodes_[parent].right = leaf;
    nodes_[sibling].parent = nodes_[leaf].parent = parent;
    if (above < 0) {
        root_ = parent;
    } else {
        (nodes_[above].left == sibling ? nodes_[above].left : nodes_[above].right) = parent;
    }
    refit_upwards(parent);
    ASPERITY_ASSERT(height() < 120);   // the stack of query()
}

void DynamicTree::remove_leaf(int leaf) {
    if (leaf == root_) {
        root_ = -1;
        return;
    }
    const int parent = nodes_[leaf].parent;
    const int above = nodes_[parent].parent;
    const int sibling = nodes_[parent].left == leaf ? nodes_[parent].right : nodes_[parent].left;
    nodes_[sibling].parent = above;
    if (above < 0) {
        root_ = sibling;
    } else {
        (nodes_[above].left == parent ? nodes_[above].left : nodes_[above].right) = sibling;
    }
    release(parent);
    refit_upwards(above);
}

void DynamicTree::refit_upwards(int node) {
    for (; node >= 0; node = nodes_[node].parent) {
        const Node &l = nodes_[nodes_[node].left], &r = nodes_[nodes_[node].right];
        nodes_[node].box = join(l.box, r.box);
        nodes_[node].height = 1 + std::max(l.height, r.height);
        balance(node);
    }
}

// Exchanges a child with a grandchild on the other side: by need where the heights differ by kSlack + 1, else where that
// saves area and changes no height that others rely on. `node` stays where it is and keeps its box; its height comes back.
//
// Need: with c the lower child and h its height, the higher one has children of heights h + kSlack and g in [h, h + kSlack].
// Exchanging c for the higher grandchild leaves siblings (g, h) and (h + kSlack, g + 1): both within the slack.
int DynamicTree::balance(int node) {
    Node& top = nodes_[node];
    const int difference = nodes_[top.left].height - nodes_[top.right].height;
    const bool must = std::abs(difference) > kSlack;
    ASPERITY_ASSERT(std::abs(difference) <= kSlack + 1);

    int best_uncle = -1, best_grandchild = -1;
    double best_saving = 0;
    for (int child : {top.left, top.right}) {
        const int uncle = child == top.left ? top.right : top.left;
        const Node& c = nodes_[child];
        if (c.left < 0 || (must && c.height < nodes_[uncle].height)) continue;
        for (int grandchild : {c.left, c.right}) {
            const int stays = grandchild == c.left ? c.right : c.left;
            const int uncle_height = nodes_[uncle].height, stays_height = nodes_[stays].height;
            const int up_height = nodes_[grandchild].height, new_child = 1 + std::max(uncle_height, stays_height);
            if (std::abs(uncle_height - stays_height) > kSlack || std::abs(up_height - new_child) > kSlack) continue;
            if (!must && 1 + std::max(up_height, new_child) != top.height) continue;
            const double saving = area(c.box) - area(join(nodes_[uncle].box, nodes_[stays].box));
            if (best_uncle < 0 ? must || saving > 0 : saving > best_saving) {
                best_uncle = uncle;
                best_grandchild = grandchild;
                best_saving = saving;
            }
        }
    }
    ASPERITY_ASSERT(!must || best_uncle >= 0);
    if (best_uncle < 0) return top.height;

    const int child = best_uncle == top.left ? top.right : top.left;
    Node& c = nodes_[child];
    (top.left == best_uncle ? top.left : top.right) = best_grandchild;
    (c.left == best_grandchild ? c.left : c.right) = best_uncle;
    nodes_[best_grandchild].parent = node;
    nodes_[best_uncle].parent = child;
    c.box = join(nodes_[c.left].box, nodes_[c.right].box);
    c.height = 1 + std::max(nodes_[c.left].height, nodes_[c.right].height);
    top.height = 1 + std::max(nodes_[top.left].height, nodes_[top.right].height);
    return top.height;
}

}  // namespace asperity::geometry
