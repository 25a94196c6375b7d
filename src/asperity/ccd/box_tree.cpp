// Building and refitting a tree of boxes.
#include "asperity/ccd/box_tree.h"

#include <array>
#include <bit>
#include <cmath>

#include "asperity/core/assert.h"

namespace asperity::ccd {
namespace {

// Bits of an axis in a Morton code. Fewer put many boxes into one cell, where the order means nothing; three axes of 21 bits
// fill a code of 64, and each 11 bits of a code cost a pass of the sort.
template <int Dim>
constexpr int kAxisBits = Dim == 2 ? 22 : 18;

constexpr int kDigitBits = 11;

/// Moves the bits of a coordinate apart, so that those of the other axes fit between them.
template <int Dim>
std::uint64_t spread(std::uint64_t v) {
    if constexpr (Dim == 2) {
        v = (v | v << 16) & 0x0000ffff0000ffffULL;
        v = (v | v << 8) & 0x00ff00ff00ff00ffULL;
        v = (v | v << 4) & 0x0f0f0f0f0f0f0f0fULL;
        v = (v | v << 2) & 0x3333333333333333ULL;
        v = (v | v << 1) & 0x5555555555555555ULL;
    } else {
        v = (v | v << 32) & 0x001f00000000ffffULL;
        v = (v | v << 16) & 0x001f0000ff0000ffULL;
        v = (v | v << 8) & 0x100f00f00f00f00fULL;
        v = (v | v << 4) & 0x10c30c30c30c30c3ULL;
        v = (v | v << 2) & 0x1249249249249249ULL;
    }
    return v;
}

template <int Dim>
Vector<Dim> centre(const Box<Dim>& box) {
    return 0.5 * box.low + 0.5 * box.high;
}

/// The split of the sorted codes [first, end): the first one with the highest bit in which they differ; in the middle if
/// they are equal.
template <class Key>
int split(const std::vector<Key>& order, int first, int end) {
    const std::uint64_t low = order[static_cast<std::size_t>(first)].code,
                        high = order[static_cast<std::size_t>(end - 1)].code;
    if (low == high) return first + (end - first) / 2;
    const std::uint64_t bit = std::bit_floor(low ^ high);
    const std::uint64_t boundary = high & ~(bit - 1);  // the smallest code of the upper half
    int before = first, at = end - 1;                  // order[before] is below the boundary, order[at] is not
    while (at - before > 1) {
        const int middle = before + (at - before) / 2;
        (order[static_cast<std::size_t>(middle)].code < boundary ? before : at) = middle;
    }
    return at;
}

}  // namespace

template <int Dim>
void BoxTree<Dim>::build(std::span<const Box<Dim>> boxes) {
    sort(boxes);
    arrange();
    refit(boxes);
}

/// Fills order_ with the boxes' indices along the curve; boxes of one cell stay in the order of their indices.
template <int Dim>
void BoxTree<Dim>::sort(std::span<const Box<Dim>> boxes) {
    order_.resize(boxes.size());
    scratch_.resize(boxes.size());
    Box<Dim> range = Box<Dim>::empty();
    for (const Box<Dim>& box : boxes) {
        const Vector<Dim> c = centre(box);
        if (c.allFinite()) range.add(c);
    }
    // Cubic cells: with cells as long as the whole is, a flat layer of boxes would be sorted by height first.
    const double extent = (range.high - range.low).maxCoeff();
    constexpr double kCells = static_cast<double>(std::uint64_t{1} << kAxisBits<Dim>);
    const double scale = extent > 0 && std::isfinite(extent) ? kCells / extent : 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Vector<Dim> c = centre(boxes[i]);
        std::uint64_t code = 0;
        if (c.allFinite())
            for (int k = 0; k < Dim; ++k) {
                const double cell = std::clamp((c[k] - range.low[k]) * scale, 0.0, kCells - 1);
                code |= spread<Dim>(cell > 0 ? static_cast<std::uint64_t>(cell) : 0) << (Dim - 1 - k);
            }
        order_[i] = {code, static_cast<int>(i)};
    }
    std::array<std::uint32_t, 1 << kDigitBits> starts;
    for (int shift = 0; shift < Dim * kAxisBits<Dim>; shift += kDigitBits) {
        const auto digit = [shift](const Key& key) {
            return static_cast<std::size_t>(key.code >> shift & ((std::uint64_t{1} << kDigitBits) - 1));
        };
        starts.fill(0);
        for (const Key& key : order_) ++starts[digit(key)];
        std::uint32_t sum = 0;
        for (std::uint32_t& start : starts) {
            const std::uint32_t count = start;
            start = sum;
            sum += count;
        }
        for (const Key& key : order_) scratch_[starts[digit(key)]++] = key;
        order_.swap(scratch_);
    }
}

/// Lays out the nodes over order_. The ranges still to come wait on a stack: at most one per bit of the code and one per
/// halving of equal codes.
template <int Dim>
void BoxTree<Dim>::arrange() {
    const int count = size();
    nodes_.resize(count > 0 ? 2 * static_cast<std::size_t>(count) - 1 : 0);
    if (count == 0) return;
    struct Range {
        int first, end;
    };
    std::array<Range, 128> stack;
    std::size_t top = 0;
    stack[top++] = {0, count};
    std::size_t next = 0;
    while (top > 0) {
        const Range range = stack[--top];
        Node& node = nodes_[next++];
        node.skip = 2 * (range.end - range.first) - 1;
        if (range.end - range.first == 1) {
            node.index = order_[static_cast<std::size_t>(range.first)].index;
            continue;
        }
        node.index = -1;
        const int middle = split(order_, range.first, range.end);
        ASPERITY_ASSERT(top + 2 <= stack.size());
        stack[top++] = {middle, range.end};
        stack[top++] = {range.first, middle};
    }
}

template <int Dim>
void BoxTree<Dim>::refit(std::span<const Box<Dim>> boxes) {
    ASPERITY_ASSERT(boxes.size() == order_.size());
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        Node& node = nodes_[i];
        if (node.index >= 0) {
            node.box = boxes[static_cast<std::size_t>(node.index)];
            continue;
        }
        const Node& left = nodes_[i + 1];
        node.box = Box<Dim>::empty();
        node.box.add(left.box);
        node.box.add(nodes_[i + 1 + static_cast<std::size_t>(left.skip)].box);
    }
}

template class BoxTree<2>;
template class BoxTree<3>;

}  // namespace asperity::ccd
