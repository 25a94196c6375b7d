// A tree of axis-aligned boxes in two or three dimensions, built anew from an array of boxes whenever it is needed.
//
// The boxes are sorted along a Morton curve by their centres (Lauterbach et al. 2009, "Fast BVH construction on GPUs"), and
// a node is split where the highest bit of the curve changes. Nodes lie in depth-first order and each knows where its
// subtree ends, so a query is one loop without a stack.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "asperity/math/matrix.h"

namespace asperity::ccd {

/// Closed: boxes that only touch overlap. A box with a NaN overlaps nothing.
template <int Dim>
struct Box {
    Vector<Dim> low, high;

    /// Contains nothing; the start of a union.
    static Box empty() {
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        return {Vector<Dim>::Constant(kInfinity), Vector<Dim>::Constant(-kInfinity)};
    }
    /// NaNs are ignored.
    void add(const Vector<Dim>& point) {
        for (int k = 0; k < Dim; ++k) {
            if (point[k] < low[k]) low[k] = point[k];
            if (point[k] > high[k]) high[k] = point[k];
        }
    }
    void add(const Box& other) {
        for (int k = 0; k < Dim; ++k) {
            if (other.low[k] < low[k]) low[k] = other.low[k];
            if (other.high[k] > high[k]) high[k] = other.high[k];
        }
    }
};

template <int Dim>
inline bool overlap(const Box<Dim>& a, const Box<Dim>& b) {
    int apart = 0;  // no branch for each axis: which one separates is not predictable
    for (int k = 0; k < Dim; ++k) apart |= int{!(a.low[k] <= b.high[k])} | int{!(b.low[k] <= a.high[k])};
    return apart == 0;
}

/// The smallest box around points.
template <int Dim, class... Points>
inline Box<Dim> box_of(const Vector<Dim>& first, const Points&... others) {
    Box<Dim> box{first, first};
    (box.add(others), ...);
    return box;
}

/// Larger by `margin` on every side, rounded outwards.
template <int Dim>
inline Box<Dim> inflate(const Box<Dim>& box, double margin) {
    // The nearest double is half a unit in the last place off; one relative unit more is at least that.
    constexpr double kUnit = std::numeric_limits<double>::epsilon();
    Box<Dim> out;
    for (int k = 0; k < Dim; ++k) {
        const double low = box.low[k] - margin, high = box.high[k] + margin;
        out.low[k] = low - kUnit * (low < 0 ? -low : low);
        out.high[k] = high + kUnit * (high < 0 ? -high : high);
    }
    return out;
}

template <int Dim>
class BoxTree {
  public:
    /// Keeps a copy of the boxes. Allocates nothing if there were as many before. The tree depends on the boxes alone.
    void build(std::span<const Box<Dim>> boxes);
    /// New boxes for the same indices. Queries stay exact; they become slower the more the order along the curve has
    /// changed.
    void refit(std::span<const Box<Dim>> boxes);
    int size() const { return static_cast<int>(order_.size()); }
    /// Contains all boxes.
    Box<Dim> bounds() const { return nodes_.empty() ? Box<Dim>::empty() : nodes_[0].box; }

    /// Calls f(index) for every box that overlaps the query, in an order that depends on the tree alone. Any number of
    /// threads may call it at once.
    template <class F>
    void for_overlaps(const Box<Dim>& query, const F& f) const {
        const Node* node = nodes_.data();
        const Node* const end = node + nodes_.size();
        while (node != end) {
            const bool hit = overlap(node->box, query);
            if (hit && node->index >= 0) f(node->index);
            node += hit ? 1 : node->skip;
        }
    }

  private:
    struct Node {
        Box<Dim> box;
        int skip;   ///< nodes to the end of its subtree; 1 for a leaf
        int index;  ///< of the box in a leaf; -1 in inner nodes
    };
    struct Key {
        std::uint64_t code;
        int index;
    };
    void sort(std::span<const Box<Dim>> boxes);
    void arrange();

    std::vector<Node> nodes_;  // depth first: the left child follows its parent, the right child the left one's subtree
    std::vector<Key> order_, scratch_;
};

extern template class BoxTree<2>;
extern template class BoxTree<3>;

}  // namespace asperity::ccd
